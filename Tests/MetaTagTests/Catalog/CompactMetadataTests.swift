import Foundation
import SystemPackage
import TestSupport
import Testing

@testable import MetaTag

@Suite("What a catalog keeps of a photo")
struct CompactMetadataTests {
  private static func compact(_ metadata: Metadata) -> Metadata {
    let camera = CompactMetadata.Camera(
      make: metadata.make, model: metadata.model, serialNumber: metadata.serialNumber, lensModel: metadata.lensModel)
    return CompactMetadata(metadata, Shared(camera), Shared(metadata.placeNames)).metadata
  }

  private static func time(_ text: String, _ namespace: Namespace, tag: String = "") throws -> Sourced<CaptureTime> {
    Sourced(try CaptureTime(parsing: text), namespace, tag: tag)
  }

  @Test(
    "The samples give the same camera, clock reading, position and date as their whole metadata",
    arguments: try FileManager.default.contentsOfDirectory(
      atPath: Corpus.project.appending(path: "SampleImages").path
    ).filter { !$0.hasSuffix(".md") && !$0.hasSuffix(".gpx") && $0 != "raw" })
  func samples(_ name: String) throws {
    let whole = try ImageSource(FilePath(Corpus.project.appending(path: "SampleImages/\(name)").path)).metadata()
    let kept = Self.compact(whole)
    #expect(kept.captureTime == whole.captureTime)
    #expect(kept.isDatedByHeaders == whole.isDatedByHeaders)
    #expect(kept.captureTimes.first?.namespace == whole.captureTimes.first?.namespace)
    #expect(kept.partialDates == whole.partialDates)
    #expect(kept.location?.coordinate == whole.location?.coordinate)
    #expect(kept.location?.altitude == whole.location?.altitude)
    #expect(kept.location?.timestamp == whole.location?.timestamp)
    #expect(kept.hasTimeOfPhoto() == whole.hasTimeOfPhoto())
    #expect(kept.isWithoutFix == whole.isWithoutFix)
    #expect(kept.fixTime == whole.fixTime)
    #expect(kept.modifyTime == whole.modifyTime)
    #expect(kept.orientation == whole.orientation)
    #expect(kept.placeNames == whole.placeNames)
    #expect(kept.lensModel == whole.lensModel)
    #expect(CameraBody(of: kept) == CameraBody(of: whole))
    for zone in [nil, Zone.fixed(.utc)] {
      let (own, other) = (reading(kept, zone), reading(whole, zone))
      #expect(own == other)
    }
  }

  private func reading(_ metadata: Metadata, _ zone: Zone?) -> ClockReading? {
    try? CameraClock(zone: zone).reading(of: metadata)
  }

  @Test("A date without an offset keeps the copies in XMP and in the sidecar that have one, in their order")
  func copies() throws {
    var whole = Metadata()
    whole.captureTimes = [
      try Self.time("2024-05-01T10:00:00.25", .exif), try Self.time("2024-05-01T11:00:00+03:00", .xmp),
      try Self.time("2024-05-01T10:00:00+02:00", .iptc), try Self.time("2024-05-01T10:00:00+04:00", .sidecar),
      try Self.time("2024-05-01T10:00:00.25+05:00", .xmp), try Self.time("2024-05-01T10:00:00+06:00", .xmp),
    ]
    let kept = Self.compact(whole)
    #expect(kept.captureTimes.map(\.value) == [0, 3, 4].map { whole.captureTimes[$0].value })
    #expect(kept.zonedCopy == whole.zonedCopy)
    #expect(reading(kept, nil) == reading(whole, nil))
  }

  @Test("0, 0 is kept only if no other position is recorded")
  func noFix() throws {
    let zero = try #require(Coordinate(latitude: 0, longitude: 0))
    let place = try #require(Coordinate(latitude: 46, longitude: 7))
    var whole = Metadata()
    whole.locations = [Sourced(Location(zero), .exif, tag: "")]
    #expect(Self.compact(whole).isWithoutFix)
    whole.locations.append(Sourced(Location(place), .xmp, tag: ""))
    #expect(Self.compact(whole).location?.coordinate == place)
  }

  @Test("A position or a date that can't be read is still one")
  func malformed() {
    var whole = Metadata()
    whole.malformedPlaces = [Sourced("has a position of which half is missing", .exif, tag: "GPSLatitude")]
    whole.malformedDates = [Sourced("2024:13:41", .exif, tag: "DateTimeOriginal")]
    let kept = Self.compact(whole)
    #expect(kept.malformedPlace != nil)
    #expect(kept.lackOfTime.summary == whole.lackOfTime.summary)
  }

  @Test("Each sample is kept, in at most 500 bytes")
  func size() throws {
    let samples = Corpus.project.appending(path: "SampleImages").filePath
    let photos = Photo.reading(Walk.photos(in: [samples], recursively: true))
    let catalog = PhotoCatalog(for: try Condition(parsing: #"title == "x" || keyword ~ "y*""#))
    for photo in photos {
      _ = try catalog.metadata(of: photo)
      let bytes = catalog.byteCount(of: photo)
      #expect(bytes.map { (200...500).contains($0) } == true, "\(photo.input.path) \(bytes ?? 0)")
    }
    #expect(photos.count > 25)
  }

  @Test("A photo that needs more than 500 bytes isn't kept, and is read again")
  func large() throws {
    let scratch = try Scratch()
    let photo = try scratch.copy(Corpus.project.appending(path: "SampleImages/aurora-01-jetty.jpg")).filePath
    var edit = MetadataEdit()
    var names = PlaceNames()
    names.city = String(repeating: "x", count: 2_000)
    edit.names = .set(names)
    let bytes = try ImageSource(photo).patch(for: edit).applied(to: FileSource(photo))
    try Data(bytes).write(to: URL(filePath: photo.string))
    let input = try #require(Photo.reading(Walk.photos(in: [photo], recursively: false)).first)
    let catalog = PhotoCatalog()
    for _ in 0..<2 { #expect(try catalog.metadata(of: input).placeNames.first?.value == names) }
    #expect(catalog.byteCount(of: input) == nil)
  }
}
