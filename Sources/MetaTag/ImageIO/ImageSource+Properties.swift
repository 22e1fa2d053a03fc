/// The properties of a photo or movie: those that its container records, and those in EXIF, XMP and Apple's maker note.
extension ImageSource {
  /// The file's kind, size, duration, colours and so on. No pixels are decoded. Headers and metadata are read on first use;
  /// copies of this value share the result.
  public var properties: ImageProperties { knownProperties.get { properties(with: metadata()) } }

  /// Returns `properties`.
  /// - Parameter metadata: The file's metadata.
  package func properties(with metadata: Metadata) -> ImageProperties {
    var properties = container.properties(of: type, layout, source: file)
    properties.orientation = properties.orientation ?? metadata.orientation
    if let block = try? layout.exifBlock(of: source) { describe(by: block, &properties) }
    for range in layout.ranges(of: .xmp) {
      guard let packet = try? source.bytes(range) else { continue }
      XMPMarks(packet).describe(&properties)
      if XMPTree.mayHoldRegions(packet), let tree = try? XMPTree(packet.array) { properties.regions += tree.regions }
    }
    return properties
  }

  /// Adds what EXIF and Apple's maker note record.
  private func describe(by block: TIFFBlock, _ properties: inout ImageProperties) {
    properties.density = PixelDensity(block) ?? properties.density
    // Apple's values for how the picture was made; other cameras use only 0 and 1.
    switch block.integer(of: TIFFTag.customRendered, in: .exif) {
    case 2, 3: properties.subtypes.insert(.hdr)
    case 6: properties.subtypes.insert(.panorama)
    case 7: properties.subtypes.formUnion([.hdr, .portrait])
    case 8: properties.subtypes.insert(.portrait)
    default: break
    }
    // After eight bytes that name the encoding.
    if let entry = block.directory(.exif)?[TIFFTag.userComment], let comment = block.raw(entry),
      comment.has("Screenshot".utf8, at: 8)
    {
      properties.subtypes.insert(.screenshot)
    }
    guard let note = block.appleNote else { return }
    if let burst = AppleMakerNote.burstIdentifier(in: note) {
      properties.subtypes.insert(.burst)
      properties.burstIdentifier = burst
    }
    if AppleMakerNote.contentIdentifier(in: note) != nil { properties.mediaKind = .livePhoto }
  }

  /// The identifier that the two halves of a Live Photo share, and no other files: from Apple's maker note in the
  /// still, and from the key `com.apple.quicktime.content.identifier` in the movie.
  var contentIdentifier: String? {
    if let data = layout.quickTime {
      return QuickTime(data, source).text(.key("com.apple.quicktime.content.identifier"))
    }
    return (try? layout.exifBlock(of: source))?.appleNote.flatMap { AppleMakerNote.contentIdentifier(in: $0) }
  }
}

extension TIFFBlock {
  /// The maker note of an Apple device; nil for any other, which may be long, so it isn't read.
  fileprivate var appleNote: Bytes? {
    guard let entry = exif?[TIFFTag.makerNote], let place = entry.value,
      let head = try? bytes(place.prefix(AppleMakerNote.head.count)), head.has(AppleMakerNote.head)
    else { return nil }
    return raw(entry)
  }
}

extension PixelDensity {
  /// Reads the density in IFD0 (TIFF 6.0, ResolutionUnit): per inch, or per centimetre.
  fileprivate init?(_ block: TIFFBlock) {
    let inches = [2: 1.0, 3: 2.54]
    guard let unit = inches[block.integer(of: TIFFTag.resolutionUnit, in: .ifd0) ?? 2],
      let horizontal = block.fractions(of: TIFFTag.xResolution, in: .ifd0).first ?? nil,
      let vertical = block.fractions(of: TIFFTag.yResolution, in: .ifd0).first ?? nil
    else { return nil }
    self.init(horizontal: horizontal * unit, vertical: vertical * unit)
  }
}

/// Marks in an XMP packet of other things in a file. They are in schemas that nothing else needs, so the packet is
/// searched as text.
private struct XMPMarks {
  private let packet: Bytes

  init(_ packet: Bytes) { self.packet = packet }

  func describe(_ properties: inout ImageProperties) {
    if has("http://ns.google.com/photos/1.0/panorama/") { properties.subtypes.insert(.panorama) }
    if has("http://ns.google.com/photos/1.0/depthmap/") || has("http://ns.google.com/photos/dd/1.0/device/") {
      properties.auxiliaryImages.insert(.depth)
    }
    if ["MotionPhoto=\"1", "MotionPhoto>1", "MicroVideo=\"1", "MicroVideo>1"].contains(where: has) {
      properties.mediaKind = .livePhoto
    }
    if properties.burstIdentifier == nil, let burst = value("BurstID") {
      properties.subtypes.insert(.burst)
      properties.burstIdentifier = burst
    }
  }

  private func has(_ text: String) -> Bool { packet.firstIndex(of: Array(text.utf8)) != nil }

  /// Returns the value of an attribute or element; nil if there is none, or it is longer than any identifier.
  private func value(_ name: String) -> String? {
    for (head, end) in [(":\(name)=\"", "\""), (":\(name)>", "<")] {
      guard let start = packet.firstIndex(of: Array(head.utf8)).map({ $0 + head.utf8.count }),
        let text = try? packet.prefix(at: start, count: 128).array
      else { continue }
      let value = text.prefix { !end.utf8.contains($0) }
      if value.count < text.count, !value.isEmpty { return String(decoding: value, as: UTF8.self) }
    }
    return nil
  }
}
