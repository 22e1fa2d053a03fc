/// A format that is only read: changes must go into a sidecar. The makers' programs locate data by undocumented
/// offsets.
protocol ReadOnlyContainer: Container {}

extension ReadOnlyContainer {
  func patch(_ changes: BlockChanges, layout: Layout, source: any ByteSource) throws(FileError) -> Patch {
    guard changes.isEmpty, !changes.erasesPlaces else {
      let kind = layout.rawName ?? "a camera's raw file"
      throw FileError(.readOnlyFormat, "is \(kind), in which nothing can be changed", at: 0)
    }
    return try Patch([], to: source.count, imageData: layout.imageData)
  }
}

extension Layout {
  /// The kind of raw file with its article: "an Olympus ORF raw file".
  package var rawName: String? {
    rawKind.map { kind in "\(kind.first.map { "AEIOU".contains($0) } == true ? "an" : "a") \(kind) raw file" }
  }

  /// Creates the layout of a read-only raw file: no byte of it may change.
  package init(of kind: String, in source: any ByteSource) {
    rawKind = kind
    isSidecarOnly = true
    imageData = [0..<source.count]
  }

  /// Uses an embedded JPEG as the preview, and its metadata if nothing else describes the picture.
  package mutating func adopt(jpeg range: Range<Int>, in source: any ByteSource) {
    guard let part = try? SourcePart(source, range), let jpeg = try? JPEGContainer().layout(of: part) else { return }
    func moved(_ block: Range<Int>) -> Range<Int> {
      block.lowerBound + range.lowerBound..<block.upperBound + range.lowerBound
    }
    previews.append(range)
    exif = exif ?? jpeg.exif.map(moved)
    xmp = xmp ?? jpeg.xmp.map(moved)
    iptc = iptc ?? jpeg.iptc.map(moved)
    pixelSize = pixelSize ?? jpeg.pixelSize
  }

  /// Adds data that the file records in a proprietary form, converted to EXIF.
  package mutating func state(_ tags: TIFFChanges, in source: any ByteSource) throws(FileError) {
    if exif == nil, let block = try tags.newBlock() { exif = unpack(block, of: source) }
  }
}

extension TIFFChanges {
  package mutating func state(_ text: String?, _ tag: UInt16, in ifd: IFD) {
    if let text, !text.isEmpty { set(tag, in: ifd, to: .ascii(text)) }
  }

  /// The time on a camera's clock, as seconds since it would have shown the beginning of 1970.
  package mutating func state(clock seconds: Int64) {
    // Zero is no date.
    guard seconds > 0, let time = CivilTime(secondsSince1970: seconds) else { return }
    set(EXIF.Tag.dateTimeOriginal, in: .exif, to: .ascii(time.exifText))
  }

  /// How far the picture has to be turned clockwise.
  package mutating func state(rotation degrees: Int) {
    guard let orientation = [0: 1, 90: 6, 180: 3, 270: 8][degrees] else { return }
    set(EXIF.Tag.orientation, in: .ifd0, to: .short([UInt16(orientation)]))
  }
}
