/// The checks before erasing: data that aren't read or can't be edited, and that may contain what is to be erased.
extension ImageSource {
  /// Descriptions of data that may contain dates and aren't read: `its second block of IPTC`.
  var unreadDates: [String] {
    var holders = layout.unedited.map(\.holder) + (layout.hiddenDate.map { [$0.holder] } ?? [])
    let isXMPUnread = uneditedXMP.contains { range in
      (try? source.bytes(range)).map(XMPPacket.seemsToTellDate) ?? true
    }
    if isXMPUnread { holders.append("XMP that isn't read") }
    let isIPTCUnread = layout.iptc.map { (try? IPTCData(source.bytes($0))) == nil } ?? false
    if isIPTCUnread { holders.append("IPTC that can't be read") }
    let blocks = (layout.exif.map { [$0] } ?? []) + layout.additionalEXIF
    if blocks.contains(where: { (try? TIFFBlock(source, $0)) == nil }) { holders.append("EXIF that can't be read") }
    return holders
  }

  /// Returns whether the edit adds a metadata block that the file lacks.
  func adds(_ changes: BlockChanges) throws(FileError) -> Bool {
    if layout.xmp == nil, changes.xmp != nil { return true }
    guard layout.exif == nil else { return false }
    return try changes.exif.newBlock() != nil
  }

  /// XMP that no edit changes: packets that are left aside, packets that can't be read, and data after a packet's end
  /// in its block.
  private var uneditedXMP: [Range<Int>] {
    let packets = (layout.xmp.map { [$0] } ?? []) + layout.additionalXMP
    return layout.unreadXMP
      + packets.compactMap { range in
        guard let packet = try? XMPPacket(source.bytes(range)) else { return range }
        return packet.strayText.map { range.lowerBound + $0..<range.upperBound }
      }
  }

  /// Throws if data that aren't edited seem to contain a date.
  func requireNoHiddenDate() throws(FileError) {
    if let hidden = layout.hiddenDate {
      throw FileError(
        .notErasable, "has \(hidden.holder), which may contain dates and can't be erased", at: hidden.offset,
        remedy: .clearDateOfCopy)
    }
    for range in uneditedXMP where XMPPacket.seemsToTellDate(in: try source.bytes(range)) {
      throw FileError(
        .notErasable, "has XMP that can't be edited and may contain dates", at: range.lowerBound, remedy: .clearAll)
    }
  }

  /// Throws if a location can't be erased everywhere. Otherwise the user would believe that it is gone.
  func requireNoHiddenPlace() throws(FileError) {
    if let hidden = layout.hiddenPlace {
      throw FileError(
        .notErasable, "\(hidden.holder) record a place, which can't be erased by itself", at: hidden.offset,
        remedy: .clearAll)
    }
    for block in exifBlocks {
      guard let field = MakerPlaces.field(in: block), try MakerPlaces.cleared(in: block) == nil else { continue }
      throw FileError(
        .notErasable, "\(field) in the maker note names a place, which can't be erased by itself",
        at: block.range.lowerBound, remedy: isErasable ? .clearAll : .clearAllOfCopy())
    }
    for range in uneditedXMP where XMPProperty.seemToTellPlace(in: try source.bytes(range)) {
      throw FileError(
        .notErasable, "has XMP that contains a place and can't be edited", at: range.lowerBound,
        remedy: type == .jpeg ? .clearAll : .removeFirst)
    }
    for range in layout.manifests {
      if range.count <= TIFFBlock.longestValue, !XMPProperty.seemToTellPlace(in: try source.bytes(range)) { continue }
      throw FileError(
        .notErasable, "has a C2PA manifest that may contain a place", at: range.lowerBound, remedy: .clearAll)
    }
  }

  /// Throws if data that can't be read, or aren't edited, may contain what is to be erased.
  func requireNothingUnread(for edit: MetadataEdit) throws(FileError) {
    let what = edit.erasesPlaces ? "a place" : "a date"
    for unedited in layout.unedited where !edit.endsReconstruction || !unedited.isReconstruction {
      guard let remedy = unedited.remedy else { continue }
      throw FileError(
        unedited.isReconstruction ? .losesReconstruction : .notErasable, "\(unedited.holder) may contain \(what)",
        at: unedited.offset, remedy: remedy)
    }
    for block in exifBlocks {
      // In a TIFF these tags are read in IFD0, and erased from its pages.
      let directories = type.isTIFFBased ? [block.exif].compactMap(\.self) : try TIFFReferences(of: block).directories
      for entry in directories.flatMap(\.entries) where try edit.isTold(by: entry, of: block) {
        throw FileError(
          .notErasable, "its EXIF has a tag that isn't read there (\(entry.tag)) and may contain \(what)",
          at: entry.position, remedy: .clearAll)
      }
    }
    if let end = layout.trailer, try file.seemsToTell(from: end) {
      throw FileError(.notErasable, "data behind its end may contain \(what)", at: end, remedy: .clearAll)
    }
    for range in (layout.iptc.map { [$0] } ?? []) + layout.additionalIPTC {
      let bytes = try source.bytes(range)
      guard (try? IPTCData(bytes)) == nil, bytes.array.contains(where: { $0 != 0 }) else { continue }
      throw FileError(
        .notErasable, "has IPTC that can't be read and may contain \(what)", at: range.lowerBound, remedy: .clearAll)
    }
  }

  /// Throws if a thumbnail contains what is to be erased. It is a picture of its own that may have its own metadata,
  /// which isn't edited here; programs that erase a photo's location often forget it.
  func requirePlainThumbnails(for edit: MetadataEdit) throws(FileError) {
    let remedy: Remedy = isErasable ? .clearAll : .removeFirst
    let own = thumbnails.map { ($0, "its thumbnail") }
    for (thumbnail, holder) in own + xmpPictures.map({ ($0, "a picture in its XMP") }) {
      guard let metadata = try? ImageSource(thumbnail, path: path).metadata() else {
        guard try thumbnail.seemsToBeginWithMetadata else { continue }
        let what = edit.erasesPlaces ? "a place" : "a date"
        throw FileError(
          .notErasable, "\(holder) has metadata that can't be read and may contain \(what)", at: thumbnail.base,
          remedy: remedy)
      }
      let holdsLocation = edit.erasesPlaces && metadata.holdsLocation
      guard holdsLocation || edit.erasesDates && metadata.holdsDate else { continue }
      let what = holdsLocation ? "a place" : "a date"
      throw FileError(.notErasable, "\(holder) contains \(what) of its own", at: thumbnail.base, remedy: remedy)
    }
  }

  /// Pictures in XMP packets, including packets that aren't edited.
  private var xmpPictures: [Bytes] {
    let packets = (layout.xmp.map { [$0] } ?? []) + layout.additionalXMP + layout.unreadXMP
    return packets.compactMap { try? source.bytes($0) }.flatMap(XMPPacket.pictures)
  }

  /// Returns whether data outside the edited blocks, such as previews of a raw file, contain what `changes` erase.
  func reportsAlso(_ changes: BlockChanges) throws(FileError) -> Bool {
    guard layout.rawKind != nil else { return try !patch(changes).isEmpty }
    guard changes.mustReadAll else { return false }
    return try !TIFFContainer.erasures(in: rawJPEGs, besides: nil, of: file, by: changes.erasing).isEmpty
  }

  /// The thumbnails in EXIF and in Photoshop's resources. Previews of raw files are edited with the file, and the pages
  /// of a TIFF are checked elsewhere.
  private var thumbnails: [Bytes] {
    guard layout.rawKind == nil else { return [] }
    if type.isTIFFBased {
      guard let block = try? TIFFBlock(source, 0..<source.count),
        let resources = TIFFContainer.resources(of: block)?.resources
      else { return [] }
      return resources.thumbnails
    }
    let own = exifBlocks.compactMap { block in block.thumbnail.flatMap { try? block.bytes($0) } }
    guard type == .jpeg, let segments = try? JPEGSegments(of: file),
      let resources = try? JPEGPhotoshop(segments, file)?.resources
    else { return own }
    return own + resources.thumbnails
  }
}

extension MetadataEdit {
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
