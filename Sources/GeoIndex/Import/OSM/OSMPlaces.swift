import Basics

/// OpenStreetMap's PBF files: nodes, ways and relations with a name and a tag that means a kind of place.
///
/// The file is read several times, because relations refer to ways that come before them, and these to nodes. Only what
/// belongs to places is kept in memory.
struct OSMPlaces: PlaceFormat {
  let name = "OSM PBF"

  func recognizes(_ head: ArraySlice<UInt8>) -> Bool { PBFFile.recognizes(head) }

  func read(_ file: PlaceFile, _ take: (ImportedPlace) throws -> Void) throws {
    let source = try file.source(passes: 5)
    var reader = OSMReader(try PBFFile(source), size: source.count)
    try reader.learnRelations()
    try reader.learnWays()
    try reader.learnNodes()
    try reader.takeRelations(take)
    try reader.takeWays(take)
    try reader.takeNodes(take)
  }
}

/// The passes over a PBF file.
private struct OSMReader {
  /// The lists of a relation's members that matter.
  struct Relation {
    var ways: [Int64] = []
    /// The node at which a settlement's name is written.
    var label: Int64?
  }

  var file: PBFFile
  var relations: [Int64: Relation] = [:]
  /// Where the nodes of relations' ways are in `memberNodes`.
  var memberWays: [Int64: (start: Int, count: Int)] = [:]
  var memberNodes: [Int64] = []
  /// Which ways have the name and kind of their relation.
  var namedMembers: Set<UInt64> = []
  var lines = NamedLines()
  var nodes: NodePositions
  var areas = NamedAreas()

  /// The largest number of nodes or members that are kept: each takes more than a byte of the file.
  let most: Int

  init(_ file: PBFFile, size: Int) {
    self.file = file
    most = max(1 << 20, min(1 << 28, size))
    nodes = NodePositions(atMost: most)
  }

  private func check(_ count: Int, _ what: String) throws(FileError) {
    guard count <= most else {
      throw FileError(
        .suspiciousArchive, "the \(what) of the PBF file are more than \(most), too many for the file's size")
    }
  }

  static let relationTypes: Set = ["multipolygon", "boundary", "waterway"]

  /// Finds the relations that are places, and their members.
  mutating func learnRelations() throws {
    var (relations, members): ([Int64: Relation], Set<UInt64>) = ([:], [])
    var count = 0
    let reader = self
    try file.forEachBlock(.everything) { block in
      var found = block.contents
      if found.contains(.relations) {
        try block.forEachRelation { object in
          guard !object.tags.isEmpty else { return }
          let tags = try block.tags(object.tags)
          guard Self.relationTypes.contains(tags["type"] ?? ""), let place = OSMTags(tags) else { return }
          found.insert(.namedRelations)
          guard let all = try block.members(of: object) else { return }
          count += all.count
          try reader.check(count, "members of relations")
          var relation = Relation()
          let key = NamedAreas.key(place)
          for member in all {
            if member.type == 1, member.role != "inner", member.role != "side_stream" {
              relation.ways.append(member.id)
              members.insert(Self.mix(member.id, key))
            }
            if member.type == 0, member.role == "label" || member.role == "admin_centre" && relation.label == nil {
              relation.label = member.id
            }
          }
          if place.kind.group != .settlement { relation.label = nil }
          relations[object.id] = relation
        }
      }
      return found
    }
    (self.relations, namedMembers) = (relations, members)
  }

  private static func mix(_ way: Int64, _ key: UInt64) -> UInt64 {
    (UInt64(bitPattern: way) &* 0x9E37_79B9_7F4A_7C15) ^ key
  }

  /// Finds the ways that are places, and the nodes of these and of the relations.
  mutating func learnWays() throws {
    var wanted = Set<Int64>()
    for relation in relations.values {
      wanted.formUnion(relation.ways)
      if let label = relation.label { try nodes.want([label]) }
    }
    var (nodes, lines) = (self.nodes, self.lines)
    (self.nodes, self.lines) = (NodePositions(atMost: 0), NamedLines())
    let reader = self
    var (memberWays, memberNodes): ([Int64: (start: Int, count: Int)], [Int64]) = ([:], [])
    try file.forEachBlock(.ways) { block in
      var found: OSMBlock.Contents = []
      try block.forEachWay { way in
        let place = way.tags.isEmpty ? nil : OSMTags(try block.tags(way.tags))
        let isMember = wanted.contains(way.id)
        guard place != nil || isMember else { return }
        let list = try block.nodes(of: way)
        if let place {
          found.insert(.namedWays)
          if let list, !Self.isArea(list, place) { lines.add(NamedAreas.key(place), list) }
        }
        guard let list, !list.isEmpty else { return }
        if isMember, memberWays[way.id] == nil {
          memberWays[way.id] = (memberNodes.count, list.count)
          memberNodes += list
          try reader.check(memberNodes.count, "nodes of ways")
        }
        try nodes.want(list)
      }
      return found
    }
    lines.join()
    nodes.seal()
    (self.nodes, self.lines, self.memberWays, self.memberNodes) = (nodes, lines, memberWays, memberNodes)
  }

  /// Finds the nodes that are places, and the positions of those of ways.
  mutating func learnNodes() throws {
    var nodes = self.nodes
    self.nodes = NodePositions(atMost: 0)
    var hint = 0
    let hasWayPositions = file.hasWayPositions
    try file.forEachBlock(hasWayPositions ? [.nodes, .ways] : .nodes) { block in
      var found: OSMBlock.Contents = []
      if hasWayPositions {
        try block.forEachWay { way in
          try block.forEachPosition(of: way) { id, north, east in
            guard let index = nodes.index(of: id, near: &hint), let position = block.position(north, east) else {
              return
            }
            nodes.set(index, position)
          }
        }
      }
      try block.forEachNode { id, north, east, tags in
        if !tags.isEmpty, !found.contains(.namedNodes), OSMTags(try block.tags(tags)) != nil {
          found.insert(.namedNodes)
        }
        guard let index = nodes.index(of: id, near: &hint), let position = block.position(north, east) else { return }
        nodes.set(index, position)
      }
      return found
    }
    self.nodes = nodes
  }

  private static func isArea(_ list: [Int64], _ place: OSMTags) -> Bool {
    list.count >= 4 && list.first == list.last && place.isArea
  }
}

extension OSMReader {
  mutating func takeRelations(_ take: (ImportedPlace) throws -> Void) throws {
    let reader = self
    var areas = NamedAreas()
    try file.forEachBlock(.namedRelations) { block in
      try block.forEachRelation { object in
        guard !object.tags.isEmpty else { return }
        let tags = try block.tags(object.tags)
        guard Self.relationTypes.contains(tags["type"] ?? ""), let place = OSMTags(tags) else { return }
        guard let relation = reader.relations[object.id] else { return try take(.unplaced) }
        let label = relation.label.flatMap { reader.nodes[$0] }
        // At the edge of an extract, a park is about where a part of its outline is, but a country isn't.
        let isWhole = relation.ways.allSatisfy { reader.memberWays[$0] != nil }
        guard isWhole || label != nil || ![.region, .settlement].contains(place.kind.group) else {
          return try take(.unplaced)
        }
        let extent = reader.extent(of: relation)
        try Self.take(place, "relation", object.id, extent, at: label, &areas, take)
      }
      return []
    }
    areas.sort()
    self.areas = areas
  }

  mutating func takeWays(_ take: (ImportedPlace) throws -> Void) throws {
    let reader = self
    var areas = areas
    var line = 0
    try file.forEachBlock(.namedWays) { block in
      try block.forEachWay { way in
        guard !way.tags.isEmpty, let place = OSMTags(try block.tags(way.tags)) else { return }
        guard let list = try block.nodes(of: way) else { return try take(.unplaced) }
        let isArea = Self.isArea(list, place)
        if !isArea { line += 1 }
        guard isArea || !place.isBorder else { return try take(.unplaced) }
        let key = NamedAreas.key(place)
        // A part of a river or street, or of the outline of an area that has the name itself.
        guard isArea || reader.lines.isChief(line - 1), !reader.namedMembers.contains(Self.mix(way.id, key)) else {
          return try take(.duplicate)
        }
        var extent = Extent()
        let points = list.compactMap { reader.nodes[$0] }
        if isArea { extent.addRing(points) } else { extent.addLine(points) }
        if let center = extent.center, reader.areas.contains(key, center) { return try take(.duplicate) }
        try Self.take(place, "way", way.id, extent, at: nil, &areas, take)
      }
      return []
    }
    areas.sort()
    self.areas = areas
  }

  mutating func takeNodes(_ take: (ImportedPlace) throws -> Void) throws {
    let areas = areas
    try file.forEachBlock(.namedNodes) { block in
      try block.forEachNode { id, north, east, tags in
        guard !tags.isEmpty, let place = OSMTags(try block.tags(tags)) else { return }
        guard let position = block.position(north, east) else { return try take(.unplaced) }
        if areas.contains(NamedAreas.key(place), position) { return try take(.duplicate) }
        var none = NamedAreas()
        try Self.take(place, "node", id, Extent(), at: position, &none, take)
      }
      return []
    }
  }

  private static func take(
    _ place: OSMTags, _ type: String, _ id: Int64, _ extent: Extent, at label: Coordinate?, _ areas: inout NamedAreas,
    _ take: (ImportedPlace) throws -> Void
  ) throws {
    guard let center = label ?? extent.center, place.name.utf8.count <= PlaceDraft.longest else {
      return try take(.unplaced)
    }
    var draft = PlaceDraft()
    draft.point = center
    draft.radius = extent.radius
    draft[.id] = "\(type)/\(id)"
    place.fill(&draft, area: extent.area)
    if let middle = extent.center { areas.add(NamedAreas.key(place), middle, radius: extent.radius ?? 0) }
    try take(.place(draft, entry: "\(type) \(id)"))
  }

  /// Returns the extent of what the file has of a relation's ways, joined to rings where they meet.
  private func extent(of relation: Relation) -> Extent {
    var extent = Extent()
    let ways = relation.ways.compactMap { memberWays[$0] }.map { memberNodes[$0.start..<$0.start + $0.count] }
    var ends: [Int64: [Int]] = [:]
    for (index, way) in ways.enumerated() {
      guard let first = way.first, let last = way.last else { continue }
      ends[first, default: []].append(index)
      ends[last, default: []].append(index)
    }
    var isUsed = [Bool](repeating: false, count: ways.count)
    for start in ways.indices where !isUsed[start] {
      isUsed[start] = true
      var chain = Array(ways[start])
      while let last = chain.last, last != chain.first || chain.count == 1 {
        // A way that was used isn't needed again, so that each is looked at once.
        var next: Int?
        while next == nil, let candidate = ends[last]?.popLast() {
          if !isUsed[candidate] { next = candidate }
        }
        guard let next else { break }
        isUsed[next] = true
        chain += ways[next].first == last ? Array(ways[next].dropFirst()) : Array(ways[next].reversed().dropFirst())
      }
      let points = chain.compactMap { nodes[$0] }
      if chain.count >= 4, chain.first == chain.last { extent.addRing(points) } else { extent.addLine(points) }
    }
    return extent
  }
}
