/// The change of one field: kept, set, or removed.
public enum Change<Value: Hashable & Sendable>: Hashable, Sendable {
  /// Keeps the value.
  case keep
  /// Sets this value.
  case set(Value)
  /// Erases the value, including its old bytes.
  case remove
}

/// The change of a photo's dates, applied to all copies: EXIF DateTimeOriginal and DateTimeDigitized with their SubSec
/// and Offset tags, and the XMP and IPTC dates that exist. EXIF DateTime (the file's change) stays.
public enum DateChange: Hashable, Sendable {
  /// Keeps the dates.
  case keep
  /// Sets one value everywhere. A nil fraction removes SubSec. A nil offset keeps recorded offsets; with
  /// `replacingOffsets`, only copies that show this time already keep theirs, as the others belong to another date.
  case set(CaptureTime, replacingOffsets: Bool = false)
  /// Sets a capture date of which only the year, the month or the day is known, in every copy. The date of digitizing
  /// stays: for a scan it is a different, known date.
  case setPartial(PartialDate)
  /// Moves every copy by civil arithmetic, then changes the offset from UTC. Dates without a time of day move by whole
  /// days and months only, unless the shift's anchor determines the day.
  case adjust(CalendarShift, offset: Change<UTCOffset>)

  /// Moves every copy by a span alone.
  public static func adjust(_ span: TimeShift, offset: Change<UTCOffset>) -> DateChange {
    .adjust(CalendarShift(span), offset: offset)
  }
}

extension DateChange {
  /// Whether only a year, a month or a day is set.
  package var isPartial: Bool { if case .setPartial = self { true } else { false } }

  /// Returns the shift for dates with another reading: its anchor becomes `time`. A shift without an anchor gets none.
  package func anchored(at time: CaptureTime?) -> DateChange {
    guard case .adjust(let shift, let offset) = self, shift.anchor != nil else { return self }
    return .adjust(shift.anchored(at: time), offset: offset)
  }

  /// Whether a copy with the time `old` loses its offset, though none is set. A copy with the same minute is the same
  /// date, rounded or without its seconds.
  package func replacesOffset(of old: CaptureTime) -> Bool {
    guard case .set(let new, replacingOffsets: true) = self, new.offset == nil else { return false }
    return abs(old.civil.secondsSince1970 - new.civil.secondsSince1970) >= 60
  }
}

/// A wanted change to a photo. A field with `.keep` keeps its decoded value in every namespace.
public struct MetadataEdit: Hashable, Sendable {
  /// The position. Setting it writes EXIF, and XMP where XMP has one of its own; companions of the old position
  /// (speed, track, DOP, timestamp, …) that the new one lacks are removed unless `keepsCompanions`; the direction of
  /// the camera stays. Removing it also erases names of places.
  public var location: Change<Location> = .keep
  /// Whether to keep speed, track, DOP and timestamp of a replaced position.
  public var keepsCompanions = false
  /// Whether setting a position first erases all data about the old one, including exact copies and place names.
  public var erasesOldPlace = false
  /// Whether each file of a multi-file photo gets only the position and names that it lacks.
  public var fillsGapsOnly = false
  /// The dates.
  public var dates: DateChange = .keep
  /// Whether all files of a multi-file photo move as far as the one whose date is moved, because one clock made their
  /// dates.
  package var movesFilesAlike = false
  /// The old capture time that a sidecar's dates must equal to be moved. Others stay (see `leaves`).
  package var movedFrom: CaptureTime?
  /// The change of the sidecar's other dates: those of digitizing move by as much.
  package var movedBy: DateChange?
  /// The place names. Setting them replaces all of them: a name that the new ones lack is removed. They are written to
  /// XMP, which is created if missing, and to existing IPTC IIM; the position stays.
  public var names: Change<PlaceNames> = .keep
  /// Whether to write the names also as the place that the picture shows (XMP `Iptc4xmpExt:LocationShown`).
  public var namesPlaceShown = false
  /// Whether to write the names to IPTC IIM also if the file has no IIM yet (JPEG and TIFF).
  public var addsIPTC = false
  /// Whether to erase every date: of capture, digitizing, change and GPS fix. `dates` is `.keep` then.
  public var erasesDates = false
  /// Fields about author and camera. They are set in EXIF, and in XMP and IPTC IIM if the field exists there; author,
  /// copyright and description in every existing block, as the Metadata Working Group recommends. Titles and keywords
  /// are set in XMP, which is created for them, and in existing IIM.
  public var fields: [PhotoField: Change<TagValue>] = [:]
  /// Keywords to add to the existing ones.
  public var addedKeywords: [String] = []
  /// EXIF tags by name that are no field. Their copies in XMP follow.
  public var tags: [EXIFTag: Change<TagValue>] = [:]
  /// Values in XMP by their paths. XMP is created if one is set and there is none. Places, dates and values of fields are
  /// refused, because they have other copies; texts of a field in another language than the default are not.
  public var properties: [XMPPath: Change<String>] = [:]
  /// Erasure of everything. No other change is set then.
  public var erasure: Erasure?
  /// Whether a JPEG XL file may lose the data that reproduces its original JPEG, bit by bit. If not, an edit that would
  /// destroy the data is refused.
  public var endsReconstruction = false

  /// Whether erasing may remove whole tracks of a movie that record places along the way. If not, such a movie is
  /// refused.
  public var dropsTimedPlaces = false

  /// Creates an edit without changes.
  public init() {}

  /// An edit that removes the position and the place names.
  static let placeRemoval = {
    var edit = MetadataEdit()
    edit.location = .remove
    return edit
  }()

  /// Whether the edit changes nothing.
  public var isEmpty: Bool {
    location == .keep && dates == .keep && names == .keep && fields.isEmpty && addedKeywords.isEmpty && tags.isEmpty
      && properties.isEmpty
      && erasure == nil && !erasesDates
  }

  /// Whether all data about the current place must be erased.
  package var erasesPlaces: Bool { location == .remove || location != .keep && erasesOldPlace }

  /// Whether the edit sets something that only EXIF can hold.
  package var needsEXIF: Bool { !tags.isEmpty || fields.keys.contains { $0.tag != nil } }

  /// Whether the edit sets something whose home is XMP, which is created if missing.
  package var needsXMP: Bool {
    !(wantedNames?.isEmpty ?? true)
      || fields.contains { ($0.key.tag == nil || $0.key == .rating) && $0.value.value != nil }
      || properties.values.contains { $0.value != nil }
  }

  /// The new names; nil if the existing ones stay, or are removed with the location.
  package var wantedNames: PlaceNames? {
    switch names {
    case .keep: nil
    case .set(let names): names
    case .remove: PlaceNames()
    }
  }
}

extension CaptureTime {
  /// Returns this time after `change`; nil when it would leave the years 0…9999. Digits of the fraction are kept, and
  /// more are added only if the shift needs them.
  package func applying(_ change: DateChange) -> CaptureTime? {
    switch change {
    case .keep: return self
    case .setPartial: return nil
    case .set(let wanted, _):
      let offset = wanted.offset ?? (change.replacesOffset(of: self) ? nil : offset)
      return CaptureTime(wanted.civil, fraction: wanted.fraction, offset: offset)
    case .adjust(let shift, let offsetChange):
      guard var result = adding(shift) else { return nil }
      switch offsetChange {
      case .keep: break
      case .set(let offset): result.offset = offset
      case .remove: result.offset = nil
      }
      return result
    }
  }
}

/// Erasing of everything that describes a photo: EXIF, XMP, IPTC, comments, maker notes, previews, further images and
/// data after the picture. Data needed for correct display stays: size, orientation, colour profile.
public struct Erasure: Hashable, Sendable {
  /// Whether the preferred capture time stays, in EXIF.
  public var keepsDate = false

  /// Creates an erasure that keeps nothing else.
  public init() {}
}
