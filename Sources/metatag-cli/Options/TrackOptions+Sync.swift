import ArgumentParser
import GeoIndex
import MetaTag
import SystemPackage

/// A photo of a correct clock with the time it shows (`IMG_1.JPG=2024-05-01T10:00:00Z`), or a photo with the place
/// where it was taken (`IMG_1.JPG=48.8584,2.2945`, `IMG_1.JPG=@home`, `IMG_1.JPG=London Heathrow Airport`).
struct SyncReference: Sendable {
  enum Shown: Hashable, Sendable {
    case time(CaptureTime)
    case place(String)
  }

  let photo: FilePath
  let shown: Shown

  /// The last `=` is the separator. A value that starts with a year and a dash or colon is a time, any other value a
  /// place.
  static func argument(_ word: String) throws -> SyncReference {
    let bytes = Argv.bytes(of: word)
    guard let sign = bytes.lastIndex(of: UInt8(ascii: "=")), sign > 0, sign < bytes.count - 1 else {
      throw ValidationError(
        "expected a photo of a clock and the time that it shows, IMG_1.JPG=2024-05-01T10:00:00Z, or a photo and its place: "
          + "IMG_1.JPG=48.8584,2.2945")
    }
    let shown = try Argv.text(of: bytes[(sign + 1)...])
    let isTime = shown.prefixMatch(of: /[0-9]{4}[-:]/) != nil
    return SyncReference(
      photo: FilePath(rawBytes: bytes[..<sign]),
      shown: isTime ? .time(try ArgumentError.inWords { try CaptureTime(parsing: shown) }) : .place(shown))
  }

  /// Returns the coordinates of the place.
  static func coordinate(of place: String, _ console: Console) throws -> Coordinate {
    if place.hasPrefix("@") || (try? Location(parsing: place)) != nil { return try Location.argument(place).coordinate }
    return try Gazetteer.opened(console: console).onePoint(place, console: console).coordinate
  }
}

extension TrackOptions {
  /// Returns the error of each camera's clock and reports it, because the whole run depends on it.
  /// - Parameter offsets: The UTC offsets of clocks that record none and whose photo was given an instant.
  func clockErrors(
    _ console: Console, _ planner: PerCameraPlanner, _ catalog: PhotoCatalog, _ done: EarlierChanges,
    _ zone: (Coordinate) -> Zone?,
    _ offsets: inout [CameraBody: UTCOffset]
  ) throws -> ClockErrors {
    var errors = ClockErrors(clock.offset?.span ?? .zero)
    var references: [CameraReference] = []
    // Times first: they decide which of several passes is meant by a place.
    for sync in clock.sync.filter(\.isTime) + clock.sync.filter({ !$0.isTime }) {
      let photo = sync.photo.printable
      do {
        let metadata = try Self.metadata(ofSyncPhoto: sync.photo, catalog, done)
        let camera = CameraBody(of: metadata)
        let reference =
          switch sync.shown {
          case .time(let shown): try clockReference(metadata, shown: shown, planner, zone, &offsets[camera])
          case .place(let text):
            try clockReference(
              metadata, at: SyncReference.coordinate(of: text, console), planner, zone,
              beside: references.filter { $0.camera == camera }.map(\.reference))
          }
        references.append(CameraReference(camera: camera, photo: photo, reference: reference))
      } catch let error as FileError {
        throw SetupError("--sync \(photo): \(error.words)")
      } catch let reason as Reason {
        throw SetupError("--sync \(photo): \(reason.words)")
      } catch let doubt as PassAmbiguity {
        throw SetupError("--sync \(photo): \(doubt.words)")
      }
    }
    for (camera, own) in Dictionary(grouping: references, by: \.camera).sorted(by: {
      $0.value[0].photo < $1.value[0].photo
    }) {
      guard ClockErrors.areBelievable(own.map(\.reference)) else {
        throw SetupError(
          "--sync \(own.map(\.photo).joined(separator: ", ")): their corrections of the camera's clock contradict each "
            + "other: one of the times is wrong, or the clock was set in between")
      }
      errors.set(own.map(\.reference), for: camera)
      if let offset = offsets[camera] { errors.assume(offset, for: camera) }
    }
    for reference in references { console.warn(reference.words(errors)) }
    return errors
  }

  /// Compares a photo's time with the time that it shows.
  /// - Parameter offset: The camera's UTC offset, which is found here if only the shown time has one.
  private func clockReference(
    _ metadata: Metadata, shown: CaptureTime, _ planner: PerCameraPlanner, _ zone: (Coordinate) -> Zone?,
    _ offset: inout UTCOffset?
  ) throws(Reason) -> ClockReference {
    do {
      return try ClockReference(metadata, shown: shown, clock: CameraClock(zone: clock.cameraZone))
    } catch {
      // An instant needs no zone: the correction fits whichever zone is assumed.
      guard case .noZone = error, let shownOffset = shown.offset else { throw error }
      let instant = shown.instant(at: shownOffset)
      let track = planner.parts[try planner.index(for: metadata)].planner.track
      let kept = offset ?? track.nearestPlace(to: instant).flatMap(zone)?.offset(at: instant) ?? .utc
      let reference = try ClockReference(metadata, shown: shown, clock: CameraClock(zone: .fixed(kept)))
      offset = kept
      return reference
    }
  }

  /// Compares a photo's time with the time at which the track passes a place.
  private func clockReference(
    _ metadata: Metadata, at place: Coordinate, _ planner: PerCameraPlanner, _ zone: (Coordinate) -> Zone?,
    beside others: [ClockReference]
  ) throws -> ClockReference {
    let track = planner.parts[try planner.index(for: metadata)].planner.track
    return try ClockReference(
      metadata, at: place, on: track, clock: CameraClock(zone: clock.cameraZone ?? zone(place)), beside: others,
      longestStay: max(ClockReference.moment, clock.maxStay?.timeInterval ?? 0))
  }

  /// Reads a --sync photo with its sidecar, as it was before an unfinished run corrected it.
  private static func metadata(
    ofSyncPhoto path: FilePath, _ catalog: PhotoCatalog, _ done: EarlierChanges = EarlierChanges()
  ) throws -> Metadata {
    guard !Walk.isFolder(path), let file = Photo.reading(Walk.photos(in: [path], recursively: false)).first else {
      throw FileError(.isFolder, "is a folder: --sync takes one photo")
    }
    let photo = NumberedPhoto(path: path, metadata: try catalog.metadata(of: file))
    guard let before = done.before(photo) else {
      throw FileError(.datesCorrectedByRun, "the unfinished run corrected its dates", remedy: .undoAndRepeat)
    }
    return before.metadata
  }

  /// Uses the clock error of a --sync movie for the camera that took it, unless one of that camera's photos gives more.
  func shareReferences(of run: SyncedCameras, _ planner: inout PerCameraPlanner) {
    for path in clock.sync.map(\.photo) {
      guard let movie = planner.movies[path], let own = run.bodies[path] else { continue }
      let camera = CameraBody(of: movie.camera)
      for index in planner.parts.indices where planner.parts[index].planner.errors.drift(of: camera) == nil {
        planner.parts[index].planner.errors.adopt(own, for: camera)
      }
    }
  }

  /// Reports --sync photos whose camera took none of the run's photos, and cameras without a --sync photo.
  func reportClockReferences(
    of run: SyncedCameras, besides movies: [FilePath: CameraMovie], _ catalog: PhotoCatalog, _ console: Console
  ) {
    guard !clock.sync.isEmpty else { return }
    let clockReferences = clock.sync.compactMap { sync in
      let camera = movies[sync.photo].map { CameraBody(of: $0.camera) }
      let body =
        camera ?? run.bodies[sync.photo]
        ?? (try? Self.metadata(ofSyncPhoto: sync.photo, catalog)).map { CameraBody(of: $0) }
      return body.map { (sync.photo, $0) }
    }
    for (photo, camera) in clockReferences where run.asked[camera] == nil {
      console.warn("--sync \(photo.printable): its camera took none of the photos, so it has no effect")
    }
    let known = Set(clockReferences.map(\.1))
    for (body, name) in run.cameras where clock.offset != .auto && !known.contains(body) {
      guard let count = run.asked[body]?.count(where: { movies[$0] == nil }), count > 0 else { continue }
      let photos = count == 1 ? "1 photo is" : "\(count) photos are"
      console.warn("\(name.printable): no --sync photo; \(photos) matched by its uncorrected clock")
    }
  }
}

/// The error of a camera's clock that a --sync photo shows.
private struct CameraReference {
  let camera: CameraBody
  let photo: String
  let reference: ClockReference

  /// Returns the report of the clock's error.
  /// - Parameter errors: The errors by all references.
  func words(_ errors: ClockErrors) -> String {
    let line = errors.measured(at: reference.time, for: camera).timeInterval
    let measured = reference.correction.timeInterval
    let drift = CameraReference.rounded(errors.drift(of: camera) ?? 0)
    return "\(photo): the camera's clock was \(CameraReference.words(measured))"
      + (drift == 0 ? "" : ", \(drift > 0 ? "losing" : "gaining") \(abs(drift)) s a day")
      + (reference.uncertainty == 0 ? "" : ", give or take \(CameraReference.rounded(reference.uncertainty)) s")
      + (abs(measured - line) < 0.05 ? "" : "; \(CameraReference.rounded(measured - line)) s off the line")
  }

  private static func words(_ seconds: Double) -> String {
    let tenths = Int64(rounded(abs(seconds)) * 10)
    let size = TimeShift(seconds: tenths / 10, nanoseconds: Int32(tenths % 10) * 100_000_000)
    return size == .zero ? "right" : "\(size.description.dropFirst()) \(seconds > 0 ? "slow" : "fast")"
  }

  private static func rounded(_ seconds: Double) -> Double { (seconds * 10).rounded() / 10 }
}

extension SyncReference {
  fileprivate var isTime: Bool {
    if case .time = shown { true } else { false }
  }
}

/// The cameras of a run, for reports about --sync.
struct SyncedCameras {
  private(set) var bodies: [FilePath: CameraBody] = [:]
  private(set) var cameras: [(body: CameraBody, name: String)] = []
  /// The photos of each camera that are to be placed.
  private(set) var asked: [CameraBody: [FilePath]] = [:]
  private let isReplacing: Bool

  init(replacing: Bool) { isReplacing = replacing }

  mutating func take(_ photo: NumberedPhoto) {
    let (metadata, body) = (photo.metadata, CameraBody(of: photo.metadata))
    bodies[photo.path] = body
    if asked[body] == nil { cameras.append((body, metadata.cameraName)) }
    let isAsked = metadata.captureTime != nil && (isReplacing || metadata.location == nil)
    asked[body, default: []] += isAsked ? [photo.path] : []
  }
}
