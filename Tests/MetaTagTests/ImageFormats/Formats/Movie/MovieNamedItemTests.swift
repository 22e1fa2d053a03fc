@testable import ImageFormats
import Testing

@testable import MetaTag

/// exiftool writes `©xyz` and `©day` into the first item list that it finds, whatever its purpose.
@Suite("Named items in a movie's keyed metadata list")
struct MovieNamedItemTests {
  private typealias Sample = MovieSample

  private static let named: [(FourCC, String)] = [
    ("©xyz", "+46.396231+014.08+400/"), ("©day", "2024-05-18T14:31:20+02:00"), ("©too", "Lavf59.27.100"),
  ]
  private static let make = [(QuickTime.Key.make, "Apple"), (QuickTime.Key.date, "2024-05-18T14:31:20+0200")]

  static let movies: [(String, Bytes)] = [
    ("in user data", Sample.movie(extra: Sample.userData(Sample.keys(make, named: named)))),
    ("as ISO has it", Sample.movie(extra: Sample.userData(Sample.keys(make, named: named, isFull: true)))),
    ("in the movie", Sample.movie(extra: Sample.keys(make, named: named))),
    ("without keys", Sample.movie(extra: Sample.userData(Sample.keys([], named: named, hasKeys: false)))),
    ("moov first", Sample.streaming(extra: Sample.userData(Sample.keys(make, named: named)))),
  ]

  @Test("A location in a named item is read, changed and erased completely.", arguments: movies)
  func places(name: String, movie: Bytes) throws {
    #expect(try Sample.open(movie).metadata().locations.map(\.tag) == ["©xyz"])
    let moved = try Sample.edited(movie, try .place())
    #expect(moved.firstIndex(of: Array("46.396".utf8)) == nil)
    #expect(try Sample.open(moved).metadata().locations.contains { $0.tag == "©xyz" })
    let cleared = try Sample.edited(moved, .removal)
    for mark in ["46.396", "+47.606"] { #expect(cleared.firstIndex(of: Array(mark.utf8)) == nil) }
    let metadata = try Sample.open(cleared).metadata()
    let before = try Sample.open(movie).metadata()
    #expect(metadata.locations.isEmpty && metadata.captureTime == before.captureTime)
    #expect(cleared.firstIndex(of: Array("Lavf59".utf8)) != nil)
    #expect(try Sample.chunks(cleared) == Sample.chunks(movie))
  }

  @Test("A date in a named item is read, moved with all others, and erased.", arguments: movies)
  func dates(name: String, movie: Bytes) throws {
    let count = name == "without keys" ? 1 : 2
    #expect(try Sample.open(movie).metadata().captureTimes.count == count)
    let new = try Sample.edited(movie, .dates(.adjust(TimeShift(seconds: 86_400), offset: .keep)))
    let times = try Sample.open(new).metadata().captureTimes
    #expect(times.map { "\($0.value)" } == [String](repeating: "2024-05-19T14:31:20+02:00", count: count))
    var edit = MetadataEdit()
    edit.erasesDates = true
    let erased = try Sample.edited(new, edit)
    #expect(try Sample.open(erased).metadata().captureTimes.isEmpty)
    #expect(erased.firstIndex(of: Array("2024-05".utf8)) == nil)
  }

  @Test("A location under a number without a key is erased too.")
  func unnumbered() throws {
    let movie = Sample.movie(
      extra: Sample.userData(Sample.keys(Self.make, named: [(FourCC(rawValue: 9), "+46.3962+014.0800/")])))
    #expect(try Sample.edited(movie, .removal).firstIndex(of: Array("46.396".utf8)) == nil)
  }
}
