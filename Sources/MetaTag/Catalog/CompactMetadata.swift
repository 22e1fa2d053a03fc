/// The part of a photo's metadata from which clocks, zones and order are learned and conditions are evaluated, in little
/// memory: a run keeps one for every photo.
///
/// Kept are the capture time and the copies that give it an offset, the position, the satellites' time, partial dates,
/// the time of the last change, the camera, the names of the place, the orientation, and whether the file is truncated.
/// Tags aren't kept, nor texts that can't be read as a date or a position: only that there is one.
struct CompactMetadata: Sendable {
  /// A time without its tag.
  struct Time: Sendable {
    let seconds: Int64
    let fraction: SecondFraction?
    let offset: Int32?
    let namespace: Namespace
    let isFromHeader: Bool

    init(_ time: CaptureTime, _ namespace: Namespace, isFromHeader: Bool = false) {
      seconds = time.civil.secondsSince1970
      fraction = time.fraction
      offset = time.offset.map { Int32($0.seconds) }
      self.namespace = namespace
      self.isFromHeader = isFromHeader
    }

    var time: CaptureTime? {
      CivilTime(secondsSince1970: seconds).map { civil in
        CaptureTime(civil, fraction: fraction, offset: offset.flatMap { UTCOffset(seconds: Int($0)) })
      }
    }
  }

  /// A position with what planners ask of it. A number that isn't known is NaN.
  struct Position: Sendable {
    let coordinate: Coordinate
    let altitude: Double
    let horizontalError: Double
    let dilutionOfPrecision: Double
    let fixSeconds: Int64
    /// −1 if the time of the fix isn't known.
    let fixNanoseconds: Int32
    let namespace: Namespace
    let isOfTrack: Bool
  }

  /// The satellites' time without its tag.
  private struct SatelliteTime {
    let instant: Instant
    let namespace: Namespace
  }

  /// The camera and its lens. Photos of one camera share the value.
  struct Camera: Hashable, Sendable {
    let make: String?
    let model: String?
    let serialNumber: String?
    let lensModel: String?
  }

  let camera: Shared<Camera>?
  let placeNames: Shared<[Sourced<PlaceNames>]>?
  private let believed: Time?
  /// The first copies of the believed time in XMP and in the sidecar that give it an offset.
  private let copies: [Time]
  private let position: Position?
  private let satelliteTime: SatelliteTime?
  private let partialDates: [Sourced<PartialDate>]
  private let modified: Time?
  private let orientation: Int8
  private let hasMalformedPlace: Bool
  private let hasMalformedDate: Bool
  private let isTruncated: Bool

  /// Keeps what learning needs of `metadata`.
  init(_ metadata: Metadata, _ camera: Shared<Camera>?, _ placeNames: Shared<[Sourced<PlaceNames>]>?) {
    self.camera = camera
    self.placeNames = placeNames
    let first = metadata.captureTimes.first
    believed = first.map { Time($0.value, $0.namespace, isFromHeader: metadata.isDatedByHeaders) }
    let zoned = metadata.captureTimes.dropFirst().filter {
      $0.value.civil == first?.value.civil && $0.value.offset != nil
    }
    let firsts = [Namespace.xmp, .sidecar].compactMap { wanted in zoned.firstIndex { $0.namespace == wanted } }
    copies = firsts.sorted().map { Time(zoned[$0].value, zoned[$0].namespace) }
    position = (metadata.locations.first { !$0.value.coordinate.isNoFix } ?? metadata.locations.first).map(
      Position.init)
    satelliteTime = metadata.satelliteTimes.first.map { SatelliteTime(instant: $0.value, namespace: $0.namespace) }
    partialDates = metadata.partialDates
    modified = metadata.modifyTime.map { Time($0, .exif) }
    orientation = metadata.orientation.flatMap { Int8(exactly: $0) } ?? 0
    hasMalformedPlace = !metadata.malformedPlaces.isEmpty
    hasMalformedDate = !metadata.malformedDates.isEmpty
    isTruncated = metadata.notes.contains { $0.code == .truncatedFile }
  }

  /// The kept values as metadata.
  var metadata: Metadata {
    var metadata = Metadata()
    metadata.captureTimes = ([believed].compactMap(\.self) + copies).compactMap { copy in
      copy.time.map { Sourced($0, copy.namespace, tag: copy.isFromHeader ? "mvhd" : "") }
    }
    metadata.locations = position.map { [Sourced($0.location, $0.namespace, tag: "")] } ?? []
    metadata.satelliteTimes = satelliteTime.map { [Sourced($0.instant, $0.namespace, tag: "")] } ?? []
    metadata.partialDates = partialDates
    metadata.modifyTime = modified?.time
    metadata.make = camera?.value.make
    metadata.model = camera?.value.model
    metadata.serialNumber = camera?.value.serialNumber
    metadata.lensModel = camera?.value.lensModel
    metadata.placeNames = placeNames?.value ?? []
    metadata.orientation = orientation == 0 ? nil : Int(orientation)
    if hasMalformedPlace { metadata.malformedPlaces = [Sourced("", .exif, tag: "")] }
    if hasMalformedDate { metadata.malformedDates = [Sourced("", .exif, tag: "")] }
    if isTruncated { metadata.notes = [Note(.truncatedFile, "file is truncated")] }
    return metadata
  }

  /// The bytes that the value takes, without those that it shares with other photos.
  var byteCount: Int {
    func count<Element>(_ array: [Element]) -> Int {
      array.isEmpty ? 0 : CompactMetadata.arrayHeader + array.count * MemoryLayout<Element>.stride
    }
    return MemoryLayout<CompactMetadata>.stride + count(copies) + count(partialDates)
  }

  private static let arrayHeader = 32
}

extension CompactMetadata.Position {
  fileprivate init(_ recorded: Sourced<Location>) {
    let location = recorded.value
    coordinate = location.coordinate
    altitude = location.altitude ?? .nan
    horizontalError = location.horizontalError ?? .nan
    dilutionOfPrecision = location.dilutionOfPrecision ?? .nan
    fixSeconds = location.timestamp?.seconds ?? 0
    fixNanoseconds = location.timestamp?.nanoseconds ?? -1
    namespace = recorded.namespace
    isOfTrack = location.hasMethodOfTrack
  }

  fileprivate var location: Location {
    var location = Location(coordinate, altitude: altitude.isNaN ? nil : altitude)
    location.horizontalError = horizontalError.isNaN ? nil : horizontalError
    location.dilutionOfPrecision = dilutionOfPrecision.isNaN ? nil : dilutionOfPrecision
    if fixNanoseconds >= 0 { location.timestamp = Instant(seconds: fixSeconds, nanoseconds: fixNanoseconds) }
    location.processingMethod = isOfTrack ? Location.methodsOfTrack.first : nil
    return location
  }
}
