/// A search for metadata in the boxes of a movie or one of its tracks.
struct MovieReader {
  private(set) var found: [MovieBox.Found] = []
  private(set) var keyList: MovieBox.KeyList?
  private(set) var userData: (box: Box, end: Int)?
  private(set) var packet: Range<Int>?
  private(set) var packetParents: [Box] = []
  /// The reason why a block of metadata could not be read.
  private(set) var damage: FileError?
  private let source: any ByteSource

  /// The limit of values. Only a movie made to exhaust its readers has more.
  private static let mostValues = 4_096

  init(_ source: any ByteSource) { self.source = source }

  /// Reads user data and lists. A broken one is skipped, and doesn't prevent reading the others.
  mutating func readMetadata(in children: [Box], parents: [Box], isMovie: Bool) {
    for box in children {
      do throws(FileError) {
        switch box.type {
        case "udta": try readUserData(box, parents: parents, isMovie: isMovie)
        case "meta": try readList(box, parents: parents, isMovie: isMovie)
        default: break
        }
      } catch {
        damage = damage ?? error
      }
    }
  }

  private mutating func readUserData(_ udta: Box, parents: [Box], isMovie: Bool) throws(FileError) {
    let inside = parents + [udta]
    // Four zeros that close it, and the bytes after them, stay unchanged.
    let children = try source.closedBoxes(in: udta.payload)
    if isMovie, userData == nil {
      userData = (udta, children.last?.range.upperBound ?? udta.payload.lowerBound)
    }
    for box in children {
      switch box.type {
      case "XMP_" where isMovie && packet == nil:
        packet = box.payload
        packetParents = inside + [box]
      case "meta": try readList(box, parents: inside, isMovie: isMovie)
      case "loci": try add(.userData("loci"), box, box.payload, inside, isMovie)
      case _ where box.type.bytes[0] == 0xA9:
        try add(.userData("\(box.type)"), box, internationalText(in: box), inside, isMovie)
      case "date":
        // Some have a header, like those that begin with ©.
        let isPlain = try source.prefix(at: box.payload.lowerBound, count: 1).array.first.map { $0 >= 0x30 } ?? true
        try add(
          .userData("date"), box, isPlain ? box.payload : internationalText(in: box), inside, isMovie)
      case _ where QuickTime.plainTexts.contains("\(box.type)"):
        try add(.userData("\(box.type)"), box, box.payload, inside, isMovie)
      default: break
      }
    }
  }

  /// Returns the text after length and language, 16 bits each (QTFF, "User Data Text Strings and Language Codes"). Any
  /// other content is returned whole.
  private func internationalText(in box: Box) throws(FileError) -> Range<Int> {
    let payload = box.payload
    guard payload.count >= 4 else { return payload }
    let count = Int(try source.bytes(at: payload.lowerBound, count: 2).u16(0, .big))
    guard count <= payload.count - 4 else { return payload }
    return payload.lowerBound + 4..<payload.lowerBound + 4 + count
  }

  private mutating func readList(_ meta: Box, parents: [Box], isMovie: Bool) throws(FileError) {
    guard meta.payload.count >= 8 else { return }
    // QuickTime's `meta` is a plain box; in ISO/IEC 14496-12 it begins with version and flags.
    let isPlain = try source.prefix(at: meta.payload.lowerBound + 4, count: 4).has(FourCC("hdlr").bytes)
    let children = try source.boxes(
      in: meta.payload.lowerBound + (isPlain ? 0 : 4)..<meta.payload.upperBound)
    guard let handler = children.first(where: { $0.type == "hdlr" }), handler.payload.count >= 12,
      let ilst = children.first(where: { $0.type == "ilst" })
    else { return }
    let kind = FourCC(rawValue: try source.bytes(at: handler.payload.lowerBound + 8, count: 4).u32(0, .big))
    let inside = parents + [meta, ilst]
    guard kind == "mdir" || kind == "mdta" else { return }
    let keys = kind == "mdta" ? children.first { $0.type == "keys" } : nil
    let names = try keys.map { keys throws(FileError) in try self.names(in: keys) } ?? []
    for box in try source.closedBoxes(in: ilst.payload) where !box.isUnused {
      // exiftool puts iTunes items into any list: a type that isn't the number of a key is a name.
      let index = Int(box.type.rawValue) - 1
      let name: QuickTimeItem.Name = names.indices.contains(index) ? .key(names[index]) : .itemList("\(box.type)")
      try add(name, listed: box, inside, isMovie)
    }
    if isMovie, parents.count == 1, let keys {
      keyList = .init(meta: meta, keys: keys, ilst: ilst, names: names)
    }
  }

  /// Reads version and flags, a count, then for each key its size, its namespace and its name (QTFF, "Metadata Item
  /// Keys").
  private func names(in keys: Box) throws(FileError) -> [String] {
    guard keys.payload.count >= 8 else { return [] }
    var names: [String] = []
    for box in try source.closedBoxes(in: keys.payload.lowerBound + 8..<keys.payload.upperBound) {
      guard box.payload.count <= 1_024, names.count < MovieReader.mostValues else {
        throw FileError(
          .malformed, "has too many metadata keys, or a key that is too long", at: box.range.lowerBound)
      }
      names.append(String(decoding: try source.bytes(box.payload).array, as: UTF8.self))
    }
    return names
  }

  /// Adds an item of a list. It holds a `data` box: type, locale, value.
  private mutating func add(
    _ name: QuickTimeItem.Name, listed box: Box, _ parents: [Box], _ isMovie: Bool
  ) throws(FileError) {
    guard let data = try source.closedBoxes(in: box.payload).first(where: { $0.type == "data" }),
      data.payload.count >= 8
    else { return }
    try add(name, box, data.payload.lowerBound + 8..<data.payload.upperBound, parents, isMovie, inner: data)
  }

  private mutating func add(
    _ name: QuickTimeItem.Name, _ box: Box, _ value: Range<Int>, _ parents: [Box], _ isMovie: Bool, inner: Box? = nil
  ) throws(FileError) {
    guard found.count < MovieReader.mostValues else {
      throw FileError(
        .malformed, "has more than \(MovieReader.mostValues) metadata values", at: box.range.lowerBound)
    }
    let item = QuickTimeItem(name: name, isMovie: isMovie, value: value)
    found.append(MovieBox.Found(item: item, box: box, parents: parents, inner: inner))
  }
}

extension QuickTime {
  /// User data whose text has no header: makers and models as old cameras write them.
  static let plainTexts: Set<String> = ["manu", "modl", "@mak", "@mod"]
}
