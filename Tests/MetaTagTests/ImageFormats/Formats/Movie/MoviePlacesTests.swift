@testable import ImageFormats
import Foundation
import SystemPackage
import TestSupport
import Testing

@testable import MetaTag

@Suite("Erasing location tracks from a movie")
struct MoviePlacesTests {
  private typealias Sample = MovieTrackSample

  // MARK: Whole tracks

  private static func dropping(_ edit: MetadataEdit = .removal) -> MetadataEdit {
    var edit = edit
    edit.dropsTimedPlaces = true
    return edit
  }

  @Test(
    "Location tracks are erased whole on request, and nothing else moves or changes.",
    arguments: ["camm", "rtmd", "djmd", "mebx"] as [FourCC])
  func dropped(format: FourCC) throws {
    var picture = Sample.picture
    picture.extra = Sample.reference("cdsc", 3)
    var track = Sample.telling(3, "meta", format)
    if format == "mebx" { track.description = Box.bytes(format, Array(QuickTime.Key.location.utf8)) }
    let clock = Sample.telling(4, "tmcd", "tmcd", [["time"]])
    let old = Sample(
      tracks: [picture, track, Sample.sound([["L1R1"], ["L2R2"]]), clock],
      extra: Box.bytes("iods", [1, 2, 3]) + MovieTests.iPhone
    ).movie()
    #expect(Self.refusal(old)?.remedy == .dropTimedMetadata)
    let image = try ImageSource(old, path: "a.mov")
    let changes = try image.changes(for: Self.dropping())
    #expect(changes.notes.count == 1 && changes.notes[0].code == .partsRemoved, "\(changes.notes)")
    let patch = try image.patch(changes)
    let new = Bytes(try patch.applied(to: old))
    #expect(new.firstIndex(of: Array("Secret place".utf8)) == nil && new.firstIndex(of: Array("Secret3a".utf8)) == nil)
    for text in ["frame one.frame two", "frame three", "L1R1", "L2R2", "time"] {
      #expect(new.firstIndex(of: Array(text.utf8)) == old.firstIndex(of: Array(text.utf8)), "\(text)")
    }
    let left = try MovieBox(in: MovieFile(of: new), of: new)
    #expect(left.tracks.map(\.id) == [1, 2, 4] && left.data.unerasable == nil)
    #expect(try !new.closedBoxes(in: left.tracks[0].box.payload).contains { $0.type == "tref" })
    #expect(try ImageSource(new, path: "a.mov").metadata().locations.isEmpty)
    #expect(try ImageSource(new, path: "a.mov").patch(for: Self.dropping()).isEmpty)
    #expect(try patch.inverse(of: old).applied(to: new) == old.array)
    // With the dates too, because such a track's header has some.
    var everything = Self.dropping()
    everything.erasesDates = true
    let both = Bytes(try image.patch(for: everything).applied(to: old))
    #expect(try ImageSource(both, path: "a.mov").patch(for: everything).isEmpty)
  }

  @Test("A track with uncertain bytes and a movie's only track are refused.")
  func notDropped() throws {
    var track = Sample.telling(3, "meta", "camm")
    let alone = Sample(tracks: [track]).movie()
    track.tables = []
    let fragmented = Sample(
      tracks: [Sample.picture, Sample.telling(3, "meta", "camm")], extra: Box.bytes("mvex", [])
    ).movie()
    for movie in [alone, Sample(tracks: [Sample.picture, track]).movie(), fragmented] {
      let error = #expect(throws: FileError.self) { try MovieSample.edited(movie, Self.dropping()) }
      #expect(error?.kind == .refused)
    }
  }

  // MARK: GoPro

  /// An item of GoPro's telemetry, padded to four bytes.
  private static func item(_ key: FourCC, _ type: Character, _ size: Int, _ payload: [UInt8]) -> [UInt8] {
    let type = type == "-" ? 0 : type.asciiValue ?? 0
    let filling = [UInt8](repeating: 0, count: (4 - payload.count % 4) % 4)
    return key.bytes + [type, UInt8(size)] + UInt16(payload.count / size).bytes(.big) + payload + filling
  }

  private static func list(_ key: FourCC, _ items: [UInt8]...) -> [UInt8] { item(key, "-", 1, items.flatMap(\.self)) }

  private static let motion = list(
    "STRM", item("STNM", "c", 1, Array("Accelerometer".utf8)), item("SCAL", "s", 2, [0, 100]),
    item("ACCL", "s", 6, [1, 2, 3, 4, 5, 6]))
  /// 48.1°, 16.2°, 171 m, 1 m/s, 1 m/s.
  private static let place: [UInt8] = [481_000_000, 162_000_000, 171_000, 1_000, 100].flatMap {
    Int32($0).bytes(.big)
  }

  private static func positions(_ key: FourCC = "GPS5") -> [UInt8] {
    let scales: [Int32] = [10_000_000, 10_000_000, 1_000, 1_000, 100]
    return list(
      "STRM", item("STNM", "c", 1, Array("GPS (Lat., Long.)".utf8)), item("GPSF", "L", 4, [0, 0, 0, 3]),
      item("GPSU", "U", 16, Array("240518101010.000".utf8)), item("SCAL", "l", 4, scales.flatMap { $0.bytes(.big) }),
      item(key, "l", 20, place))
  }

  private static func telemetry(_ streams: [UInt8]...) -> [UInt8] {
    item(
      "DEVC", "-", 1,
      item("DVID", "L", 4, [0, 0, 0, 1]) + item("DVNM", "c", 1, Array("Camera".utf8)) + streams.flatMap(\.self))
  }

  private static func movie(
    _ chunks: [[[UInt8]]], extra: [UInt8] = [], change: (inout Sample.Track) -> Void = { _ in }
  ) -> Bytes {
    var track = Sample.telling(3)
    track.chunks = chunks
    change(&track)
    return Sample(tracks: [Sample.picture, track, Sample.sound([["L1R1"], ["L2R2"]])], extra: extra).movie()
  }

  private static func refusal(_ movie: Bytes) -> FileError? {
    #expect(throws: FileError.self) { try MovieSample.edited(movie, .removal) }
  }

  @Test("GoPro's position streams are erased, and motion data stays.", arguments: ["GPS5", "GPS9"] as [FourCC])
  func goPro(key: FourCC) throws {
    let padded = Self.telemetry(Self.positions(key), Self.motion) + [0, 0, 0, 0]
    let chunks = [
      [Self.telemetry(Self.motion, Self.positions(key)), padded], [Self.telemetry(Self.positions("GPRI"))],
    ]
    let old = Self.movie(chunks, extra: MovieTests.iPhone)
    let new = try MovieSample.edited(old, .removal)
    #expect(new.count == old.count)
    #expect(old.firstIndex(of: Self.place) != nil && new.firstIndex(of: Self.place) == nil)
    for text in ["GPS", "GPRI", "240518"] { #expect(new.firstIndex(of: Array(text.utf8)) == nil, "\(text)") }
    for part in [Self.motion, Array("frame one.frame two".utf8), Array("L2R2".utf8)] {
      #expect(new.firstIndex(of: part) == old.firstIndex(of: part))
    }
    #expect(try MovieSample.chunks(new).count == 6)
    #expect(try MovieSample.open(new).patch(for: .removal).isEmpty)
    // Other edits keep them.
    let moved = try MovieSample.edited(old, try .place())
    #expect(moved.firstIndex(of: Self.place) == old.firstIndex(of: Self.place))
  }

  @Test(
    "A movie with telemetry is skipped by zone and coarse clearing, because it isn't read.")
  func zones() async throws {
    let scratch = try Scratch()
    let file = try scratch.write(Self.movie([[Self.telemetry(Self.positions())]]).array, as: "a.mp4")
    var (near, coarse) = (ClearPlanner(), ClearPlanner())
    near.zones = [try #require(ClearPlanner.Zone(around: try .at(47, 7), radius: 1_000))]
    coarse.coarseness = Coarseness(metres: 10_000)
    for planner in [near, coarse] {
      var outcomes: [Outcome] = []
      let photo = Photo(Walk.Input(path: file.filePath, failure: nil))
      await Batch(dryRun: .init()).run([photo], planner: planner) { outcomes.append($0) }
      guard case .skipped(let reason)? = outcomes.first?.status else {
        Issue.record("\(outcomes)")
        continue
      }
      #expect(reason.description.contains("are not read"), "\(reason)")
    }
  }

  @Test(
    "exiftool finds no location any more, and all other telemetry.",
    .enabled(if: Oracle.has("exiftool"), "exiftool is missing"))
  func oracle() throws {
    let (before, after) = (try Scratch(), try Scratch())
    let old = Self.movie([[Self.telemetry(Self.motion, Self.positions())]])
    let new = try MovieSample.edited(old, .removal)
    let texts = try [(old, before), (new, after)].map { movie, scratch in
      try Oracle.run("exiftool", ["-ee", "-G1", "-s", try scratch.write(movie.array, as: "a.mov").path]).text
    }
    #expect(texts[0].contains("GPSLatitude") && texts[0].contains("GPSDateTime"))
    #expect(!texts[1].contains("GPS"), "\(texts[1])")
    for text in texts { #expect(text.contains("Accelerometer") && text.contains("DeviceName")) }
  }

  @Test("Telemetry that can't be read is refused and not changed.")
  func broken() throws {
    let whole = Self.telemetry(Self.motion, Self.positions())
    var long = whole
    long[7] = 255
    for (name, movie) in [
      ("longer than its sample", Self.movie([[long]])),
      ("no tables", Self.movie([[whole]]) { $0.tables = [] }),
      ("fragmented", Self.movie([[whole]], extra: Box.bytes("mvex", []))),
    ] {
      #expect(Self.refusal(movie)?.kind == .refused, "\(name)")
    }
    var nested = Self.positions()
    for _ in 0..<9 { nested = Self.list("DEVC", nested) }
    #expect(Self.refusal(Self.movie([[nested]]))?.kind == .refused)
    // Dates are in the data that stays.
    var dates = MetadataEdit()
    dates.erasesDates = true
    let error = #expect(throws: FileError.self) { try MovieSample.edited(Self.movie([[whole]]), dates) }
    #expect(error?.remedy == .clearAll)
  }

  // MARK: Dashboard cameras

  private static let block = [0, 0, 0, 40] + Array("freeGPS ".utf8) + Array("secretly 48.1 16.2 place....".utf8)

  /// Two blocks before the first frame, listed in `moov`.
  private static func dashboard(_ list: [UInt32]? = nil, inTwo: Bool = false) -> Bytes {
    let start = UInt32(MovieSample.brand.count + 8)
    var picture = Sample.picture
    picture.chunks[0].insert(block + block, at: 0)
    let count = UInt32(block.count)
    let numbers = list ?? [start, count, start + count, count]
    func table(_ numbers: ArraySlice<UInt32>) -> [UInt8] {
      Box.bytes("gps ", [0, 0, 1, 1] + UInt32(numbers.count / 2).bytes(.big) + numbers.flatMap { $0.bytes(.big) })
    }
    let table = inTwo ? table(numbers.prefix(2)) + table(numbers.dropFirst(2)) : table(numbers[...])
    // The blocks are not samples.
    picture.tables = Sample.tables(
      {
        var track = picture; track.chunks[0].removeFirst(); return track
      }(),
      [Int(start) + 2 * block.count, Int(start) + 2 * block.count + 19])
    return Sample(tracks: [picture], extra: table + MovieTests.iPhone).movie()
  }

  @Test("Blocks in a GPS table are zeroed when the location or everything is erased.")
  func blocks() throws {
    let old = Self.dashboard()
    #expect(try MovieSample.open(old).metadata().notes.count == 1)
    for new in [try MovieSample.edited(old, .removal), try MovieErasingTests.erased(old).new] {
      #expect(new.firstIndex(of: Array("secret".utf8)) == nil && new.firstIndex(of: Array("gps ".utf8)) == nil)
      #expect(new.firstIndex(of: Array("frame one".utf8)) == old.firstIndex(of: Array("frame one".utf8)))
      #expect(try MovieSample.open(new).metadata().notes.isEmpty)
    }
    let start = UInt32(MovieSample.brand.count + 8)
    for list in [[start + 80, 40], [start + 4, 40], [1 << 30, 40], [start, 90]] as [[UInt32]] {
      #expect(Self.refusal(Self.dashboard(list))?.kind == .refused, "\(list)")
    }
  }

  @Test("Two GPS tables refuse removal of the location, and are erased with everything.")
  func twoTables() throws {
    let old = Self.dashboard(inTwo: true)
    #expect(Self.refusal(old)?.description.contains("several GPS tables") == true)
    #expect(try MovieErasingTests.erased(old).new.firstIndex(of: Array("secret".utf8)) == nil)
  }

  // MARK: Text tracks

  @Test("Text tracks with a location refuse its removal, and other text doesn't.")
  func texts() throws {
    for text in ["HOME(16.2,48.1) 2024.05.18", "GPS(16.2,48.1,17)", "[latitude: 48.1]"] {
      let movie = Sample(tracks: [Sample.picture, Sample.telling(3, "text", "text", [["ISO: 100"], [text]])]).movie()
      #expect(Self.refusal(movie)?.remedy == .dropTimedMetadata, "\(text)")
      #expect(try MovieErasingTests.erased(movie).new.firstIndex(of: Array(text.utf8)) == nil)
    }
    let plain = Sample.telling(3, "sbtl", "tx3g", [["What a day!"], ["Indeed."]])
    _ = try MovieSample.edited(Sample(tracks: [Sample.picture, plain], extra: MovieTests.iPhone).movie(), .removal)
    var untold = plain
    untold.tables = []
    #expect(
      Self.refusal(Sample(tracks: [Sample.picture, untold]).movie())?.description.contains("can't be read") == true)
  }
}
