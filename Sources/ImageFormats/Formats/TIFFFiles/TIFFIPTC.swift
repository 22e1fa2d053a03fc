/// The IPTC data of a TIFF.
extension TIFFContainer {
  /// Finds IPTC data. Its own tag has priority, unless only the copy among Photoshop's resources can be read:
  /// ImageMagick writes a quarter of the tag. Others write it as four-byte numbers, in the wrong order.
  static func findIPTC(in block: TIFFBlock, of source: any ByteSource, _ layout: inout Layout) throws(FileError) {
    let resources = resources(of: block)
    let copy = resources?.iptc
    guard let range = block.ifd0[TIFFTag.iptc]?.value ?? copy else { return }
    if resources?.resources.hasFurtherIPTC == true { layout.blocks.append(.additionalIPTC(at: range.lowerBound)) }
    guard range.count <= TIFFBlock.longestValue else {
      layout.notes.append(Note(.unreadBlock, "its IPTC data exceeds 16 MB and is not read or edited"))
      layout.blocks.append(.unread("its IPTC data", at: range.lowerBound))
      return
    }
    guard range != copy else { return layout.add(.iptc, at: range) }
    let bytes = try block.bytes(range)
    let sound = copy.flatMap { try? block.bytes($0) }.flatMap { (try? IPTCData($0)) == nil ? nil : $0 }
    guard let records = records(of: block) else {
      guard let copy, let sound else { return layout.add(.iptc, at: range) }
      if !sound.has(bytes.array) { layout.add(.iptc, at: range) }
      return layout.add(.iptc, at: copy)
    }
    if records.array == bytes.array {
      layout.add(.iptc, at: range)
    } else {
      layout.add(.iptc, unpacked: records.array, of: source)
    }
    if let copy, copiesDiffer(in: block) { layout.add(.iptc, at: copy) }
  }

  /// Returns the tag's data in the right byte order; nil when it is missing or unreadable.
  private static func records(of block: TIFFBlock) -> Bytes? {
    guard let entry = block.ifd0[TIFFTag.iptc], let bytes = block.raw(entry) else { return nil }
    if (try? IPTCData(bytes)) != nil { return bytes }
    guard entry.type == TIFFType.long else { return nil }
    let turned = stride(from: 0, to: bytes.count / 4 * 4, by: 4).flatMap { bytes.array[$0..<$0 + 4].reversed() }
    return (try? IPTCData(Bytes(turned))) == nil ? nil : Bytes(turned)
  }

  /// Whether the copy among Photoshop's resources differs from the tag, so that each is edited separately. ImageMagick
  /// cuts its tag between two datasets: it can be read but holds less.
  private static func copiesDiffer(in block: TIFFBlock) -> Bool {
    guard let range = resources(of: block)?.iptc, let copy = try? block.bytes(range),
      let tag = block.ifd0[TIFFTag.iptc].flatMap(block.raw)
    else { return false }
    guard let records = records(of: block) else { return !copy.has(tag.array) }
    // Zeros after the last dataset are padding.
    func recorded(_ bytes: Bytes) -> ArraySlice<UInt8> {
      bytes.array.prefix((bytes.array.lastIndex { $0 != 0 } ?? -1) + 1)
    }
    return recorded(records) != recorded(copy)
  }

  /// Sets IPTC data in its own tag and in the copy that is often among Photoshop's resources.
  /// - Parameter other: The new data of the copy, if it differs from the tag.
  func putIPTC(
    _ records: [UInt8]?, copy other: [UInt8]?, _ block: TIFFBlock, _ changes: inout TIFFChanges
  ) throws(FileError) {
    let old = block.ifd0[TIFFTag.iptc].flatMap(block.raw)
    var resources = TIFFContainer.resources(of: block)?.resources
    if let other, let replaced = try resources?.replacingIPTC(with: other) {
      resources = try PhotoshopResources(Bytes(replaced))
      put(replaced, TIFFTag.photoshop, of: block, &changes)
    }
    guard let records else { return }
    let copy = TIFFContainer.copiesDiffer(in: block) ? nil : try resources?.replacingIPTC(with: records)
    if let copy {
      put(copy, TIFFTag.photoshop, of: block, &changes)
    } else if let old, let renewed = try resources?.renewingDigest(from: old, to: records) {
      put(renewed, TIFFTag.photoshop, of: block, &changes)
    }
    guard copy == nil || block.ifd0[TIFFTag.iptc] != nil else { return }
    // Other readers don't accept a tag without a value.
    if records.isEmpty {
      changes.remove(TIFFTag.iptc, in: .ifd0)
    } else {
      put(records, TIFFTag.iptc, of: block, &changes)
    }
  }

  /// Returns Photoshop's resources, and the range of their IPTC data in the file.
  package static func resources(of block: TIFFBlock) -> (resources: PhotoshopResources, iptc: Range<Int>?)? {
    guard let entry = block.ifd0[TIFFTag.photoshop], let value = entry.value, let raw = block.raw(entry),
      let resources = try? PhotoshopResources(raw)
    else { return nil }
    let iptc = resources.iptc.map { $0.lowerBound + value.lowerBound..<$0.upperBound + value.lowerBound }
    return (resources, iptc)
  }
}
