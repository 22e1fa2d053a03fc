import Basics
import Foundation
import TestSupport
import Testing

@testable import GeoIndex

@Suite("Index of places")
struct PlaceIndexTests {
  /// A written index of places with random names, and the names.
  private func index() throws -> (index: PlaceIndex, names: [(place: Int, text: String, key: [UInt8], isOwnKey: Bool)])
  {
    var generator = SeededGenerator(seed: 11)
    let scratch = try Scratch()
    var writer = try PlaceIndexWriter(in: scratch.url.path(percentEncoded: false))
    var (folding, key) = (Folding(), Folding.Key())
    var names: [(place: Int, text: String, key: [UInt8], isOwnKey: Bool)] = []
    let japan = writer.addRegion(country: "JP", countryName: "Japan", code: "", name: nil)
    let kyoto = writer.addRegion(country: "JP", countryName: "Japan", code: "22", name: "Kyoto", whole: japan)
    let zone = writer.addZone("Asia/Tokyo")
    for place in 0..<500 {
      try writer.add(
        .init(
          id: Int64(-place), latitude: Int32(place) * 1_000_000, longitude: Int32(-place) * 3_000_000,
          region: place % 2 == 0 ? japan : kyoto, kind: .feature(.lake), importance: 0.3,
          radius: UInt16(place % 5 * 100), population: place, zone: zone))
      var own: [UInt8]?
      // Places with more names than a block has; names that equal their key with a capital, and others.
      for number in 0..<[1, 3, 40].randomElement(using: &generator)! {
        let words = [
          "Bonn", "Koln", "Saint", "京都", "NYC", "de", "東京", "Llanfairpwllgwyngyllgogerychwyrndrobwll", "7", "…",
        ]
        let text = (0..<Int.random(in: 1...2, using: &generator))
          .map { _ in words.randomElement(using: &generator)! }.joined(separator: " ")
        folding.fold(text.utf8, into: &key)
        Array(text.utf8).withUnsafeBufferPointer { writer.addName($0, languages: nil, isOwn: number == 0) }
        if number > 0, key.bytes.isEmpty { continue }
        names.append((place, text, key.bytes, key.bytes == own ?? key.bytes))
        own = own ?? key.bytes
      }
    }
    let path = scratch.url.appending(path: "places").path(percentEncoded: false)
    try writer.write(to: path) { _ in }
    return (try PlaceIndex(contentsOf: path), names)
  }

  @Test("Each name is restored with its place from any position of its key.")
  func names() throws {
    let (index, names) = try index()
    var position = 0
    for (alias, name) in names.enumerated() {
      #expect(index.place(of: alias) == name.place)
      #expect(index.text(of: alias) == name.text)
      #expect(Array(index.key(of: alias)) == name.key)
      #expect((index.aliasFlags[alias] & PlaceIndex.ownKey != 0) == name.isOwnKey)
      let positions = position...(position + name.key.count)
      #expect(positions.allSatisfy { index.alias(at: $0) == alias })
      position = positions.upperBound + 1
    }
    #expect(index.entryPositions.indices.contains { !index.isWhole($0) })
  }

  @Test("Each place is restored.")
  func places() throws {
    let (index, names) = try index()
    #expect(index.count == 500)
    for number in 0..<500 {
      let place = index.place(number)
      #expect(place.name == names.first { $0.place == number }?.text)
      #expect(place.id == Int64(-number) && place.kind == .lake && place.population == number)
      #expect(place.latitude == Double(number) / 10 && place.longitude == Double(-number * 3) / 10)
      #expect(
        place.countryCode == "JP" && place.country == "Japan" && place.admin1 == (number % 2 == 0 ? nil : "Kyoto"))
      #expect(place.timeZone == "Asia/Tokyo" && place.importance == 0.3)
      #expect(place.radius == (number % 5 == 0 ? nil : Double(number % 5) * 10_000))
    }
  }

  @Test("The places around a point are found, with those whose circle reaches it.", arguments: 0..<200)
  func around(seed: Int) throws {
    let (index, _) = try index()
    var generator = SeededGenerator(seed: UInt64(seed))
    let point = Coordinate(
      clampingLatitude: .random(in: -90...90, using: &generator), longitude: .random(in: -180...180, using: &generator))
    let metres = [0.0, 50_000, 1_000_000, 25_000_000].randomElement(using: &generator)!
    var found: Set<Int> = []
    SpatialOrder.forEach(in: index, around: point, within: metres) { place, _ in
      #expect(found.insert(place).inserted)
    }
    let expected = (0..<500).filter {
      point.haversineDistance(to: index.point(of: $0)) - index.radius(of: $0) <= metres
    }
    #expect(found == Set(expected))
  }

  @Test("The index takes at most 100 MB of memory.")
  func size() throws {
    #expect(try WholeGazetteer.index().world.size <= 100_000_000)
  }
}

@Suite("Towns by county")
struct CountySearchTests {
  @Test("A town's county is found without reading the borders or town layers.")
  func withoutBorders() throws {
    let scratch = try Scratch()
    for folder in ["gazetteer", "borders"] {
      let url = scratch.url.appending(path: folder)
      try FileManager.default.createDirectory(at: url, withIntermediateDirectories: false)
    }
    let gazetteer = try scratch.write(TinyGazetteer().bytes, as: "gazetteer/gazetteer.bin")
    // Uji's id is 30.
    let body: [UInt8] = [1, 0, 0, 0, 1, 0, 0, 0, 30, 0, 0] + Array("Kuze District\n".utf8)
    // Without the compressed length.
    let packed = TinyGazetteer.packed(body).dropFirst(4)
    let sum = TinyLayer.crc32(Array(packed))
    _ = try scratch.write(
      Array("MTCOUNT1".utf8) + withUnsafeBytes(of: sum.littleEndian, Array.init) + packed,
      as: "borders/counties.bin")
    let index = try Gazetteer(gazetteer: gazetteer, cacheDirectory: scratch.url.appending(path: "cache"))
    #expect(try index.search("Uji, Kuze District", limit: 5).map(\.place.name) == ["Uji"])
    #expect(try index.search("Kyoto, Kuze District", limit: 5).isEmpty)
  }
}
