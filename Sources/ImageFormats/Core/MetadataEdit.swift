/// What is to become of one field: kept, set, or removed.
public enum Change<Value: Hashable & Sendable>: Hashable, Sendable {
  /// Leave it as it is.
  case keep
  /// Give it this value.
  case set(Value)
  /// Erase it: its old bytes too.
  case remove
}

/// What is to become of a photo's dates, all copies alike: EXIF DateTimeOriginal and DateTimeDigitized with their
/// SubSec and Offset tags, and the XMP and IPTC dates that exist. EXIF DateTime (the file's change) stays.
public enum DateChange: Hashable, Sendable {
  /// Leave them.
  case keep
  /// One value everywhere. A nil fraction removes SubSec. A nil offset leaves recorded offsets, or with
  /// `replacingOffsets` only those of copies that show this time already: the zone of another date goes with that.
  case set(CaptureTime, replacingOffsets: Bool = false)
  /// Only the year, the month or the day is known of when it was taken: every copy of that says so, and no more. When
  /// it was digitized stays: of a scan that is another date, and known.
  case setPartial(PartialDate)
  /// Move every copy by civil arithmetic, then treat the offset from UTC as asked. Dates without a time of day move by
  /// whole days and months only, unless the shift's anchor says to which day they go.
  case adjust(CalendarShift, offset: Change<UTCOffset>)

  /// The same by a span alone.
  public static func adjust(_ span: TimeShift, offset: Change<UTCOffset>) -> DateChange {
    .adjust(CalendarShift(span), offset: offset)
  }
}

extension DateChange {
  /// Whether the year, the month or the day is all that it sets.
  package var isPartial: Bool { if case .setPartial = self { true } else { false } }

  /// The same shift, beside dates of another reading; one without anchor gets none.
  package func anchored(at time: CaptureTime?) -> DateChange {
    guard case .adjust(let shift, let offset) = self, shift.anchor != nil else { return self }
    return .adjust(shift.anchored(at: time), offset: offset)
  }

  /// Whether a copy that shows `old` loses its offset, though none is set. One of the same minute is the same date,
  /// rounded or without its seconds.
  package func replacesOffset(of old: CaptureTime) -> Bool {
    guard case .set(let new, replacingOffsets: true) = self, new.offset == nil else { return false }
    return abs(old.civil.secondsSince1970 - new.civil.secondsSince1970) >= 60
  }
}

/// A wanted change to a photo. What is `.keep` keeps its decoded value in every namespace.
public struct MetadataEdit: Hashable, Sendable {
  /// The position. Setting it writes EXIF, and XMP where XMP has one of its own; companions of the old position
  /// (speed, track, DOP, timestamp, …) that the new one lacks are removed unless `keepsCompanions`; the direction of
  /// the camera stays. Removing it also erases names of places.
  public var location: Change<Location> = .keep
  /// Keep speed, track, DOP and timestamp of a replaced position.
  public var keepsCompanions = false
  /// Where a position is set: erase all that tells the old one first, its exact copies and the names of the place too,
  /// so that only the new one is left.
  public var erasesOldPlace = false
  /// A photo of several files: each gets of position and names only what it lacks.
  public var fillsGapsOnly = false
  /// The dates.
  public var dates: DateChange = .keep
  /// A photo of several files, one of whose dates is moved: all move as far, as one clock made them.
  package var movesFilesAlike = false
  /// In a sidecar that is to state a photo's date, moved: what it was. What isn't that date stays (see `leaves`).
  package var movedFrom: CaptureTime?
  /// How it is moved: other dates of the sidecar, of digitizing, move by as much.
  package var movedBy: DateChange?
  /// The names of the place. Setting them replaces all of them: a name that the new ones lack is removed. They are
  /// written to XMP, which is made where there is none, and to IPTC IIM where there is some; the position stays.
  public var names: Change<PlaceNames> = .keep
  /// Write the names for the place that the picture shows too (XMP `Iptc4xmpExt:LocationShown`).
  public var namesPlaceShown = false
  /// Write the names to IPTC IIM also where there is none yet (JPEG and TIFF).
  public var addsIPTC = false
  /// Erase every date: when it was taken, digitized and changed, and when its position was fixed. `dates` is `.keep`
  /// then.
  public var erasesDates = false
  /// What the photo says of its author and its camera. Set in EXIF; in XMP and IPTC IIM where these have the field, of
  /// author, copyright and description (which the Metadata Working Group wants in all) where there are such blocks at
  /// all. Titles and keywords are set in XMP, which is made for them, and in IIM where there is such a block.
  public var fields: [PhotoField: Change<TagValue>] = [:]
  /// Keywords that it gets beside those that it has.
  public var addedKeywords: [String] = []
  /// EXIF tags by name that are no field; copies in XMP follow.
  public var tags: [EXIFTag: Change<TagValue>] = [:]
  /// Erase everything. Nothing else is asked for then.
  public var erasure: Erasure?
  /// A JPEG XL file that can give back the JPEG it was made from, bit by bit, may lose that; else it is refused where
  /// the change would end it.
  public var endsReconstruction = false

  /// Tracks of a movie that record places along the way may be taken out whole, where something is erased; else a movie
  /// with such a track is refused.
  public var dropsTimedPlaces = false

  /// No change.
  public init() {}

  /// Only the position goes, with the names of the place.
  static let placeRemoval = {
    var edit = MetadataEdit()
    edit.location = .remove
    return edit
  }()

  /// Whether nothing is asked for.
  public var isEmpty: Bool {
    location == .keep && dates == .keep && names == .keep && fields.isEmpty && addedKeywords.isEmpty && tags.isEmpty
      && erasure == nil && !erasesDates
  }

  /// Whether nothing of what tells the place now may be left.
  package var erasesPlaces: Bool { location == .remove || location != .keep && erasesOldPlace }

  /// Whether something is set that EXIF alone can hold.
  package var needsEXIF: Bool { !tags.isEmpty || fields.keys.contains { $0.tag != nil } }

  /// Whether something is set whose home is XMP, which is made for it.
  package var needsXMP: Bool {
    !(wantedNames?.isEmpty ?? true)
      || fields.contains { ($0.key.tag == nil || $0.key == .rating) && $0.value.value != nil }
  }

  /// The names afterwards; nil: those that are there stay, or go with the location.
  package var wantedNames: PlaceNames? {
    switch names {
    case .keep: nil
    case .set(let names): names
    case .remove: PlaceNames()
    }
  }
}

extension CaptureTime {
  /// This reading after `change`; nil when it would leave the years 0…9999. Digits of the fraction are kept, and more
  /// are added only where the shift needs them.
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
