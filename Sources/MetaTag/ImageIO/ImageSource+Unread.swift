/// The checks before erasing: data that aren't read or can't be edited, and that may contain what is to be erased.
extension ImageSource {
  /// Descriptions of data that may contain dates and aren't read: `its second block of IPTC`.
  var unreadDates: [String] {
    var holders = layout.unedited(holding: .date).map(\.name)
    let isXMPUnread = uneditedXMP.contains { range, _ in
      (try? source.bytes(range)).map(XMPPacket.seemsToTellDate) ?? true
    }
    if isXMPUnread { holders.append("XMP that isn't read") }
    let isIPTCUnread = layout.iptc.map { (try? IPTCData(source.bytes($0))) == nil } ?? false
    if isIPTCUnread { holders.append("IPTC that can't be read") }
    let isEXIFUnread = layout.ranges(of: .exif).contains { (try? TIFFBlock(source, $0)) == nil }
    if isEXIFUnread { holders.append("EXIF that can't be read") }
    return holders
  }

  /// Returns whether the edit adds a metadata block that the file lacks.
  func adds(_ changes: BlockChanges) throws(FileError) -> Bool {
    if layout.xmp == nil, changes.xmp != nil { return true }
    guard layout.exif == nil else { return false }
    return try changes.exif.newBlock() != nil
  }

  /// XMP that no edit changes: packets that are left aside, packets that can't be read, and data after a packet's end
  /// in its block. Each comes with advice on how to erase it.
  private var uneditedXMP: [(range: Range<Int>, remedy: String)] {
    let remedy = isErasable ? Block.clearingAll : Block.removingXMP
    let blocks = layout.blocks.filter { $0.content == .xmp }
    return blocks.filter { !$0.isRead }.map { block in
      if case .opaque(let remedy) = block.access { (block.range, remedy) } else { (block.range, remedy) }
    }
      + blocks.filter(\.isRead).map(\.range).compactMap { range in
        guard let packet = try? XMPPacket(source.bytes(range)) else { return (range, remedy) }
        return packet.strayText.map { (range.lowerBound + $0..<range.upperBound, remedy) }
      }
  }

  /// Throws if a block that isn't edited may contain what is to be erased. Otherwise the user would believe that it is
  /// gone.
  func requireErasable(for edit: MetadataEdit) throws(FileError) {
    for block in layout.unedited(holding: edit.erasedFacts) {
      guard case .opaque(let remedy) = block.access else { continue }
      if block.content == .reconstruction, edit.endsReconstruction { continue }
      let what = edit.erasesPlaces && block.mayHold.contains(.place) ? "a place" : "a date"
      throw FileError(.refused, "\(block.name) may tell \(what); \(remedy)", at: block.range.lowerBound)
    }
    if edit.erasesPlaces { try requireNoHiddenPlace() }
    if edit.erasesDates { try requireNoHiddenDate() }
  }

  /// Throws if data that aren't edited seem to contain a date.
  private func requireNoHiddenDate() throws(FileError) {
    if let block = layout.blocks.first(where: { $0.content == .wholeFile }) {
      throw FileError(.refused, "is \(type.name), whose dates can't be erased", at: block.range.lowerBound)
    }
    for (range, _) in uneditedXMP where XMPPacket.seemsToTellDate(in: try source.bytes(range)) {
      throw FileError(
        .refused, "has XMP that can't be edited and may tell dates; 'metatag clear --all' may erase it",
        at: range.lowerBound)
    }
    if let manifest = layout.manifests.first {
      throw FileError(
        .refused, "has a C2PA manifest, which tells dates; 'metatag clear --all' erases it", at: manifest.lowerBound)
    }
  }

  /// Throws if data that aren't edited seem to contain a location, or if a maker note's can't be erased.
  private func requireNoHiddenPlace() throws(FileError) {
    for block in exifBlocks {
      guard let field = MakerPlaces.field(in: block), try MakerPlaces.cleared(in: block) == nil else { continue }
      let remedy =
        isErasable ? "'metatag clear --all' erases it" : "have 'metatag clear --all' for a JPEG that is made of it"
      throw FileError(
        .refused, "\(field) in the maker's note names a place, which can't be erased by itself; \(remedy)",
        at: block.range.lowerBound)
    }
    for (range, remedy) in uneditedXMP where XMPProperty.seemToTellPlace(in: try source.bytes(range)) {
      throw FileError(.refused, "has XMP that tells a place and can't be edited; \(remedy)", at: range.lowerBound)
    }
    for range in layout.manifests {
      if range.count <= TIFFBlock.longestValue, !XMPProperty.seemToTellPlace(in: try source.bytes(range)) { continue }
      throw FileError(
        .refused, "has a C2PA manifest that may tell a place; 'metatag clear --all' erases it", at: range.lowerBound)
    }
  }

  /// Throws if data that can't be read, or aren't edited, may contain what is to be erased.
  func requireNothingUnread(for edit: MetadataEdit) throws(FileError) {
    let what = edit.erasesPlaces ? "a place" : "a date"
    for block in exifBlocks {
      // In a TIFF these tags are read in IFD0, and erased from its pages.
      let directories = isTIFF ? [block.exif].compactMap(\.self) : try TIFFReferences(of: block).directories
      for entry in directories.flatMap(\.entries) where try edit.isTold(by: entry, of: block) {
        throw FileError(
          .refused,
          "its EXIF has a tag that isn't read there (\(entry.tag)) and may tell \(what); 'metatag clear --all' erases it",
          at: entry.position)
      }
    }
    for block in layout.blocks where block.content == .trailer {
      guard try file.seemsToTell(from: block.range.lowerBound) else { continue }
      throw FileError(
        .refused, "what stands behind its end may tell \(what); 'metatag clear --all' erases it",
        at: block.range.lowerBound)
    }
    for range in layout.ranges(of: .iptc) {
      let bytes = try source.bytes(range)
      guard (try? IPTCData(bytes)) == nil, bytes.array.contains(where: { $0 != 0 }) else { continue }
      throw FileError(
        .refused, "has IPTC that can't be read and may tell \(what); 'metatag clear --all' erases it",
        at: range.lowerBound)
    }
  }

  /// Throws if a thumbnail contains what is to be erased. It is a picture of its own that may have its own metadata,
  /// which isn't edited here; programs that erase a photo's location often forget it.
  func requirePlainThumbnails(for edit: MetadataEdit) throws(FileError) {
    let remedy = isErasable ? "'metatag clear --all' erases it" : "remove it there first"
    let own = container.thumbnails(layout, source: file).map { ($0, "its thumbnail") }
    for (thumbnail, holder) in own + xmpPictures.map({ ($0, "a picture in its XMP") }) {
      guard let metadata = try? ImageSource(thumbnail, path: path).metadata() else {
        guard try thumbnail.seemsToBeginWithMetadata else { continue }
        let what = edit.erasesPlaces ? "a place" : "a date"
        throw FileError(
          .refused, "\(holder) has metadata that can't be read and may tell \(what); \(remedy)", at: thumbnail.base)
      }
      let holdsLocation = edit.erasesPlaces && metadata.holdsLocation
      guard holdsLocation || edit.erasesDates && metadata.holdsDate else { continue }
      let what = holdsLocation ? "a place" : "a date"
      throw FileError(.refused, "\(holder) tells \(what) of its own; \(remedy)", at: thumbnail.base)
    }
  }

  /// Pictures in XMP packets, including packets that aren't edited.
  private var xmpPictures: [Bytes] {
    let packets = layout.blocks.filter { $0.content == .xmp }
    return packets.compactMap { try? source.bytes($0.range) }.flatMap(XMPPacket.pictures)
  }

  /// Returns whether data outside the edited blocks, such as previews of a raw file, contain what `changes` erase.
  func reportsAlso(_ changes: BlockChanges) throws(FileError) -> Bool {
    guard type.isRaw else { return try !patch(changes).isEmpty }
    guard changes.mustReadAll else { return false }
    let pictures = try container.additionalPictures(layout, source: file)
    return try !JPEGFurtherImages.erasures(in: pictures, besides: nil, of: file, by: changes.erasing).isEmpty
  }
}

extension MetadataEdit {
  /// The facts that this edit erases.
  var erasedFacts: Block.Facts {
    var facts: Block.Facts = []
    if erasesPlaces { facts.insert(.place) }
    if erasesDates { facts.insert(.date) }
    return facts
  }

  /// Whether XMP, IPTC, Photoshop's resources or GeoTIFF tags in an EXIF directory seem to contain what this edit
  /// erases.
  fileprivate func isTold(by entry: TIFFEntry, of block: TIFFBlock) throws(FileError) -> Bool {
    guard let value = entry.value, !value.isEmpty else { return false }
    guard value.count <= TIFFBlock.longestValue else {
      return [TIFFTag.xmp, TIFFTag.iptc, TIFFTag.photoshop].contains(entry.tag)
    }
    switch entry.tag {
    case TIFFTag.xmp:
      let bytes = try block.bytes(value)
      return erasesPlaces && XMPProperty.seemToTellPlace(in: bytes)
        || erasesDates && XMPPacket.seemsToTellDate(in: bytes)
    case TIFFTag.iptc:
      guard let data = try? IPTCData(block.bytes(value)) else { return true }
      return try data.edited(by: self) != nil
    case TIFFTag.photoshop:
      guard let resources = try? PhotoshopResources(block.bytes(value)), !resources.holdsOthers else { return true }
      guard let iptc = resources.iptc else { return false }
      guard let data = try? IPTCData(block.bytes(value).bytes(iptc)) else { return true }
      return try data.edited(by: self) != nil
    case _ where TIFFContainer.geoTags.contains(entry.tag): return erasesPlaces
    default: return false
    }
  }
}
