/// The directories of a TIFF block that we edit.
package enum IFD: Hashable, Sendable, CaseIterable {
  /// The main image's directory (IFD0).
  case ifd0
  /// EXIF directory, tag 0x8769 of IFD0.
  case exif
  /// GPS directory, tag 0x8825 of IFD0.
  case gps
}

/// A typed value as a TIFF directory holds it.
package enum TIFFValue: Hashable, Sendable {
  case bytes([UInt8])
  /// ASCII; a NUL is appended when written.
  case ascii(String)
  case short([UInt16])
  case long([UInt32])
  case rational([Rational])
  /// Numerators and denominators.
  case signedRational([SIMD2<Int32>])
  /// Type 7, raw.
  case undefined([UInt8])
}

/// An unsigned fraction as EXIF writes it.
package struct Rational: Hashable, Sendable {
  package var numerator: UInt32
  package var denominator: UInt32

  init(_ numerator: UInt32, _ denominator: UInt32) {
    self.numerator = numerator
    self.denominator = denominator
  }
}

/// Tags to set or remove, by directory. All others stay.
package struct TIFFChanges: Hashable, Sendable {
  /// The changes. `.keep` is never stored; a missing tag is kept.
  package private(set) var tags: [IFD: [UInt16: Change<TIFFValue>]] = [:]
  /// Whether to remove the whole GPS directory and its pointer, and erase the bytes of all its values and of dead
  /// copies.
  package var removesGPS = false
  /// Whether to remove DateTime from further directories too: of the thumbnail, of further pages.
  package var erasesDates = false
  /// Whether to erase from the XMP and IPTC of further pages what is erased from the first.
  package var erasesPages = false
  /// Whether the block is rebuilt: of the old one only these tags in picture directories stay.
  package var replacesAll = false
  package var pictureTags: Set<UInt16> = []

  package var isEmpty: Bool { tags.isEmpty && !removesGPS && !erasesDates }

  package mutating func set(_ tag: UInt16, in ifd: IFD, to value: TIFFValue) {
    tags[ifd, default: [:]][tag] = .set(value)
  }
  package mutating func remove(_ tag: UInt16, in ifd: IFD) { tags[ifd, default: [:]][tag] = .remove }

  /// Returns the changes for a TIFF structure that holds only this directory, as its IFD0 (CR3).
  package func standingAlone(_ ifd: IFD) -> TIFFChanges {
    var alone = TIFFChanges()
    alone.tags[.ifd0] = tags[ifd]
    if ifd == .gps, removesGPS {
      for tag in GPSTag.latitudeRef...GPSTag.horizontalError { alone.remove(tag, in: .ifd0) }
    }
    return alone
  }
}

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
        .tooLarge, "has no room below 4 GiB, the limit of its offsets", at: range.upperBound)
    }
    return offset.bytes(order)
  }
}
