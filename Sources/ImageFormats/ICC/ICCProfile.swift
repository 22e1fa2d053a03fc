/// ICC profiles (ICC.1:2010) for colours that a HEIF file describes by ITU-T H.273 code numbers, which a JPEG can't
/// hold.
enum ICCProfile {
  /// The length of the header and the count of tags.
  static let shortest = 132

  /// Returns a display profile with these primaries and this transfer function; nil if none is needed (BT.709) or none
  /// can be made.
  static func standing(for primaries: Int, _ transfer: Int) -> [UInt8]? {
    guard let space = spaces[primaries], let curve = curves[transfer] else { return nil }
    let text = localized(space.name)
    let parameters = Array("para\0\0\0\0\0\u{3}\0\0".utf8) + curve.flatMap(number)
    let tags: [(String, [UInt8])] =
      [("desc", text), ("cprt", localized("No copyright, use freely")), ("wtpt", xyz([0.9642, 1, 0.8249]))]
      + zip(["rXYZ", "gXYZ", "bXYZ"], space.columns).map { ($0, xyz($1)) }
      + [("rTRC", parameters), ("gTRC", parameters), ("bTRC", parameters)]
      + [("chad", Array("sf32\0\0\0\0".utf8) + adaptation.flatMap(number))]
    return assembled(tags)
  }

  /// Red, green and blue in XYZ, adapted to D50.
  private static let spaces: [Int: (name: String, columns: [[Double]])] = [
    9: (
      "BT.2020",
      [[0.67348, 0.27904, -0.00193], [0.16566, 0.67535, 0.02998], [0.12505, 0.04561, 0.79686]]
    ),
    12: (
      "Display P3",
      [[0.51512, 0.24120, -0.00105], [0.29198, 0.69225, 0.04189], [0.15710, 0.06657, 0.78407]]
    ),
  ]

  /// From D65 to D50, by Bradford's matrix.
  private static let adaptation = [
    1.04788, 0.02292, -0.05022, 0.02959, 0.99048, -0.01707, -0.00925, 0.01508, 0.75168,
  ]

  /// Transfer functions as parametric curves of type 3: gamma, a, b, c, d.
  private static let curves: [Int: [Double]] = {
    let film = [1 / 0.45, 1 / 1.099, 0.099 / 1.099, 1 / 4.5, 0.081]
    let sRGB = [2.4, 1 / 1.055, 0.055 / 1.055, 1 / 12.92, 0.04045]
    return [1: film, 2: sRGB, 6: film, 13: sRGB, 14: film, 15: film]
  }()

  private static func assembled(_ tags: [(String, [UInt8])]) -> [UInt8] {
    let start = shortest + 12 * tags.count
    var table = UInt32(tags.count).bytes(.big)
    var data: [UInt8] = []
    for (name, bytes) in tags {
      table += Array(name.utf8) + UInt32(start + data.count).bytes(.big) + UInt32(bytes.count).bytes(.big)
      data += bytes + [UInt8](repeating: 0, count: (4 - bytes.count % 4) % 4)
    }
    var header = UInt32(start + data.count).bytes(.big) + [UInt8](repeating: 0, count: 4) + [4, 0x30, 0, 0]
    header += Array("mntrRGB XYZ ".utf8)
    // The date of the standard: a profile must not depend on the day on which it is made.
    header += [2010, 12, 1, 0, 0, 0].flatMap { UInt16($0).bytes(.big) } + Array("acsp".utf8)
    header += [UInt8](repeating: 0, count: 28) + xyz([0.9642, 1, 0.8249]).dropFirst(8)
    return header + [UInt8](repeating: 0, count: 128 - header.count) + table + data
  }

  private static func xyz(_ values: [Double]) -> [UInt8] { Array("XYZ \0\0\0\0".utf8) + values.flatMap(number) }

  private static func localized(_ text: String) -> [UInt8] {
    let characters = text.utf16.flatMap { $0.bytes(.big) }
    return Array("mluc\0\0\0\0".utf8)
      + [1, 12].flatMap { UInt32($0).bytes(.big) } + Array("enUS".utf8)
      + [characters.count, 28].flatMap { UInt32($0).bytes(.big) } + characters
  }

  /// Returns a number as s15Fixed16.
  private static func number(_ value: Double) -> [UInt8] { Int32((value * 65_536).rounded()).bytes(.big) }
}
