/// Changes of the dates in an EXIF block.
extension EXIF {
  /// Returns the tags that must change so that the block has the dates of `edit`. Tags with the right value stay
  /// untouched.
  ///
  /// - Throws: `refused` when a moved date leaves the years 0…9999.
  package static func changes(for edit: MetadataEdit, in block: TIFFBlock?) throws(FileError) -> TIFFChanges {
    var changes = TIFFChanges()
    switch edit.dates {
    case .keep: break
    case .set(let time, _):
      for tags in dateTags(of: block) { set(tags, to: time, by: edit.dates, in: block, &changes) }
    case .setPartial(let date):
      for tags in dateTags(of: block) where !tags.isDigitized {
        set(tags, to: date, in: block, &changes)
      }
    case .adjust(let shift, let offset):
      for tags in dateTags(of: block) { try adjust(tags, by: shift, offset, in: block, &changes) }
      moveModified(by: edit.dates, in: block, &changes)
    }
    if edit.erasesDates, let block { eraseDates(in: block, &changes) }
    setFields(edit, in: block, &changes)
    raiseVersion(in: block, &changes)
    switch edit.location {
    case .keep: break
    case .set(let location):
      setLocation(location, keepsCompanions: edit.keepsCompanions, in: block, &changes)
      if edit.erasesPlaces, let gps = block?.gps {
        for tag in GPSTag.destination.all where gps[tag] != nil { changes.remove(tag, in: .gps) }
      }
    case .remove:
      changes.removesGPS = block.map(hasGPS) ?? false
    }
    return changes
  }

  /// The date tags that every block needs, and the optional ones that this block has.
  private static func dateTags(of block: TIFFBlock?) -> [DateTags] {
    [.original, .digitized] + [.originalInMain, .digitizedInMain].filter { block?.ifd0[$0.date] != nil }
  }

  private static func set(
    _ tags: DateTags, to time: CaptureTime, by change: DateChange, in block: TIFFBlock?, _ changes: inout TIFFChanges
  ) {
    let old = block.map { date(tags, of: $0) } ?? .absent
    // A date that is equal but written in a wrong form is rewritten.
    let isWritten = block?.text(of: tags.date, in: tags.ifd) == time.civil.exifText
    if !isWritten { changes.set(tags.date, in: tags.ifd, to: .ascii(time.civil.exifText)) }
    if let fraction = time.fraction {
      put(.ascii(fraction.digits), tags.fraction, unless: old.time?.fraction == fraction, &changes)
    } else if block?.exif?[tags.fraction] != nil {
      changes.remove(tags.fraction, in: .exif)
    }
    if let offset = time.offset {
      put(.ascii("\(offset)"), tags.offset, unless: old.time?.offset == offset, &changes)
    } else if let old = old.time, change.replacesOffset(of: old), block?.exif?[tags.offset] != nil {
      changes.remove(tags.offset, in: .exif)
    }
  }

  private static func set(
    _ tags: DateTags, to date: PartialDate, in block: TIFFBlock?, _ changes: inout TIFFChanges
  ) {
    if !date.isWritten(block?.text(of: tags.date, in: tags.ifd)) {
      changes.set(tags.date, in: tags.ifd, to: .ascii(date.exifText))
    }
    for tag in [tags.fraction, tags.offset] where block?.exif?[tag] != nil { changes.remove(tag, in: .exif) }
  }

  private static func adjust(
    _ tags: DateTags, by shift: CalendarShift, _ offset: Change<UTCOffset>, in block: TIFFBlock?,
    _ changes: inout TIFFChanges
  ) throws(FileError) {
    guard let block else { return }
    if case .partial(let old) = date(tags, of: block) {
      guard let new = shift.moving(old) else { throw outOfRange(tags) }
      if new != old || !new.isWritten(block.text(of: tags.date, in: tags.ifd)) {
        set(tags, to: new, in: block, &changes)
      }
    }
    guard case .time(let old) = date(tags, of: block) else { return }
    guard let new = old.adding(shift) else { throw outOfRange(tags) }
    // A date that is equal but written in a wrong form is rewritten.
    if block.text(of: tags.date, in: tags.ifd) != new.civil.exifText {
      changes.set(tags.date, in: tags.ifd, to: .ascii(new.civil.exifText))
    }
    if let fraction = new.fraction {
      put(.ascii(fraction.digits), tags.fraction, unless: old.fraction == fraction, &changes)
    }
    switch offset {
    case .keep: break
    case .set(let offset): put(.ascii("\(offset)"), tags.offset, unless: old.offset == offset, &changes)
    case .remove: if block.exif?[tags.offset] != nil { changes.remove(tags.offset, in: .exif) }
    }
  }

  /// Moves the date of the file's last change if the camera wrote it together with the picture.
  private static func moveModified(by change: DateChange, in block: TIFFBlock?, _ changes: inout TIFFChanges) {
    guard let block, let old = date(.modified, of: block).time, let taken = date(.original, of: block).time else {
      return
    }
    let new = old.movedAsModified(beside: taken, by: change)
    guard new != old else { return }
    changes.set(DateTags.modified.date, in: .ifd0, to: .ascii(new.civil.exifText))
    if let fraction = new.fraction {
      put(.ascii(fraction.digits), DateTags.modified.fraction, unless: old.fraction == fraction, &changes)
    }
    guard new.offset != old.offset else { return }
    if let offset = new.offset {
      changes.set(DateTags.modified.offset, in: .exif, to: .ascii("\(offset)"))
    } else {
      changes.remove(DateTags.modified.offset, in: .exif)
    }
  }

  private static func outOfRange(_ tags: DateTags) -> FileError {
    FileError(.dateOutOfRange, "\(tags.name) would be outside the years 0 to 9999")
  }

  private static func put(_ value: TIFFValue, _ tag: UInt16, unless same: Bool, _ changes: inout TIFFChanges) {
    if !same { changes.set(tag, in: .exif, to: value) }
  }

  /// Erases every tag that records when the picture was taken, digitized or changed, or when its position was fixed.
  private static func eraseDates(in block: TIFFBlock, _ changes: inout TIFFChanges) {
    let dates: [(IFD, [UInt16])] = [
      (
        .ifd0, [TIFFTag.dateTime, DateTags.originalInMain.date, DateTags.digitizedInMain.date, TIFFTag.previewDateTime]
      ),
      (
        .exif,
        [DateTags.original, .digitized].flatMap { [$0.date, $0.fraction, $0.offset] }
          + [TIFFTag.offsetTime, TIFFTag.subSecTime, TIFFTag.dateTime, TIFFTag.imageHistory]
      ),
      (.gps, [GPSTag.timeStamp, GPSTag.dateStamp]),
    ]
    for (ifd, tags) in dates {
      for tag in tags where block.directory(ifd)?[tag] != nil { changes.remove(tag, in: ifd) }
    }
    let additional = (try? TIFFReferences(of: block).directories.dropFirst()) ?? []
    let all = TIFFTag.dates.union([GPSTag.timeStamp, GPSTag.dateStamp])
    changes.erasesDates = !changes.tags.isEmpty || additional.contains { $0.entries.contains { all.contains($0.tag) } }
  }

  /// Raises ExifVersion where needed. Offsets from UTC need EXIF 2.31; kinds of sensitivity and lenses need 2.3. A
  /// block that claims an older version would be wrong.
  private static func raiseVersion(in block: TIFFBlock?, _ changes: inout TIFFChanges) {
    let written = (changes.tags[.exif] ?? [:]).filter { $0.value != .remove }.keys
    let needed =
      written.contains { $0 == TIFFTag.offsetTimeOriginal || $0 == TIFFTag.offsetTimeDigitized }
      ? "0231" : written.contains { (0x8830...0x8835).contains($0) || (0xA430...0xA435).contains($0) } ? "0230" : ""
    guard let version = block?.text(of: TIFFTag.exifVersion, in: .exif), version.utf8.count == 4, version < needed
    else { return }
    changes.set(TIFFTag.exifVersion, in: .exif, to: .undefined(Array(needed.utf8)))
  }

  /// Whether any directory of the block's chain has a GPS directory with entries.
  private static func hasGPS(_ block: TIFFBlock) -> Bool { gpsDirectories(of: block).contains { !$0.entries.isEmpty } }

  /// Whether a GPS directory has more than a version, which is all that cameras write without a fix.
  package static func holdsLocation(_ block: TIFFBlock) -> Bool {
    gpsDirectories(of: block).contains { $0.entries.contains { $0.tag != GPSTag.versionID } }
  }

  /// Whether any directory has a date tag, with any content.
  package static func holdsDate(_ block: TIFFBlock) -> Bool {
    let all = (try? TIFFReferences(of: block).directories) ?? [block.ifd0]
    return all.contains { $0.entries.contains { TIFFTag.dates.contains($0.tag) || $0.tag == GPSTag.dateStamp } }
  }

  private static func gpsDirectories(of block: TIFFBlock) -> [TIFFDirectory] {
    let all = (try? TIFFReferences(of: block).directories) ?? [block.ifd0]
    return (block.gps.map { [$0] } ?? []) + all.compactMap { $0[TIFFTag.gpsIFD].flatMap(block.directory(of:)) }
  }
}

extension CaptureTime {
  /// Returns the date of the file's last change (EXIF DateTime) after `change`. It moves only if it has an offset, so
  /// that it is an instant, and shows the same second as the picture's date: the camera then wrote both. Any other date
  /// was written by a program, on another clock, and stays.
  package func movedAsModified(beside taken: CaptureTime, by change: DateChange) -> CaptureTime {
    guard case .adjust(let shift, _) = change, !shift.isZero, civil == taken.civil, let offset,
      offset == taken.offset ?? offset, let new = taken.applying(change), let own = applying(change)
    else { return self }
    return CaptureTime(new.civil, fraction: fraction == nil ? nil : own.fraction, offset: own.offset)
  }
}

extension EXIF.DateReading {
  /// The date, if there is one.
  var time: CaptureTime? { if case .time(let time) = self { time } else { nil } }
}
