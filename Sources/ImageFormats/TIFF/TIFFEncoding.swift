extension TIFFValue {
  /// Returns type, number of values and bytes, in the form of a directory entry and its value.
  package func encoded(_ order: Bytes.Order) -> (type: UInt16, count: Int, bytes: [UInt8]) {
    switch self {
    case .bytes(let bytes): return (TIFFType.byte, bytes.count, bytes)
    case .undefined(let bytes): return (TIFFType.undefined, bytes.count, bytes)
    case .ascii(let text):
      let bytes = Array(text.utf8) + [0]
      return (TIFFType.ascii, bytes.count, bytes)
    case .short(let values): return (TIFFType.short, values.count, values.flatMap { $0.bytes(order) })
    case .long(let values): return (TIFFType.long, values.count, values.flatMap { $0.bytes(order) })
    case .rational(let values):
      let bytes = values.flatMap { $0.numerator.bytes(order) + $0.denominator.bytes(order) }
      return (TIFFType.rational, values.count, bytes)
    case .signedRational(let values):
      let terms = values.flatMap { [$0.x, $0.y] }
      return (TIFFType.signedRational, values.count, terms.flatMap { UInt32(bitPattern: $0).bytes(order) })
    }
  }
}

extension TIFFBlock {
  /// Returns a directory entry: tag, type, count, and `field` (the value or its offset), padded with zeros.
  package func record(tag: UInt16, type: UInt16, count: Int, field: [UInt8]) -> [UInt8] {
    let count = isBig ? UInt64(count).bytes(order) : UInt32(clamping: count).bytes(order)
    return tag.bytes(order) + type.bytes(order) + count + field
      + [UInt8](repeating: 0, count: max(0, wordCount - field.count))
  }

  /// Returns an offset in this block's form.
  package func word(_ offset: Int) throws(FileError) -> [UInt8] {
    if isBig { return UInt64(offset).bytes(order) }
    guard let offset = UInt32(exactly: offset) else {
      throw FileError(
        .tooLarge, "has no room left below 4 GiB, the end of what its offsets reach", at: range.upperBound)
    }
    return offset.bytes(order)
  }
}
