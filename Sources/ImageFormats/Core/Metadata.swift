/// The kind of metadata block that holds a value.
@nonexhaustive
public enum Namespace: String, Sendable, CaseIterable {
  /// EXIF tags in a TIFF structure.
  case exif
  /// An XMP packet.
  case xmp
  /// IPTC IIM datasets.
  case iptc
  /// QuickTime's metadata keys, user data and headers (MOV, MP4, 3GP).
  case quickTime = "quicktime"
  /// XMP in a sidecar file.
  case sidecar
}

/// A value and the namespace and tag that hold it.
public struct Sourced<Value: Hashable & Sendable>: Hashable, Sendable {
  /// The recorded value.
  public var value: Value
  /// The namespace that holds it.
  public var namespace: Namespace
  /// The tag's name in its standard: `DateTimeOriginal`, `photoshop:DateCreated`, `GPSLatitude`.
  public var tag: String

  /// Creates a value found in a photo.
  public init(_ value: Value, _ namespace: Namespace, tag: String) {
    self.value = value
    self.namespace = namespace
    self.tag = tag
  }
}

/// A photo's record of place, time and camera: every copy, each with its namespace.
public struct Metadata: Hashable, Sendable {
  /// All capture times, in order of preference: EXIF, XMP, IPTC; in a movie, QuickTime before XMP.
  public var captureTimes: [Sourced<CaptureTime>] = []
  /// All times of digitizing (EXIF DateTimeDigitized, XMP `xmp:CreateDate`, IPTC 2:62). In a camera's photo they equal
  /// the capture time.
  public var digitizedTimes: [Sourced<CaptureTime>] = []
  /// The time of the file's last change (EXIF DateTime). Read only.
  public var modifyTime: CaptureTime?
  /// Incomplete capture dates: a year, a month or a day.
  public var partialDates: [Sourced<PartialDate>] = []
  /// Days of digitizing, from copies without a time of day.
  package var digitizedDays: [Sourced<CivilTime>] = []
  /// Capture times in properties of single programs. They are never preferred, but must agree with the others.
  package var additionalDates: [Sourced<XMPDate>] = []
  /// A raw file's own capture times that are overruled by a sidecar that knows only the year, the month or the day.
  public var overruledTimes: [Sourced<CaptureTime>] = []
  /// Invalid texts in date tags, raw.
  public var malformedDates: [Sourced<String>] = []
  /// Invalid texts in EXIF's offset tags, raw. Their dates have no offset.
  public var malformedOffsets: [Sourced<String>] = []
  /// The offset of the camera's clock, if a movie has it in a vendor-specific form.
  package var movieOffset: UTCOffset?
  /// Readable texts in date tags that aren't in the standard form, raw.
  public var irregularDates: [Sourced<String>] = []
  /// All positions of the camera, EXIF first.
  public var locations: [Sourced<Location>] = []
  /// Other positions: of the subject, of the destination, of a drone.
  package var additionalPlaces: [Sourced<Coordinate>] = []
  /// The reasons why existing positions can't be read.
  package var unreadPlaces: [Sourced<String>] = []
  /// Unreadable positions of the photo itself whose tags are all present.
  package var malformedPlaces: [Sourced<String>] = []
  /// The satellites' times without a position.
  package var satelliteTimes: [Sourced<Instant>] = []
  /// All names of the place, XMP first.
  public var placeNames: [Sourced<PlaceNames>] = []
  /// The places that IPTC IIM lists as the subject of the content.
  package var contentLocations: [String] = []
  /// The names of places that the picture shows, which may differ from the place of the camera (XMP
  /// `Iptc4xmpExt:LocationShown`).
  public var namesShown: [Sourced<PlaceNames>] = []
  /// Maker of the camera.
  public var make: String?
  /// Model of the camera.
  public var model: String?
  /// Serial number of the camera's body.
  public var serialNumber: String?
  /// Name of the lens.
  public var lensModel: String?
  /// All fields about author and camera, EXIF first.
  public var fields: [Sourced<RecordedField>] = []
  /// EXIF orientation, 1…8.
  public var orientation: Int?
  /// Messages for the user: a block that could not be parsed, a manifest that an edit would invalidate.
  public var notes: [Note] = []

  /// Creates empty metadata.
  public init() {}

  /// The preferred capture time.
  public var captureTime: CaptureTime? { captureTimes.first?.value }
  /// The preferred location: never 0, 0, which devices write without a fix.
  public var location: Location? { locations.first { !$0.value.coordinate.isNoFix }?.value }
  /// The reason why the photo's position can't be read; nil if another copy can.
  package var malformedPlace: String? { location == nil ? malformedPlaces.first?.value : nil }
  /// Whether the only recorded position is 0, 0.
  public var isWithoutFix: Bool { !locations.isEmpty && location == nil }
  /// Records that the photo's own position can't be read, or only half of it.
  package mutating func add(unreadPlace reason: String, _ namespace: Namespace, tag: String, isWhole: Bool) {
    notes.append(Note(.unreadablePosition, reason))
    unreadPlaces.append(Sourced(reason, namespace, tag: tag))
    if isWhole { malformedPlaces.append(Sourced(reason, namespace, tag: tag)) }
  }

  /// Returns the preferred value of a field: from its home namespace if present, else the first copy.
  public func value(of field: PhotoField) -> TagValue? {
    let copies = fields.filter { $0.value.field == field }
    return (copies.first { field.tag != nil || [.xmp, .sidecar].contains($0.namespace) } ?? copies.first)?.value.value
  }
}

extension Metadata {
  /// Whether any value records where the photo was taken.
  package var holdsLocation: Bool {
    !(locations.isEmpty && additionalPlaces.isEmpty && placeNames.isEmpty && namesShown.isEmpty && unreadPlaces.isEmpty)
  }

  /// Whether any value records a date.
  package var holdsDate: Bool {
    !(captureTimes.isEmpty && digitizedTimes.isEmpty && partialDates.isEmpty
      && malformedDates.isEmpty && modifyTime == nil)
  }
}

extension Metadata {
  /// Whether a capture date is recorded, even if only a year.
  package var isDated: Bool { captureTime != nil || !partialDates.isEmpty }

  /// Whether only the day of the capture is known.
  package var knowsOnlyDay: Bool {
    captureTime == nil && !partialDates.isEmpty && partialDates.allSatisfy { $0.value.day != nil }
  }

  /// Whether a capture date is recorded that is more than the same day as `time` in less detail.
  package func isDated(besides time: CaptureTime) -> Bool {
    captureTime != nil || partialDates.contains { $0.value.day == nil || !$0.value.contains(time) }
  }

  /// Whether a raw file's sidecar says that only a year, a month or a day is known, which overrides the file. A day
  /// counts only if it is EXIF's date; otherwise it is a less detailed copy.
  package var knowsNoTime: Bool {
    captureTimes.isEmpty && partialDates.contains(where: \.knowsNoTime)
  }
}

extension Sourced<PartialDate> {
  /// Whether the date is known only in part. Otherwise it is a copy without its time of day.
  package var knowsNoTime: Bool { value.day == nil || tag == "exif:DateTimeOriginal" }

  /// The beginning of the day; nil if the day isn't known.
  package var onDay: Sourced<CivilTime>? { value.midnight.map { Sourced<CivilTime>($0, namespace, tag: tag) } }
}

/// A date as XMP writes it (ISO 16684-1, 8.2.1.2): a profile of ISO 8601 that may end after the year, month or day.
/// EXIF's colons are accepted too (`2021:09:05 12:00:00`), since programs copy EXIF texts unchanged.
package enum XMPDate: Hashable, Sendable {
  case blank
  /// A year, a year and a month, or a whole date without a time.
  case partial(PartialDate)
  /// A time with its zone as written, possibly empty.
  case time(CaptureTime, zone: String)
  case malformed
}

/// A copy of a value that contradicts the preferred one.
@nonexhaustive
public enum Conflict: Hashable, Sendable {
  /// A copy of the capture time with another civil time, or with another offset from UTC.
  case captureTime(Sourced<CaptureTime>)
  /// A copy of the location that is more than 10⁻⁵ degrees (about a metre) away.
  case location(Sourced<Location>)
  /// A copy of the place names with another name in the same field.
  case placeNames(Sourced<PlaceNames>)
}

extension Conflict: CustomStringConvertible {
  /// `photoshop:DateCreated (xmp) has another time: 2024-05-23T18:38:41`.
  public var description: String {
    switch self {
    case .captureTime(let copy): "\(copy.tag) (\(copy.namespace.rawValue)) has another time: \(copy.value)"
    case .location(let copy): "\(copy.tag) (\(copy.namespace.rawValue)) has another location: \(copy.value.coordinate)"
    case .placeNames(let copy): "\(copy.tag) (\(copy.namespace.rawValue)) has other names: \(copy.value)"
    }
  }
}

extension Metadata {
  /// The copies whose time, place or name contradicts the preferred one. A copy that is only less detailed doesn't.
  public var conflicts: [Conflict] {
    let times = captureTimes.filter { copy in captureTime.map { !$0.agrees(with: copy.value) } ?? false }
    let overruled = overruledTimes.filter { copy in !(partialDates.first?.value.contains(copy.value.civil) ?? true) }
    let places = locations.filter { copy in
      location.map { !$0.coordinate.isSame(as: copy.value.coordinate) } ?? false
    }
    let names = placeNames.dropFirst().filter { copy in !(placeNames.first?.value.agrees(with: copy.value) ?? true) }
    return (times + overruled).map { .captureTime($0) } + places.map { .location($0) } + names.map { .placeNames($0) }
  }
}

extension CaptureTime {
  fileprivate func agrees(with other: CaptureTime) -> Bool {
    civil == other.civil && (offset == nil || other.offset == nil || offset == other.offset)
  }
}

extension Metadata {
  /// Joins the metadata of a file and its sidecar, including all copies. For a raw file (`isRaw`) the sidecar has
  /// priority, because programs leave raw files unchanged and put changes into a sidecar. Otherwise the file has
  /// priority, and the sidecar fills gaps.
  package func joined(with sidecar: Metadata, isRaw: Bool) -> Metadata {
    let other = sidecar.ofSidecar
    var whole = isRaw ? other.followed(by: self) : followed(by: other)
    (whole.modifyTime, whole.orientation) = (modifyTime, orientation ?? sidecar.orientation)
    whole.notes = notes + other.notes
    if isRaw, other.knowsNoTime {
      (whole.overruledTimes, whole.captureTimes) = (captureTimes, [])
    }
    // A new place for a raw file doesn't change the direction of the camera.
    if isRaw, !whole.locations.isEmpty, whole.locations[0].value.imageDirection == nil {
      whole.locations[0].value.imageDirection = location?.imageDirection
    }
    return whole
  }

  /// The metadata of the file without its sidecar.
  package var withoutSidecar: Metadata {
    var own = self
    own.keep { $0 != .sidecar }
    own.captureTimes += own.overruledTimes
    own.overruledTimes = []
    return own
  }

  private var ofSidecar: Metadata {
    var other = self
    other.setNamespace(.sidecar)
    other.notes = notes.map { Note($0.code, "its sidecar: \($0)", remedy: $0.remedy) }
    return other
  }

  /// Appends the copies of `other` to the own ones.
  private func followed(by other: Metadata) -> Metadata {
    var whole = self
    whole.captureTimes += other.captureTimes
    whole.digitizedTimes += other.digitizedTimes
    whole.partialDates += other.partialDates
    whole.additionalDates += other.additionalDates
    whole.additionalPlaces += other.additionalPlaces
    whole.unreadPlaces += other.unreadPlaces
    whole.malformedPlaces += other.malformedPlaces
    whole.satelliteTimes += other.satelliteTimes
    whole.digitizedDays += other.digitizedDays
    whole.malformedDates += other.malformedDates
    whole.malformedOffsets += other.malformedOffsets
    whole.irregularDates += other.irregularDates
    whole.locations += other.locations
    whole.placeNames += other.placeNames
    whole.namesShown += other.namesShown
    whole.fields += other.fields
    whole.contentLocations += other.contentLocations
    whole.movieOffset = movieOffset ?? other.movieOffset
    whole.make = make ?? other.make
    whole.model = model ?? other.model
    whole.serialNumber = serialNumber ?? other.serialNumber
    whole.lensModel = lensModel ?? other.lensModel
    return whole
  }

  private mutating func setNamespace(_ namespace: Namespace) {
    captureTimes.set(namespace)
    digitizedTimes.set(namespace)
    partialDates.set(namespace)
    additionalDates.set(namespace)
    additionalPlaces.set(namespace)
    unreadPlaces.set(namespace)
    malformedPlaces.set(namespace)
    satelliteTimes.set(namespace)
    digitizedDays.set(namespace)
    malformedDates.set(namespace)
    malformedOffsets.set(namespace)
    irregularDates.set(namespace)
    locations.set(namespace)
    placeNames.set(namespace)
    namesShown.set(namespace)
    fields.set(namespace)
  }

  private mutating func keep(_ isKept: (Namespace) -> Bool) {
    captureTimes.removeAll { !isKept($0.namespace) }
    digitizedTimes.removeAll { !isKept($0.namespace) }
    partialDates.removeAll { !isKept($0.namespace) }
    additionalDates.removeAll { !isKept($0.namespace) }
    additionalPlaces.removeAll { !isKept($0.namespace) }
    unreadPlaces.removeAll { !isKept($0.namespace) }
    malformedPlaces.removeAll { !isKept($0.namespace) }
    satelliteTimes.removeAll { !isKept($0.namespace) }
    digitizedDays.removeAll { !isKept($0.namespace) }
    malformedDates.removeAll { !isKept($0.namespace) }
    malformedOffsets.removeAll { !isKept($0.namespace) }
    irregularDates.removeAll { !isKept($0.namespace) }
    locations.removeAll { !isKept($0.namespace) }
    placeNames.removeAll { !isKept($0.namespace) }
    namesShown.removeAll { !isKept($0.namespace) }
    fields.removeAll { !isKept($0.namespace) }
  }
}

extension Array {
  fileprivate mutating func set<Value>(_ namespace: Namespace) where Element == Sourced<Value> {
    for index in indices { self[index].namespace = namespace }
  }
}
