@testable import ImageFormats
import Foundation
import SystemPackage
import TestSupport
import Testing

@testable import MetaTag

@Suite("Erasing everything from a movie")
struct MovieErasingTests {
  private typealias Sample = MovieSample

  static func erased(_ movie: any ByteSource, keepingDate: Bool = false) throws -> (patch: Patch, new: Bytes) {
    let image = try ImageSource(movie, path: "made.mov")
    var edit = MetadataEdit()
    edit.erasure = Erasure()
    edit.erasure?.keepsDate = keepingDate
    let patch = try image.patch(for: edit)
    let new = Bytes(try patch.applied(to: movie))
    try Expectation(edit: edit, before: image.metadata()).check(try ImageSource(new, path: "made.mov").metadata())
    #expect(try patch.inverse(of: movie).applied(to: new) == movie.bytes(0..<movie.count).array)
    return (patch, new)
  }

  private static func track(
    _ handler: FourCC, _ descriptions: [UInt8], extra: [UInt8] = [], table: [UInt8] = [], reference: UInt8 = 1,
    media: Int = Sample.brand.count + 8
  ) -> [UInt8] {
    let kind =
      Box.bytes("hdlr", [0, 0, 0, 0] + FourCC("mhlr").bytes + handler.bytes + Array("Secr000000000000etHandler".utf8))
    let url = Box.bytes("url ", [0, 0, 0, reference] + Array("file://SecretPath".utf8))
    let data = Box.bytes("dinf", Box.bytes("dref", [0, 0, 0, 0, 0, 0, 0, 1] + url))
    let samples = Box.bytes("stsd", [0, 0, 0, 0, 0, 0, 0, 1] + descriptions)
    let offsets = Box.bytes("stco", [0, 0, 0, 0, 0, 0, 0, 1] + UInt32(media).bytes(.big))
    let information = Box.bytes("minf", data + Box.bytes("stbl", samples + offsets + table))
    return Box.bytes(
      "trak",
      Sample.header("tkhd", Sample.seconds)
        + Box.bytes("mdia", Sample.header("mdhd", Sample.seconds) + kind + information)
        + extra)
  }

  private static let picture: [UInt8] = Box.bytes(
    "avc1",
    [UInt8](repeating: 0, count: 12) + Array("Secr".utf8) + [UInt8](repeating: 1, count: 26) + [14]
      + Array("SecretCompressor".utf8) + [UInt8](repeating: 2, count: 19) + Box.bytes("avcC", [9, 9, 9]))

  private static func movie(_ tracks: [UInt8], _ extra: [UInt8] = [], tail: [UInt8] = []) -> Bytes {
    let moov = Box.bytes("moov", Sample.header("mvhd", Sample.seconds) + tracks + extra)
    return Bytes(Sample.brand + Box.bytes("mdat", Sample.media) + moov + tail)
  }

  @Test("Descriptions and names are erased in place, media and tables stay, and a kept date reads back.")
  func plain() throws {
    let texts = Sample.userData(Sample.text("©nam", "SecretTitle") + Sample.text("©day", "2024-05-01T12:05:00+0200"))
    let list = Sample.keys([("com.secret", "SecretValue")])
    let movie = Self.movie(
      Self.track("vide", Self.picture, extra: Sample.userData(Sample.text("©swr", "SecretWare"))), texts + list,
      tail: Box.bytes("free", Array("SecretRest".utf8)) + Box.bytes("uuid", Array("SecretPacketOfXMP!!".utf8))
        + [0, 0, 9, 0, 0xFF] + Array("SecretTrailer".utf8))
    let trailerCount = 5 + "SecretTrailer".utf8.count
    for keepsDate in [false, true] {
      let (_, new) = try Self.erased(movie, keepingDate: keepsDate)
      #expect(new.firstIndex(of: Array("Secr".utf8)) == nil)
      #expect(new.count == movie.count - trailerCount, "nothing moves")
      #expect(new.firstIndex(of: Sample.media) == Sample.brand.count + 8)
      #expect(new.firstIndex(of: [9, 9, 9]) == movie.firstIndex(of: [9, 9, 9]))
      let time = try ImageSource(new, path: "a.mov").metadata().captureTime
      #expect(time.map { "\($0)" } == (keepsDate ? "2024-05-01T12:05:00+02:00" : nil))
      #expect(try Self.erased(new, keepingDate: keepsDate).patch.isEmpty)
    }
  }

  @Test("A kept date without room goes where moov may grow, and the old moov is zeroed.")
  func date() throws {
    let id: [UInt8] = [
      0xBE, 0x7A, 0xCF, 0xCB, 0x97, 0xA9, 0x42, 0xE8, 0x9C, 0x71, 0x99, 0x94, 0x91, 0xE3, 0xAF, 0xAC,
    ]
    let packet = XMPSample.packet("photoshop:DateCreated='2024-05-01T12:05:00+02:00'", "SecretWords")
    func moov(_ media: Int) -> [UInt8] {
      Box.bytes("moov", Sample.header("mvhd", 0) + Self.track("vide", Self.picture, media: media))
    }
    let head = moov(Sample.brand.count + moov(0).count + 8)
    let movie = Bytes(Sample.brand + head + Box.bytes("mdat", Sample.media) + Box.bytes("uuid", id + packet))
    let (_, new) = try Self.erased(movie, keepingDate: true)
    let metadata = try ImageSource(new, path: "a.mov").metadata()
    #expect(metadata.captureTimes.map { "\($0.value)" } == ["2024-05-01T12:05:00+02:00"])
    #expect(new.firstIndex(of: Array("Secr".utf8)) == nil)
    #expect(new.firstIndex(of: Sample.media) == movie.firstIndex(of: Sample.media))
    #expect(try Self.erased(new, keepingDate: true).patch.isEmpty)
    // A time without a zone is in the headers alone.
    let clock = Self.movie(Self.track("vide", Self.picture))
    #expect(try Self.erased(Self.erased(clock, keepingDate: true).new, keepingDate: true).patch.isEmpty)
  }

  @Test("Data that is needed for playing but may hold private content is refused.")
  func refused() throws {
    let picture = Self.track("vide", Self.picture)
    for (movie, words) in [
      (Self.movie(picture + Self.track("musi", Box.bytes("musi", [0, 0]))), "a track of the unknown type 'musi'"),
      (Self.movie(Self.track("meta", Box.bytes("gpmd", [0, 0]))), "no video or audio track"),
      (Self.movie(Self.track("vide", Self.picture, table: Box.bytes("uuid", [1, 2, 3]))), "a 'uuid' box"),
      (Self.movie(Self.track("vide", Self.picture, reference: 0)), "media data in another file"),
      (Self.movie(picture, Box.bytes("gps ", [1, 2, 3])), "an invalid GPS table"),
      (Self.movie(picture, tail: Box.bytes("moov", [])), "several moov boxes"),
      (Self.movie(picture, Box.bytes("mvex", []), tail: Box.bytes("moof", Box.bytes("what", []))), "a 'what' box"),
    ] {
      let error = #expect(throws: FileError.self) { try Self.erased(movie) }
      #expect(
        error?.kind == .refused && error?.description.contains(words) == true, "\(words): \(String(describing: error))")
    }
    // Its first chunk is in a box that would be erased.
    let moov = Box.bytes("moov", Sample.header("mvhd", Sample.seconds) + picture)
    let astray = Bytes(Sample.brand + Box.bytes("free", Sample.media) + moov)
    let error = #expect(throws: FileError.self) { try Self.erased(astray) }
    #expect(error?.code == .notErasable)
    // The orientation of the phone is the orientation of the movie.
    let held = Box.bytes("keyd", FourCC("mdta").bytes + Array("com.apple.quicktime.video-orientation".utf8))
    let turned = Box.bytes("mebx", [UInt8](repeating: 0, count: 8) + Box.bytes("keys", Box.bytes("\0\0\0\u{1}", held)))
    #expect(try Self.erased(Self.movie(picture + Self.track("meta", turned))).new.firstIndex(of: held) != nil)
  }

  @Test("Real movies keep their media in place.", .enabled(if: Corpus.isThere, "\(Corpus.absence)"))
  func corpus() throws {
    var count = 0
    for file in Corpus.files("corpus/mov") where file.pathExtension != "jpg" {
      let old = try FileSource(file.filePath)
      guard let (patch, new) = try? Self.erased(old) else { continue }
      count += 1
      let media = try MovieContainer().layout(of: old).imageData
      #expect(try MovieContainer().layout(of: new).imageData == media, "\(file.lastPathComponent)")
      let tracks = try MovieBox(in: MovieFile(of: old), of: old).tracks.filter { try $0.recorded(old) != nil }
      let gone = try tracks.flatMap { try MovieSamples(old).exact(of: $0) }
      for range in media.excluding(gone) { #expect(try old.bytes(range).array == new.bytes(range).array) }
      #expect(patch.newCount <= old.count)
      #expect(try Self.erased(new).patch.isEmpty, "\(file.lastPathComponent)")
    }
    #expect(count >= 12)
  }

  @Test("A malformed movie is erased or refused within a second.", .enabled(if: Corpus.isThere, "\(Corpus.absence)"))
  func malformed() throws {
    for file in Corpus.files("malformed/mov") + Corpus.files("malformed/exiv2-poc") {
      let time = try processorTime {
        do { _ = try Self.erased(try FileSource(file.filePath)) } catch let error as FileError {
          #expect(!error.description.isEmpty)
        }
      }
      #expect(time < .seconds(1), "\(file.lastPathComponent)")
    }
  }
}
