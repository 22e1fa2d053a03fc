import Basics
import Foundation

/// The choice of names and places, and their scores.
extension NameSearch {
  /// Returns the entries of the greatest weight; at equal weight, the first ones.
  func heaviest(_ entries: Range<Int>, in areas: [Areas]) -> [Int] {
    guard entries.count > Self.weighed else { return Array(entries) }
    var counts = [Int](repeating: 0, count: 256)
    for entry in entries { counts[Int(tables.entryWeights[entry])] += 1 }
    let isOpen = areas.isEmpty && request.countries.isEmpty && request.kinds.isEmpty
    var (found, weight, examined) = ([Int](), 255, 0)
    while weight >= 0, found.count < Self.weighed, examined < Self.examined {
      // Select as many weights at once as are needed for the missing entries: usually one pass.
      let top = weight
      var expected = counts[weight]
      while weight > 0, expected < (Self.weighed - found.count) * (isOpen ? 1 : 8) {
        weight -= 1
        expected += counts[weight]
      }
      let chosen = UInt8(weight)...UInt8(top)
      for entry in entries where chosen.contains(tables.entryWeights[entry]) {
        examined += 1
        if isOpen || isWanted(tables.place(of: tables.alias(ofEntry: entry)), in: areas) {
          found.append(entry)
        }
      }
      weight -= 1
    }
    return found
  }

  func isWanted(_ place: Int, in areas: [Areas]) -> Bool {
    guard areas.allSatisfy({ $0.contains(place, in: tables) }),
      request.countries.isEmpty || request.countries.contains(tables.country(of: place))
    else { return false }
    if let region = request.region,
      !region.contains(tables.point(of: place), radius: tables.radius(of: place))
    {
      return false
    }
    guard !request.kinds.isEmpty else { return true }
    return PlaceClass(rawValue: tables.classes[place]).map { request.kinds.contains($0.kind) } ?? false
  }

  @discardableResult
  mutating func add(_ alias: Int, match: Float, in areas: [Areas]) -> Hit? {
    let place = tables.place(of: alias)
    guard isWanted(place, in: areas) else { return nil }
    // Novi Sad is not Novi in the United States (SAD), unless the place with the whole name is hardly known.
    let isPart = !areas.isEmpty && whole.map { tables.importances[place] < $0 + 0.4 } ?? false
    let hit = Hit(
      place: UInt32(place), alias: alias, match: isPart ? match - 0.6 : match,
      importance: tables.importances[place] * fit.prominence(alias), context: isPart ? 0 : context(place, in: areas),
      nearness: nearness(place))
    if let other = hits[hit.place] {
      // If the query matches a whole name, don't let it match as a single word under another reading.
      let isWhole = other.match >= 0.84 && match < 0.84 && hit.total - other.total < 0.05
      if isWhole || (other.total, alias) >= (hit.total, other.alias) { return hit }
    }
    hits[hit.place] = hit
    return hit
  }

  /// Returns the score for the typed area. Overseas territories are rarely meant by the country.
  private func context(_ place: Int, in areas: [Areas]) -> Float {
    guard !areas.isEmpty else { return 0 }
    let country = tables.country(of: place)
    return areas.contains { $0.isOverseas(country) } ? 0.15 : 0.35
  }

  /// Returns the score for the proximity to the reference position. Of what only its neighbours know, the nearest is
  /// meant: a café, a street, a station.
  private func nearness(_ place: Int) -> Float {
    guard let near = request.near else { return 0 }
    let distance = near.haversineDistance(to: tables.point(of: place))
    let isLocal = PlaceClass(rawValue: tables.classes[place])?.isLocal == true
    let obscurity = isLocal ? max(0, 1 - Double(tables.importances[place]) / Self.known) : 0
    return Float(0.4 * exp(-distance / 150_000) + Self.local * obscurity * exp(-distance / 5_000))
  }

  /// The additional score of an unknown feature at the reference position.
  private static let local = 0.35
  /// The importance from which on a feature is known elsewhere.
  private static let known = 0.5
}
