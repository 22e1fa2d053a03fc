/// The locations of items: the `iloc` box (ISO/IEC 14496-12, 8.11.3), including the position of each of its numbers.
package struct ItemLocations: Sendable {
  /// A number and the bytes that hold it; the range is empty if the box omits it.
  package struct Field: Hashable, Sendable {
    let value: Int
    let range: Range<Int>

    package init(value: Int, range: Range<Int>) {
      self.value = value
      self.range = range
    }

    /// Returns the splice that writes `new` here.
    /// - Throws: `.tooLarge` when the field is too narrow.
    func splice(_ new: Int) throws(FileError) -> Splice {
      guard let bytes = new.bigEndian(count: range.count) else {
        throw FileError(.tooLarge, "the new value is too large for its field in the iloc box", at: range.lowerBound)
      }
      return Splice(range, bytes)
    }
  }

  /// One contiguous part of an item.
  package struct Extent: Hashable, Sendable {
    let offset: Field
    /// The length; 0 means up to the end of the enclosing data.
    let length: Field
  }

  /// One item's row.
  package struct Row: Hashable, Sendable {
    let id: Int
    /// The origin of offsets: 0 is the file, 1 the `idat` box, 2 another item. Version 0 doesn't store it.
    let construction: Field
    /// The data reference; 0 is this file.
    let dataReference: Int
    let base: Field
    let extents: [Extent]

    package init(id: Int, construction: Field, dataReference: Int, base: Field, extents: [Extent]) {
      self.id = id
      self.construction = construction
      self.dataReference = dataReference
      self.base = base
      self.extents = extents
    }
  }

  let box: Box
  let version: UInt8
  let (offsetCount, lengthCount, baseCount, indexCount): (Int, Int, Int, Int)
  let rowCount: Field
  let rows: [Row]
  /// The end of the last row.
  let end: Int

  init(_ box: Box, in source: any ByteSource) throws(FileError) {
    var reader = FieldReader(source: source, at: box.payload.lowerBound, end: box.payload.upperBound)
    version = UInt8(try reader.field(1).value)
    _ = try reader.field(3)
    guard version <= 2 else {
      throw FileError(.itemStorage, "its iloc box has the unsupported version \(version)", at: box.range.lowerBound)
    }
    let sizes = try reader.field(2).value
    (offsetCount, lengthCount) = (sizes >> 12, sizes >> 8 & 15)
    (baseCount, indexCount) = (sizes >> 4 & 15, version == 0 ? 0 : sizes & 15)
    guard [offsetCount, lengthCount, baseCount, indexCount].allSatisfy({ $0 <= 8 }) else {
      throw FileError(.malformed, "its iloc box has fields longer than 8 bytes", at: box.range.lowerBound)
    }
    rowCount = try reader.field(version < 2 ? 2 : 4)
    var rows: [Row] = []
    for _ in 0..<rowCount.value {
      let id = try reader.field(version < 2 ? 2 : 4).value
      let written = try reader.field(version == 0 ? 0 : 2)
      let construction = Field(value: written.value & 15, range: written.range)
      let dataReference = try reader.field(2).value
      let base = try reader.field(baseCount)
      var extents: [Extent] = []
      for _ in 0..<(try reader.field(2).value) {
        guard indexCount + offsetCount + lengthCount > 0 else { break }
        _ = try reader.field(indexCount)
        extents.append(Extent(offset: try reader.field(offsetCount), length: try reader.field(lengthCount)))
      }
      rows.append(Row(id: id, construction: construction, dataReference: dataReference, base: base, extents: extents))
    }
    self.rows = rows
    self.box = box
    end = reader.at
  }

  /// Returns a row for an item with one extent in the file, in the form that this file uses for other items.
  func row(id: Int, offset: Int, length: Int) throws(FileError) -> [UInt8] {
    let inBase = baseCount > 0 && (offsetCount == 0 || rows.contains(where: \.isPlacedByBase))
    let fields = [
      (id, version < 2 ? 2 : 4), (0, version == 0 ? 0 : 2), (0, 2), (inBase ? offset : 0, baseCount), (1, 2),
      (0, indexCount), (inBase ? 0 : offset, offsetCount), (length, lengthCount),
    ]
    var bytes: [UInt8] = []
    for (value, count) in fields {
      guard let field = value.bigEndian(count: count) else {
        throw FileError(
          .tooLarge, "the new value is too large for its field in the iloc box", at: box.range.lowerBound)
      }
      bytes += field
    }
    return bytes
  }

  /// The length of a row with one extent.
  var rowLength: Int {
    (version < 2 ? 2 : 4) + (version == 0 ? 0 : 2) + 2 + baseCount + 2 + indexCount + offsetCount + lengthCount
  }
}

extension ItemLocations.Row {
  /// Whether the base holds the position and the extent's offset is 0, as libheif writes it.
  fileprivate var isPlacedByBase: Bool { construction.value == 0 && base.value > 0 && extents.first?.offset.value == 0 }

  /// Returns the splices that make this row, with one extent, point to `length` bytes at `offset` of the file.
  func splices(offset: Int, length: Int) throws(FileError) -> [Splice] {
    guard let extent = extents.first, extents.count == 1, !extent.length.range.isEmpty else {
      throw FileError(.itemStorage, "the iloc entry of an item has no room for a new location")
    }
    var splices = [try extent.length.splice(length)]
    if construction.value != 0 { splices.append(try construction.splice(0)) }
    if extent.offset.range.isEmpty || isPlacedByBase || base.value > offset {
      if !base.range.isEmpty { splices.append(try base.splice(offset)) }
      splices.append(try extent.offset.splice(base.range.isEmpty ? offset : 0))
    } else {
      splices.append(try extent.offset.splice(offset - base.value))
    }
    return splices.filter { !$0.range.isEmpty }
  }

  /// Returns the splices that adapt the row to data moved by `distances`, one for each extent.
  func splices(movedBy distances: [Int]) throws(FileError) -> [Splice] {
    guard distances.contains(where: { $0 != 0 }) else { return [] }
    if !base.range.isEmpty, base.value > 0 || extents.allSatisfy(\.offset.range.isEmpty),
      let distance = distances.first, distances.allSatisfy({ $0 == distance })
    {
      return [try base.splice(base.value + distance)]
    }
    var splices: [Splice] = []
    for (extent, distance) in zip(extents, distances) where distance != 0 {
      splices.append(try extent.offset.splice(extent.offset.value + distance))
    }
    return splices
  }
}

/// A reader of consecutive numbers of any width.
struct FieldReader {
  let source: any ByteSource
  var at: Int
  let end: Int

  /// Reads a big-endian number of 0…8 bytes.
  mutating func field(_ count: Int) throws(FileError) -> ItemLocations.Field {
    guard count <= end - at else { throw FileError(.truncated, "the iloc box is truncated", at: end) }
    let bytes = try source.bytes(at: at, count: count)
    var value: UInt64 = 0
    for index in 0..<count { value = value << 8 | UInt64(try bytes.u8(index)) }
    defer { at += count }
    return ItemLocations.Field(value: Int(clamping: value), range: at..<at + count)
  }

  /// Reads text up to its NUL, or to the end.
  mutating func text() throws(FileError) -> String {
    let bytes = try source.bytes(at: at, count: end - at).array
    let text = bytes.prefix { $0 != 0 }
    at += min(text.count + 1, bytes.count)
    return String(decoding: text, as: UTF8.self)
  }
}

extension Int {
  /// Returns the last `count` bytes of this number; nil when it doesn't fit.
  package func bigEndian(count: Int) -> [UInt8]? {
    let bytes = UInt64(bitPattern: Int64(self)).bytes(.big)
    guard self >= 0, bytes.dropLast(count).allSatisfy({ $0 == 0 }) else { return nil }
    return Array(bytes.suffix(count))
  }
}
