/// A format that is only read. Changes of raw files must go into a sidecar: the makers' programs locate data by
/// undocumented offsets.
protocol ReadOnlyContainer: PreviewedContainer {}

extension ReadOnlyContainer {
  func patch(_ changes: BlockChanges, layout: Layout, source: any ByteSource) throws(FileError) -> Patch {
    guard changes.isEmpty, !changes.mustReadAll, !changes.erasesAll else {
      let erases = changes.mustReadAll || changes.erasesAll
      throw FileError.isReadOnly(layout.type ?? types[0], erasing: erases)
    }
    return try Patch([], to: source.count, imageData: layout.imageData)
  }
}

extension FileError {
  /// The error for a change of a file that can only be read. A sidecar can add values, but not erase any.
  package static func isReadOnly(_ type: ImageType, erasing: Bool = false) -> FileError {
    let files = "\(type.rawKind ?? type.name) files are only read"
    return erasing
      ? FileError(.notErasable, "\(files); nothing can be erased in them", at: 0)
      : FileError(.readOnlyFormat, files, at: 0, remedy: .useSidecar)
  }
}

extension Layout {
  /// Uses an embedded JPEG as the preview, and its metadata if nothing else describes the picture.
  package mutating func adopt(jpeg range: Range<Int>, in source: any ByteSource) {
    guard let part = try? SourcePart(source, range), let jpeg = try? JPEGContainer().layout(of: part) else { return }
    func moved(_ block: Range<Int>) -> Range<Int> {
      block.lowerBound + range.lowerBound..<block.upperBound + range.lowerBound
    }
    add(.preview, at: range)
    if exif == nil, let block = jpeg.exif { add(.exif, at: moved(block)) }
    if xmp == nil, let block = jpeg.xmp { add(.xmp, at: moved(block)) }
    if iptc == nil, let block = jpeg.iptc { add(.iptc, at: moved(block)) }
    pixelSize = pixelSize ?? jpeg.pixelSize
  }

  /// Adds data that the file records in a proprietary form, converted to EXIF.
  package mutating func state(_ tags: TIFFChanges, in source: any ByteSource) throws(FileError) {
    if exif == nil, let block = try tags.newBlock() { add(.exif, unpacked: block, of: source) }
  }
}

extension TIFFChanges {
  package mutating func state(_ text: String?, _ tag: UInt16, in ifd: IFD) {
    if let text, !text.isEmpty { set(tag, in: ifd, to: .ascii(text)) }
  }

  /// The time on a camera's clock, as seconds since it would have shown the beginning of 1970.
  package mutating func state(clock seconds: Int64) {
    // Zero is not a date.
    guard seconds > 0, let time = CivilTime(secondsSince1970: seconds) else { return }
    set(TIFFTag.dateTimeOriginal, in: .exif, to: .ascii(time.exifText))
  }

  /// How far the picture has to be turned clockwise.
  package mutating func state(rotation degrees: Int) {
    guard let orientation = [0: 1, 90: 6, 180: 3, 270: 8][degrees] else { return }
    set(TIFFTag.orientation, in: .ifd0, to: .short([UInt16(orientation)]))
  }
}
