import Foundation

/// The position that a link to Google's, Apple's, Bing's or OpenStreetMap's maps is about: its marker, else the place that it
/// was opened for, else the middle of the map; never where one searched from or set off.
enum MapLink {
  /// Nil if `text` is no link, or says no position, or several of the same worth.
  static func point(_ text: String) -> Point? {
    guard text.hasPrefix("http"), text.utf8.count <= 2_000, let link = URLComponents(string: text) else { return nil }
    func parameter(_ name: String) -> String? { link.queryItems?.last { $0.name == name }?.value }
    if let latitude = parameter("mlat"), let longitude = parameter("mlon") { return pair(latitude + "," + longitude) }
    if let marker = text.matches(of: #/!3d(-?\d{1,2}\.\d+)!4d(-?\d{1,3}\.\d+)/#).last {
      return pair(marker.1 + "," + marker.2)
    }
    if let point = ["q", "query", "ll"].lazy.compactMap({ parameter($0).flatMap(pair) }).first { return point }
    let steps = link.path.split(separator: "/")
    let places = steps.compactMap(pair)
    if !places.isEmpty { return places.count == 1 ? places[0] : nil }
    if let point = ["center", "cp"].lazy.compactMap({ parameter($0).flatMap(pair) }).first { return point }
    if let map = link.fragment?.wholeMatch(of: #/map=[\d.]+\/(-?[\d.]+)\/(-?[\d.]+).*/#) {
      return pair(map.1 + "," + map.2)
    }
    return steps.first { $0.hasPrefix("@") }.flatMap { step in
      pair(step.dropFirst().split(separator: ",").prefix(2).joined(separator: ","))
    }
  }

  /// `47.37,8.54`, as queries write it.
  private static func pair(_ text: some StringProtocol) -> Point? {
    guard let pair = String(text).wholeMatch(of: #/(?:loc:)?(-?\d{1,2}(?:\.\d+)?)[,~][+ ]?(-?\d{1,3}(?:\.\d+)?)/#),
      let latitude = Double(pair.1), let longitude = Double(pair.2), abs(latitude) <= 90, abs(longitude) <= 180
    else { return nil }
    return Point(latitude: latitude, longitude: longitude)
  }
}
