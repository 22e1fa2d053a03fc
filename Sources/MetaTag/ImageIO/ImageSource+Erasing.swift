extension ImageSource {
  /// Whether all metadata can be removed.
  var isErasable: Bool { container.removesAll(from: layout) }

  /// Returns the block changes that remove all metadata but those to be kept.
  /// - Throws: `.refused` for formats in which not everything can be removed.
  func erasing(_ wanted: MetadataEdit) throws(FileError) -> BlockChanges {
    if type == .xmp { throw FileError(.refused, "is nothing but what is to go: move it away, or remove it") }
    guard isErasable else {
      guard let kind = type.rawName else { throw FileError.isReadOnly(type) }
      let other =
        layout.isReadOnly ? "" : ", or here, apart from these: 'metatag clear --location --date --raw in-place'"
      throw FileError(
        .refused,
        "is \(kind), whose maker's notes converters need and nobody can take apart: have 'metatag clear --all' for a JPEG "
          + "that is made of it\(other)")
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
      changes.xmp = try XMPPacket(Bytes(XMPPacket.blank)).stating(edit)
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
      changes.notes.append("EXIF said that its colours are Adobe RGB; without a profile they will look paler")
    }
    return changes
  }
}

extension QuickTimeData {
  /// Notes about tracks that are removed because they are neither picture nor sound.
  fileprivate var additionalErased: [String] {
    let kinds = Dictionary(grouping: additional) { $0 }.map { ($0, $1.count) }.sorted { $0 < $1 }
    let words = kinds.map { kind, count in count == 1 ? "a track of \(kind)" : "\(count) tracks of \(kind)" }
    return words.isEmpty ? [] : ["loses " + words.joined(separator: " and ")]
  }
}
