/// Erasing of everything, and checks for what could stay behind.
extension ImageSource {
  /// Whether all metadata can be removed.
  var isErasable: Bool { container.removesAll(from: layout) }

  /// Returns the block changes that remove all metadata but those to be kept.
  /// - Throws: `.refused` for formats in which not everything can be removed.
  func erasing(_ wanted: MetadataEdit) throws(FileError) -> BlockChanges {
    if type == .xmp { throw FileError(.onlyMetadata, "contains only the metadata to erase", remedy: .moveAway(nil)) }
    guard isErasable else {
      guard let kind = type.rawName else { throw FileError.isReadOnly(type, erasing: true) }
      throw FileError(
        .notErasable, "is \(kind), whose maker notes are needed by raw converters and can't be edited",
        remedy: .clearAllOfCopy(orFields: !layout.isReadOnly))
    }
    var edit = MetadataEdit()
    if wanted.erasure?.keepsDate == true {
      let metadata = metadata()
      edit.dates =
        metadata.captureTime.map { .set($0) } ?? metadata.partialDates.first.map { .setPartial($0.value) } ?? .keep
    }
    var changes = BlockChanges()
    changes.erasesAll = true
    changes.endsReconstruction = wanted.endsReconstruction
    if hasOnlyXMP, edit.dates != .keep {
      changes.xmp = try XMPPacket(Bytes(XMPPacket.blank)).recording(edit)
    }
    if let data = layout.quickTime {
      changes.quickTime = try QuickTime(data.bare, source).changes(for: edit)
      changes.quickTime.keepsTimes = edit.dates != .keep
      changes.notes += data.additionalErased
      return changes
    }
    changes.exif = try EXIF.changes(for: edit, in: nil)
    changes.exif.replacesAll = true
    // A block that can't be read is removed completely, like all others.
    let block = try? layout.exifBlock(of: source)
    for (tag, ifd) in [(TIFFTag.orientation, IFD.ifd0), (TIFFTag.colorSpace, .exif)] {
      guard let value = block?.integer(of: tag, in: ifd) else { continue }
      changes.exif.set(tag, in: ifd, to: .short([UInt16(clamping: value)]))
    }
    changes.notes = container.removalNotes(layout, source: file)
    let interoperability = block?.exif?[TIFFTag.interoperabilityIFD].flatMap { block?.directory(of: $0) }
    if let rule = interoperability?[1].flatMap({ block?.raw($0) }), rule.has(Array("R03".utf8)) {
      changes.notes.append(
        Note(.coloursChanged, "only its EXIF declares the colour space Adobe RGB; without it, colours look paler"))
    }
    return changes
  }
}

extension QuickTimeData {
  /// Notes about tracks that are removed because they are neither picture nor sound.
  fileprivate var additionalErased: [Note] {
    let kinds = Dictionary(grouping: additional) { $0 }.map { ($0, $1.count) }.sorted { $0 < $1 }
    let words = kinds.map { kind, count in count == 1 ? "a track of \(kind)" : "\(count) tracks of \(kind)" }
    return words.isEmpty ? [] : [Note(.partsRemoved, "loses " + words.joined(separator: " and "))]
  }
}

/// The checks before erasing: data that aren't read or can't be edited, and that may contain what is to be erased.
extension ImageSource {
  /// Descriptions of data that may contain dates and aren't read: `its second block of IPTC`.
  var unreadDates: [String] {
    var holders = layout.unedited(holding: .date).map(\.name)
    let isXMPUnread = uneditedXMP.contains { range, _ in
      (try? source.bytes(range)).map(XMPPacket.mayContainDate) ?? true
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
  private var uneditedXMP: [(range: Range<Int>, remedy: Remedy)] {
    let remedy: Remedy = isErasable ? .clearAll : .removeFirst
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
  /// - Parameter exif: The file's EXIF blocks.
  func requireErasable(for edit: MetadataEdit, _ exif: [TIFFBlock]) throws(FileError) {
    for block in layout.unedited(holding: edit.erasedFacts) {
      guard case .opaque(let remedy) = block.access else { continue }
      if block.content == .reconstruction, edit.endsReconstruction { continue }
      let what = edit.erasesPlaces && block.mayHold.contains(.place) ? "a location" : "a date"
      let code: FileError.Code = block.content == .reconstruction ? .losesReconstruction : .notErasable
      throw FileError(code, "\(block.name) may contain \(what)", at: block.range.lowerBound, remedy: remedy)
    }
    if edit.erasesPlaces { try requireNoHiddenPlace(exif) }
    if edit.erasesDates { try requireNoHiddenDate() }
  }

  /// Throws if data that aren't edited seem to contain a date.
  private func requireNoHiddenDate() throws(FileError) {
    if layout.blocks.contains(where: { $0.content == .wholeFile }) { throw FileError.isReadOnly(type, erasing: true) }
    for (range, _) in uneditedXMP where XMPPacket.mayContainDate(in: try source.bytes(range)) {
      throw FileError(
        .notErasable, "has XMP that can't be edited and may contain dates", at: range.lowerBound, remedy: .clearAll)
    }
    if let manifest = layout.manifests.first {
      throw FileError(
        .notErasable, "has a C2PA manifest, which contains dates", at: manifest.lowerBound, remedy: .clearAll)
    }
  }

  /// Throws if data that aren't edited seem to contain a location, or if a maker note's can't be erased.
  private func requireNoHiddenPlace(_ exif: [TIFFBlock]) throws(FileError) {
    for block in exif {
      guard let field = MakerPlaces.field(in: block), try MakerPlaces.cleared(in: block) == nil else { continue }
      throw FileError(
        .notErasable, "\(field) in the maker note contains a place name, which can't be erased separately",
        at: block.range.lowerBound, remedy: isErasable ? .clearAll : .clearAllOfCopy())
    }
    for (range, remedy) in uneditedXMP where XMPProperty.mayContainPlace(in: try source.bytes(range)) {
      throw FileError(
        .notErasable, "has XMP that contains a location and can't be edited", at: range.lowerBound, remedy: remedy)
    }
    for range in layout.manifests {
      if range.count <= TIFFBlock.longestValue, !XMPProperty.mayContainPlace(in: try source.bytes(range)) { continue }
      throw FileError(
        .notErasable, "has a C2PA manifest that may contain a location", at: range.lowerBound, remedy: .clearAll)
    }
  }

  /// Throws if data that can't be read, or aren't edited, may contain what is to be erased.
  /// - Parameter exif: The file's EXIF blocks.
  func requireNothingUnread(for edit: MetadataEdit, _ exif: [TIFFBlock]) throws(FileError) {
    let what = edit.erasesPlaces ? "a location" : "a date"
    for block in exif {
      // In a TIFF these tags are read in IFD0, and erased from its pages.
      let directories = isTIFF ? [block.exif].compactMap(\.self) : try TIFFReferences(of: block).directories
      for entry in directories.flatMap(\.entries) where try edit.concerns(entry, of: block) {
        throw FileError(
          .notErasable, "its EXIF has the tag \(entry.tag) in an unexpected directory, which may contain \(what)",
          at: entry.position, remedy: .clearAll)
      }
    }
    for block in layout.blocks where block.content == .trailer {
      guard try file.mayContainMetadata(from: block.range.lowerBound) else { continue }
      throw FileError(
        .notErasable, "data after its end may contain \(what)", at: block.range.lowerBound, remedy: .clearAll)
    }
    for range in layout.ranges(of: .iptc) {
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
    let own = container.thumbnails(layout, source: file).map { ($0, "its thumbnail") }
    for (thumbnail, holder) in own + xmpPictures.map({ ($0, "a picture in its XMP") }) {
      guard let metadata = try? ImageSource(thumbnail, path: path).metadata() else {
        guard try thumbnail.seemsToBeginWithMetadata else { continue }
        let what = edit.erasesPlaces ? "a location" : "a date"
        throw FileError(
          .notErasable, "\(holder) has metadata that can't be read and may contain \(what)", at: thumbnail.base,
          remedy: remedy)
      }
      let holdsLocation = edit.erasesPlaces && metadata.holdsLocation
      guard holdsLocation || edit.erasesDates && metadata.holdsDate else { continue }
      let what = holdsLocation ? "location" : "date"
      throw FileError(.notErasable, "\(holder) contains its own \(what)", at: thumbnail.base, remedy: remedy)
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
  fileprivate func concerns(_ entry: TIFFEntry, of block: TIFFBlock) throws(FileError) -> Bool {
    guard let value = entry.value, !value.isEmpty else { return false }
    guard value.count <= TIFFBlock.longestValue else {
      return [TIFFTag.xmp, TIFFTag.iptc, TIFFTag.photoshop].contains(entry.tag)
    }
    switch entry.tag {
    case TIFFTag.xmp:
      let bytes = try block.bytes(value)
      return erasesPlaces && XMPProperty.mayContainPlace(in: bytes)
        || erasesDates && XMPPacket.mayContainDate(in: bytes)
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
