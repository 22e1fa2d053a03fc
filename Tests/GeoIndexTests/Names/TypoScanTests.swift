import Basics
import Foundation
import TestSupport
import Testing

@testable import GeoIndex

@Suite("Misspelled names")
struct TypoScanTests {
  private struct Hit: Hashable, Comparable {
    let alias: Int
    let edits: Int
    static func < (left: Hit, right: Hit) -> Bool { left.alias < right.alias }
  }

  private enum Edit: CaseIterable { case missing, superfluous, wrong, swapped }

  /// A few letters, so that many names are close to each other and begin alike.
  private static let letters = Array("abn".utf8)

  @Test("The names within one or two edits are those that a comparison with each name finds.", arguments: 1...6)
  func comparison(seed: UInt64) throws {
    var generator = SeededGenerator(seed: seed)
    let names = Self.names(&generator)
    try read(names) { tables in
      for query in Self.queries(names.map(\.key), &generator) {
        let edits = query.count < 4 || query.contains { (0x30...0x39).contains($0) } ? 0 : query.count < 7 ? 1 : 2
        var expected: [Hit] = []
        for (alias, name) in names.enumerated() where name.flags == 0 && (4...64).contains(name.key.count) {
          guard edits > 0, query.count <= 64, abs(name.key.count - query.count) <= edits else { continue }
          guard name.key.allSatisfy({ $0 < 0x80 }) else { continue }
          let distance = Self.distance(query, name.key)
          if distance <= edits { expected.append(Hit(alias: alias, edits: distance)) }
        }
        #expect(hits(query, in: tables) == expected, "\(String(decoding: query, as: UTF8.self))")
      }
    }
  }

  @Test("Names of the minimum and maximum length are found, and no shorter or longer ones.")
  func lengths() throws {
    let names = ["abc", "abcd", String(repeating: "ab", count: 32), String(repeating: "ab", count: 32) + "a"]
    try read(names.map { (Array($0.utf8), 0) }) { tables in
      #expect(hits(Array("abcx".utf8), in: tables) == [Hit(alias: 1, edits: 1)])
      #expect(hits(Array("abcde".utf8), in: tables) == [Hit(alias: 1, edits: 1)])
      let long = names[2]
      for query in [
        long, "x" + long.dropFirst(), long.dropLast(2) + "ba", String(long.dropLast(2)), long.dropLast() + "x",
      ] {
        #expect(hits(Array(query.utf8), in: tables).map(\.alias) == [2])
      }
      #expect(hits(Array((long + "a").utf8), in: tables).isEmpty)
    }
  }

  @Test("At most 3,000 aliases of one name are considered.")
  func namesakes() throws {
    try read([(Array("springfield".utf8), 0)] + (0..<3_100).map { _ in (Array("springwater".utf8), 0) }) { tables in
      #expect(hits(Array("springwatre".utf8), in: tables).count == 3_000)
      #expect(hits(Array("springfeild".utf8), in: tables) == [Hit(alias: 0, edits: 1)])
    }
  }

  @Test("Without names, nothing is found.")
  func none() throws {
    try read([]) { #expect(hits(Array("springfield".utf8), in: $0).isEmpty) }
  }

  private func hits(_ query: [UInt8], in tables: PlaceIndex) -> [Hit] {
    var hits: [Hit] = []
    TypoScan(tables, query).forEach { hits.append(Hit(alias: $0, edits: $1)) }
    return hits.sorted()
  }

  private func read(_ names: [(key: [UInt8], flags: UInt8)], _ body: (PlaceIndex) throws -> Void) throws {
    let scratch = try Scratch()
    let folder = scratch.url.path(percentEncoded: false)
    var columns = try PlaceColumns(in: folder)
    for (place, name) in names.enumerated() {
      columns.add(.init(id: 0, latitude: 0, longitude: 0, region: 0, kind: .city, importance: 0.3))
      // A word begins at the third letter of some names.
      let key = Folding.Key(bytes: name.key, words: place % 3 == 0 && name.key.count > 5 ? [2] : [])
      columns.addAlias(key: key, name: [0x41], language: 0, flags: name.flags)
    }
    let path = scratch.url.appending(path: "places").path(percentEncoded: false)
    try columns.write(to: path, in: folder) { _ in }
    try body(PlaceIndex(contentsOf: path))
  }

  /// Returns names with common beginnings, digits, namesakes, codes, initials, other scripts, and lengths of 1 to 66.
  private static func names(_ generator: inout SeededGenerator) -> [(key: [UInt8], flags: UInt8)] {
    var stems: [[UInt8]] = [[], Array("san".utf8), Array("llan".utf8)]
    var names: [(key: [UInt8], flags: UInt8)] = []
    for _ in 0..<1_200 {
      var key = stems.randomElement(using: &generator)!
      let rest = [1, 2, 3, 4, 5, 6, 64 - key.count, 66 - key.count].randomElement(using: &generator)!
      key += (0..<(Int.random(in: 0..<4, using: &generator) == 0 ? rest : min(rest, 6))).map { _ in random(&generator) }
      switch Int.random(in: 0..<20, using: &generator) {
      case 0: stems.append(Array(key.prefix(20)))
      case 1: key.append(contentsOf: "é".utf8)
      case 2: key.append(0x31)
      case 3: key = names.last?.key ?? key
      default: break
      }
      names.append((key, [0, 0, 0, 0, 0, PlaceIndex.code, PlaceIndex.initials].randomElement(using: &generator)!))
    }
    return names
  }

  /// Returns names with up to three edits of each kind, also of the first and the last letter.
  private static func queries(_ names: [[UInt8]], _ generator: inout SeededGenerator) -> [[UInt8]] {
    (0..<80).map { number in
      var query = names.randomElement(using: &generator)!
      for _ in 0..<(number % 4) where query.count > 2 {
        let place = [0, query.count - 1, .random(in: 0..<query.count, using: &generator)].randomElement(
          using: &generator)!
        switch Edit.allCases.randomElement(using: &generator)! {
        case .missing: query.remove(at: place)
        case .superfluous: query.insert(random(&generator), at: place == query.count - 1 ? query.count : place)
        case .wrong: query[place] = random(&generator)
        case .swapped: query.swapAt(max(1, place), max(1, place) - 1)
        }
      }
      return query
    }
  }

  private static func random(_ generator: inout SeededGenerator) -> UInt8 { letters.randomElement(using: &generator)! }

  /// Returns the optimal string alignment distance, cell by cell.
  private static func distance(_ left: [UInt8], _ right: [UInt8]) -> Int {
    var rows = [Array(0...right.count)]
    for i in 1...left.count {
      var row = [i]
      for j in 1...right.count {
        var cell = min(row[j - 1] + 1, rows[i - 1][j] + 1, rows[i - 1][j - 1] + (left[i - 1] == right[j - 1] ? 0 : 1))
        if i > 1, j > 1, left[i - 1] == right[j - 2], left[i - 2] == right[j - 1] {
          cell = min(cell, rows[i - 2][j - 2] + 1)
        }
        row.append(cell)
      }
      rows.append(row)
    }
    return rows[left.count][right.count]
  }
}
