import Basics
import Foundation
import Testing

@testable import GeoIndex

/// A layer in which area 1 is a square of 0.1° around the center of the cell at 0° N 0° E, and area 0 is all the rest.
struct TinyLayer {
  var step = 1
  var columns: [UInt16] = Array(repeating: 0, count: 720) + [720, 721]
  var words: [UInt16] = [
    1 | 1 << 8, 0, 0,
    2 | 1 << 8, 1, 0, 1, 0 | 1 << 8, 5, 7_000, 7_000, 18_000, 7_000, 18_000, 18_000, 7_000, 18_000, 7_000, 7_000,
  ]

  /// The cell's row has three runs: before the cell, the cell, after it.
  var bytes: [UInt8] {
    var body: [UInt8] = []
    func append<Number: FixedWidthInteger>(_ numbers: [Number]) {
      for number in numbers { withUnsafeBytes(of: number.littleEndian) { body.append(contentsOf: $0) } }
    }
    let text = Array("sea\nland\tXX\n".utf8)
    append([UInt32(step), 722, UInt32(words.count), UInt32(text.count)])
    append((0..<720).map { UInt32($0 <= 360 ? $0 : $0 + 2) })
    append((0..<722).map { $0 == 361 ? UInt32(3) : 0 })
    var runs = Array(columns[0..<361])
    runs += columns[720...721]
    runs += columns[361..<720]
    append(runs)
    append(words)
    body += text
    return Array("MTAREAS1".utf8) + withUnsafeBytes(of: Self.crc32(body).littleEndian, Array.init) + body
  }

  /// ISO 3309, bit by bit.
  static func crc32(_ bytes: [UInt8]) -> UInt32 {
    var sum = ~UInt32(0)
    for byte in bytes {
      sum ^= UInt32(byte)
      for _ in 0..<8 { sum = sum & 1 == 0 ? sum >> 1 : (sum >> 1) ^ 0xEDB8_8320 }
    }
    return ~sum
  }
}

@Suite("Area layer")
struct AreaLayerTests {
  @Test(
    "The area of a point is found with integers.",
    arguments: [
      (0.125, 0.125, 1), (0.07001, 0.07001, 1), (0.06999, 0.1, 0), (0.1, 0.06999, 0), (0.17999, 0.1, 1),
      (0.18001, 0.1, 0), (0.2, 0.2, 0), (0.01, 0.24, 0), (-0.1, 0.1, 0), (0.1, -0.1, 0), (90, 0, 0), (-90, 0, 0),
      (0.1, 180, 0), (0.1, -180, 0),
    ] as [(Double, Double, Int)])
  func points(latitude: Double, longitude: Double, area: Int) throws {
    let layer = try AreaLayer(Data(TinyLayer().bytes))
    #expect(layer.areas(at: Lattice(Coordinate(clampingLatitude: latitude, longitude: longitude))).first == area)
  }

  @Test("The areas of a sixteenth of a degree are the same, whichever lines pass near.")
  func parts() throws {
    let layer = try AreaLayer(Data(TinyLayer().bytes))
    let (south, west) = (
      Lattice(Coordinate(clampingLatitude: 0, longitude: 0)).y, Lattice(Coordinate(clampingLatitude: 0, longitude: 0)).x
    )
    var (part, wholes) = (AreaLayer.Part(), 0)
    // The cell with the square, and one next to it.
    for (column, row) in (0..<32).map({ ($0 / 4, $0 % 4) }) {
      let first = Lattice(x: west + column * Lattice.part, y: south + row * Lattice.part)
      part.move(to: first.moved(1_234, 56), in: layer)
      wholes += part.isWhole ? 1 : 0
      for place in 0..<2_500 {
        let point = first.moved(place % 50 * 125 + column, place / 50 * 125 + row)
        #expect(part.areas(at: point, in: layer) == layer.areas(at: point))
      }
    }
    // The square's outline runs through the four in the middle of its cell.
    #expect(wholes == 28)
  }

  @Test("A layer that is cut off or has one wrong bit is refused.")
  func damaged() throws {
    let whole = TinyLayer().bytes
    for count in stride(from: 0, to: whole.count, by: 97) {
      let error = #expect(throws: GeoIndexError.self) { try AreaLayer(Data(whole.prefix(count))) }
      #expect(error?.code == .damagedGazetteer)
    }
    for place in stride(from: 0, to: whole.count, by: 61) {
      var spoiled = whole
      spoiled[place] ^= 4
      #expect(throws: GeoIndexError.self) { try AreaLayer(Data(spoiled)) }
    }
  }

  @Test(
    "An impossible layer is refused, even if its checksum is right.",
    arguments: [
      { (layer: inout TinyLayer) in layer.step = 3 },
      { layer in layer.columns[720] = 0 },  // an empty run
      { layer in layer.columns[721] = 1_441 },  // beyond the date line
      { layer in layer.words[1] = 2 },  // an area that doesn't exist
      { layer in layer.words[3] = 64 },
      { layer in layer.words[3] = 1 | 2 << 8 },  // more areas at the center than in the cell
      { layer in layer.words[6] = 2 },  // one line too many
      { layer in layer.words[7] = 7 },  // a line without an area
      { layer in layer.words[8] = 6 },  // one point too many
    ] as [@Sendable (inout TinyLayer) -> Void])
  fileprivate func impossible(_ spoil: @Sendable (inout TinyLayer) -> Void) {
    var layer = TinyLayer()
    spoil(&layer)
    let error = #expect(throws: GeoIndexError.self) { try AreaLayer(Data(layer.bytes)) }
    #expect(error?.code == .damagedGazetteer)
  }

  @Test("An area set keeps at most four areas, in order.")
  func sets() {
    var set = AreaSet()
    #expect(set.first == nil)
    for number: UInt16 in [7, 3, 9, 1, 5] { set.insert(number) }
    #expect(set.all == [1, 3, 5, 7])
  }
}
