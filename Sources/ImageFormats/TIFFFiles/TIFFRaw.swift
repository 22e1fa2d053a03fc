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

extension ImageType {
  /// Whether the whole file is one TIFF block.
  package var isTIFFBased: Bool { TIFFContainer.allTypes.contains(self) }
}
