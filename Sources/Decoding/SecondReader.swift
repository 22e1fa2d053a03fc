/// Verifies a write: an independent reader compares the EXIF block before and after. Every entry that was not to be
/// changed must be unchanged, every new value must be present, and every removed one must be gone. So a bug in a single
/// parser can't damage a photo.
///
/// The reader is libexif. Where it can't read (a block beyond its 64 KB, an IFD that it gives up on), exiv2 is used.
package struct SecondReader: Sendable {
  /// The overall result. An objection of a reader is reported as an error.
  package enum Verdict: Hashable, Sendable {
    /// Everything is as it should be.
    case confirmed
    /// No reader can read the old block (BigTIFF, damaged data), so there is nothing to compare.
    case unreadable
  }

  /// The result of one reader.
  enum Comparison: Hashable, Sendable {
    case confirmed
    /// The reader saw neither an old nor a new value where there must be one, or it saw nothing at all.
    case blind(String)
    /// The reader saw an error.
    case objection(String)
  }

  package let pool: CodecPool

  package init(pool: CodecPool) {
    self.pool = pool
  }

  /// Compares the block before (nil if there was no block) with the block after the change.
  ///
  /// - Throws: `.refused` if anything else changed or a new value is missing, and the errors of `CodecPool`.
  package func check(old: ReadableBlock?, new: ReadableBlock, changes: TIFFChanges) throws(FileError) -> Verdict {
    var reason = ""
    var sawOld = false
    for reader in [EXIFReader.libexif, .exiv2] {
      let isTooLong = max(old?.count ?? 0, new.count) > EXIFReader.libexifLimit
      if reader == .libexif, isTooLong { continue }
      let readings = try pool.exifEntries(of: [new] + (old.map { [$0] } ?? []), by: reader)
      let before = readings.count > 1 ? readings[1] : EXIFReading(order: readings[0]?.order ?? .big, entries: [])
      guard let before else { continue }
      sawOld = true
      switch SecondReader.comparison(before: before, after: readings[0], changes: changes) {
      case .confirmed: return .confirmed
      case .blind(let what): reason = what
      case .objection(let what):
        throw FileError(.verificationFailed, "verification failed (\(what)); photo not changed")
      }
    }
    guard sawOld else { return .unreadable }
    throw FileError(
      .verificationFailed, "verification failed (the second reader can't read it: \(reason)); photo not changed")
  }

  /// Returns the result of a reader that read `before` and `after`.
  static func comparison(before: EXIFReading, after: EXIFReading?, changes: TIFFChanges) -> Comparison {
    let nothing =
      !before.entries.isEmpty && !changes.setsTags
      && before.entries.allSatisfy { EXIFPlace($0).goes(with: changes) }
    // Readers report a block without entries as unreadable; if everything was to be removed, that is correct.
    guard let after = after ?? (nothing ? EXIFReading(order: before.order, entries: []) : nil) else {
      return .blind("it can't read the new metadata")
    }
    if before.order != after.order { return .objection("the byte order changed") }
    let old = Dictionary(grouping: before.entries, by: EXIFPlace.init)
    let new = Dictionary(grouping: after.entries, by: EXIFPlace.init)
    let directories = Set(old.keys.map(\.ifd))
    let hidden = SecondReader.hasStrayInteroperability(old)
    let named = changes.tags.flatMap { ifd, tags in tags.keys.map { EXIFPlace(ifd: ifd.number, tag: $0) } }
    var result = Comparison.confirmed
    for place in Set(named).union(old.keys).union(new.keys).sorted()
    where !place.isPointer && !(hidden && place.isInteroperability) {
      let (was, found) = (old[place] ?? [], new[place] ?? [])
      switch place.change(in: changes) {
      case .set where was.isEmpty && found.isEmpty: result = .blind("\(place) is missing")
      case .set(let value):
        if found != [value.entry(at: place, after.order)] { return .objection("\(place) does not hold the new value") }
      case .remove:
        let isNew = changes.replacesAll && place.isMandatory
        if !found.isEmpty, !isNew { return .objection("\(place) is still there") }
      case .keep:
        let isNew = !directories.contains(place.ifd) && place.isMandatory
        let isErased =
          changes.erasesDates && TIFFTag.dates.contains(place.tag) && found.isEmpty
          || changes.erasesPages && (place.isOfPage || place.isThumbnail && Self.showSamePicture(was, found))
        if found != was, !isNew, !isErased { return .objection("\(place) changed") }
      }
    }
    return result
  }

  /// Whether two thumbnails differ only in metadata of their own.
  private static func showSamePicture(_ old: [EXIFEntry], _ new: [EXIFEntry]) -> Bool {
    old.count == 1 && new.count == 1 && ThumbnailComparison.isSamePicture(old[0].bytes, new[0].bytes)
  }

  /// Whether the Interoperability pointer leads to IFD0, as in some Kodak cameras: the entries there are not
  /// Interoperability.
  private static func hasStrayInteroperability(_ entries: [EXIFPlace: [EXIFEntry]]) -> Bool {
    let found = entries.filter { $0.key.isInteroperability }
    return !found.isEmpty
      && found.allSatisfy { place, found in
        entries[EXIFPlace(ifd: IFD.ifd0.number, tag: place.tag)]?.map(\.bytes) == found.map(\.bytes)
      }
  }
}

/// The location of an entry: its IFD and tag.
private struct EXIFPlace: Hashable, Comparable, CustomStringConvertible {
  let ifd: UInt16
  let tag: UInt16

  /// Whether it points to an IFD: EXIF, GPS, Interoperability. IFDs can move; their contents are compared instead.
  var isPointer: Bool { [0x8769, 0x8825, 0xA005].contains(tag) && ifd != IFD.gps.number }

  /// Whether it is in the Interoperability IFD, by libexif's number.
  var isInteroperability: Bool { ifd == 4 }

  /// Whether it is the thumbnail, for which the reader reports the bytes.
  var isThumbnail: Bool { ifd == 1 && tag == TIFFTag.jpegOffset }

  /// Whether it holds XMP or IPTC of a further page.
  var isOfPage: Bool {
    ifd != IFD.ifd0.number && [TIFFTag.xmp, TIFFTag.iptc, TIFFTag.photoshop].contains(tag)
  }

  /// Whether a new IFD must contain it (EXIF 3.0, 4.6.8), even if it was not requested.
  var isMandatory: Bool {
    switch ifd {
    case IFD.ifd0.number: [0x011A, 0x011B, 0x0128, 0x0213].contains(tag)
    case IFD.exif.number: [0x9000, 0x9101, 0xA000, 0xA001, 0xA002, 0xA003].contains(tag)
    case IFD.gps.number: tag == 0
    default: false
    }
  }

  /// Whether nothing is left of the entry after these changes.
  func goes(with changes: TIFFChanges) -> Bool { isPointer || change(in: changes) == .remove }

  var description: String { "tag 0x\(String(tag, radix: 16, uppercase: true)) of directory \(ifd)" }

  func change(in changes: TIFFChanges) -> Change<TIFFValue> {
    let staysInPicture = !isInteroperability && changes.pictureTags.contains(tag)
    guard let directory = IFD.allCases.first(where: { $0.number == ifd }) else {
      return changes.replacesAll && !staysInPicture ? .remove : .keep
    }
    let isReplaced = changes.replacesAll && !(directory == .ifd0 && staysInPicture)
    let goes = isReplaced || changes.removesGPS && directory == .gps
    return changes.tags[directory]?[tag] ?? (goes ? .remove : .keep)
  }

  static func < (a: EXIFPlace, b: EXIFPlace) -> Bool { (a.ifd, a.tag) < (b.ifd, b.tag) }
}

extension TIFFChanges {
  fileprivate var setsTags: Bool { tags.values.contains { $0.values.contains { $0 != .remove } } }
}

extension EXIFPlace {
  init(_ entry: EXIFEntry) { self.init(ifd: entry.ifd, tag: entry.tag) }
}

extension IFD {
  /// The number that libexif gives this IFD.
  fileprivate var number: UInt16 {
    switch self {
    case .ifd0: 0
    case .exif: 2
    case .gps: 3
    }
  }
}

extension TIFFValue {
  /// Encodes this value as in TIFF 6.0. Written independently, because the editor's own encoder can't verify itself.
  fileprivate func entry(at place: EXIFPlace, _ order: Bytes.Order) -> EXIFEntry {
    let (format, count, bytes): (UInt16, Int, [UInt8]) =
      switch self {
      case .bytes(let bytes): (1, bytes.count, bytes)
      case .ascii(let text): (2, text.utf8.count + 1, Array(text.utf8) + [0])
      case .short(let numbers): (3, numbers.count, numbers.flatMap { $0.bytes(order) })
      case .long(let numbers): (4, numbers.count, numbers.flatMap { $0.bytes(order) })
      case .rational(let fractions):
        (5, fractions.count, fractions.flatMap { $0.numerator.bytes(order) + $0.denominator.bytes(order) })
      case .signedRational(let fractions):
        (
          10, fractions.count,
          fractions.flatMap { UInt32(bitPattern: $0.x).bytes(order) + UInt32(bitPattern: $0.y).bytes(order) }
        )
      case .undefined(let bytes): (7, bytes.count, bytes)
      }
    return EXIFEntry(
      ifd: place.ifd, tag: place.tag, format: format, components: UInt32(clamping: count),
      bytes: bytes.count > 65_536 ? bytes.digest : bytes)
  }
}

extension [UInt8] {
  /// The digest that the child sends for a long value: 64-bit FNV-1a, in the machine's byte order.
  fileprivate var digest: [UInt8] {
    let sum = reduce(0xCBF2_9CE4_8422_2325 as UInt64) { ($0 ^ UInt64($1)) &* 0x100_0000_01B3 }
    return Swift.withUnsafeBytes(of: sum) { Array($0) }
  }
}
