@testable import ImageFormats
import Foundation
import SystemPackage
import TestSupport
import Testing

@testable import MetaTag

@Suite("Movies in motion photos")
struct EmbeddedMovieTests {
  static let text = "+47.60620-122.33210/"
  static let marks = [Array("+47.60".utf8), Array("-122.3".utf8), Loci.mark]

  /// The forms in which a movie stores a location.
  static let places: [String: [UInt8]] = [
    "user data": MovieSample.userData(MovieSample.text("©xyz", text)),
    "3GPP": MovieSample.userData(MovieSample.loci(47.6062, -122.3321, 12)),
    "keys": MovieSample.keys([
      (QuickTime.Key.make, "Apple"), (QuickTime.Key.location, text), (QuickTime.Key.accuracy, "9.66"),
    ]),
    "a name in a list with keys": MovieSample.userData(
      MovieSample.keys([(QuickTime.Key.make, "Apple")], named: [("©xyz", text)])),
    "all": MovieSample.userData(MovieSample.text("©xyz", text) + MovieSample.loci(47.6062, -122.3321, 12))
      + MovieSample.keys([(QuickTime.Key.location, text)]),
  ]

  /// Samsung's trailer after the movie.
  static let trailer =
    [0, 0, 1, 0x0A, 14, 0, 0, 0] + Array("Image_UTC_Data1716485921601".utf8)
    + Array("SEFH".utf8) + [0x6B, 0, 0, 0, 1, 0, 0, 0, 0, 0, 1, 0x0A, 35, 0, 0, 0, 35, 0, 0, 0, 24, 0, 0, 0]
    + Array("SEFT".utf8)

  private func clear(_ photo: Bytes) throws -> Patch {
    var edit = MetadataEdit()
    edit.location = .remove
    return try ImageSource(photo, path: "a.jpg").patch(for: edit)
  }

  @Test(
    "A location is erased from the movie after a JPEG, and all other bytes of the movie stay.",
    arguments: places.keys.sorted(), [false, true])
  func jpeg(_ name: String, isSamsung: Bool) throws {
    let movie = MovieSample.movie(extra: try #require(Self.places[name]), tail: isSamsung ? Self.trailer : [])
    let photo = Sample.jpeg(Sample.exif(Sample.tiff(exif: Sample.cameraDates)), trailer: movie.array)
    let patch = try clear(photo)
    let new = Bytes(try patch.applied(to: photo))
    #expect(new.count == photo.count)
    #expect(try patch.inverse(of: photo).applied(to: new) == photo.array)
    for mark in Self.marks { #expect(new.firstIndex(of: mark) == nil) }
    let tail = Bytes(new.array.suffix(movie.count))
    let (before, after) = (try MovieSample.open(movie).metadata(), try MovieSample.open(tail).metadata())
    #expect(!before.locations.isEmpty && after.locations.isEmpty)
    #expect(after.captureTimes == before.captureTimes && after.make == before.make)
    #expect(try MovieSample.chunks(tail) == MovieSample.chunks(movie))
    #expect(try clear(new).isEmpty)
  }

  @Test("A location is erased from the movie in a HEIF file's box.", arguments: places.keys.sorted())
  func heif(_ name: String) throws {
    let movie = MovieSample.movie(extra: try #require(Self.places[name]))
    let photo = HEIFTests.sample {
      $0.exif = [HEIFSample.apple(HEIFTests.plain)]
      $0.tail = Box.bytes("mpvd", movie.array)
    }.bytes
    let new = Bytes(try clear(photo).applied(to: photo))
    for mark in Self.marks { #expect(new.firstIndex(of: mark) == nil) }
    #expect(try MovieSample.chunks(Bytes(new.array.suffix(movie.count))) == MovieSample.chunks(movie))
    #expect(try HEIFTests.picture(new) == HEIFSample.picture)
  }

  @Test("Other edits keep every byte of the movie and its distance from the end.")
  func others() throws {
    let movie = MovieSample.movie(extra: try #require(Self.places["all"]), tail: Self.trailer)
    let photo = Sample.jpeg(Sample.exif(Sample.tiff(exif: Sample.cameraDates)), trailer: movie.array)
    var edit = try JPEGTests.edit()
    edit.dates = .adjust(TimeShift(seconds: 3_600), offset: .keep)
    let new = try ImageSource(photo, path: "a.jpg").patch(for: edit).applied(to: photo)
    #expect(new.count > photo.count)
    #expect(Array(new.suffix(movie.count)) == movie.array)
  }

  @Test("A movie whose location can't be erased is refused.")
  func refused() throws {
    let uncertain = MovieSample.movie(kind: "gpmd")
    let cut = Bytes(Array(MovieSample.movie(extra: try #require(Self.places["all"])).array.dropLast(20)))
    for movie in [uncertain, cut] {
      let error = #expect(throws: FileError.self) { try clear(Sample.jpeg(trailer: movie.array)) }
      #expect(error?.kind == .refused)
      #expect(error?.remedy == .takeOutMovie)
    }
    // Other data after the image is ignored.
    #expect(try clear(Sample.jpeg(trailer: Array("ftyp and no movie, ©xyz".utf8))).isEmpty)
  }

  @Test("A movie with any changed bytes never traps.")
  func hostile() throws {
    let movie = MovieSample.movie(extra: try #require(Self.places["all"]), tail: Self.trailer).array
    var random = SeededGenerator(seed: 7)
    var count = 0
    for _ in 0..<2_000 {
      var broken = movie
      for _ in 0..<3 {
        broken[Int.random(in: 24..<broken.count, using: &random)] = UInt8.random(in: 0...255, using: &random)
      }
      let photo = Sample.jpeg(trailer: broken)
      guard let patch = try? clear(photo) else { continue }
      count += 1
      #expect(patch.newCount == photo.count)
    }
    #expect(count > 1_000)
  }
}

extension Loci {
  /// 47.6062 and −122.3321 as 16.16 numbers, longitude first.
  fileprivate static let mark = [-122.3321, 47.6062].flatMap { Int32(($0 * 65_536).rounded()).bytes(.big) }
}
