extension CodecWire {
  /// How a picture is to be coded anew: decoded, shrunk, turned, encoded.
  package struct Recoding: Sendable {
    /// Which item of a HEIF file; 0: the primary.
    package var item: UInt32 = 0
    /// Pixels the longer side is shrunk to; 0: all.
    package var longest: UInt32 = 0
    /// Lengths of EXIF, XMP, IPTC and the ICC profile in the third block.
    package var metadata: [UInt32] = [0, 0, 0, 0]
    package var from = PictureCoding.jpeg
    package var to = PictureCoding.jpeg
    /// 1…100
    package var quality: UInt8 = 95
    /// EXIF orientation that becomes 1; of HEIF, behind what the file itself asks for.
    package var orientation: UInt8 = 1
    /// Colour at full resolution (4:4:4), else at half (4:2:0).
    package var hasFullChroma = false
    /// ITU-T H.273; 2: unknown.
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

  /// The size of a picture that was coded anew.
  package static func size(_ answer: Bytes) throws(FileError) -> PixelSize {
    let (width, height) = (Int(try answer.u32(0, .little)), Int(try answer.u32(4, .little)))
    guard let size = PixelSize(width: width, height: height) else {
      throw FileError(.unsupported, "the decoder made a picture without size")
    }
    return size
  }
}
