extension TIFFBlock {
  /// Returns the decoded value of a tag; nil when it is absent, leaves the block, or has a type that `TIFFValue` lacks.
  package func value(of tag: UInt16, in ifd: IFD) -> TIFFValue? { directory(ifd)?[tag].flatMap(value(of:)) }

  package func value(of entry: TIFFEntry) -> TIFFValue? {
    guard let raw = raw(entry) else { return nil }
    switch entry.type {
    case TIFFType.byte: return .bytes(raw.array)
    case TIFFType.undefined: return .undefined(raw.array)
    case TIFFType.ascii: return .ascii(TIFFBlock.text(raw.array))
    case TIFFType.short:
      return .short(stride(from: 0, to: raw.count - 1, by: 2).compactMap { try? raw.u16($0, order) })
    case TIFFType.long, TIFFType.ifd:
      return .long(stride(from: 0, to: raw.count - 3, by: 4).compactMap { try? raw.u32($0, order) })
    case TIFFType.rational:
      return .rational(
        stride(from: 0, to: raw.count - 7, by: 8).compactMap {
          guard let numerator = try? raw.u32($0, order), let denominator = try? raw.u32($0 + 4, order) else {
            return nil
          }
          return Rational(numerator, denominator)
        })
    default: return nil
    }
  }

  /// Returns a text without surrounding blanks, whatever type its writer chose; nil when nothing is left.
  package func text(of tag: UInt16, in ifd: IFD) -> String? {
    guard let entry = directory(ifd)?[tag], TIFFType.size(entry.type) == 1, let raw = raw(entry) else { return nil }
    let text = TIFFBlock.text(raw.array[...].prefix { $0 != 0 }.drop { $0 == 0x20 })
    return text.isEmpty ? nil : text
  }

  /// Returns a whole number of any unsigned type.
  package func integer(of tag: UInt16, in ifd: IFD) -> Int? { directory(ifd).flatMap { integer(of: tag, in: $0) } }

  /// The first value, without a look at the others: there may be millions, and thousands of directories with them.
  package func integer(of tag: UInt16, in directory: TIFFDirectory) -> Int? {
    guard let entry = directory[tag], let value = entry.value, let size = TIFFType.size(entry.type), size <= value.count
    else { return nil }
    let first = value.lowerBound..<value.lowerBound + size
    return integers(of: TIFFEntry(tag: tag, type: entry.type, count: 1, position: entry.position, value: first)).first
  }

  /// Whole numbers of any unsigned type: offsets and counts of strips.
  func integers(of entry: TIFFEntry) -> [Int] {
    guard let raw = raw(entry), let size = TIFFType.size(entry.type) else { return [] }
    let starts = stride(from: 0, to: raw.count - size + 1, by: size)
    switch entry.type {
    case TIFFType.byte: return starts.compactMap { (try? raw.u8($0)).map(Int.init) }
    case TIFFType.short: return starts.compactMap { (try? raw.u16($0, order)).map(Int.init) }
    case TIFFType.long, TIFFType.ifd: return starts.compactMap { (try? raw.u32($0, order)).map(Int.init) }
    case TIFFType.long8, TIFFType.ifd8: return starts.compactMap { (try? raw.u64($0, order)).map(Int.init(clamping:)) }
    default: return []
    }
  }

  /// Returns fractions in lowest terms, signed or not; nil when one has the denominator zero, or the value is empty.
  func exactFractions(of entry: TIFFEntry) -> [Fraction]? {
    guard let raw = raw(entry), entry.type == TIFFType.rational || entry.type == TIFFType.signedRational,
      (1...64).contains(entry.count)
    else { return nil }
    let isSigned = entry.type == TIFFType.signedRational
    let fractions = stride(from: 0, to: raw.count - 7, by: 8).compactMap { at -> Fraction? in
      guard let n = try? raw.u32(at, order), let d = try? raw.u32(at + 4, order) else { return nil }
      guard isSigned else { return Fraction(Int64(n), Int64(d)) }
      let (top, bottom) = (Int64(Int32(bitPattern: n)), Int64(Int32(bitPattern: d)))
      return bottom < 0 ? Fraction(-top, -bottom) : Fraction(top, bottom)
    }
    return fractions.count == entry.count ? fractions : nil
  }

  /// Fractions as numbers, signed or not. A fraction over zero says nothing: nil.
  package func fractions(of tag: UInt16, in ifd: IFD) -> [Double?] {
    guard let entry = directory(ifd)?[tag], let raw = raw(entry),
      entry.type == TIFFType.rational || entry.type == TIFFType.signedRational
    else { return [] }
    return stride(from: 0, to: raw.count - 7, by: 8).map { at in
      guard let n = try? raw.u32(at, order), let d = try? raw.u32(at + 4, order), d != 0 else { return nil }
      return entry.type == TIFFType.rational
        ? Double(n) / Double(d) : Double(Int32(bitPattern: n)) / Double(Int32(bitPattern: d))
    }
  }

  /// Text up to its trailing NULs and blanks. EXIF says ASCII; cameras write UTF-8 too.
  private static func text(_ bytes: some BidirectionalCollection<UInt8>) -> String {
    let end = bytes.lastIndex { $0 != 0 && $0 != 0x20 }
    return end.map { String(decoding: bytes[...$0], as: UTF8.self) } ?? ""
  }
}
