import ArgumentParser
import MetaTag
import SystemPackage

/// A photo of a clock that is right, and what that clock shows: `IMG_1.JPG=2024-05-01T10:00:00Z`.
struct Sighting: Sendable {
  let photo: FilePath
  let shown: CaptureTime

  /// The last `=` divides.
  static func argument(_ word: String) throws -> Sighting {
    let bytes = Argv.bytes(of: word)
    guard let sign = bytes.lastIndex(of: UInt8(ascii: "=")), sign > 0 else {
      throw ValidationError("a photo of a clock and what it shows are wanted: IMG_1.JPG=2024-05-01T10:00:00Z")
    }
    let shown = String(decoding: bytes[(sign + 1)...], as: UTF8.self)
    return Sighting(photo: FilePath(rawBytes: bytes[..<sign]), shown: try CaptureTime(parsing: shown))
  }
}

extension TrackOptions {
  /// By how much each camera's clock was wrong. What was found is told, as all the run rests on it.
  func clockErrors(_ console: Console) throws -> ClockErrors {
    var errors = ClockErrors(offset ?? .zero)
    var sightings: [(camera: CameraBody, name: String, of: ClockSighting)] = []
    for sync in sync {
      let photo = sync.photo
      do {
        let metadata = try ImageSource(photo).metadata()
        let sighting = try ClockSighting(metadata, shown: sync.shown, clock: CameraClock(zone: cameraZone))
        sightings.append((CameraBody(of: metadata), photo.printable, sighting))
      } catch let error as PhotoError {
        throw StartError("--sync \(photo.printable): \(error)")
      } catch let reason as Reason {
        throw StartError("--sync \(photo.printable): \(reason.sentence)")
      }
    }
    for camera in Set(sightings.map(\.camera)) {
      errors.set(sightings.filter { $0.camera == camera }.map(\.of), for: camera)
    }
    for (camera, name, sighting) in sightings {
      let line = errors.correction(of: sighting.time, for: camera).timeInterval
      let measured = sighting.correction.timeInterval
      let drift = errors.drift(of: camera) ?? 0
      console.complain(
        "\(name): the camera's clock was \(TrackOptions.words(measured))"
          + (drift == 0 ? "" : ", losing \(TrackOptions.rounded(drift)) s a day")
          + (abs(measured - line) < 0.05 ? "" : "; \(TrackOptions.rounded(measured - line)) s off the line"))
    }
    return errors
  }

  private static func words(_ seconds: Double) -> String {
    seconds == 0 ? "right" : "\(rounded(abs(seconds))) s \(seconds > 0 ? "slow" : "fast")"
  }

  private static func rounded(_ seconds: Double) -> Double { (seconds * 10).rounded() / 10 }
}
