import Foundation
import TestSupport
import Testing

/// Motion photos after setting a location, a date, and removing the location, with their movies checked by ffprobe.
@Suite(
  "Motion photos",
  .enabled(if: Corpus.isThere && Oracle.has("exiftool") && Oracle.has("ffprobe"), "\(Corpus.absence), or no oracle"))
struct MotionPhotoTests {
  /// A real one, and one made of a photo and a phone's movie with a location.
  private static func sample(_ name: String, in scratch: Scratch) throws -> URL {
    guard name == "with a place" else {
      return try scratch.copy(Corpus.shared.appending(path: "corpus/jpeg-special/\(name)"))
    }
    let photo = try scratch.copy(Corpus.project.appending(path: "SampleImages/aurora-01-jetty.jpg"))
    let movie = try Data(contentsOf: Corpus.shared.appending(path: "corpus/mov/with-gps.mp4"))
    _ = try Oracle.run(
      "exiftool",
      [
        "-q", "-overwrite_original", "-XMP-GCamera:MicroVideo=1", "-XMP-GCamera:MicroVideoOffset=\(movie.count)",
        photo.path,
      ])
    let bytes = try Data(contentsOf: photo) + movie
    try bytes.write(to: photo)
    return photo
  }

  /// The movie, of the length from the end that XMP records.
  private func movie(of photo: URL) throws -> Data {
    let answer = try Oracle.run(
      "exiftool",
      [
        "-s3", "-n", "-a", "-XMP-GCamera:MicroVideoOffset", "-XMP-GCamera:MotionPhotoOffset",
        "-XMP-Container:DirectoryItemLength",
        photo.path,
      ])
    let count = try #require(answer.text.split { !$0.isNumber }.compactMap { Int($0) }.max())
    return try Data(contentsOf: photo).suffix(count)
  }

  private func packets(_ movie: Data) throws -> String {
    let scratch = try Scratch()
    let file = try scratch.write(movie, as: "a.mp4")
    let answer = try Oracle.run(
      "ffprobe", ["-v", "error", "-show_packets", "-show_data_hash", "sha256", "-of", "csv", file.path])
    #expect(answer.status == 0)
    return answer.text
  }

  @Test(
    "The movie is where XMP says and plays, and has no location.",
    arguments: ["PXL_20200710_061629144.MP.jpg", "with a place"])
  func playable(name: String) throws {
    let (tool, scratch) = (try Tool(), try Scratch())
    let photo = try Self.sample(name, in: scratch)
    let hash = try sha256(photo)
    let old = try movie(of: photo)
    let oldPackets = try packets(old)
    #expect(!oldPackets.isEmpty && old.dropFirst(4).starts(with: Data("ftyp".utf8)))
    #expect(try tool("geotag", "--at", "47.6062,-122.3321", "--overwrite", "replace", photo.path).status == 0)
    #expect(try tool("date", "set", "2020-02-02T03:04:05+09:00", photo.path).status == 0)
    #expect(try movie(of: photo) == old)
    let clear = try tool("clear", "--location", photo.path)
    #expect(clear.status == 0, "\(clear.text)")
    let new = try movie(of: photo)
    #expect(try packets(new) == oldPackets)
    #expect((new != old) == (name == "with a place"))
    let file = try scratch.write(new, as: "new.mp4")
    #expect(try Oracle.run("exiftool", ["-GPS*", "-*Location*", "-ee", file.path]).text == "")
    for _ in 1...3 { #expect(try tool("undo").status == 0) }
    #expect(try sha256(photo) == hash)
  }

  @Test("Dates in the movie's headers refuse erasing the dates.")
  func dates() throws {
    let (tool, scratch) = (try Tool(), try Scratch())
    let photo = try Self.sample("with a place", in: scratch)
    let hash = try sha256(photo)
    let clear = try tool("clear", "--date", photo.path)
    #expect(clear.status == 1 && clear.text.contains("contains dates, which can't be erased"), "\(clear.text)")
    #expect(try sha256(photo) == hash)
    #expect(try tool("clear", "--all", photo.path).status == 0)
    #expect(try tool("undo").status == 0)
    #expect(try sha256(photo) == hash)
  }
}
