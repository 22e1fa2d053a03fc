/// Edits: the blocks that an edit changes, and how.
extension ImageSource {
  /// Returns the changes by block. A block that can't be parsed stays unchanged; `metadata()` reports it.
  func changes(for edit: MetadataEdit) throws(FileError) -> BlockChanges {
    if edit.erasure != nil { return try erasing(edit) }
    try edit.requireRecordable()
    let edit = edit.addedKeywords.isEmpty ? edit : edit.addingKeywords(to: metadata())
    if edit.erasesPlaces || edit.erasesDates {
      let exif = exifBlocks
      try requireErasable(for: edit, exif)
      try requireNothingUnread(for: edit, exif)
      try requirePlainThumbnails(for: edit)
    }
    try requireFields(of: edit)
    var changes = BlockChanges()
    (changes.erasesPlaces, changes.erasesDates) = (edit.erasesPlaces, edit.erasesDates)
    changes.endsReconstruction = edit.endsReconstruction
    try changeAdditionalBlocks(by: edit, &changes)
    let isDated = try changeXMP(by: edit, &changes)
    if let data = layout.quickTime {
      try changeQuickTime(data, by: edit, isDated: isDated, &changes)
    } else if !hasOnlyXMP {
      try changeEXIF(by: edit, &changes)
    }
    changes.notes += try notes(on: edit, changes)
    changes.quickTime.times += try headerTimes(after: edit)
    try moveStamp(edit, &changes)
    try changeIPTC(by: edit, &changes)
    return changes
  }

  /// Throws if the edit contains fields for which the format has no place.
  private func requireFields(of edit: MetadataEdit) throws(FileError) {
    if layout.quickTime != nil, edit.needsEXIF {
      throw FileError(.fieldNotSupported, "is a movie, which has no EXIF: these fields can't be set in it")
    }
    if hasOnlyXMP, let tag = edit.tags.keys.map(\.key).min() {
      throw FileError(.fieldNotSupported, "is \(type.name), which has no EXIF: \(tag) can't be set in it")
    }
    if layout.quickTime != nil, edit.fields[.title] != nil {
      throw FileError(.fieldNotSupported, "is a movie, whose title can't be set")
    }
  }

  /// Changes the further copies of blocks, and notes the blocks that stay.
  private func changeAdditionalBlocks(by edit: MetadataEdit, _ changes: inout BlockChanges) throws(FileError) {
    for (index, range) in layout.additionalEXIF.enumerated() {
      guard let block = try? TIFFBlock(source, range) else { continue }
      var wanted = try EXIF.changes(for: edit, in: block)
      changes.notes += try setNote(of: block, for: edit, &wanted)
      if !wanted.isEmpty { changes.additionalEXIF[index] = wanted }
    }
    for (index, range) in layout.additionalXMP.enumerated() {
      guard let packet = try? XMPPacket(source.bytes(range)) else { continue }
      changes.additionalXMP[index] = try packet.edited(by: edit, adding: .nothing) { metadata().captureTime }
      changes.notes += packet.notes(onPlace: edit)
    }
    for (index, range) in layout.additionalIPTC.enumerated() {
      changes.additionalIPTC[index] = try (try? IPTCData(source.bytes(range)))?.edited(by: edit)
    }
    if edit.dates != .keep {
      changes.notes += layout.unedited(holding: .date).map {
        Note(.mayKeepDate, "\($0.name) may contain dates, and stays as it is")
      }
    }
  }

  /// Changes the XMP packet. Returns whether it contains a date.
  private func changeXMP(by edit: MetadataEdit, _ changes: inout BlockChanges) throws(FileError) -> Bool {
    guard let packet = try packet(for: edit) else { return false }
    let captured = { metadata().captureTime }
    changes.xmp =
      hasOnlyXMP ? try packet.recording(edit, captured: captured) : try packet.edited(by: edit, captured: captured)
    changes.notes += packet.notes(onKeywords: edit.fields[.keywords]) + (try packet.notes(onNames: edit))
    changes.notes += packet.notes(onTexts: edit.fields) + packet.notes(onPlace: edit)
    return packet.isDated
  }

  private func changeQuickTime(
    _ data: QuickTimeData, by edit: MetadataEdit, isDated: Bool, _ changes: inout BlockChanges
  ) throws(FileError) {
    changes.quickTime = try QuickTime(data, source).changes(for: edit, isDated: isDated)
    changes.dropsTimedPlaces = edit.dropsTimedPlaces && changes.mustReadAll
    guard changes.dropsTimedPlaces else { return }
    changes.notes += Set(data.timedPlaces).sorted().map {
      Note(.partsRemoved, "loses \($0) and everything that it recorded")
    }
  }

  private func changeEXIF(by edit: MetadataEdit, _ changes: inout BlockChanges) throws(FileError) {
    let block = try layout.exifBlock(of: source)
    changes.exif = try EXIF.changes(for: edit, in: block)
    guard let block else { return }
    changes.notes += [EXIF.windowsNotice(on: edit, in: block), EXIF.makerNotice(on: changes.exif, in: block)]
      .compactMap(\.self)
    changes.notes += try setNote(of: block, for: edit, &changes.exif)
  }

  private func changeIPTC(by edit: MetadataEdit, _ changes: inout BlockChanges) throws(FileError) {
    guard let data = try iptc(for: edit, &changes.notes) else { return }
    changes.iptc = try data.edited(by: edit)
    if let names = edit.wantedNames { changes.notes += IPTCTexts(names, in: data).notes }
    if let texts = data.texts(edit) { changes.notes += texts.notes }
  }

  /// Returns notes about what the edit removes, hides or keeps.
  private func notes(on edit: MetadataEdit, _ changes: BlockChanges) throws(FileError) -> [Note] {
    var notes: [Note] = []
    if edit.location.value?.coordinate.isNoFix == true {
      notes.append(Note(.noFixWritten, "0,0 usually means \"no fix\"; it will be treated as no location"))
    }
    notes += try lossNotices(edit, changes)
    if layout.blocks.contains(where: { $0.content == .sequence }), try adds(changes) {
      notes.append(
        Note(
          .hiddenFromOthers,
          "is an image sequence whose tracks don't refer to this metadata; some programs will not find it"))
    }
    if edit.erasesDates { notes += opaqueNotices }
    return notes
  }

  /// Notes about parts that stay when dates are erased, and that may contain dates.
  var opaqueNotices: [Note] {
    let notes = exifBlocks.compactMap { block -> String? in
      if MakerPlaces.nikonCaptureHasDate(in: block) { return "its maker note with IPTC dates of Nikon Capture" }
      // Adobe's converters put the maker note of the camera's raw file into DNGPrivateData.
      let hasNote =
        block.exif?[TIFFTag.makerNote] != nil || block.ifd0[TIFFTag.makerNote] != nil
        || block.ifd0[TIFFTag.dngPrivateData] != nil
      return hasNote ? "its maker note" : nil
    }
    return (notes.prefix(1) + layout.kept(holding: .date)).map {
      Note(.mayKeepDate, "\($0) stays and may contain dates", remedy: type.isRaw ? nil : .clearAll)
    }
  }

  /// Returns notes about descriptions of the old location that are removed when another one is set.
  private func lossNotices(_ edit: MetadataEdit, _ changes: BlockChanges) throws(FileError) -> [Note] {
    guard case .set = edit.location, !edit.erasesOldPlace else { return [] }
    let removed = changes.exif.tags[.gps]?.filter { $0.value == .remove } ?? [:]
    var lost = GPSTag.descriptions.filter { removed[$0.tag] != nil }.map(\.name)
    if let range = layout.xmp, let new = changes.xmp, let old = try? XMPPacket(source.bytes(range)) {
      let packet = try XMPPacket(Bytes(new))
      lost += GPSTag.descriptions.map(\.name).filter { name in
        !lost.contains(name) && old.own("exif:" + name) != nil && packet.own("exif:" + name) == nil
      }
    }
    return lost.isEmpty ? [] : [.removed(lost)]
  }

  /// Returns the splices that move the times in a picture's headers and in Canon's timed metadata with its date.
  private func headerTimes(after edit: MetadataEdit) throws(FileError) -> [Splice] {
    let stamps = layout.ranges(of: .canonTime)
    let headers = layout.headers
    guard edit.erasesDates || edit.dates != .keep, !headers.isEmpty || !stamps.isEmpty else { return [] }
    let captured = metadata().captureTime
    return try QuickTime(QuickTimeData(headers: headers), source).headerTimes(after: edit, from: captured)
      + CanonTimeStamp.splices(stamps, after: edit, from: captured, in: source)
  }

  /// Moves the time that a Samsung phone appended to the picture with its date.
  private func moveStamp(_ edit: MetadataEdit, _ changes: inout BlockChanges) throws(FileError) {
    guard edit.dates != .keep, let data = layout.ranges(of: .phoneData).first,
      let place = try SamsungTime.place(inBlockTo: data.upperBound, of: file)
    else { return }
    if !edit.dates.isPartial, let old = metadata().captureTime, let new = old.applying(edit.dates),
      let splice = try SamsungTime.moved(place, from: old, to: new, in: file)
    {
      if try file.bytes(place).array != splice.bytes { changes.stamps = [splice] }
    } else {
      changes.notes.append(
        Note(.dateKept, "keeps the time in its Samsung trailer (Image_UTC_Data), which differs from its date"))
    }
  }

  /// Returns the packet to edit. It is a new one if the edit needs XMP, or if the format has no other place for
  /// location and date.
  private func packet(for edit: MetadataEdit) throws(FileError) -> XMPPacket? {
    guard let range = layout.xmp else {
      if hasOnlyXMP { return try XMPPacket(Bytes(XMPPacket.roomy)) }
      return edit.needsXMP ? try XMPPacket(Bytes(XMPPacket.blank)) : nil
    }
    do throws(FileError) {
      return try XMPPacket(source.bytes(range))
    } catch {
      // Dates and locations can be in EXIF alone; names, titles and keywords can't.
      guard edit.wantedNames == nil, !edit.needsXMP, !hasOnlyXMP else { throw error }
      return nil
    }
  }

  /// Returns the IPTC data to edit. They are new if requested and possible in this format.
  private func iptc(for edit: MetadataEdit, _ notes: inout [Note]) throws(FileError) -> IPTCData? {
    if let range = layout.iptc { return try? IPTCData(source.bytes(range)) }
    guard edit.addsIPTC, let names = edit.wantedNames, !names.isEmpty else { return nil }
    guard container.addableBlocks.contains(.iptc) else {
      notes.append(Note(.textCut, "IPTC IIM can't be added to this format; XMP has the names"))
      return nil
    }
    return try IPTCData(Bytes([]))
  }

  /// Removes place names in a maker note if the location is erased, or if the photo moves and gets other names. Returns
  /// notes for the report.
  private func setNote(
    of block: TIFFBlock, for edit: MetadataEdit, _ changes: inout TIFFChanges
  ) throws(FileError) -> [Note] {
    guard edit.location != .keep, let field = MakerPlaces.field(in: block) else { return [] }
    let isMoved = edit.moves(metadata().location?.coordinate)
    guard edit.erasesPlaces || isMoved else { return [] }
    guard edit.erasesPlaces || edit.wantedNames != nil else {
      return [Note(.placeNamesKept, "keeps \(field) of the old location in the maker note", remedy: .replaceNames)]
    }
    guard let note = try MakerPlaces.cleared(in: block) else {
      return [Note(.placeNamesKept, "keeps \(field) of the old location in the maker note, which can't be changed")]
    }
    changes.set(TIFFTag.makerNote, in: .exif, to: note)
    return edit.erasesPlaces ? [] : [.removed(["\(field) in the maker note"])]
  }
}
