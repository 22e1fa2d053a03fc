extension CodecWire {
  /// The parameters for re-encoding a picture: decode, shrink, rotate, encode.
  package struct Recoding: Sendable {
    /// The item of a HEIF file; 0 is the primary item.
    package var item: UInt32 = 0
    /// The number of pixels to which the longer side is reduced; 0 keeps the size.
    package var longest: UInt32 = 0
    /// The lengths of EXIF, XMP, IPTC and the ICC profile in the third block.
    package var metadata: [UInt32] = [0, 0, 0, 0]
    package var from = PictureCoding.jpeg
    package var to = PictureCoding.jpeg
    /// The quality, 1…100.
    package var quality: UInt8 = 95
    /// The EXIF orientation to apply, which becomes 1; for HEIF, applied after the file's own transformations.
    package var orientation: UInt8 = 1
    /// Whether color is stored at full resolution (4:4:4) instead of half (4:2:0).
    package var hasFullChroma = false
    /// The color primaries of ITU-T H.273; 2 is unknown.
    package var primaries: UInt8 = 2
    package var transfer: UInt8 = 2

    package init(
      item: UInt32 = 0, longest: UInt32 = 0, metadata: [UInt32] = [0, 0, 0, 0],
      from: PictureCoding = PictureCoding.jpeg, to: PictureCoding = PictureCoding.jpeg, quality: UInt8 = 95,
      orientation: UInt8 = 1, hasFullChroma: Bool = false, primaries: UInt8 = 2, transfer: UInt8 = 2
    ) {
      self.item = item
      self.longest = longest
      self.metadata = metadata
      self.from = from
      self.to = to
      self.quality = quality
      self.orientation = orientation
      self.hasFullChroma = hasFullChroma
      self.primaries = primaries
      self.transfer = transfer
    }

    package var bytes: [UInt8] {
      let numbers = [item, longest] + metadata
      return numbers.flatMap { $0.bytes(.little) }
        + [from.rawValue, to.rawValue, quality, orientation, hasFullChroma ? 1 : 0, primaries, transfer, 0]
    }
  }

  /// Returns the size of a re-encoded picture from the answer.
  package static func size(_ answer: Bytes) throws(FileError) -> PixelSize {
    let (width, height) = (Int(try answer.u32(0, .little)), Int(try answer.u32(4, .little)))
    guard let size = PixelSize(width: width, height: height) else {
      throw FileError(.unsupported, "the decoder made a picture without size")
    }
    return size
  }
}

/// Compares thumbnails from which metadata was erased.
enum ThumbnailWitness {
  /// Whether two JPEG files of equal length show the same picture: they differ only in the contents of their APPn and
  /// comment segments.
  static func isSamePicture(_ old: [UInt8], _ new: [UInt8]) -> Bool {
    guard old.count == new.count, old.starts(with: [0xFF, 0xD8]), new.starts(with: [0xFF, 0xD8]) else { return false }
    var at = 2
    while at + 4 <= old.count, old[at] == 0xFF, old[at..<at + 4].elementsEqual(new[at..<at + 4]) {
      let (marker, length) = (old[at + 1], Int(old[at + 2]) << 8 + Int(old[at + 3]))
      let end = at + 2 + length
      guard length >= 2, end <= old.count, marker != startOfScan else { break }
      let holdsMetadata = (0xE0...0xEF).contains(marker) || marker == comment
      guard holdsMetadata || old[at..<end].elementsEqual(new[at..<end]) else { return false }
      at = end
    }
    return old[at...].elementsEqual(new[at...])
  }

  private static let startOfScan: UInt8 = 0xDA
  private static let comment: UInt8 = 0xFE
}
