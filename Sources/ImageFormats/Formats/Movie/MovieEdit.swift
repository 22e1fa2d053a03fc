/// An edit that puts changed values into the `moov` box, and corrects the sizes of the boxes around them.
struct MovieEdit {
  private let movie: MovieBox
  private let source: any ByteSource
  /// Insertions. At the same position, the order here is the order in the file.
  private var insertions: [Splice] = []
  private var replacements: [Splice] = []
  private var growth: [Box: Int] = [:]
  private var appended: [UInt8] = []

  /// Language of user data text: packed ISO 639-2 "und", which phones write.
  private static let language: UInt16 = 0x15C7

  init(_ movie: MovieBox, _ source: any ByteSource) {
    self.movie = movie
    self.source = source
  }

  /// Applies the changes. `packet` is XMP for user data that has none.
  mutating func apply(_ changes: QuickTimeChanges, adding packet: [UInt8]?) throws(FileError) {
    for found in movie.found {
      switch changes.items[found.item] {
      case .set(let bytes): try set(found, bytes)
      case .remove where movie.freesInPlace:
        replacements += [Splice(found.box.typeRange, FourCC("free").bytes), .erasing(found.box.payload)]
      case .remove: splice(Splice(found.box.range, []), in: found.parents)
      case .keep, nil: break
      }
    }
    replacements += changes.times
    var keys: [(String, [UInt8])] = []
    var boxes: [UInt8] = []
    for addition in changes.added {
      switch addition.name {
      case .key(let name): keys.append((name, addition.text))
      case .userData(let name):
        boxes += Box.bytes(FourCC(latin1: name), try MovieEdit.internationalText(addition.text))
      case .itemList: break
      }
    }
    if let packet { boxes += Box.bytes("XMP_", packet) }
    if !keys.isEmpty { try add(keys) }
    if !boxes.isEmpty { add(userData: boxes) }
  }

  /// Returns all splices inside `moov`.
  func splices() throws(FileError) -> [Splice] {
    var all = insertions
    var growth = growth
    if !appended.isEmpty {
      all.append(Splice(movie.end..<movie.end, appended))
      growth[movie.moov, default: 0] += appended.count
    }
    all += replacements
    for (box, growth) in growth where growth != 0 {
      if let splice = try box.resized(by: growth) { all.append(splice) }
    }
    return all
  }

  private mutating func splice(_ splice: Splice, in boxes: [Box]) {
    if splice.range.isEmpty { insertions.append(splice) } else { replacements.append(splice) }
    guard splice.growth != 0 else { return }
    for box in boxes { growth[box, default: 0] += splice.growth }
  }

  private mutating func set(_ found: MovieBox.Found, _ bytes: [UInt8]) throws(FileError) {
    let inside = found.parents + [found.box] + (found.inner.map { [$0] } ?? [])
    let old = found.item.value
    let isAlone = old.upperBound == found.box.payload.upperBound
    let isPlain = found.item.name == .userData(QuickTime.UserData.plainDate) && old == found.box.payload
    if found.inner != nil || isPlain || isAlone && bytes.count == old.count {
      return splice(Splice(old, bytes), in: inside)
    }
    // User data text begins with its length. Further languages are removed, as they would contradict the new text.
    splice(Splice(found.box.payload, try MovieEdit.internationalText(bytes)), in: inside)
  }

  private static func internationalText(_ text: [UInt8]) throws(FileError) -> [UInt8] {
    guard let count = UInt16(exactly: text.count) else {
      throw FileError(.tooLarge, "a text would exceed 64 KB, the limit of user data")
    }
    return count.bytes(.big) + language.bytes(.big) + text
  }

  // MARK: Additions

  /// Returns a list with only these keys.
  static func list(holding items: [(String, [UInt8])]) -> [UInt8] {
    var names: [String] = []
    let (newKeys, newItems) = entries(items, after: &names)
    let handler = Box.bytes(
      "hdlr", [UInt8](repeating: 0, count: 8) + FourCC("mdta").bytes + [UInt8](repeating: 0, count: 13))
    let keys = Box.bytes("keys", [0, 0, 0, 0] + UInt32(clamping: names.count).bytes(.big) + newKeys)
    return Box.bytes("meta", handler + keys + Box.bytes("ilst", newItems))
  }

  private static func entries(
    _ items: [(String, [UInt8])], after names: inout [String]
  ) -> (keys: [UInt8], items: [UInt8]) {
    var newKeys: [UInt8] = []
    var newItems: [UInt8] = []
    for (name, text) in items {
      if !names.contains(name) {
        names.append(name)
        newKeys += Box.bytes("mdta", Array(name.utf8))
      }
      let index = UInt32(clamping: (names.firstIndex(of: name) ?? 0) + 1)
      // Type 1 is UTF-8; the default locale is 0.
      newItems += Box.bytes(FourCC(rawValue: index), Box.bytes("data", [0, 0, 0, 1, 0, 0, 0, 0] + text))
    }
    return (newKeys, newItems)
  }

  private mutating func add(_ items: [(String, [UInt8])]) throws(FileError) {
    var names = movie.keyList?.names ?? []
    let (newKeys, newItems) = MovieEdit.entries(items, after: &names)
    let count = UInt32(clamping: names.count).bytes(.big)
    guard let list = movie.keyList else {
      appended += MovieEdit.list(holding: items)
      return
    }
    let parents = [movie.moov, list.meta]
    if !newKeys.isEmpty {
      let place = list.keys.payload.lowerBound + 4
      guard list.keys.payload.count >= 8 else {
        throw FileError(.malformed, "the metadata keys box has no count", at: list.keys.range.lowerBound)
      }
      splice(Splice(place..<place + 4, count), in: [])
      let end = list.keys.range.upperBound
      splice(Splice(end..<end, newKeys), in: parents + [list.keys])
    }
    let end = list.ilst.range.upperBound
    splice(Splice(end..<end, newItems), in: parents + [list.ilst])
  }

  private mutating func add(userData boxes: [UInt8]) {
    if let (udta, end) = movie.userData {
      splice(Splice(end..<end, boxes), in: [movie.moov, udta])
    } else {
      appended += Box.bytes("udta", boxes)
    }
  }

  // MARK: XMP

  /// Replaces the packet in the user data.
  mutating func replacePacket(_ packet: [UInt8]) {
    guard let old = movie.packet else { return }
    splice(Splice(old, packet), in: movie.packetParents)
  }

  /// Returns the splices for a packet in a box of its own.
  static func splices(_ packet: [UInt8], _ old: Range<Int>, in box: Box) throws(FileError) -> [Splice] {
    let size = packet.count == old.count ? nil : try box.resized(by: packet.count - old.count)
    return [Splice(old, packet)] + (size.map { [$0] } ?? [])
  }
}
