import Basics
import Foundation

/// Parses links to the maps of Google, Apple, Bing, OpenStreetMap, Waze, Yandex and 2GIS. Returns the position of the
/// marker, otherwise of the place for which the map was opened, otherwise the center of the map; never the origin of a
/// search or a route. Links to other maps aren't supported, because the order of their numbers is unknown.
enum MapLink {
  /// Whether `text` is a link, and therefore not a name.
  static func isLink(_ text: String) -> Bool { text.hasPrefix("http://") || text.hasPrefix("https://") }

  /// Returns nil if `text` isn't a link to these maps, or if it contains no position, or several of equal rank.
  static func point(_ text: String) -> Coordinate? {
    guard isLink(text), text.utf8.count <= 2_000,
      // Square brackets should be escaped and often aren't; escaping everything would escape some characters twice.
      let link = URLComponents(string: text.replacing("[", with: "%5B").replacing("]", with: "%5D")),
      let host = link.host?.lowercased()
    else { return nil }
    if host.contains(Pattern.google)
      || host.contains(Pattern.northFirst)
    {
      return northFirst(link, text)
    }
    return host.contains(Pattern.eastFirst) ? eastFirst(link) : nil
  }

  private static func northFirst(_ link: URLComponents, _ text: String) -> Coordinate? {
    func parameter(_ name: String) -> String? { link.queryItems?.last { $0.name == name }?.value }
    if let latitude = parameter("mlat"), let longitude = parameter("mlon") { return pair(latitude + "," + longitude) }
    if let marker = text.matches(of: Pattern.marker).last {
      return pair(marker.1 + "," + marker.2)
    }
    if let point = ["q", "query", "ll"].lazy.compactMap({ parameter($0).flatMap(pair) }).first { return point }
    let steps = link.path.split(separator: "/")
    let places = steps.compactMap(pair)
    if !places.isEmpty { return places.count == 1 ? places[0] : nil }
    // The center of a route's map is neither of its ends.
    guard !steps.contains("dir"), parameter("daddr") == nil else { return nil }
    if let point = ["center", "cp"].lazy.compactMap({ parameter($0).flatMap(pair) }).first { return point }
    if let map = link.fragment?.wholeMatch(of: Pattern.map) {
      return pair(map.1 + "," + map.2)
    }
    return steps.first { $0.hasPrefix("@") }.flatMap { step in
      pair(step.dropFirst().split(separator: ",").prefix(2).joined(separator: ","))
    }
  }

  /// Parses links of Yandex and 2GIS, which have the longitude first.
  private static func eastFirst(_ link: URLComponents) -> Coordinate? {
    func parameter(_ name: String) -> Coordinate? {
      // In 2GIS links, `m` is followed by the zoom.
      link.queryItems?.last { $0.name == name }?.value?.split(separator: "/").first.flatMap(swappedPair)
    }
    let markers = ["whatshere[point]", "poi[point]", "pt"].filter { name in
      link.queryItems?.contains { $0.name == name } ?? false
    }
    // If a marker or a route isn't understood, the map's center must not be used instead.
    if let marker = markers.first { return parameter(marker) }
    guard link.queryItems?.contains(where: { $0.name == "rtext" }) != true, !link.path.contains("directions") else {
      return nil
    }
    let places = link.path.split(separator: "/").compactMap(swappedPair)
    if !places.isEmpty { return places.count == 1 ? places[0] : nil }
    return ["ll", "m"].lazy.compactMap(parameter).first
  }

  /// Parses `8.54,47.37`; in Yandex links a style can follow.
  private static func swappedPair(_ text: some StringProtocol) -> Coordinate? {
    let parts = text.split(separator: ",", omittingEmptySubsequences: false)
    guard parts.count == 2 || parts.count == 3 && parts[2].first?.isLetter == true else { return nil }
    return pair("\(parts[1]),\(parts[0])")
  }

  /// Parses `47.37,8.54`, the form in queries.
  private static func pair(_ text: some StringProtocol) -> Coordinate? {
    guard let pair = String(text).wholeMatch(of: Pattern.pair),
      let latitude = Double(pair.1), let longitude = Double(pair.2)
    else { return nil }
    return Coordinate(latitude: latitude, longitude: longitude)
  }
}

/// A `geo:` URI in a search, with the additions of Android's maps: `?z=15`, and `?q=` for a place.
struct GeoLink {
  /// The position; nil if the URI names a place instead.
  let point: Coordinate?
  /// The name of a place, given instead of a position: `geo:0,0?q=Kyoto`.
  let query: String?

  /// Returns nil if `text` isn't such a URI, refers to a position on another body than Earth, or has an empty query.
  init?(_ text: String) {
    guard text.utf8.count <= 1_000, text.drop(while: \.isWhitespace).prefix(4).lowercased() == "geo:",
      let uri = try? GeoURI(text.trimmingCharacters(in: .whitespacesAndNewlines).dropFirst(4), fromMap: true),
      uri.query?.contains(where: \.isNewline) != true
    else { return nil }
    let own = uri.location.coordinate
    guard own.isNoFix, let value = Self.value(in: uri.query ?? "") else {
      (point, query) = (own, nil)
      return
    }
    // With a query, 0,0 is not a position.
    guard let asked = Self.query(of: value) else { return nil }
    point = TypedCoordinates.point(asked)
    query = point == nil ? asked : nil
  }

  private static func value(in parameters: Substring) -> Substring? {
    parameters.split(separator: "&").first { $0.hasPrefix("q=") }?.dropFirst(2)
  }

  /// Returns the value of `q=` without a label in brackets after it.
  private static func query(of value: Substring) -> String? {
    let words = String(value).replacing("+", with: " ")
    let decoded: String = words.removingPercentEncoding ?? words
    let text = decoded.replacing(Pattern.label, with: "")
    // A URI within the query is rejected, to prevent recursion.
    return text.isEmpty || text.lowercased().contains("geo:") ? nil : text
  }
}

/// Patterns that are compiled once.
private enum Pattern {
  nonisolated(unsafe) static let google = #/(?:^|\.)google(?:\.[a-z]{2,3}){1,2}$/#
  nonisolated(unsafe) static let northFirst =
    #/(?:^|\.)(?:maps\.apple\.com|bing\.com|openstreetmap\.org|osm\.org|waze\.com)$/#
  nonisolated(unsafe) static let eastFirst = #/(?:^|\.)(?:yandex|2gis)(?:\.[a-z]{2,3}){1,2}$/#
  nonisolated(unsafe) static let marker = #/!3d(-?\d{1,2}\.\d+)!4d(-?\d{1,3}\.\d+)/#
  nonisolated(unsafe) static let map = #/map=[\d.]+\/(-?[\d.]+)\/(-?[\d.]+).*/#
  nonisolated(unsafe) static let pair = #/(?:loc:)?(-?\d{1,2}(?:\.\d+)?)[,~][+ ]?(-?\d{1,3}(?:\.\d+)?)/#
  nonisolated(unsafe) static let label = #/\s*\(.*\)\s*$/#
}
