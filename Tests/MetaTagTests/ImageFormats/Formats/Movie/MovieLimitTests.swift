import Testing

@testable import MetaTag

@Suite("Limits of movie editing")
struct MovieLimitTests {
  private typealias Sample = MovieSample

  @Test("A date beyond 2040 is refused if the headers have 32 bits.")
  func overflow() throws {
    let time = CaptureTime(try #require(CivilTime(year: 2041, month: 1, day: 1)), offset: .utc)
    let error = #expect(throws: FileError.self) { try Sample.edited(Sample.movie(), .dates(.set(time))) }
    #expect(error?.kind == .refused)
    _ = try Sample.edited(Sample.movie(isWide: true), .dates(.set(time)))
  }

  @Test("A fragmented movie changes only if nothing moves.")
  func fragments() throws {
    let extra = Box.bytes("mvex", []) + MovieTests.iPhone
    let movie = Sample.streaming(extra: extra, tail: Box.bytes("moof", [1]) + Box.bytes("mdat", [2]))
    let error = #expect(throws: FileError.self) { try Sample.edited(movie, try .place()) }
    #expect(error?.kind == .unsupported && error?.remedy == .useSidecar)
    let new = try Sample.edited(movie, .dates(.adjust(TimeShift(seconds: 60), offset: .keep)))
    #expect(new.count == movie.count)
  }

  @Test("Erased data in a fragmented movie becomes free space in place.")
  func fragmentsCleared() throws {
    let extra = Box.bytes("mvex", []) + MovieTests.iPhone
    let text = "+01.5000+002.2500/"
    let movie = Sample.streaming(
      extra: extra + MovieSample.userData(MovieSample.text("©xyz", text)),
      tail: Box.bytes("moof", [1]) + Box.bytes("mdat", [2]))
    #expect(try Sample.open(movie).metadata().locations.count == 2)
    let new = try Sample.edited(movie, .removal)
    #expect(new.count == movie.count && new.firstIndex(of: Array(text.utf8)) == nil)
    #expect(try Sample.open(new).metadata().locations.isEmpty)
    #expect(try Sample.open(new).metadata().captureTime == Sample.open(movie).metadata().captureTime)
    #expect(try Sample.open(new).patch(for: .removal).isEmpty)
  }

  @Test(
    "A telemetry track is reported and refuses removal of the location.",
    arguments: ["gpmd", "camm", "rtmd"] as [FourCC])
  func telemetry(kind: FourCC) throws {
    let movie = Sample.movie(kind: kind)
    #expect(try Sample.open(movie).metadata().notes.count == 1)
    let error = #expect(throws: FileError.self) { try Sample.edited(movie, .removal) }
    #expect(error?.kind == .refused)
    _ = try Sample.edited(movie, try .place())
  }

  @Test(
    "A location outside moov refuses removal of the location.",
    arguments: [
      Box.bytes("meta", Array("<Group name=\"ExifGPS\">".utf8)),
      MovieSample.userData(MovieSample.text("©xyz", "+1+2/")),
      [0, 0, 9, 0, 0xFF] + Array("8db42d694ccc418790edff439fe026bf".utf8),
    ])
  func outside(tail: [UInt8]) throws {
    let error = #expect(throws: FileError.self) { try Sample.edited(Sample.movie(tail: tail), .removal) }
    #expect(error?.kind == .refused)
  }

  @Test("Data that isn't boxes stays at the very end, so moov can't grow before it.")
  func trailer() throws {
    let movie = Sample.movie(extra: MovieTests.iPhone, tail: [0, 0, 9, 0, 0xFF, 0xFE, 1, 2, 3])
    let error = #expect(throws: FileError.self) { try Sample.edited(movie, try .place()) }
    #expect(error?.kind == .refused)
    _ = try Sample.edited(movie, .dates(.adjust(TimeShift(seconds: 60), offset: .keep)))
  }

  @Test("Damaged user data is reported and refused, and other metadata is still read.")
  func damage() throws {
    let movie = Sample.movie(extra: MovieTests.iPhone + Sample.userData([0, 0, 0, 99] + Array("name1234".utf8)))
    let metadata = try Sample.open(movie).metadata()
    #expect(metadata.notes.count == 1)
    #expect(metadata.location?.altitude == 7.4)
    let error = #expect(throws: FileError.self) { try Sample.edited(movie, try .place()) }
    #expect(error?.kind == .truncated)
  }

  @Test("Nothing in moov moves if a table points into it.")
  func pointedInto() throws {
    func movie(_ place: Int) -> Bytes {
      let table = Box.bytes("saio", [0, 0, 0, 0, 0, 0, 0, 1] + UInt32(place).bytes(.big))
      let information = Box.bytes("minf", Box.bytes("stbl", table))
      return Sample.movie(extra: Box.bytes("trak", Box.bytes("mdia", information)) + MovieTests.iPhone)
    }
    let error = #expect(throws: FileError.self) { try Sample.edited(movie(movie(0).count - 9), try .place()) }
    #expect(error?.kind == .refused)
    _ = try Sample.edited(movie(movie(0).count - 9), .dates(.adjust(TimeShift(seconds: 60), offset: .keep)))
    _ = try Sample.edited(movie(Sample.brand.count + 8), try .place())
  }

  @Test("A movie garbled at any byte is an error or an edit, never a trap.")
  func hostile() throws {
    var edit = try MetadataEdit.place()
    edit.dates = .adjust(TimeShift(seconds: 60), offset: .keep)
    let extra = MovieTests.iPhone + Sample.userData(Sample.text("©xyz", "+1+2/") + Sample.loci(1, 2, 3))
    let movie = Sample.movie(extra: extra).array
    let start = Sample.brand.count + 8 + Sample.media.count
    for at in stride(from: start, to: movie.count, by: 3) {
      for (value, wanted) in [(0, edit), (0xFF, edit), (1, .removal)] as [(UInt8, MetadataEdit)] {
        var garbled = movie
        garbled[at] = value
        do { _ = try Sample.edited(Bytes(garbled), wanted) } catch { #expect(error is FileError) }
      }
    }
  }
}
