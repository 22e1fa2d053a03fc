import Foundation
import SystemPackage
import TestSupport
import Testing

@testable import MetaTag

@Suite("All tags of a movie")
struct MovieTagsTests {
  private typealias Sample = MovieSample

  private static func tags(_ movie: Bytes) throws -> [String: TagDump] {
    Dictionary(try MovieTags(of: movie).tags.map { ($0.key, $0) }) { $1 }
  }

  @Test(
    "The times of all headers are listed as exiftool lists them, also in 64-bit headers.", arguments: [false, true])
  func headers(isWide: Bool) throws {
    let tags = try MovieTags(of: Sample.movie(isWide: isWide)).tags
    #expect(
      tags.filter { $0.type == "Date" }.map(\.key) == [
        "QuickTime:CreateDate", "QuickTime:ModifyDate", "Track1:TrackCreateDate", "Track1:TrackModifyDate",
        "Track1:MediaCreateDate", "Track1:MediaModifyDate", "Track2:TrackCreateDate", "Track2:TrackModifyDate",
        "Track2:MediaCreateDate", "Track2:MediaModifyDate",
      ])
    #expect(
      tags[0] == TagDump(key: "QuickTime:CreateDate", type: "Date", text: "2024:05:01 10:05:00", raw: "3797402700"))
  }

  @Test("A time that isn't set is listed as zeros.")
  func unset() throws {
    #expect(try Self.tags(Sample.movie(seconds: 0))["QuickTime:CreateDate"]?.text == "0000:00:00 00:00:00")
  }

  @Test(
    "Values have exiftool's names, or those of their boxes.",
    arguments: [
      (Sample.keys([(QuickTime.Key.location, "+35.7143+139.7963/")]), "Keys:GPSCoordinates", "+35.7143+139.7963/"),
      (
        Sample.keys([(QuickTime.Key.date, "2024-05-01T19:05:00+0900")]), "Keys:CreationDate", "2024-05-01T19:05:00+0900"
      ),
      (Sample.keys([("com.apple.quicktime.camera.lens_model", "Back")]), "Keys:CameraLensModel", "Back"),
      (Sample.keys([("com.apple.quicktime.live-photo.auto", "x")]), "Keys:LivePhotoAuto", "x"),
      (Sample.keys([("com.android.version", "14")]), "Keys:AndroidVersion", "14"),
      (Sample.keys([("location-eng", "Bled")]), "Keys:LocationEng", "Bled"),
      (Sample.userData(Sample.text("©xyz", "+46.3+014.1/")), "UserData:GPSCoordinates", "+46.3+014.1/"),
      (Sample.userData(Sample.text("©day", "2024-05-01")), "UserData:ContentCreateDate", "2024-05-01"),
      (Sample.userData(Sample.loci(46, 14, 3)), "UserData:LocationInformation", "+46.00000+014.00000+003.000/"),
      (Sample.userData(Box.bytes("modl", Array("X 1 \0".utf8))), "UserData:Model", "X 1"),
      (Sample.userData(Box.bytes("titl", [0, 0, 0, 0, 0x15, 0xC7] + Array("Lake\0".utf8))), "UserData:Title", "Lake"),
      (Sample.userData(Box.bytes("abcd", Array("words".utf8))), "UserData:abcd", "words"),
      (Sample.userData(Box.bytes("abcd", [1, 2, 0, 3])), "UserData:abcd", "(4 bytes)"),
      (Sample.userData(Box.bytes("abcd", [0xE5, 0x6C])), "UserData:abcd", "(2 bytes)"),
      (
        Sample.userData(Box.bytes("abcd", [UInt8](repeating: 0x41, count: 5_000))), "UserData:abcd", "(5000 bytes)"
      ),
    ] as [([UInt8], String, String)])
  func values(_ extra: [UInt8], _ key: String, _ text: String) throws {
    #expect(try Self.tags(Sample.movie(extra: extra))[key]?.text == text)
  }

  @Test(
    "exiftool lists the same values of real movies.", .enabled(if: Corpus.isThere, "\(Corpus.absence)"),
    .enabled(if: Oracle.has("exiftool"), "exiftool is missing"))
  func judged() throws {
    let movies = Corpus.files("corpus/mov").filter { ["mov", "mp4", "3gp"].contains($0.pathExtension.lowercased()) }
    var compared = 0
    for movie in movies {
      let answer = try Oracle.run("exiftool", ["-G1", "-s", "-a", movie.path])
      let lines = Set(answer.text.split(separator: "\n").map { $0.filter { $0 != " " } })
      for tag in try MovieTags(of: FileSource(movie.filePath)).tags
      where tag.type == "Date" || ["Make", "Model", "Software"].contains(where: { tag.key == "Keys:\($0)" }) {
        let parts = tag.key.split(separator: ":")
        let line = "[\(parts[0])]\(parts[1]):\(tag.text.filter { $0 != " " })"
        #expect(lines.contains(line), "\(movie.lastPathComponent) \(line)")
        compared += 1
      }
    }
    #expect(compared > 60)
  }

  @Test("XMP is listed with a movie's tags, and a sidecar's XMP too.")
  func packet() throws {
    let scratch = try Scratch()
    var edit = MetadataEdit()
    edit.names = .set(PlaceNames(city: "Bled"))
    let movie = Sample.movie()
    let patch = try ImageSource(movie, path: "a.mov").patch(for: edit)
    let file = try scratch.write(try patch.applied(to: movie), as: "a.mov").filePath
    let tags = try TagReader().tags(of: ImageSource(file))
    #expect(tags.first?.key == "QuickTime:CreateDate")
    #expect(tags.contains { $0.key == "Xmp.photoshop.City" && $0.text == "Bled" })
    let image = try ImageSource(file)
    let packet = try #require(image.layout.xmp)
    let sidecar = try scratch.write(image.source.bytes(packet).array, as: "a.xmp").filePath
    let own = try TagReader().tags(of: ImageSource(sidecar))
    #expect(own == tags.filter { $0.key.hasPrefix("Xmp.") })
  }
}

extension PlaceNames {
  fileprivate init(city: String) {
    self.init()
    self.city = city
  }
}
