/// A geo URI (RFC 5870): `geo:lat,lon[,alt][;crs=wgs84][;u=metres][;…]`.
package struct GeoURI {
  /// The position with its altitude, and with the uncertainty (`;u=`) as `horizontalError`.
  package private(set) var location: Location
  /// The text after `?`; nil without one.
  package let query: Substring?

  /// Parses the part after `geo:`.
  /// - Parameters:
  ///   - text: The text after the scheme, in any case.
  ///   - fromMap: Whether the URI may have a query, which Android's maps add. Its uncertainty is then of no interest, and
  ///     can have any form.
  package init(_ text: Substring, fromMap: Bool = false) throws(ParseError) {
    let mark = fromMap ? text.firstIndex(of: "?") : nil
    query = mark.map { text[text.index(after: $0)...] }
    let parts = text[..<(mark ?? text.endIndex)].split(separator: ";", omittingEmptySubsequences: false)
    var numbers: [Double] = []
    for part in parts[0].split(separator: ",", omittingEmptySubsequences: false) {
      guard let number = Double(plainDecimal: part) else {
        throw ParseError("'\(part)' is not a number: a geo URI is geo:LAT,LON or geo:LAT,LON,ALT")
      }
      numbers.append(number)
    }
    guard numbers.count == 2 || numbers.count == 3 else {
      throw ParseError("a geo URI has two or three numbers: geo:LAT,LON or geo:LAT,LON,ALT")
    }
    location = Location(
      try Coordinate(checking: numbers[0], numbers[1]), altitude: numbers.count == 3 ? numbers[2] : nil)
    for part in parts.dropFirst().lazy.map({ $0.lowercased() }) {
      if part.hasPrefix("crs="), part != "crs=wgs84" { throw ParseError("the geo URI is not in WGS 84 (\(part))") }
      if part.hasPrefix("u="), !fromMap {
        guard let metres = Double(plainDecimal: part.dropFirst(2)), metres >= 0 else {
          throw ParseError("the uncertainty of the geo URI (u=) is not a number of metres")
        }
        location.horizontalError = metres
      }
    }
  }
}
