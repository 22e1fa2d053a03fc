import Foundation

extension Place {
  /// Reads a position as people and programs write it; nil if `text` is none.
  init?(coordinateText text: String) {
    guard text.utf8.count <= 200, let point = CoordinateText.point(text) else { return nil }
    let (latitude, longitude) = ((point.latitude * 1e5).rounded() / 1e5, (point.longitude * 1e5).rounded() / 1e5)
    let name = "\(latitude), \(longitude)"
    // Further below zero than any place of the gazetteer.
    let number = Int64((latitude + 90) * 1e5) * 36_000_001 + Int64((longitude + 180) * 1e5)
    self.init(
      id: -(1 << 60) - number, name: name, matchedName: text, kind: .coordinate, countryCode: "", country: "",
      admin1: nil,
      latitude: latitude, longitude: longitude, population: 0, timeZone: "")
  }
}

/// Coordinates in text: decimal degrees, degrees with minutes and seconds, hemispheres before or after, `geo:` URIs (RFC 5870),
/// map links with `@lat,lon`, and full Plus Codes.
enum CoordinateText {
  static func point(_ text: String) -> Point? {
    let text = text.trimmingCharacters(in: .whitespacesAndNewlines)
    // Names have no digits: they need not be looked at closely.
    guard text.utf8.contains(where: { (0x30...0x39).contains($0) }) else { return nil }
    if let code = PlusCode(text) { return code.centre }
    if let uri = text.wholeMatch(of: #/(?i)geo:([-+0-9.]+),([-+0-9.]+)(,[-+0-9.]+)?(;.*)?/#) {
      return point(Double(uri.1), Double(uri.2))
    }
    if let link = text.firstMatch(of: #/^https?:.*[@=/](-?\d{1,2}\.\d+)(?:,|%2C)(-?\d{1,3}\.\d+)/#) {
      return point(Double(link.1), Double(link.2))
    }
    if let pair = text.wholeMatch(
      of: #/[(\[]?\s*([-+−]?\d{1,3}(?:\.\d+)?)°?\s*[,;\s]\s*([-+−]?\d{1,3}(?:\.\d+)?)°?\s*[)\]]?/#)
    {
      // Two bare numbers are coordinates if they look so: `34 60` does not.
      guard text.contains(where: { ",;.°".contains($0) }) else { return nil }
      return point(number(pair.1), number(pair.2))
    }
    // A comma as the decimal sign, which the space between them gives away.
    if let pair = text.wholeMatch(of: #/([-+−]?\d{1,3},\d+)\s*[;\s]\s*([-+−]?\d{1,3},\d+)/#) {
      return point(number(pair.1), number(pair.2))
    }
    return angles(text)
  }

  private static func number(_ text: Substring) -> Double? {
    Double(text.replacing("−", with: "-").replacing(",", with: "."))
  }

  private static func point(_ latitude: Double?, _ longitude: Double?) -> Point? {
    guard let latitude, let longitude, abs(latitude) <= 90, abs(longitude) <= 180 else { return nil }
    return Point(latitude: latitude, longitude: longitude)
  }

  /// `35°00′41.8″N 135°46′05″E`, `N35 00.69 E135 46.09`, `48.8583N, 2.2945E`.
  private static func angles(_ text: String) -> Point? {
    let text = text.uppercased().replacing(#/[,;]/#, with: " ")
    // The letters stand all before their numbers, or all after.
    let sides = text.matches(of: #/[NSEW]/#)
    guard sides.count == 2 else { return nil }
    let parts: [Substring]
    if sides[0].range.lowerBound == text.startIndex {
      parts = [text[sides[0].range.upperBound..<sides[1].range.lowerBound], text[sides[1].range.upperBound...]]
    } else if sides[1].range.upperBound == text.endIndex {
      parts = [text[..<sides[0].range.lowerBound], text[sides[0].range.upperBound..<sides[1].range.lowerBound]]
    } else {
      return nil
    }
    guard let a = degrees(parts[0], sides[0].output), let b = degrees(parts[1], sides[1].output) else { return nil }
    switch (a.isNorth, b.isNorth) {
    case (true, false): return point(a.value, b.value)
    case (false, true): return point(b.value, a.value)
    default: return nil
    }
  }

  /// - Returns: degrees, positive to the north or east, and which of the two.
  private static func degrees(_ text: Substring, _ side: Substring) -> (value: Double, isNorth: Bool)? {
    let numbers = text.split { !$0.isASCII || !($0.isNumber || $0 == ".") }
    let values = numbers.compactMap { Double($0) }
    guard (1...3).contains(values.count), values.count == numbers.count, values.dropFirst().allSatisfy({ $0 < 60 }),
      text.allSatisfy({ $0.isNumber || ". °ºD:'′’M\"″”".contains($0) })
    else { return nil }
    let value = zip(values, [1.0, 60, 3600]).reduce(0) { $0 + $1.0 / $1.1 }
    return (side == "S" || side == "W" ? -value : value, side == "N" || side == "S")
  }
}

/// A full Plus Code (Open Location Code): `8Q6QQQ2G+27`.
struct PlusCode {
  let centre: Point

  private static let digits = Array("23456789CFGHJMPQRVWX")

  init?(_ text: String) {
    let letters = Array(text.uppercased())
    guard (9...16).contains(letters.count), letters[8] == "+" else { return nil }
    // Zeros pad codes of large areas; nothing but the plus follows them.
    let padding = letters[..<8].firstIndex(of: "0") ?? 8
    guard padding >= 2, padding % 2 == 0, letters[padding..<8].allSatisfy({ $0 == "0" }),
      padding == 8 || letters.count == 9, letters.count != 10
    else { return nil }
    let code = letters[..<padding] + letters[9...]
    let values = code.compactMap { Self.digits.firstIndex(of: $0) }
    guard values.count == code.count, values[0] < 9, values[1] < 18 else { return nil }
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
    centre = Point(latitude: min(90, south + height / 2), longitude: west + width / 2)
  }
}
