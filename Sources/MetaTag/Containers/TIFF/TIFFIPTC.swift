/// Where a TIFF has its IPTC data.
extension TIFFContainer {
  /// The tag of its own, unless that can't be read and the copy among Photoshop's resources can: ImageMagick writes only a
  /// quarter of it. Others write it as numbers of four bytes, in the wrong order.
  static func findIPTC(in block: TIFFBlock, of source: any ByteSource, _ layout: inout Layout) throws(PhotoError) {
    let copy = resources(of: block)?.iptc
    layout.iptc = block.main[TIFFTag.iptc]?.value ?? copy
    guard let range = layout.iptc else { return }
    guard range.count <= TIFFBlock.longestValue else {
      layout.iptc = nil
      layout.notices.append("its IPTC data is longer than 16 MB, and is not read and not edited")
      layout.unedited.append(
        Unedited(holder: "its IPTC data", offset: range.lowerBound, remedy: "'metatag clear --all' erases it"))
      return
    }
    let bytes = try block.bytes(range)
    guard range != copy, (try? IPTCData(bytes)) == nil else { return }
    let turned = stride(from: 0, to: bytes.count / 4 * 4, by: 4).flatMap { bytes.array[$0..<$0 + 4].reversed() }
    if block.main[TIFFTag.iptc]?.type == TIFFType.long, (try? IPTCData(Bytes(turned))) != nil {
      layout.iptc = layout.unpack(turned, of: source)
      return
    }
    guard let copy, let sound = try? block.bytes(copy), (try? IPTCData(sound)) != nil else { return }
    if sound.has(bytes.array) { layout.iptc = copy } else { layout.furtherIPTC = [copy] }
  }

  /// IPTC has a tag of its own, and often a copy among Photoshop's resources.
  func putIPTC(_ records: [UInt8], _ block: TIFFBlock, _ changes: inout TIFFChanges) throws(PhotoError) {
    let old = block.main[TIFFTag.iptc].flatMap(block.raw)
    let resources = TIFFContainer.resources(of: block)?.resources
    let copy = try resources?.replacingIPTC(with: records)
    if let copy {
      put(copy, TIFFTag.photoshop, of: block, &changes)
    } else if let old, let renewed = try resources?.renewingDigest(from: old, to: records) {
      put(renewed, TIFFTag.photoshop, of: block, &changes)
    }
    if copy == nil || block.main[TIFFTag.iptc] != nil { put(records, TIFFTag.iptc, of: block, &changes) }
  }

  /// Photoshop's resources, and where their IPTC data lies in the file.
  static func resources(of block: TIFFBlock) -> (resources: PhotoshopResources, iptc: Range<Int>?)? {
    guard let entry = block.main[TIFFTag.photoshop], let value = entry.value, let raw = block.raw(entry),
      let resources = try? PhotoshopResources(raw)
    else { return nil }
    let iptc = resources.iptc.map { $0.lowerBound + value.lowerBound..<$0.upperBound + value.lowerBound }
    return (resources, iptc)
  }
}
