/// The `meta` box of an image file (ISO/IEC 14496-12, 8.11; ISO/IEC 23008-12, 6): its items and their references.
package struct HEIFMeta: Sendable {
  /// An item as listed in `iinf`.
  package struct Item: Sendable {
    let id: Int
    let type: FourCC
    /// The content type of an item of type `mime`.
    let contentType: String
    let contentEncoding: String
    let isProtected: Bool

    package init(id: Int, type: FourCC, contentType: String, contentEncoding: String, isProtected: Bool) {
      self.id = id
      self.type = type
      self.contentType = contentType
      self.contentEncoding = contentEncoding
      self.isProtected = isProtected
    }
  }

  /// A typed reference from an item to others.
  package struct Reference: Sendable {
    let type: FourCC
    let from: Int
    let to: [Int]

    package init(type: FourCC, from: Int, to: [Int]) {
      self.type = type
      self.from = from
      self.to = to
    }
  }

  /// A box with counted rows, and its version.
  package struct Table: Sendable {
    let box: Box
    let version: UInt8

    package init(box: Box, version: UInt8) {
      self.box = box
      self.version = version
    }
  }

  let box: Box
  let children: [Box]
  /// The id of the primary picture.
  let primary: Int?
  let items: [Item]
  let itemTable: Table
  let itemCount: ItemLocations.Field
  let references: [Reference]
  let referenceTable: Table?
  /// The ids of groups, and the item pairs of stereo pictures.
  let groupIDs: [Int]
  let stereoPairs: [[Int]]
  let locations: ItemLocations
  let idat: Range<Int>?
  /// The rotation and mirroring of the primary, as an EXIF orientation.
  let orientation: Int

  init(_ box: Box, in source: any ByteSource) throws(FileError) {
    self.box = box
    let start = min(box.payload.lowerBound + 4, box.payload.upperBound)
    let children = try source.boxes(in: start..<box.payload.upperBound)
    func child(_ type: FourCC) -> Box? { children.first { $0.type == type } }
    guard let handler = child("hdlr"), handler.payload.count >= 12,
      try source.bytes(at: handler.payload.lowerBound + 8, count: 4).has(FourCC("pict").bytes)
    else {
      throw FileError(
        .noPrimaryPicture, "its meta box is not for pictures: expected the handler type 'pict'",
        at: box.range.lowerBound)
    }
    guard let infos = child("iinf"), let places = child("iloc") else {
      throw FileError(.noPrimaryPicture, "its meta box has no items", at: box.range.lowerBound)
    }
    self.children = children
    locations = try ItemLocations(places, in: source)
    idat = child("idat")?.payload
    (itemTable, itemCount, items) = try HEIFMeta.items(infos, in: source)
    if let pitm = child("pitm") {
      var reader = FieldReader(source: source, at: pitm.payload.lowerBound, end: pitm.payload.upperBound)
      let version = try reader.field(4).value >> 24
      primary = try reader.field(version == 0 ? 2 : 4).value
    } else {
      primary = nil
    }
    if let iref = child("iref") {
      (referenceTable, references) = try HEIFMeta.references(iref, in: source)
    } else {
      (referenceTable, references) = (nil, [])
    }
    (groupIDs, stereoPairs) = try HEIFMeta.groups(child("grpl"), in: source)
    let properties = try HEIFProperties(child("iprp"), in: source)
    orientation = try HEIFOrientation(primary.map(properties.boxes) ?? [], in: source).exif
  }

  private static func items(
    _ box: Box, in source: any ByteSource
  ) throws(FileError) -> (Table, ItemLocations.Field, [Item]) {
    var reader = FieldReader(source: source, at: box.payload.lowerBound, end: box.payload.upperBound)
    let version = UInt8(try reader.field(4).value >> 24)
    let count = try reader.field(version == 0 ? 2 : 4)
    var items: [Item] = []
    for entry in try source.boxes(in: reader.at..<reader.end) where entry.type == "infe" {
      var reader = FieldReader(source: source, at: entry.payload.lowerBound, end: entry.payload.upperBound)
      let version = try reader.field(4).value >> 24
      // Versions 0 and 1 have no item type: such files hold no pictures.
      guard version >= 2 else { continue }
      let id = try reader.field(version == 2 ? 2 : 4).value
      let isProtected = try reader.field(2).value != 0
      let type = FourCC(rawValue: UInt32(try reader.field(4).value))
      _ = try reader.text()
      items.append(
        Item(
          id: id, type: type, contentType: type == "mime" ? try reader.text() : "",
          contentEncoding: type == "mime" ? try reader.text() : "", isProtected: isProtected))
    }
    return (Table(box: box, version: version), count, items)
  }

  private static func references(
    _ box: Box, in source: any ByteSource
  ) throws(FileError) -> (Table, [Reference]) {
    var reader = FieldReader(source: source, at: box.payload.lowerBound, end: box.payload.upperBound)
    let version = UInt8(try reader.field(4).value >> 24)
    let width = version == 0 ? 2 : 4
    var references: [Reference] = []
    for entry in try source.boxes(in: reader.at..<reader.end) {
      var reader = FieldReader(source: source, at: entry.payload.lowerBound, end: entry.payload.upperBound)
      let from = try reader.field(width).value
      var to: [Int] = []
      for _ in 0..<(try reader.field(2).value) { to.append(try reader.field(width).value) }
      references.append(Reference(type: entry.type, from: from, to: to))
    }
    return (Table(box: box, version: version), references)
  }

  private static func groups(
    _ box: Box?, in source: any ByteSource
  ) throws(FileError) -> (ids: [Int], stereo: [[Int]]) {
    guard let box else { return ([], []) }
    var ids: [Int] = []
    var pairs: [[Int]] = []
    for group in try source.boxes(in: box.payload) {
      var reader = FieldReader(source: source, at: group.payload.lowerBound, end: group.payload.upperBound)
      _ = try reader.field(4)
      ids.append(try reader.field(4).value)
      guard group.type == "ster" else { continue }
      var members: [Int] = []
      for _ in 0..<(try reader.field(4).value) { members.append(try reader.field(4).value) }
      pairs.append(members)
    }
    return (ids, pairs)
  }
}
