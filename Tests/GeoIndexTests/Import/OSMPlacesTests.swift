import Basics
import Foundation
import TestSupport
import Testing

@testable import GeoIndex

@Suite("Places of OpenStreetMap")
struct OSMPlacesTests {
  let kept: Kept

  init() throws { kept = try Kept() }

  private func drafts(_ bytes: [UInt8]) throws -> [(draft: PlaceDraft, entry: String)] {
    let file = try PlaceFile(kept.scratch.write(bytes, as: "a.pbf").path)
    var found: [(PlaceDraft, String)] = []
    try OSMPlaces().read(file) { if case .place(let draft, let entry) = $0 { found.append((draft, entry)) } }
    return found
  }

  private static let samples = [
    PBFSample(), PBFSample(isDense: false), PBFSample(packing: 1), PBFSample(blockCount: 100),
    PBFSample(granularity: 1_000, offsets: (47_000_000_000, -5_000_000_000)),
  ]

  @Test("Nodes, ways and relations are read in every encoding.", arguments: samples.indices)
  func encodings(index: Int) throws {
    let tags = ["type": "multipolygon", "name": "Lake", "natural": "water"]
    let objects =
      [.node(1, 47.5, 11.25, ["name": "Gipfel", "natural": "peak", "ele": "2864,4"])]
      + OSMSample.square(2, 48, 12, half: 0.001, ["name": "Museum", "tourism": "museum"])
      + OSMSample.square(3, 49, 13, half: 0.01)
      + [
        .relation(4, [(1, 3, "outer")], tags), .node(5, 1, 1, ["name": "Nothing"]), .node(6, 1, 1, ["natural": "peak"]),
      ]
    let report = try kept.importBytes(try Self.samples[index].file(objects))
    #expect(report.format == "OSM PBF" && report.imported == 3 && report.bad == 0 && report.unplaced == 0)
    #expect(report.terms == .openStreetMap)
    let places = try kept.all()
    #expect(places.map(\.name) == ["Gipfel", "Lake", "Museum"])
    #expect(places.map(\.kind) == [.peak, .lake, .museum])
    for (place, latitude, longitude) in zip3(places, [47.5, 49, 48], [11.25, 13, 12]) {
      #expect(abs(place.latitude - latitude) < 2e-6 && abs(place.longitude - longitude) < 2e-6, "\(place)")
    }
    #expect(places[0].own?.altitude == 2_864.4 && places[0].own?.radius == 250)
    // A square of .02° by .02° at 49° has 2.224 by 1.459 km.
    #expect(abs((places[1].own?.radius ?? 0) - 1_016) < 5)
  }

  private func zip3<A, B, C>(_ a: [A], _ b: [B], _ c: [C]) -> [(A, B, C)] { zip(a, zip(b, c)).map { ($0, $1.0, $1.1) } }

  @Test("Names keep their languages, and what makes a place known its importance.")
  func names() throws {
    let known = [
      "name": "Wien", "name:de": "Wien", "name:en": "Vienna", "name:zh-Hant": "維也納", "name:etymology": "x",
      "name:etymology:wikidata": "Q1", "alt_name": "Vindobona;Bécs", "old_name:la": "Vindobona", "int_name": "Vienna",
      "place": "city", "capital": "yes", "population": "1,897,491", "wikidata": "Q1741", "wikipedia": "de:Wien",
    ]
    let bytes = try PBFSample().file([
      .node(1, 48.2, 16.37, known), .node(2, 48.3, 16.5, ["name:en": "Hut", "tourism": "alpine_hut"]),
    ])
    let drafts = try drafts(bytes)
    let draft = try #require(drafts.first?.draft)
    #expect(draft.kind == .capital && draft[.name] == "Wien" && draft[.population] == "1897491")
    #expect(
      Set(draft.names) == [
        .init(text: "Vindobona", language: nil), .init(text: "Bécs", language: nil),
        .init(text: "Vienna", language: nil),
        .init(text: "Vienna", language: "en"), .init(text: "Wien", language: "de"),
        .init(text: "維也納", language: "zh-Hant"), .init(text: "Vindobona", language: "la"),
      ])
    #expect(drafts.last?.draft[.name] == "Hut")
    let (more, less) = (draft.importance ?? 0, drafts.last?.draft.importance ?? 1)
    #expect(more > 0.7 && more <= 1 && less < 0.2)
    try kept.importBytes(bytes)
    #expect(try kept.all().first { $0.name == "Wien" }?.population == 1_897_491)
  }

  @Test("A node in an area of its name and kind is the same place, and one of another kind is not.")
  func duplicates() throws {
    let castle = ["name": "Burg", "historic": "castle"]
    let report = try kept.importBytes(
      try PBFSample().file(
        OSMSample.square(1, 50, 10, half: 0.005, castle) + [
          .node(2, 50.001, 10.001, castle), .node(3, 50, 10, ["name": "Burg", "railway": "station"]),
          .node(4, 50.1, 10, castle), .node(5, 50, 10, ["name": "Burg 2", "historic": "castle"]),
        ]))
    #expect(report.imported == 4 && report.duplicates == 1)
  }

  @Test("Parts of a river that meet are one place, amid the longest.")
  func rivers() throws {
    let river = ["name": "Inn", "waterway": "river"]
    let nodes = (0..<8).map { OSMSample.node(Int64($0 + 1), 47, 11 + Double($0) * 0.01) }
    let report = try kept.importBytes(
      try PBFSample().file(
        nodes + [
          .way(1, [1, 2], river), .way(2, [2, 3, 4, 5, 6], river), .way(3, [7, 8], river),
          .way(4, [1, 2], ["name": "Other", "waterway": "river"]),
        ]))
    #expect(report.imported == 3 && report.duplicates == 1)
    let inn = try kept.all().filter { $0.name == "Inn" }.map(\.longitude).sorted()
    #expect(abs(inn[0] - 11.03) < 1e-6 && abs(inn[1] - 11.065) < 1e-6)
  }

  @Test("Positions are also read from ways.")
  func wayPositions() throws {
    var sample = PBFSample()
    sample.wayPositions = [1: (47, 11), 2: (47, 11.2), 3: (47.1, 11.2), 4: (47.1, 11)]
    try kept.importBytes(try sample.file([.way(1, [1, 2, 3, 4, 1], ["name": "Park", "leisure": "park"])]))
    let park = try #require(try kept.all().first)
    #expect(abs(park.latitude - 47.05) < 1e-3 && abs(park.longitude - 11.1) < 1e-6)
  }

  @Test("An outline in several ways of any direction is one area.")
  func rings() throws {
    let corners = [(0.0, 0.0), (0.0, 0.1), (0.1, 0.1), (0.1, 0.0)]
    let nodes = corners.enumerated().map { OSMSample.node(Int64($0 + 1), 40 + $1.0, 20 + $1.1) }
    let drafts = try drafts(
      try PBFSample().file(
        nodes + [
          .way(1, [1, 2, 3]), .way(2, [1, 4]), .way(3, [3, 4]),
          .relation(
            9, [(1, 1, "outer"), (1, 2, ""), (1, 3, "outer"), (0, 2, "admin_centre"), (1, 77, "outer")],
            ["type": "boundary", "boundary": "administrative", "admin_level": "8", "name": "Town"]),
          .relation(
            8, [(1, 1, "outer"), (1, 2, "outer"), (1, 3, "outer")],
            ["type": "boundary", "boundary": "national_park", "name": "Park"]),
        ]))
    let town = try #require(drafts.first { $0.draft[.name] == "Town" }?.draft)
    #expect(town.kind == .city && town.point == Coordinate(latitude: 40, longitude: 20.1))
    let park = try #require(drafts.first { $0.draft[.name] == "Park" }?.draft)
    let center = try #require(park.point)
    #expect(abs(center.latitude - 40.05) < 1e-3 && abs(center.longitude - 20.05) < 1e-6)
    #expect(abs((park.radius ?? 0) - 5_490) < 50)
  }

  @Test("Tags without a key are ignored.")
  func noKey() throws {
    let tags = ["name": "Summit", "natural": "peak", "": "x", ":": "y", ":de": "z"]
    try kept.importBytes(try PBFSample(isDense: false).file([.node(1, 1, 1, tags)]))
    #expect(try kept.all().map(\.name) == ["Summit"])
  }

  @Test("Parts of outlines place a park, but no region or country.")
  func partialOutlines() throws {
    let border = ["type": "boundary", "boundary": "administrative", "name": "Land"]
    let report = try kept.importBytes(
      try PBFSample().file([
        .node(1, 1, 1), .node(2, 1, 2), .way(1, [1, 2]),
        .way(2, [1, 2], ["boundary": "administrative", "admin_level": "2", "name": "Land — Other land"]),
        .relation(1, [(1, 1, "outer"), (1, 9, "outer")], border.merging(["admin_level": "2"]) { $1 }),
        .relation(2, [(1, 1, "outer"), (1, 9, "outer")], border.merging(["admin_level": "8"]) { $1 }),
        .relation(3, [(1, 1, "outer"), (1, 9, "outer")], ["type": "boundary", "leisure": "park", "name": "Park"]),
      ]))
    #expect(report.imported == 1 && report.unplaced == 3)
    #expect(try kept.all().map(\.name) == ["Park"])
  }

  @Test("Relations with cyclic or missing members are counted as not placeable.")
  func incomplete() throws {
    let tags = ["type": "multipolygon", "name": "Park", "leisure": "park"]
    let report = try kept.importBytes(
      try PBFSample().file([
        .node(1, 1, 1), .way(1, [1, 5, 6], ["name": "Path", "leisure": "park"]),
        .way(2, [7, 8], ["name": "X", "leisure": "park"]),
        .relation(1, [(2, 2, "outer")], tags), .relation(2, [(2, 1, "outer"), (2, 2, "outer")], tags),
        .relation(3, [(1, 99, "outer")], tags), .relation(4, [], tags),
      ]))
    #expect(report.imported == 1 && report.unplaced == 5)
  }

  @Test(
    "Files that can't be read are refused with the reason.",
    arguments: [
      (PBFSample(packing: 4), "compressed with lzma"), (PBFSample(packing: 5), "compressed with bzip2"),
      (PBFSample(packing: 6), "compressed with lz4"), (PBFSample(packing: 7), "compressed with zstd"),
      (PBFSample(features: ["OsmSchema-V0.6", "HistoricalInformation"]), "history"),
      (PBFSample(features: ["Sort.Magic"]), "unsupported feature 'Sort.Magic'"),
      (PBFSample(declaredSize: 1 << 40), "1099511627776 bytes, more than 32 MiB"),
      (PBFSample(declaredSize: 5), "not as long as declared"),
      (PBFSample(granularity: -100), "granularity is -100"),
    ])
  func refused(sample: PBFSample, part: String) throws {
    let bytes = try sample.file([.node(1, 1, 1, ["name": "A", "natural": "peak"])])
    let error = #expect(throws: GeoIndexError.self) { try kept.importBytes(bytes) }
    #expect(error?.code == .badFile && error?.description.contains(part) == true, "\(error?.description ?? "")")
    #expect((error?.remedy == .convertToZlib) == part.hasPrefix("compressed"))
  }

  @Test("Truncated files, and blobs of absurd sizes, are refused.")
  func hostileFrames() throws {
    let whole = try PBFSample().file([.node(1, 1, 1, ["name": "A", "natural": "peak"])])
    for count in [20, whole.count / 2, whole.count - 1] {
      let error = #expect(throws: GeoIndexError.self) { try kept.importBytes(Array(whole.prefix(count))) }
      #expect(error?.description.contains("unexpected end of file") == true, "\(error?.description ?? "")")
    }
    for (blob, part) in [
      (PBFSample.framed("OSMData", [0], size: 1 << 25 | 1), "exceeds 32 MiB"),
      (PBFSample.framed("OSMData", [0], size: .max), "exceeds 32 MiB"),
      ([0, 2, 0, 0] + [UInt8](repeating: 0, count: 99), "exceeds 64 KiB"),
      (PBFSample.framed("OSMData", []), "no data"),
      (PBFSample.framed("OSMData", [0x0A, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0x7F]), "corrupt"),
    ] as [([UInt8], String)] {
      let error = #expect(throws: GeoIndexError.self) { try kept.importBytes(whole + blob) }
      #expect(error?.description.contains(part) == true, "\(error?.description ?? "")")
    }
    #expect(try kept.all().isEmpty)
  }

  @Test("Names that are too long, positions that overflow and ways with too many nodes are left out.")
  func extremes() throws {
    let long = String(repeating: "x", count: 10_000_000)
    var sample = PBFSample(blockCount: 1)
    let report = try kept.importBytes(
      try sample.file([
        .node(1, 1, 1, ["name": long, "natural": "peak"]), .node(2, 1, 1, ["name": "A", "natural": "peak"]),
        .node(3, 1, 1, ["name": "B", "natural": "peak", "name:de": long]),
        .way(4, Array(repeating: 1, count: 200_000), ["name": "C", "natural": "water"]),
      ]))
    #expect(report.imported == 2 && report.unplaced == 2 && report.bad == 0)
    sample.granularity = .max
    sample.offsets = (.max, .min + 1)
    let id = PBFSample.bytes(1, PBFSample.deltas([.max, .min, 5]))
    let far = PBFSample.deltas([.max, .min, 7])
    let tags = PBFSample.bytes(10, [1, 2, 3, 4, 0, 1, 2, 3, 4, 0, 1, 2, 3, 4, 0])
    let strings = ["", "name", "A", "natural", "peak"].flatMap { PBFSample.bytes(1, Array($0.utf8)) }
    let block =
      PBFSample.bytes(1, strings)
      + PBFSample.bytes(2, PBFSample.bytes(2, id + PBFSample.bytes(8, far) + PBFSample.bytes(9, far) + tags))
      + PBFSample.number(17, UInt64(Int64.max)) + PBFSample.number(19, UInt64(Int64.max))
    let file = try sample.file([]) + sample.blob("OSMData", block)
    let error = try kept.importBytes(file)
    #expect(error.imported == 0 && error.unplaced == 3)
  }

  @Test("Lists of different lengths, texts that are missing and texts that aren't UTF-8 are refused.")
  func hostileBlocks() throws {
    let sample = PBFSample()
    let strings = ["name", "natural", "peak"].flatMap { PBFSample.bytes(1, Array($0.utf8)) }
    func dense(_ ids: [Int64], _ norths: [Int64], _ words: [UInt8], _ more: [UInt8] = []) -> [UInt8] {
      PBFSample.bytes(1, strings + more)
        + PBFSample.bytes(
          2,
          PBFSample.bytes(
            2,
            PBFSample.bytes(1, PBFSample.deltas(ids)) + PBFSample.bytes(8, PBFSample.deltas(norths))
              + PBFSample.bytes(9, PBFSample.deltas(norths)) + PBFSample.bytes(10, words)))
    }
    for (block, part) in [
      (dense([1, 2], [1], []), "a number is cut off"), (dense([1], [1], [99, 1, 0]), "a text is missing"),
      (dense([1], [1], [1, 2]), "a number is cut off"),
      // The first string is at 0, which ends a list of tags.
      (
        dense([1], [1], [3, 4, 1, 2, 0], PBFSample.bytes(1, Array("name".utf8)) + PBFSample.bytes(1, [0xFF, 0xFE])),
        "not valid UTF-8"
      ),
    ] {
      let error = #expect(throws: GeoIndexError.self) {
        try kept.importBytes(try sample.file([]) + sample.blob("OSMData", block))
      }
      #expect(error?.description.contains(part) == true, "\(part): \(error?.description ?? "")")
    }
  }

  @Test("A bomb of zeros is refused before it fills the memory.")
  func bomb() throws {
    let sample = PBFSample()
    let zeros = [UInt8](repeating: 0, count: 31 << 20)
    let group = PBFSample.bytes(2, PBFSample.bytes(3, PBFSample.number(1, 1) + PBFSample.bytes(8, zeros)))
    let blob = try sample.blob("OSMData", group)
    let error = #expect(throws: GeoIndexError.self) {
      try kept.importBytes(try sample.file([]) + blob + blob + blob + blob)
    }
    #expect(error?.description.contains("suspiciously large") == true, "\(error?.description ?? "")")
  }

  @Test(
    "Every named object of the real extracts is a place, a duplicate or not placeable.",
    .enabled(
      if: OSMExtracts.areThere,
      "../shared/poi/pbf or ../shared/geo/pbf is missing, so tests on real extracts are skipped"),
    arguments: OSMExtracts.counts)
  func extracts(name: String, count: Int) throws {
    let file = Corpus.shared.appending(path: "\(name).osm.pbf")
    let report = try kept.places.importPlaces(from: file, PlaceImport(source: name), in: nil, at: .distantPast)
    #expect(report.imported + report.duplicates + report.unplaced == count && report.bad == 0, "\(report)")
    #expect(report.imported > count / 2)
  }
}

/// The real extracts, and the number of their objects with a name and a kind, counted by another program.
enum OSMExtracts {
  static let areThere = ["poi/pbf", "geo/pbf"].allSatisfy {
    FileManager.default.fileExists(atPath: Corpus.shared.appending(path: $0).path)
  }
  static let counts = [
    ("poi/pbf/andorra", 749), ("poi/pbf/baltimore", 1_105), ("poi/pbf/columbus", 537), ("poi/pbf/helsinki", 1_811),
    ("poi/pbf/liechtenstein-2013", 808), ("poi/pbf/liechtenstein", 973), ("poi/pbf/monaco", 1_468),
    ("poi/pbf/oslo-east", 666), ("poi/pbf/osmnames-test", 2_063), ("poi/pbf/poa", 438), ("poi/pbf/queens_village", 257),
    ("poi/pbf/spo", 419), ("poi/pbf/vancouver", 4_128), ("geo/pbf/andorra", 749), ("geo/pbf/baltimore", 1_105),
    ("geo/pbf/liechtenstein", 973),
  ]
}
