/// The kind of metadata block that holds a value.
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
