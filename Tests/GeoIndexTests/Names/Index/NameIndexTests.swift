import Basics
import Foundation
import TestSupport
import Testing

@testable import GeoIndex

@Suite("Name index")
struct NameIndexTests {
  @Test("Each name is restored with its place from any position of its key.")
  func roundTrip() throws {
    var generator = SeededGenerator(seed: 11)
    var (columns, folding, key) = (NameColumns(), Folding(), Folding.Key())
    var names: [(place: Int, text: String, key: [UInt8], isOwnKey: Bool)] = []
    for place in 0..<500 {
      columns.addPlace(
        latitude: place, longitude: -place, region: 0, county: NameIndex.noCounty, kind: .city, importance: 0.3,
        radius: 0)
      var own: [UInt8]?
      // Places without names, and with more than a block's; names that equal their key with a capital, and others.
      for _ in 0..<[0, 1, 3, 40].randomElement(using: &generator)! {
        let words = ["Bonn", "Köln", "Saint", "京都", "NYC", "de", "東京", "Llanfairpwllgwyngyllgogerychwyrndrobwll", "7"]
        let text = (0..<Int.random(in: 1...2, using: &generator))
          .map { _ in words.randomElement(using: &generator)! }.joined(separator: " ")
        folding.fold(text.utf8, into: &key)
        columns.addAlias(key: key, name: text.utf8, language: 0, flags: 0)
        names.append((place, text, key.bytes, key.bytes == own ?? key.bytes))
        own = own ?? key.bytes
      }
    }
    columns.firstAliases.append(UInt32(names.count))
    let (scratch, made) = (try Scratch(), columns)
    let path = scratch.url.appending(path: "names").path(percentEncoded: false)
    try made.write(
      entries: Future { SuffixOrder.sorted(made) }, typos: Future { TypoTable(made) },
      sounds: Future { SoundTable(made) }, to: path)
    try NameIndex(contentsOf: path).read { tables in
      var position = 0
      for (alias, name) in names.enumerated() {
        #expect(tables.place(of: alias) == name.place)
        #expect(tables.text(of: alias) == name.text)
        #expect(Array(tables.key(of: alias)) == name.key)
        #expect((tables.aliasFlags[alias] & NameIndex.ownKey != 0) == name.isOwnKey)
        let positions = position...(position + name.key.count)
        #expect(positions.allSatisfy { tables.alias(at: $0) == alias })
        position = positions.upperBound + 1
      }
      #expect(tables.entryPositions.indices.contains { !tables.isWhole($0) })
    }
  }

  @Test("The index takes at most 100 MB of memory.")
  func size() throws {
    #expect(try WholeGazetteer.index().names.count <= 100_000_000)
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
