extension EXIF {
  /// The tags that must change so that the block says what `edit` asks for. What it says already stays untouched.
  ///
  /// - Throws: `refused` when a moved date leaves the years 0…9999.
  static func changes(for edit: MetadataEdit, in block: TIFFBlock?) throws(PhotoError) -> TIFFChanges {
    var changes = TIFFChanges()
    switch edit.dates {
    case .keep: break
    case .set(let time):
      for tags in [DateTags.original, .digitized] { set(tags, to: time, in: block, &changes) }
    case .adjust(let shift, let offset):
      for tags in [DateTags.original, .digitized] { try adjust(tags, by: shift, offset, in: block, &changes) }
    }
    raiseVersion(in: block, &changes)
    switch edit.location {
    case .keep: break
    case .set(let location):
      setLocation(location, keepsCompanions: edit.keepsCompanions, in: block, &changes)
    case .remove:
      changes.removesGPS = block.map(hasGPS) ?? false
    }
    return changes
  }

  private static func set(
    _ tags: DateTags, to time: CaptureTime, in block: TIFFBlock?, _ changes: inout TIFFChanges
  ) {
    let old = block.map { date(tags, of: $0) } ?? .absent
    put(time.civil, tags, replacing: old, &changes)
    if let fraction = time.fraction {
      put(.ascii(fraction.digits), tags.fraction, unless: old.time?.fraction == fraction, &changes)
    } else if block?.exif?[tags.fraction] != nil {
      changes.remove(tags.fraction, in: .exif)
    }
    if let offset = time.offset {
      put(.ascii("\(offset)"), tags.offset, unless: old.time?.offset == offset, &changes)
    }
  }

  private static func adjust(
    _ tags: DateTags, by shift: CalendarShift, _ offset: Change<UTCOffset>, in block: TIFFBlock?,
    _ changes: inout TIFFChanges
  ) throws(PhotoError) {
    guard let block, case .time(let old) = date(tags, of: block) else { return }
    guard let new = old.adding(shift) else {
      throw PhotoError(.refused, "\(tags.name) would leave the years 0 to 9999, which EXIF can't write")
    }
    put(new.civil, tags, replacing: .time(old), &changes)
    if let fraction = new.fraction {
      put(.ascii(fraction.digits), tags.fraction, unless: old.fraction == fraction, &changes)
    }
    switch offset {
    case .keep: break
    case .set(let offset): put(.ascii("\(offset)"), tags.offset, unless: old.offset == offset, &changes)
    case .remove: if block.exif?[tags.offset] != nil { changes.remove(tags.offset, in: .exif) }
    }
  }

  private static func put(
    _ civil: CivilTime, _ tags: DateTags, replacing old: DateReading, _ changes: inout TIFFChanges
  ) {
    put(.ascii(civil.exifText), tags.date, unless: old.time?.civil == civil, &changes)
  }

  private static func put(_ value: TIFFValue, _ tag: UInt16, unless same: Bool, _ changes: inout TIFFChanges) {
    if !same { changes.set(tag, in: .exif, to: value) }
  }

  /// Offsets from UTC came with EXIF 2.31: a block that says it is older would be wrong.
  private static func raiseVersion(in block: TIFFBlock?, _ changes: inout TIFFChanges) {
    let written = changes.tags[.exif] ?? [:]
    let offsets = [Tag.offsetTimeOriginal, Tag.offsetTimeDigitized]
    guard offsets.contains(where: { written[$0].map { $0 != .remove } ?? false }),
      let version = block?.text(of: Tag.exifVersion, in: .exif), version.utf8.count == 4, version < "0231"
    else { return }
    changes.set(Tag.exifVersion, in: .exif, to: .undefined(Array("0231".utf8)))
  }

  /// Whether any directory of the block's chain has a GPS directory that says something.
  private static func hasGPS(_ block: TIFFBlock) -> Bool {
    if block.gps?.entries.isEmpty == false { return true }
    return ((try? TIFFReferences(of: block).directories) ?? [block.main]).contains { directory in
      directory[TIFFTag.gpsIFD].flatMap(block.directory(of:)).map { !$0.entries.isEmpty } ?? false
    }
  }
}

extension EXIF.DateReading {
  /// The date, if there is one.
  var time: CaptureTime? { if case .time(let time) = self { time } else { nil } }
}
