/// The properties of items (ISO/IEC 23008-12, 9.3): boxes in `ipco`, assigned to items by `ipma`.
struct HEIFProperties {
  private let source: any ByteSource
  private let properties: [Box]
  private let associations: [Box]

  /// - Parameter box: `iprp`; without one, no item has any.
  init(_ box: Box?, in source: any ByteSource) throws(FileError) {
    self.source = source
    let children = try box.map { box throws(FileError) in try source.boxes(in: box.payload) } ?? []
    let container = children.first { $0.type == "ipco" }
    properties = try container.map { box throws(FileError) in try source.boxes(in: box.payload) } ?? []
    associations = properties.isEmpty ? [] : children.filter { $0.type == "ipma" }
  }

  /// Returns the properties of an item, in their order.
  func boxes(of item: Int) throws(FileError) -> [Box] {
    var boxes: [Box] = []
    for association in associations {
      for index in try indexes(of: item, association) where index > 0 && index <= properties.count {
        boxes.append(properties[index - 1])
      }
    }
    return boxes
  }

  private func indexes(of item: Int, _ box: Box) throws(FileError) -> [Int] {
    var reader = FieldReader(source: source, at: box.payload.lowerBound, end: box.payload.upperBound)
    let head = try reader.field(4).value
    let isWide = head & 1 == 1
    for _ in 0..<(try reader.field(4).value) {
      let id = try reader.field(head >> 24 < 1 ? 2 : 4).value
      let count = try reader.field(1).value
      guard id == item else {
        reader.at += count * (isWide ? 2 : 1)
        continue
      }
      var indexes: [Int] = []
      for _ in 0..<count { indexes.append(try reader.field(isWide ? 2 : 1).value & (isWide ? 0x7FFF : 0x7F)) }
      return indexes
    }
    return []
  }
}
