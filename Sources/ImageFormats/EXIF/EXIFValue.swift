/// The value of an EXIF tag as it is stored, whatever type the standard requires.
@nonexhaustive
public enum EXIFValue: Hashable, Sendable {
  /// A text (ASCII), without trailing NULs and blanks.
  case text(String)
  /// Whole numbers (BYTE, SHORT, LONG and their signed forms).
  case integers([Int])
  /// Fractions in lowest terms (RATIONAL, SRATIONAL); nil where the denominator is 0, which means unknown or infinite.
  case fractions([Fraction?])
  /// Floating-point numbers (FLOAT, DOUBLE).
  case decimals([Double])
  /// Bytes whose form depends on the tag (UNDEFINED).
  case bytes([UInt8])
}

extension EXIFDirectory {
  var ifd: IFD {
    switch self {
    case .image: .ifd0
    case .photo: .exif
    case .gps: .gps
    }
  }
}

extension TIFFBlock {
  /// Returns the numbers of the tags in a directory, in its order.
  package func tags(in directory: EXIFDirectory) -> [UInt16] { self.directory(directory.ifd)?.entries.map(\.tag) ?? [] }

  /// Returns the stored value of a tag; nil if it is absent, leaves the block, is very long, or has an unknown type.
  package func exifValue(of tag: UInt16, in directory: EXIFDirectory) -> EXIFValue? {
    guard let entry = self.directory(directory.ifd)?[tag], let raw = raw(entry), let size = TIFFType.size(entry.type)
    else { return nil }
    func all<Value>(_ read: (Int) -> Value?) -> [Value] {
      stride(from: 0, through: raw.count - size, by: size).compactMap(read)
    }
    switch entry.type {
    case TIFFType.ascii: return text(of: tag, in: directory.ifd).map { .text($0) } ?? .text("")
    case TIFFType.undefined: return .bytes(raw.array)
    case TIFFType.rational, TIFFType.signedRational:
      let isSigned = entry.type == TIFFType.signedRational
      return .fractions(all { fraction(in: raw, at: $0, isSigned: isSigned) })
    case TIFFType.float:
      return .decimals(all { (try? raw.u32($0, order)).map { Double(Float(bitPattern: $0)) } })
    case TIFFType.double: return .decimals(all { (try? raw.u64($0, order)).map { Double(bitPattern: $0) } })
    default: return .integers(all { integer(in: raw, at: $0, entry.type) })
    }
  }

  private func fraction(in raw: Bytes, at position: Int, isSigned: Bool) -> Fraction?? {
    guard let numerator = try? raw.u32(position, order), let denominator = try? raw.u32(position + 4, order) else {
      return nil
    }
    guard isSigned else { return .some(Fraction(Int64(numerator), Int64(denominator))) }
    let (n, d) = (Int64(Int32(bitPattern: numerator)), Int64(Int32(bitPattern: denominator)))
    return .some(d < 0 ? Fraction(-n, -d) : Fraction(n, d))
  }

  private func integer(in raw: Bytes, at position: Int, _ type: UInt16) -> Int? {
    switch type {
    case TIFFType.byte: (try? raw.u8(position)).map(Int.init)
    case TIFFType.signedByte: (try? raw.u8(position)).map { Int(Int8(bitPattern: $0)) }
    case TIFFType.short: (try? raw.u16(position, order)).map(Int.init)
    case TIFFType.signedShort: (try? raw.u16(position, order)).map { Int(Int16(bitPattern: $0)) }
    case TIFFType.long, TIFFType.ifd: (try? raw.u32(position, order)).map(Int.init)
    case TIFFType.signedLong: (try? raw.u32(position, order)).map { Int(Int32(bitPattern: $0)) }
    default: (try? raw.u64(position, order)).map { Int(truncatingIfNeeded: $0) }
    }
  }
}
