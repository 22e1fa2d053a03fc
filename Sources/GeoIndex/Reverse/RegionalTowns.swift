extension Whereabouts {
  /// The region of the town one would name; nil if it isn't known.
  var regionOfLocality: Admin1? { geography.towns.admin1(of: answer.found.locality) }

  /// The same, but towns of other regions than `admin1` don't count: who writes a city and a state beside each other
  /// doesn't put New York City into New Jersey.
  var inOneRegion: Whereabouts {
    let (towns, found) = (geography.towns, answer.found)
    guard let code = admin1?.code else { return self }
    func isElsewhere(_ town: UInt32) -> Bool { towns.admin1(of: town).map { $0.code != code } ?? false }
    guard isElsewhere(found.locality) || isElsewhere(found.city) else { return self }
    var answer = answer
    answer.found = geography.towns(near: point, of: answer.spot.country) { !isElsewhere($0) }
    return Whereabouts(latitude: latitude, longitude: longitude, geography: geography, answer: answer)
  }
}

extension Towns {
  /// The region of a town, if that has a name.
  func admin1(of town: UInt32) -> Whereabouts.Admin1? {
    guard town != Found.none else { return nil }
    let fields = regions[Int(sites[Int(town)].region)]
    return fields.count > 2 ? Whereabouts.Admin1(name: fields[2], code: fields[1]) : nil
  }
}

extension Geography {
  /// What `Towns.nearest` finds among some of the towns that may be named here.
  fileprivate func towns(near point: Point, of country: CountryCode, where isWanted: (UInt32) -> Bool) -> Towns.Found {
    let cell = Lattice(point)
    let candidates = towns.candidates(in: towns.grid.list(of: cell)).filter { isWanted(towns.grid.lists[$0]) }
    return towns.nearest(of: candidates, to: Sphere.vector(cell, in: sphere.part(around: cell)), country: country)
  }
}
