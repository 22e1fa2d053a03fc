import Basics
import Foundation

/// A `geo:` URI (RFC 5870), with the additions of Android's maps: `?z=15`, and `?q=` for a place.
struct GeoURI {
  /// The position; nil if the URI names a place instead.
  let point: Coordinate?
  /// The name of a place, given instead of a position: `geo:0,0?q=Kyoto`.
  let query: String?

  /// Returns nil if `text` isn't such a URI, refers to a position on another body than Earth, or has an empty query.
  init?(_ text: String) {
    guard text.utf8.count <= 1_000, text.drop(while: \.isWhitespace).prefix(4).lowercased() == "geo:",
      let uri = text.trimmingCharacters(in: .whitespacesAndNewlines).wholeMatch(
        of: #/(?i)geo:([-+]?\d+(?:\.\d+)?),([-+]?\d+(?:\.\d+)?)(?:,[-+]?\d+(?:\.\d+)?)?(;[^?]*)?(?:\?(.*))?/#),
      let latitude = Double(uri.1), let longitude = Double(uri.2),
      let own = Coordinate(latitude: latitude, longitude: longitude)
    else { return nil }
    let systems = (uri.3 ?? "").lowercased().split(separator: ";").filter { $0.hasPrefix("crs=") }
    guard systems.allSatisfy({ $0 == "crs=wgs84" }) else { return nil }
    guard latitude == 0, longitude == 0, let value = Self.value(in: uri.4 ?? "") else {
      (point, query) = (own, nil)
      return
    }
    // With a query, 0,0 is not a position.
    guard let asked = Self.query(of: value) else { return nil }
    point = CoordinateText.point(asked)
    query = point == nil ? asked : nil
  }

  private static func value(in parameters: Substring) -> Substring? {
    parameters.split(separator: "&").first { $0.hasPrefix("q=") }?.dropFirst(2)
  }

  /// Returns the value of `q=` without a label in brackets after it.
  private static func query(of value: Substring) -> String? {
    let words = String(value).replacing("+", with: " ")
    let decoded: String = words.removingPercentEncoding ?? words
    let text = decoded.replacing(#/\s*\(.*\)\s*$/#, with: "")
    // A URI within the query is rejected, to prevent recursion.
    return text.isEmpty || text.lowercased().contains("geo:") ? nil : text
  }
}
