public import SystemPackage

/// A photo open for reading, modelled on Apple's CGImageSource: its type, recognized by content; its metadata; and the
/// splices for an edit. Reading never changes the file, and uses no C libraries except those for decompression (zlib,
/// brotli).
///
/// ```swift
/// let image = try ImageSource("/photos/IMG_1.jpg")
/// let metadata = image.metadata()
/// if let location = metadata.location { print(location.coordinate) }
/// ```
public struct ImageSource: Sendable {
  /// The path from which the photo was opened.
  public let path: FilePath
  /// The format of the content, whatever the file's name.
  public let type: ImageType
  /// The bytes to which the ranges in `layout` refer: the file, followed by its compressed data, unpacked.
  let source: any ByteSource
  /// The bytes of the file only.
  let file: any ByteSource
  let layout: Layout
  let container: any Container

  /// Opens a photo and locates its metadata.
  /// - Throws: `FileError`: `.io` when it can't be read, `.unsupported` when no format is recognized, `.truncated` or
  ///   `.malformed` with the offset when its structure is broken.
  public init(_ path: FilePath) throws(FileError) { try self.init(FileSource(path), path: path) }

  init(_ source: any ByteSource, path: FilePath) throws(FileError) {
    let isSidecar = path.extension?.lowercased() == "xmp"
    guard source.count > 0 else {
      throw FileError(.emptyFile, "the file is empty", at: 0, remedy: isSidecar ? .restoreSidecar : nil)
    }
    let head = try source.prefix(at: 0, count: FileSource.headCount)
    for container in containers {
      guard let type = container.type(of: head) else { continue }
      self.path = path
      self.container = container
      let layout = try container.layout(of: source)
      self.type = layout.type ?? type
      self.layout = layout
      self.source = layout.readable(source)
      file = source
      return
    }
    if isSidecar { throw FileError(.unknownFormat, "the file holds no XMP", at: 0, remedy: .restoreSidecar) }
    throw FileError(.unknownFormat, "not a supported photo or video", at: 0)
  }

  /// Whether the format can't hold EXIF. Place and time are then in XMP, which is created where it is missing.
  var hasOnlyXMP: Bool { container.addableBlocks == [.xmp] }

  /// Whether the whole file is one EXIF block.
  var isTIFF: Bool { layout.exif == 0..<file.count }

  /// Returns all recorded metadata about location, date and camera, with every copy. A block that can't be parsed is
  /// left out and named in `notes`.
  public func metadata() -> Metadata {
    var metadata = Metadata()
    metadata.notes = layout.notes
    if !layout.manifests.isEmpty {
      metadata.notes.append(Note(.manifest, "has a C2PA manifest, which any edit invalidates"))
    }
    if let name = path.lastComponent, let right = type.rightName(for: name) {
      metadata.notes.append(
        Note(.wrongExtension, "is \(type.name), not what its name says", remedy: .fixName(right.string)))
    }
    for case .unreadPlace(let reason) in layout.blocks.lazy.map(\.content) {
      metadata.unreadPlaces.append(Sourced(reason, .exif, tag: "GPSLatitude"))
    }
    do {
      if let block = try layout.exifBlock(of: source) { EXIF.read(block, into: &metadata) }
    } catch {
      metadata.notes.append(Note(.invalidBlock, "its EXIF block can't be parsed and stays as it is: \(error)"))
    }
    for range in layout.additionalEXIF {
      read(range, "second EXIF", into: &metadata) { range, metadata throws(FileError) in
        var additional = Metadata()
        EXIF.read(try TIFFBlock(source, range), into: &additional)
        metadata.addPlacesAndTimes(of: additional)
      }
    }
    if let orientation = layout.orientation { metadata.orientation = orientation }
    for range in layout.ranges(of: .xmp) {
      read(range, "XMP", into: &metadata) { range, metadata throws(FileError) in
        try XMPPacket(source.bytes(range)).read(into: &metadata)
      }
    }
    for range in readIPTC {
      read(range, "IPTC", into: &metadata) { range, metadata throws(FileError) in
        try IPTCData(source.bytes(range)).read(into: &metadata)
      }
    }
    if let data = layout.quickTime { QuickTime(data, source).read(into: &metadata) }
    if let stray = metadata.locations.first(where: { $0.value.coordinate.isNoFix }) {
      metadata.notes.append(Note(.noFixIgnored, "ignoring position 0,0 in \(stray.tag) (no GPS fix)"))
    }
    return metadata
  }

  /// The IPTC blocks to read. A TIFF's copy among Photoshop's resources is read only if its own tag can't be.
  private var readIPTC: [Range<Int>] {
    let all = layout.ranges(of: .iptc)
    guard isTIFF, all.count > 1 else { return all }
    return (try? IPTCData(source.bytes(all[0]))) == nil ? all : [all[0]]
  }

  /// Returns the splices that apply `edit` in every namespace that records the field; an empty patch if the values are
  /// there already.
  /// - Throws: `FileError`: `.tooLarge` when a block would exceed what the format can hold, `.refused` when the edit
  ///   could harm the photo or contains values that can't be recorded (control characters, out of range), `.malformed`
  ///   when the file's structure is broken.
  public func patch(for edit: MetadataEdit) throws(FileError) -> Patch {
    try patch(try changes(for: edit))
  }

  func patch(_ changes: BlockChanges) throws(FileError) -> Patch {
    changes.isEmpty && !changes.mustReadAll && !changes.erasesAll
      ? try Patch([], to: file.count, imageData: [])
      : try container.patch(changes, layout: layout, source: file)
  }

  /// Returns the changes of tags in the EXIF block.
  func tagChanges(_ changes: BlockChanges) throws(FileError) -> TIFFChanges {
    try container.tagChanges(changes, source: file)
  }

  /// Returns the changes by block. A block that can't be parsed stays unchanged; `metadata()` reports it.
  func changes(for edit: MetadataEdit) throws(FileError) -> BlockChanges {
    if edit.erasure != nil { return try erasing(edit) }
    try edit.requireRecordable()
    let edit = edit.addedKeywords.isEmpty ? edit : edit.addingKeywords(to: metadata())
    if edit.erasesPlaces || edit.erasesDates {
      try requireErasable(for: edit)
      try requireNothingUnread(for: edit)
      try requirePlainThumbnails(for: edit)
    }
    if layout.quickTime != nil, edit.needsEXIF {
      throw FileError(.fieldNotSupported, "is a movie, which has no EXIF: these fields can't be set in it")
    }
    if hasOnlyXMP, let tag = edit.tags.keys.map(\.key).min() {
      throw FileError(.fieldNotSupported, "is \(type.name), which has no EXIF: \(tag) can't be set in it")
    }
    if layout.quickTime != nil, edit.fields[.title] != nil {
      throw FileError(.fieldNotSupported, "is a movie: titles of movies have places of their own, which aren't set")
    }
    var changes = BlockChanges()
    var isDated = false
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
    (changes.erasesPlaces, changes.erasesDates) = (edit.erasesPlaces, edit.erasesDates)
    changes.endsReconstruction = edit.endsReconstruction
    if let packet = try packet(for: edit) {
      let captured = { metadata().captureTime }
      changes.xmp =
        hasOnlyXMP
        ? try packet.stating(edit, captured: captured) : try packet.edited(by: edit, captured: captured)
      isDated = packet.isDated
      changes.notes += packet.notes(onKeywords: edit.fields[.keywords]) + (try packet.notes(onNames: edit))
      changes.notes += packet.notes(onTexts: edit.fields) + packet.notes(onPlace: edit)
    }
    if let data = layout.quickTime {
      changes.quickTime = try QuickTime(data, source).changes(for: edit, isDated: isDated)
      changes.dropsTimedPlaces = edit.dropsTimedPlaces && changes.mustReadAll
      if changes.dropsTimedPlaces {
        changes.notes += Set(data.timedPlaces).sorted().map {
          Note(.partsRemoved, "loses \($0), with all that it recorded")
        }
      }
    } else if !hasOnlyXMP {
      let block = try layout.exifBlock(of: source)
      changes.exif = try EXIF.changes(for: edit, in: block)
      if let block, let note = EXIF.windowsNotice(on: edit, in: block) { changes.notes.append(note) }
      if let block, let note = EXIF.makerNotice(on: changes.exif, in: block) { changes.notes.append(note) }
      if let block { changes.notes += try setNote(of: block, for: edit, &changes.exif) }
    }
    if edit.location.value?.coordinate.isNoFix == true {
      changes.notes.append(
        Note(.noFixWritten, "0,0 usually means \"no fix\"; it will be treated as no location"))
    }
    changes.notes += try lossNotices(edit, changes)
    if layout.blocks.contains(where: { $0.content == .sequence }), try adds(changes) {
      changes.notes.append(
        Note(
          .hiddenFromOthers,
          "is a sequence whose tracks don't refer to this metadata; programs that look only there don't find it"))
    }
    if edit.erasesDates { changes.notes += opaqueNotices }
    changes.quickTime.times += try headerTimes(after: edit)
    try moveStamp(edit, &changes)
    if let data = try iptc(for: edit, &changes.notes) {
      changes.iptc = try data.edited(by: edit)
      if let names = edit.wantedNames { changes.notes += IPTCTexts(names, in: data).notes }
      if let texts = data.texts(edit) { changes.notes += texts.notes }
    }
    return changes
  }

  /// Notes about parts that stay when dates are erased, and that may contain dates.
  var opaqueNotices: [Note] {
    let notes = exifBlocks.compactMap { block -> String? in
      if MakerPlaces.nikonCaptureHasDate(in: block) { return "its maker note with IPTC dates of Nikon Capture's" }
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
        Note(.dateKept, "keeps the time that its phone appended (Image_UTC_Data), which is not that of its date"))
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
      return [Note(.placeNamesKept, "keeps \(field) of the old place in the maker note", remedy: .replaceNames)]
    }
    guard let note = try MakerPlaces.cleared(in: block) else {
      return [Note(.placeNamesKept, "keeps \(field) of the old place in the maker note, which can't be changed")]
    }
    changes.set(TIFFTag.makerNote, in: .exif, to: note)
    return edit.erasesPlaces ? [] : [.removed(["\(field) in the maker note"])]
  }

  private func read(
    _ range: Range<Int>?, _ name: String, into metadata: inout Metadata,
    by body: (Range<Int>, inout Metadata) throws(FileError) -> Void
  ) {
    guard let range else { return }
    do { try body(range, &metadata) } catch {
      metadata.notes.append(Note(.invalidBlock, "its \(name) block can't be parsed and stays as it is: \(error)"))
    }
  }
}

/// The properties of a photo apart from date and location, modelled on CGImageSourceCopyPropertiesAtIndex.
public struct ImageProperties: Hashable, Sendable {
  /// The format of the content, whatever the file's name.
  public let type: ImageType
  /// The size of the main image; nil if its container doesn't record it.
  public let pixelSize: PixelSize?
  /// The EXIF orientation, 1…8; nil if none is recorded.
  public let orientation: Int?
}

extension ImageSource {
  /// The photo's properties, without decoding its pixels.
  public var properties: ImageProperties {
    ImageProperties(type: type, pixelSize: layout.pixelSize, orientation: metadata().orientation)
  }
}

extension ImageSource {
  /// The identifier that the two halves of a Live Photo share, and no other files: from Apple's maker note in the
  /// still, and from the key `com.apple.quicktime.content.identifier` in the movie.
  var contentIdentifier: String? {
    if let data = layout.quickTime {
      return QuickTime(data, source).text(.key("com.apple.quicktime.content.identifier"))
    }
    guard let block = try? layout.exifBlock(of: source), let entry = block.directory(.exif)?[0x927C],
      let note = block.raw(entry)
    else { return nil }
    return AppleMakerNote.contentIdentifier(in: note)
  }
}

extension ImageType {
  /// Whether the type is a movie.
  var isMovie: Bool { [.mov, .mp4, .m4v, .threeGP].contains(self) }
}
