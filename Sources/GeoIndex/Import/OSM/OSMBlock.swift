import Basics

/// A decompressed block of a PBF file: a table of strings, and nodes, ways and relations that refer to it.
struct OSMBlock {
  /// Kinds of objects in a block.
  struct Contents: OptionSet {
    let rawValue: UInt8
    static let nodes = Contents(rawValue: 1)
    static let ways = Contents(rawValue: 2)
    static let relations = Contents(rawValue: 4)
    /// Objects that are places.
    static let namedNodes = Contents(rawValue: 8)
    static let namedWays = Contents(rawValue: 16)
    static let namedRelations = Contents(rawValue: 32)
    static let everything = Contents(rawValue: .max)
  }

  /// The numbers of an object's tags in the table of strings: key, value, key, value, ….
  typealias TagNumbers = [UInt32]

  /// A way or relation.
  struct Object {
    var id: Int64 = 0
    var tags: TagNumbers = []
    /// The packed lists: of a way, its nodes; of a relation, its members, their roles and types.
    fileprivate var members: Range<Int>?
    fileprivate var roles: Range<Int>?
    fileprivate var types: Range<Int>?
    /// The packed positions of a way's nodes, if the file has them there.
    fileprivate var norths: Range<Int>?
    fileprivate var easts: Range<Int>?
  }

  /// A member of a relation.
  struct Member {
    let id: Int64
    let role: String
    /// 0 for a node, 1 for a way, 2 for a relation.
    let type: UInt64
  }

  /// The objects that occur.
  private(set) var contents: Contents = []
  private let message: ProtobufMessage
  private var groups: [Range<Int>] = []
  private var strings: [(start: UInt32, end: UInt32)] = []
  /// Which strings are keys of names (1) and of kinds (2).
  private var uses: [UInt8] = []
  private var granularity: Int64 = 100
  private var (northOffset, eastOffset) = (Int64(0), Int64(0))

  /// The largest number of nodes of a way or members of a relation; OpenStreetMap allows 2,000 and 32,000.
  static let mostMembers = 100_000
  private static let mostTags = 10_000
  /// Longer texts are cut: no name or value that is used has this length.
  private static let longestText = 2_048

  init(_ bytes: [UInt8], at offset: Int) throws(FileError) {
    message = ProtobufMessage(bytes, at: offset)
    var block = message
    while let (field, value) = try block.next() {
      switch (field, value) {
      case (1, .bytes(let table)):
        var table = message.message(table)
        while let (field, value) = try table.next() {
          if field == 1, case .bytes(let text) = value {
            strings.append((UInt32(text.lowerBound), UInt32(text.upperBound)))
          }
        }
      case (2, .bytes(let group)):
        groups.append(group)
        var group = message.message(group)
        // A group has objects of one type.
        switch try group.next()?.field {
        case 1, 2: contents.insert(.nodes)
        case 3: contents.insert(.ways)
        case 4: contents.insert(.relations)
        default: break
        }
      case (17, .number(let number)): granularity = Int64(bitPattern: number)
      case (19, .number(let number)): northOffset = Int64(bitPattern: number)
      case (20, .number(let number)): eastOffset = Int64(bitPattern: number)
      default: break
      }
    }
    guard granularity > 0 else { throw message.broken("the granularity is \(granularity)") }
    uses = strings.map { Self.use(of: bytes[Int($0.start)..<Int($0.end)]) }
  }

  private static let nameKeys = ["name", "int_name"].map { [UInt8]($0.utf8) }
  private static let namePrefix = [UInt8]("name:".utf8)
  private static let kindKeys = Set(OSMKinds.table.keys.map { [UInt8]($0.utf8) })
  private static let longestKey = kindKeys.map(\.count).max() ?? 0

  /// Which first bytes keys have; most strings are values, and most of these have others.
  private static let firsts: [Bool] = (0...255).map { first in
    kindKeys.contains { $0.first == first } || first == UInt8(ascii: "n")
  }

  private static func use(of key: ArraySlice<UInt8>) -> UInt8 {
    guard let first = key.first, firsts[Int(first)] else { return 0 }
    if key.starts(with: namePrefix) || nameKeys.contains(where: { $0.elementsEqual(key) }) { return 1 }
    return key.count <= longestKey && kindKeys.contains(Array(key)) ? 2 : 0
  }

  /// Returns the tags as text.
  func tags(_ numbers: TagNumbers) throws(FileError) -> [String: String] {
    var tags: [String: String] = [:]
    for index in stride(from: 0, to: numbers.count - 1, by: 2) {
      tags[try text(numbers[index])] = try text(numbers[index + 1])
    }
    return tags
  }

  private func text(_ number: UInt32) throws(FileError) -> String {
    let bytes = message.bytes[try range(number)]
    if bytes.count > Self.longestText { return String(decoding: bytes.prefix(Self.longestText), as: UTF8.self) }
    guard let text = String(validating: bytes, as: UTF8.self) else { throw message.broken("a text is not valid UTF-8") }
    return text
  }

  private func range(_ number: UInt32) throws(FileError) -> Range<Int> {
    guard number < strings.count else { throw message.broken("a text is missing") }
    return Int(strings[Int(number)].start)..<Int(strings[Int(number)].end)
  }

  /// Whether an object may be a place: one tag is a name, another may be a kind.
  private func mayBePlace(_ numbers: TagNumbers) throws(FileError) -> Bool {
    var found: UInt8 = 0
    for index in stride(from: 0, to: numbers.count, by: 2) {
      guard numbers[index] < uses.count else { throw message.broken("a text is missing") }
      found |= uses[Int(numbers[index])]
    }
    return found == 3
  }

  /// Returns the position of numbers in the block's units; nil if it isn't on Earth.
  func position(_ north: Int64, _ east: Int64) -> Coordinate? {
    guard let north = degrees(north, northOffset), let east = degrees(east, eastOffset) else { return nil }
    return Coordinate(latitude: north, longitude: east)
  }

  private func degrees(_ number: Int64, _ offset: Int64) -> Double? {
    let (product, overflows) = number.multipliedReportingOverflow(by: granularity)
    let (sum, overflowsToo) = product.addingReportingOverflow(offset)
    return overflows || overflowsToo ? nil : Double(sum) / 1e9
  }
}

extension OSMBlock {
  /// Visits the nodes. `tags` is empty unless the node may be a place.
  func forEachNode(_ body: (_ id: Int64, _ north: Int64, _ east: Int64, _ tags: TagNumbers) throws -> Void) throws {
    for group in groups {
      var group = message.message(group)
      while let (field, value) = try group.next() {
        guard case .bytes(let range) = value else { continue }
        if field == 1 { try node(range, body) }
        if field == 2 { try dense(range, body) }
      }
    }
  }

  private func node(_ range: Range<Int>, _ body: (Int64, Int64, Int64, TagNumbers) throws -> Void) throws {
    var fields = message.message(range)
    var (id, north, east) = (Int64(0), Int64(0), Int64(0))
    var keys: Range<Int>?
    var values: Range<Int>?
    while let (field, value) = try fields.next() {
      switch (field, value) {
      case (1, .number(let number)): id = ProtobufMessage.signed(number)
      case (2, .bytes(let list)): keys = list
      case (3, .bytes(let list)): values = list
      case (8, .number(let number)): north = ProtobufMessage.signed(number)
      case (9, .number(let number)): east = ProtobufMessage.signed(number)
      case (2...3, .number): throw message.broken("a list is not packed")
      default: break
      }
    }
    let tags = try tagNumbers(keys, values)
    try body(id, north, east, try mayBePlace(tags) ? tags : [])
  }

  /// Visits nodes of which each number is the difference from the one before.
  private func dense(_ range: Range<Int>, _ body: (Int64, Int64, Int64, TagNumbers) throws -> Void) throws {
    var fields = message.message(range)
    var lists: [UInt64: Range<Int>] = [:]
    while let (field, value) = try fields.next() {
      if case .bytes(let list) = value { lists[field] = list }
    }
    let empty = range.lowerBound..<range.lowerBound
    var ids = message.message(lists[1] ?? empty)
    var norths = message.message(lists[8] ?? empty)
    var easts = message.message(lists[9] ?? empty)
    var words = message.message(lists[10] ?? empty)
    let hasTags = !words.isAtEnd
    var (id, north, east) = (Int64(0), Int64(0), Int64(0))
    var tags: TagNumbers = []
    while !ids.isAtEnd {
      id &+= try ids.signed()
      north &+= try norths.signed()
      east &+= try easts.signed()
      if hasTags {
        tags.removeAll(keepingCapacity: true)
        while true {
          let key = try words.number()
          if key == 0 { break }
          tags.append(UInt32(clamping: key))
          tags.append(UInt32(clamping: try words.number()))
          guard tags.count <= Self.mostTags * 2 else { throw message.broken("an object has too many tags") }
        }
      }
      if tags.isEmpty {
        try body(id, north, east, tags)
      } else {
        try body(id, north, east, try mayBePlace(tags) ? tags : [])
      }
    }
  }

  /// Visits the ways. Their `tags` are empty unless they may be places.
  func forEachWay(_ body: (Object) throws -> Void) throws { try forEach(field: 3, body) }

  /// Visits the relations. Their `tags` are empty unless they may be places.
  func forEachRelation(_ body: (Object) throws -> Void) throws { try forEach(field: 4, body) }

  private func forEach(field wanted: UInt64, _ body: (Object) throws -> Void) throws {
    for group in groups {
      var group = message.message(group)
      while let (field, value) = try group.next() {
        guard field == wanted, case .bytes(let range) = value else { continue }
        var fields = message.message(range)
        var object = Object()
        var keys: Range<Int>?
        var values: Range<Int>?
        while let (field, value) = try fields.next() {
          switch (field, value) {
          case (1, .number(let number)): object.id = Int64(bitPattern: number)
          case (2, .bytes(let list)): keys = list
          case (3, .bytes(let list)): values = list
          case (8, .bytes(let list)): if wanted == 3 { object.members = list } else { object.roles = list }
          case (9, .bytes(let list)): if wanted == 4 { object.members = list } else { object.norths = list }
          case (10, .bytes(let list)): if wanted == 4 { object.types = list } else { object.easts = list }
          case (2...3, .number), (8, .number): throw message.broken("a list is not packed")
          default: break
          }
        }
        object.tags = try tagNumbers(keys, values)
        if try !mayBePlace(object.tags) { object.tags = [] }
        try body(object)
      }
    }
  }

  private func tagNumbers(_ keys: Range<Int>?, _ values: Range<Int>?) throws(FileError) -> TagNumbers {
    guard let keys, let values else {
      guard keys == nil, values == nil else { throw message.broken("a key has no value") }
      return []
    }
    var (keyList, valueList) = (message.message(keys), message.message(values))
    var tags: TagNumbers = []
    while !keyList.isAtEnd {
      tags.append(UInt32(clamping: try keyList.number()))
      tags.append(UInt32(clamping: try valueList.number()))
      guard tags.count <= Self.mostTags * 2 else { throw message.broken("an object has too many tags") }
    }
    return tags
  }

  /// Returns the nodes of a way; nil if there are too many.
  func nodes(of way: Object) throws(FileError) -> [Int64]? {
    guard let range = way.members else { return [] }
    var list = message.message(range)
    var (nodes, id): ([Int64], Int64) = ([], 0)
    nodes.reserveCapacity(min(range.count, Self.mostMembers))
    while !list.isAtEnd {
      id &+= try list.signed()
      guard nodes.count < Self.mostMembers else { return nil }
      nodes.append(id)
    }
    return nodes
  }

  /// Visits the nodes of a way that has their positions.
  func forEachPosition(
    of way: Object, _ body: (_ id: Int64, _ north: Int64, _ east: Int64) throws -> Void
  ) throws {
    guard let ids = way.members, let norths = way.norths, let easts = way.easts else { return }
    var (idList, northList, eastList) = (message.message(ids), message.message(norths), message.message(easts))
    var (id, north, east) = (Int64(0), Int64(0), Int64(0))
    while !idList.isAtEnd {
      id &+= try idList.signed()
      north &+= try northList.signed()
      east &+= try eastList.signed()
      try body(id, north, east)
    }
  }

  /// Returns the members of a relation; nil if there are too many.
  func members(of relation: Object) throws(FileError) -> [Member]? {
    guard let ids = relation.members, let roles = relation.roles, let types = relation.types else { return [] }
    var (idList, roleList, typeList) = (message.message(ids), message.message(roles), message.message(types))
    var (members, id): ([Member], Int64) = ([], 0)
    while !idList.isAtEnd {
      id &+= try idList.signed()
      let role = try text(UInt32(clamping: try roleList.number()))
      guard members.count < Self.mostMembers else { return nil }
      members.append(Member(id: id, role: role, type: try typeList.number()))
    }
    return members
  }
}
