/// A camera maker's raw format in TIFF form: its type, and whether its whole picture can be located.
struct TIFFRaw: Sendable {
  let type: ImageType
  /// Whether the directories locate the picture, so that truncation is noticed, and no edit can overwrite it.
  let isEnumerated: Bool

  private init(_ type: ImageType, isEnumerated: Bool = true) {
    (self.type, self.isEnumerated) = (type, isEnumerated)
  }

  /// Recognizes a raw file; returns nil for any other.
  init?(_ block: TIFFBlock, _ references: TIFFReferences) {
    let hasImages = !references.images.isEmpty
    let head = block.isBig ? nil : try? block.bytes(8..<min(16, block.count))
    if TIFFBlock.olympus.contains(block.magic) {
      self.init(.orf, isEnumerated: hasImages)
    } else if block.magic == TIFFBlock.panasonic {
      self.init(.rw2, isEnumerated: hasImages)
    } else if let head, head.has(Array("CR".utf8)) {
      self.init(.cr2, isEnumerated: hasImages)
    } else if let head, head.has(Array("IIII".utf8)) || head.has(Array("MMMM".utf8)) {
      // The picture is a part of the maker note.
      self.init(.iiq, isEnumerated: block.exif?[TIFFTag.makerNote]?.value != nil)
    } else if block.ifd0[TIFFTag.dngVersion] != nil {
      self.init(.dng)
    } else if let make = block.text(of: TIFFTag.make, in: .ifd0)?.uppercased() {
      guard let raw = TIFFRaw.kind(in: references.directories, of: block, by: make) else {
        guard TIFFRaw.hidesPicture(block, references) else { return nil }
        self.init(.raw, isEnumerated: false)
        return
      }
      self = raw
    } else {
      return nil
    }
  }

  private static let byCompression = [
    32_767: TIFFRaw(.arw), 34_713: TIFFRaw(.nef), 65_535: TIFFRaw(.pef),
    32_770: TIFFRaw(.srw), 32_772: TIFFRaw(.srw), 65_000: TIFFRaw(.kdc),
    32_867: TIFFRaw(.kdc),
  ]
  private static let byMake = [
    ("NIKON", TIFFRaw(.nef)), ("SONY", TIFFRaw(.arw)),
    ("PENTAX", TIFFRaw(.pef)), ("ASAHI", TIFFRaw(.pef)),
    ("RICOH", TIFFRaw(.pef)), ("SAMSUNG", TIFFRaw(.srw)),
    ("HASSELBLAD", TIFFRaw(.threeFR)), ("SEIKO EPSON", TIFFRaw(.erf)),
    ("MAMIYA", TIFFRaw(.mef)), ("KODAK", TIFFRaw(.kdc)),
    ("EASTMAN KODAK", TIFFRaw(.kdc)),
  ]
  /// Colour filter array and linear raw.
  private static let photometrics: Set = [32_803, 34_892]

  /// Returns the kind by the first directory that holds sensor data.
  private static func kind(in directories: [TIFFDirectory], of block: TIFFBlock, by make: String) -> TIFFRaw? {
    for directory in directories {
      let compression = block.integer(of: TIFFTag.compression, in: directory)
      if let raw = compression.flatMap({ byCompression[$0] }) { return raw }
      let kind = block.integer(of: TIFFTag.photometricInterpretation, in: directory)
      guard let kind, photometrics.contains(kind) else { continue }
      return byMake.first { make.hasPrefix($0.0) }?.1 ?? TIFFRaw(.raw)
    }
    return nil
  }

  /// The size of the smallest hidden picture; a camera's picture isn't smaller.
  private static let smallestHidden = 1 << 20

  /// The limit of a tail that is read to check for zeros.
  private static let longestFilling = 1 << 30

  /// Whether most of a camera's file belongs to no structure that TIFF describes: only its maker's software can find
  /// the picture. Padding zeros at the end don't count.
  private static func hidesPicture(_ block: TIFFBlock, _ references: TIFFReferences) -> Bool {
    var gaps = references.gaps(upTo: block.count)
    func hides(in count: Int) -> Bool {
      count > 2 * smallestHidden && gaps.reduce(0) { $0 + $1.count } > max(smallestHidden, count / 2)
    }
    guard hides(in: block.count) else { return false }
    guard let tail = gaps.last, tail.upperBound == block.count, isFilling(tail, in: block) else { return true }
    gaps.removeLast()
    return hides(in: tail.lowerBound)
  }

  private static func isFilling(_ tail: Range<Int>, in block: TIFFBlock) -> Bool {
    guard tail.count <= longestFilling else { return false }
    let window = 1 << 20
    return stride(from: tail.lowerBound, to: tail.upperBound, by: window).allSatisfy { start in
      let bytes = try? block.bytes(start..<min(start + window, tail.upperBound))
      return bytes?.withUnsafeBytes { $0.allSatisfy { $0 == 0 } } ?? false
    }
  }
}

/// JPEG files within a TIFF-based raw file, which may have EXIF of their own.
extension TIFFContainer {
  /// The limit of previews. No camera writes more.
  private static let mostPreviews = 32

  /// Returns everything that begins like a JPEG, by the directories: single strips, interchange streams, and
  /// Panasonic's own tag.
  package static func previews(of block: TIFFBlock, _ references: TIFFReferences) -> [Range<Int>] {
    var found = [panasonicPreview(of: block), MakerPreview.range(in: block)].compactMap(\.self)
    let pairs = [(TIFFTag.jpegOffset, TIFFTag.jpegByteCount), (TIFFTag.stripOffsets, TIFFTag.stripByteCounts)]
    for directory in references.directories.prefix(mostPreviews) {
      for (offsets, counts) in pairs where directory[offsets]?.count == 1 {
        guard let start = block.integer(of: offsets, in: directory),
          let count = block.integer(of: counts, in: directory), count > 0, start <= block.count,
          count <= block.count - start
        else { continue }
        found.append(start..<start + count)
      }
    }
    return found.filter { (try? block.bytes($0.prefix(3)).has([0xFF, 0xD8, 0xFF])) ?? false }
  }

  /// Returns the JPEG file in which Panasonic's cameras repeat all metadata.
  static func panasonicPreview(of block: TIFFBlock) -> Range<Int>? {
    guard block.magic == TIFFBlock.panasonic, let value = block.ifd0[PanasonicTag.preview]?.value,
      value.count <= TIFFBlock.longestValue, (try? block.bytes(value.prefix(3)).has([0xFF, 0xD8, 0xFF])) ?? false
    else { return nil }
    return value
  }

  /// Returns the range in the file of that JPEG's EXIF.
  static func panasonicEXIF(of block: TIFFBlock, in source: any ByteSource) -> Range<Int>? {
    guard let preview = panasonicPreview(of: block), let jpeg = try? SourcePart(source, preview),
      let exif = (try? JPEGSegments(of: jpeg))?[.exif].map(JPEGContainer.block(in:)),
      (try? TIFFBlock(jpeg, exif)) != nil
    else { return nil }
    return exif.lowerBound + preview.lowerBound..<exif.upperBound + preview.lowerBound
  }

  /// Changes that EXIF too: the JPEG is a value like any other, and the changed one replaces it.
  static func putPreview(
    _ wanted: TIFFChanges, erasing: MetadataEdit, of block: TIFFBlock, _ changes: inout TIFFChanges,
    in source: any ByteSource
  ) throws(FileError) {
    guard let preview = panasonicPreview(of: block) else { return }
    let jpeg = try SourcePart(source, preview)
    var own = BlockChanges()
    own.exif = wanted
    (own.erasesPlaces, own.erasesDates) = (erasing.erasesPlaces, erasing.erasesDates)
    let container = JPEGContainer()
    let patch = try container.patch(own, layout: try container.layout(of: jpeg), source: jpeg)
    guard !patch.isEmpty else { return }
    var new = try patch.applied(to: jpeg)
    if own.mustReadAll {
      // Its XMP too.
      let image = Bytes(new)
      let erasures = try JPEGFurtherImages.erasures(try JPEGSegments(of: image), image, by: erasing)
      new = try Patch(erasures, to: new.count, imageData: []).applied(to: image)
    }
    changes.set(PanasonicTag.preview, in: .ifd0, to: .undefined(new))
  }
}

extension ByteSource {
  /// Whether a JPEG, whole or not, has EXIF or XMP among its first segments.
  package var seemsToBeginWithMetadata: Bool {
    get throws(FileError) {
      guard try prefix(at: 0, count: 3).has([0xFF, 0xD8, 0xFF]) else { return false }
      let head = try prefix(at: 0, count: FileSource.headCount)
      return [JPEGSegment.exifHeader, JPEGSegment.xmpHeader].contains { head.firstIndex(of: $0) != nil }
    }
  }
}

extension Range<Int> {
  /// Returns its first positions.
  fileprivate func prefix(_ count: Int) -> Range<Int> { lowerBound..<lowerBound + Swift.min(count, self.count) }
}
