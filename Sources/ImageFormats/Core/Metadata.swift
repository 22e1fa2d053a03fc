/// Where a value stands in a photo.
public enum Namespace: String, Sendable, CaseIterable {
  /// EXIF tags in a TIFF structure.
  case exif
  /// An XMP packet.
  case xmp
  /// IPTC IIM datasets.
  case iptc
  /// QuickTime's metadata keys, user data and headers (MOV, MP4, 3GP).
  case quickTime = "quicktime"
  /// XMP in a file beside the photo.
  case sidecar
}

/// A value and the namespace and tag that hold it.
public struct Sourced<Value: Hashable & Sendable>: Hashable, Sendable {
  /// What is recorded.
  public var value: Value
  /// In which namespace.
  public var namespace: Namespace
  /// The tag's name in its standard: `DateTimeOriginal`, `photoshop:DateCreated`, `GPSLatitude`.
  public var tag: String

  /// A value found in a photo.
  public init(_ value: Value, _ namespace: Namespace, tag: String) {
    self.value = value
    self.namespace = namespace
    self.tag = tag
  }
}

/// What a photo records of place, time and camera; every copy of it, each with the namespace it stands in.
public struct Metadata: Hashable, Sendable {
  /// When the picture was taken, every copy, in the order in which they are believed: EXIF, XMP, IPTC; of a movie,
  /// QuickTime before XMP.
  public var captureTimes: [Sourced<CaptureTime>] = []
  /// When it was digitized (EXIF DateTimeDigitized, XMP `xmp:CreateDate`, IPTC 2:62); of a camera's photo, the same.
  public var digitizedTimes: [Sourced<CaptureTime>] = []
  /// When the file was last changed (EXIF DateTime). Read only.
  public var modifyTime: CaptureTime?
  /// The year, the month or the day in which it was taken, of copies that know no more.
  public var partialDates: [Sourced<PartialDate>] = []
  /// The day on which it was digitized, of copies without a time of day.
  package var digitizedDays: [Sourced<CivilTime>] = []
  /// When it was taken, by properties of single programs: never believed, but they have to say the same.
  package var additionalDates: [Sourced<XMPDate>] = []
  /// A raw file's own capture times, where its sidecar says that only the year, the month or the day is known: not
  /// believed.
  public var overruledTimes: [Sourced<CaptureTime>] = []
  /// Texts in date tags that are no date, raw.
  public var malformedDates: [Sourced<String>] = []
  /// Texts in EXIF's tags of zones that are no zone, raw; the dates they belong to have none.
  public var malformedOffsets: [Sourced<String>] = []
  /// The offset of the camera's clock, where a movie's maker records it in a way of its own.
  package var movieOffset: UTCOffset?
  /// Texts in date tags that could be read, but aren't written as their standard says, raw.
  public var irregularDates: [Sourced<String>] = []
  /// Where it was taken, every copy, EXIF first.
  public var locations: [Sourced<Location>] = []
  /// Positions beside it: of what the picture shows, of its destination, of a drone.
  package var additionalPlaces: [Sourced<Coordinate>] = []
  /// Why positions that are there can't be read.
  package var unreadPlaces: [Sourced<String>] = []
  /// The same of its own position, where all of it is there.
  package var malformedPlaces: [Sourced<String>] = []
  /// The satellites' time, where it stands without a position.
  package var satelliteTimes: [Sourced<Instant>] = []
  /// The place's names, every copy, XMP first.
  public var placeNames: [Sourced<PlaceNames>] = []
  /// The places that IPTC IIM says its content is about.
  package var contentLocations: [String] = []
  /// The names of places that the picture shows, which need not be where it was taken (XMP
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
  /// What is recorded of author and camera, every copy, EXIF first.
  public var fields: [Sourced<RecordedField>] = []
  /// EXIF orientation, 1…8.
  public var orientation: Int?
  /// What a reader should know: a block that could not be parsed, a manifest an edit would break.
  public var notes: [String] = []

  /// Nothing recorded.
  public init() {}

  /// The capture time that is believed.
  public var captureTime: CaptureTime? { captureTimes.first?.value }
  /// The location that is believed: never 0, 0, which devices write without a fix.
  public var location: Location? { locations.first { !$0.value.coordinate.isNoFix }?.value }
  /// Why the position that it records can't be read; nil where another copy can.
  package var malformedPlace: String? { location == nil ? malformedPlaces.first?.value : nil }
  /// Whether it records 0, 0 and no place besides.
  public var isWithoutFix: Bool { !locations.isEmpty && location == nil }
  /// Tells that its own position can't be read, or half of it only.
  package mutating func add(unreadPlace reason: String, _ namespace: Namespace, tag: String, isWhole: Bool) {
    notes.append(reason)
    unreadPlaces.append(Sourced(reason, namespace, tag: tag))
    if isWhole { malformedPlaces.append(Sourced(reason, namespace, tag: tag)) }
  }

  /// The value of a field that is believed: what its home says, else the first copy.
  public func value(of field: PhotoField) -> TagValue? {
    let copies = fields.filter { $0.value.field == field }
    return (copies.first { field.tag != nil || [.xmp, .sidecar].contains($0.namespace) } ?? copies.first)?.value.value
  }
}

extension Metadata {
  /// Whether anything in it names or places where the photo was taken.
  package var holdsLocation: Bool {
    !(locations.isEmpty && additionalPlaces.isEmpty && placeNames.isEmpty && namesShown.isEmpty && unreadPlaces.isEmpty)
  }

  /// Whether anything in it says when.
  package var holdsDate: Bool {
    !(captureTimes.isEmpty && digitizedTimes.isEmpty && partialDates.isEmpty
      && malformedDates.isEmpty && modifyTime == nil)
  }
}
