import Foundation

/// The position that a link to Google's, Apple's, Bing's, OpenStreetMap's, Waze's, Yandex's or 2GIS' maps is about: its
/// marker, else the place that it was opened for, else the middle of the map; never where one searched from or set off.
/// Other maps' links aren't read: nobody knows which of two numbers they put first.
enum MapLink {
  /// Whether `text` is a link, and so no name.
  static func isLink(_ text: String) -> Bool { text.hasPrefix("http://") || text.hasPrefix("https://") }

  /// Nil if `text` is no link to these maps, or says no position, or several of the same worth.
  static func point(_ text: String) -> Point? {
    guard isLink(text), text.utf8.count <= 2_000,
      // One sign that must be escaped and isn't, and what is escaped already would be once more.
      let link = URLComponents(string: text.replacing("[", with: "%5B").replacing("]", with: "%5D")),
      let host = link.host?.lowercased()
    else { return nil }
    if host.contains(#/(?:^|\.)google(?:\.[a-z]{2,3}){1,2}$/#)
      || host.contains(#/(?:^|\.)(?:maps\.apple\.com|bing\.com|openstreetmap\.org|osm\.org|waze\.com)$/#)
    {
      return northFirst(link, text)
    }
    return host.contains(#/(?:^|\.)(?:yandex|2gis)(?:\.[a-z]{2,3}){1,2}$/#) ? eastFirst(link) : nil
  }

  private static func northFirst(_ link: URLComponents, _ text: String) -> Point? {
    func parameter(_ name: String) -> String? { link.queryItems?.last { $0.name == name }?.value }
    if let latitude = parameter("mlat"), let longitude = parameter("mlon") { return pair(latitude + "," + longitude) }
    if let marker = text.matches(of: #/!3d(-?\d{1,2}\.\d+)!4d(-?\d{1,3}\.\d+)/#).last {
      return pair(marker.1 + "," + marker.2)
    }
    if let point = ["q", "query", "ll"].lazy.compactMap({ parameter($0).flatMap(pair) }).first { return point }
    let steps = link.path.split(separator: "/")
    let places = steps.compactMap(pair)
    if !places.isEmpty { return places.count == 1 ? places[0] : nil }
    // A route's map shows neither of its ends.
    guard !steps.contains("dir"), parameter("daddr") == nil else { return nil }
    if let point = ["center", "cp"].lazy.compactMap({ parameter($0).flatMap(pair) }).first { return point }
    if let map = link.fragment?.wholeMatch(of: #/map=[\d.]+\/(-?[\d.]+)\/(-?[\d.]+).*/#) {
      return pair(map.1 + "," + map.2)
    }
    return steps.first { $0.hasPrefix("@") }.flatMap { step in
      pair(step.dropFirst().split(separator: ",").prefix(2).joined(separator: ","))
    }
  }

  /// Yandex and 2GIS write the longitude first.
  private static func eastFirst(_ link: URLComponents) -> Point? {
    func parameter(_ name: String) -> Point? {
      // 2GIS' `m` has the zoom behind it.
      link.queryItems?.last { $0.name == name }?.value?.split(separator: "/").first.flatMap(swappedPair)
    }
    let markers = ["whatshere[point]", "poi[point]", "pt"].filter { name in
      link.queryItems?.contains { $0.name == name } ?? false
    }
    // A marker, or a route, that isn't understood is not where the map stands.
    if let marker = markers.first { return parameter(marker) }
    guard link.queryItems?.contains(where: { $0.name == "rtext" }) != true, !link.path.contains("directions") else {
      return nil
    }
    let places = link.path.split(separator: "/").compactMap(swappedPair)
    if !places.isEmpty { return places.count == 1 ? places[0] : nil }
    return ["ll", "m"].lazy.compactMap(parameter).first
  }

  /// `8.54,47.37`; a pin of Yandex' has its style behind it.
  private static func swappedPair(_ text: some StringProtocol) -> Point? {
    let parts = text.split(separator: ",", omittingEmptySubsequences: false)
    guard parts.count == 2 || parts.count == 3 && parts[2].first?.isLetter == true else { return nil }
    return pair("\(parts[1]),\(parts[0])")
  }

  /// `47.37,8.54`, as queries write it.
  private static func pair(_ text: some StringProtocol) -> Point? {
    guard let pair = String(text).wholeMatch(of: #/(?:loc:)?(-?\d{1,2}(?:\.\d+)?)[,~][+ ]?(-?\d{1,3}(?:\.\d+)?)/#),
      let latitude = Double(pair.1), let longitude = Double(pair.2), abs(latitude) <= 90, abs(longitude) <= 180
    else { return nil }
    return Point(latitude: latitude, longitude: longitude)
  }
}
