import Basics

extension PlaceDraft {
  /// Returns the place that the draft describes; what the file doesn't say comes from its surroundings.
  /// - Parameters:
  ///   - source: The name of the import.
  ///   - kind: The kind of the place if the file doesn't specify it.
  func place(source: String, kind: Place.Kind, surroundings: inout Surroundings) throws -> Place {
    guard let name = self[.name] else { throw Flaw(sentence: "it has no name") }
    guard name.utf8.count <= Self.longest else {
      throw Flaw(sentence: "its name is longer than \(Self.longest) bytes")
    }
    let point = try self.point ?? position()
    let altitude = try number(.altitude, -20_000...100_000_000)
    let radius = try number(.radius, 0...100_000) ?? Self.radius
    let population = try number(.population, 0...20_000_000_000) ?? 0
    let stated = self[.category].flatMap { Place.Kind(rawValue: $0.lowercased()) }
    let around = try surroundings.at(point, country: self[.country], region: self[.region], zone: self[.zone])
    // Ten digits below a degree are finer than any survey, and the same on every machine.
    let identity = self[.id].map { "id \($0)" } ?? "\(name)\u{1F}\(point.latitude)\u{1F}\(point.longitude)"
    return Place(
      id: UserPlaceID.number(source: source, identity: identity), name: name, matchedName: name,
      kind: stated == .coordinate ? kind : stated ?? kind, countryCode: around.code, country: around.country,
      admin1: around.region, latitude: point.latitude, longitude: point.longitude, population: Int(population),
      timeZone: around.zone,
      own: .init(source: source, category: stated == nil ? self[.category] : nil, altitude: altitude, radius: radius))
  }
}
