import Basics
import Foundation

/// A Plus Code (Open Location Code): `8Q6QQQ2G+27`, or a short code whose beginning is replaced by a nearby place, as
/// maps show it: `QQ2G+27 Kyoto`.
struct PlusCode {
  /// The values of the digits that are present.
  private let values: [Int]
  /// The number of digits missing at the beginning.
  private let missing: Int
  /// The text after the code.
  let locality: String

  private static let digits = Array("23456789CFGHJMPQRVWX")

  init?(_ typed: String) {
    guard typed.utf8.count <= 400 else { return nil }
    let text = typed.trimmingCharacters(in: .whitespaces)
    let letters = Array(text.prefix(17).uppercased())
    guard let plus = letters.firstIndex(of: "+"), plus <= 8, plus >= 2, plus % 2 == 0 else { return nil }
    let isDigit = { (letter: Character) in Self.digits.contains(letter) }
    let behind = letters[(plus + 1)...].prefix(while: isDigit)
    let end = plus + 1 + behind.count
    // Zeros pad the codes of large areas; only the plus sign follows them.
    let padding = letters[..<plus].firstIndex(of: "0") ?? plus
    guard behind.count != 1, behind.count <= 7, padding >= 2, padding % 2 == 0, padding == plus || behind.isEmpty,
      padding == plus || plus == 8, plus == 8 || !behind.isEmpty, letters[padding..<plus].allSatisfy({ $0 == "0" }),
      letters[..<padding].allSatisfy(isDigit),
      end == text.count || end < letters.count && (letters[end].isWhitespace || letters[end] == ",")
    else { return nil }
    values = (letters[..<padding] + behind).compactMap { Self.digits.firstIndex(of: $0) }
    missing = 8 - plus
    guard missing > 0 || values[0] < 9 && values[1] < 18 else { return nil }
    locality = text.dropFirst(end).trimmingCharacters(in: .whitespaces.union(.init(charactersIn: ",")))
  }

  /// The center of the area; nil if the beginning is missing.
  var center: Coordinate? { missing == 0 ? Self.center(of: values) : nil }

  /// Returns the center near `point`: of the areas that the missing beginning allows, the nearest.
  func center(near point: Coordinate) -> Coordinate {
    guard missing > 0 else { return Self.center(of: values) }
    var own: [Int] = []
    var (north, east) = (min(point.latitude + 90, 179.999_99), point.longitude.remainder(dividingBy: 360) + 180)
    if east == 360 { east = 0 }
    var size = 20.0
    for _ in 0..<(missing / 2) {
      own += [Int(north / size), Int(east / size)]
      (north, east) = (north.truncatingRemainder(dividingBy: size), east.truncatingRemainder(dividingBy: size))
      size /= 20
    }
    // The missing beginning denotes areas of this size.
    size *= 20
    let center = Self.center(of: own + values)
    var (latitude, longitude) = (center.latitude, center.longitude)
    if latitude - point.latitude > size / 2, latitude - size >= -90 {
      latitude -= size
    } else if point.latitude - latitude > size / 2, latitude + size <= 90 {
      latitude += size
    }
    let distance = (longitude - point.longitude).remainder(dividingBy: 360)
    if distance > size / 2 { longitude -= size } else if distance < -size / 2 { longitude += size }
    return Coordinate(clampingLatitude: latitude, longitude: longitude.remainder(dividingBy: 360))
  }

  private static func center(of values: [Int]) -> Coordinate {
    var (south, west, height, width) = (-90.0, -180.0, 400.0, 400.0)
    for (index, value) in values.enumerated() {
      if index >= 10 {
        // Five rows of four columns.
        (height, width) = (height / 5, width / 4)
        south += Double(value / 4) * height
        west += Double(value % 4) * width
      } else if index % 2 == 0 {
        height /= 20
        south += Double(value) * height
      } else {
        width /= 20
        west += Double(value) * width
      }
    }
    return Coordinate(clampingLatitude: min(90, south + height / 2), longitude: west + width / 2)
  }
}
