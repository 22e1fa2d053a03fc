import Basics

/// An object for a sample file of OpenStreetMap.
enum OSMSample {
  case node(Int64, Double, Double, [String: String] = [:])
  case way(Int64, [Int64], [String: String] = [:])
  case relation(Int64, [(type: UInt64, id: Int64, role: String)], [String: String] = [:])

  /// A square way of about `2 * half` degrees around a point, with its nodes.
  static func square(
    _ id: Int64, _ latitude: Double, _ longitude: Double, half: Double, _ tags: [String: String] = [:]
  ) -> [OSMSample] {
    let corners = [(-1.0, -1.0), (-1, 1), (1, 1), (1, -1)]
    let nodes = corners.enumerated().map { index, corner in
      OSMSample.node(id * 10 + Int64(index), latitude + corner.0 * half, longitude + corner.1 * half)
    }
    return nodes + [.way(id, [0, 1, 2, 3, 0].map { id * 10 + $0 }, tags)]
  }
}

/// Writes PBF files for tests, also such as break the rules.
struct PBFSample {
  /// How blobs are stored: the field of the blob, 3 for zlib, 1 for raw.
  var packing: UInt64 = 3
  var isDense = true
  var features = ["OsmSchema-V0.6", "DenseNodes"]
  var granularity: Int64 = 100
  var offsets: (north: Int64, east: Int64) = (0, 0)
  /// The number of objects in a block.
  var blockCount = 3
  /// Positions that are written into ways instead of nodes (`LocationsOnWays`).
  var wayPositions: [Int64: (latitude: Double, longitude: Double)] = [:]
  /// The declared decompressed size; nil for the true one.
  var declaredSize: UInt64?

  func file(_ objects: [OSMSample]) throws -> [UInt8] {
    // Nodes come first, then ways, then relations.
    let nodes = objects.filter { if case .node = $0 { true } else { false } }
    let ways = objects.filter { if case .way = $0 { true } else { false } }
    let relations = objects.filter { if case .relation = $0 { true } else { false } }
    let optional = wayPositions.isEmpty ? [] : Self.bytes(5, Array("LocationsOnWays".utf8))
    var file = try blob("OSMHeader", features.flatMap { Self.bytes(4, Array($0.utf8)) } + optional, plain: true)
    for all in [nodes, ways, relations] {
      for start in stride(from: 0, to: all.count, by: blockCount) {
        file += try blob("OSMData", block(Array(all[start..<min(start + blockCount, all.count)])))
      }
    }
    return file
  }

  func blob(_ type: String, _ content: [UInt8], plain: Bool = false) throws -> [UInt8] {
    let packing = plain ? 3 : packing
    let data = packing == 3 ? try Zlib.packed(content) : content
    let size = Self.number(2, declaredSize ?? UInt64(content.count))
    return Self.framed(type, (packing == 1 ? [] : size) + Self.bytes(packing, data))
  }

  /// Returns a blob with its header and size.
  static func framed(_ type: String, _ blob: [UInt8], size: UInt64? = nil) -> [UInt8] {
    let header = bytes(1, Array(type.utf8)) + number(3, size ?? UInt64(blob.count))
    return UInt32(header.count).bytes(.big) + header + blob
  }

  func block(_ objects: [OSMSample]) -> [UInt8] {
    var strings = Strings()
    let group: [UInt8]
    if isDense, case .node? = objects.first {
      group = dense(objects, &strings)
    } else {
      group = objects.flatMap { single($0, &strings) }
    }
    let table = strings.all.flatMap { Self.bytes(1, Array($0.utf8)) }
    return Self.bytes(1, table) + Self.bytes(2, group) + Self.number(17, UInt64(bitPattern: granularity))
      + Self.number(19, UInt64(bitPattern: offsets.north)) + Self.number(20, UInt64(bitPattern: offsets.east))
  }

  private struct Strings {
    var all = [""]
    mutating func number(_ text: String) -> UInt64 {
      if let found = all.firstIndex(of: text) { return UInt64(found) }
      all.append(text)
      return UInt64(all.count - 1)
    }
  }

  private func units(_ degrees: Double, _ offset: Int64) -> Int64 {
    ((Int64((degrees * 1e9).rounded()) - offset) / granularity)
  }

  private func dense(_ nodes: [OSMSample], _ strings: inout Strings) -> [UInt8] {
    var (ids, norths, easts, words): ([Int64], [Int64], [Int64], [UInt64]) = ([], [], [], [])
    for case .node(let id, let latitude, let longitude, let tags) in nodes {
      ids.append(id)
      norths.append(units(latitude, offsets.north))
      easts.append(units(longitude, offsets.east))
      for (key, value) in tags.sorted(by: { $0.key < $1.key }) {
        words += [strings.number(key), strings.number(value)]
      }
      words.append(0)
    }
    return Self.bytes(
      2,
      Self.bytes(1, Self.deltas(ids)) + Self.bytes(8, Self.deltas(norths)) + Self.bytes(9, Self.deltas(easts))
        + Self.bytes(10, words.flatMap(Self.varint)))
  }

  private func single(_ object: OSMSample, _ strings: inout Strings) -> [UInt8] {
    func tags(_ tags: [String: String]) -> [UInt8] {
      let sorted = tags.sorted { $0.key < $1.key }
      return Self.bytes(2, sorted.flatMap { Self.varint(strings.number($0.key)) })
        + Self.bytes(3, sorted.flatMap { Self.varint(strings.number($0.value)) })
    }
    switch object {
    case .node(let id, let latitude, let longitude, let words):
      return Self.bytes(
        1,
        Self.number(1, Self.zigzag(id)) + tags(words)
          + Self.number(8, Self.zigzag(units(latitude, offsets.north)))
          + Self.number(9, Self.zigzag(units(longitude, offsets.east))))
    case .way(let id, let nodes, let words):
      let positions = nodes.compactMap { wayPositions[$0] }
      let norths = positions.map { units($0.latitude, offsets.north) }
      let easts = positions.map { units($0.longitude, offsets.east) }
      return Self.bytes(
        3,
        Self.number(1, UInt64(bitPattern: id)) + tags(words) + Self.bytes(8, Self.deltas(nodes))
          + (positions.isEmpty ? [] : Self.bytes(9, Self.deltas(norths)) + Self.bytes(10, Self.deltas(easts))))
    case .relation(let id, let members, let words):
      return Self.bytes(
        4,
        Self.number(1, UInt64(bitPattern: id)) + tags(words)
          + Self.bytes(8, members.flatMap { Self.varint(strings.number($0.role)) })
          + Self.bytes(9, Self.deltas(members.map(\.id))) + Self.bytes(10, members.flatMap { Self.varint($0.type) }))
    }
  }

  static func varint(_ number: UInt64) -> [UInt8] {
    var (rest, bytes): (UInt64, [UInt8]) = (number, [])
    while rest >= 0x80 {
      bytes.append(UInt8(rest & 0x7F) | 0x80)
      rest >>= 7
    }
    return bytes + [UInt8(rest)]
  }

  static func zigzag(_ number: Int64) -> UInt64 { UInt64(bitPattern: (number << 1) ^ (number >> 63)) }

  static func deltas(_ numbers: [Int64]) -> [UInt8] {
    zip(numbers, [0] + numbers).flatMap { varint(zigzag($0 &- $1)) }
  }

  static func number(_ field: UInt64, _ value: UInt64) -> [UInt8] { varint(field << 3) + varint(value) }

  static func bytes(_ field: UInt64, _ bytes: [UInt8]) -> [UInt8] {
    varint(field << 3 | 2) + varint(UInt64(bytes.count)) + bytes
  }
}

/// Writes zip archives for tests.
enum ZipSample {
  static func archive(_ files: [(name: String, content: [UInt8])], deflates: Bool = true) throws -> [UInt8] {
    var (archive, directory): ([UInt8], [UInt8]) = ([], [])
    for file in files {
      // A zlib stream is deflate between a header of 2 bytes and a checksum of 4.
      let packed = deflates ? Array(try Zlib.packed(file.content).dropFirst(2).dropLast(4)) : file.content
      let common =
        UInt16(20).bytes(.little) + UInt16(0).bytes(.little) + UInt16(deflates ? 8 : 0).bytes(.little)
        + UInt32(0).bytes(.little) + Bytes(file.content).crc.bytes(.little) + UInt32(packed.count).bytes(.little)
        + UInt32(file.content.count).bytes(.little) + UInt16(file.name.utf8.count).bytes(.little)
        + UInt16(0).bytes(.little)
      directory +=
        Array("PK\u{1}\u{2}".utf8) + UInt16(20).bytes(.little) + common + [UInt8](repeating: 0, count: 10)
        + UInt32(archive.count).bytes(.little) + Array(file.name.utf8)
      archive += Array("PK\u{3}\u{4}".utf8) + common + Array(file.name.utf8) + packed
    }
    let count = UInt16(files.count).bytes(.little)
    return archive + directory + Array("PK\u{5}\u{6}".utf8) + [0, 0, 0, 0] + count + count
      + UInt32(directory.count).bytes(.little) + UInt32(archive.count).bytes(.little) + [0, 0]
  }
}
