import ArgumentParser
import MetaTag
import SystemPackage

extension TrackOptions {
  /// By how much each camera's clock was wrong. What was found is told, as all the run rests on it.
  func clockErrors(_ console: Console) throws -> ClockErrors {
    var errors = ClockErrors(offset ?? .zero)
    var sightings: [(camera: CameraBody, name: String, of: ClockSighting)] = []
    for word in sync {
      let (photo, shown) = try TrackOptions.sync(word.text)
      do {
        let metadata = try ImageSource(photo).metadata()
        let sighting = try ClockSighting(metadata, shown: shown, clock: CameraClock(zone: cameraZone))
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

  /// `IMG_1.JPG=2024-05-01T10:00:00Z`: the last `=` divides.
  static func sync(_ text: String) throws -> (FilePath, CaptureTime) {
    guard let sign = text.lastIndex(of: "="), sign != text.startIndex else {
      throw StartError("--sync takes a photo of a clock and what it shows: IMG_1.JPG=2024-05-01T10:00:00Z")
    }
    do {
      let shown = try CaptureTime(parsing: String(text[text.index(after: sign)...]))
      return (FilePath(String(text[..<sign])), shown)
    } catch {
      throw StartError("--sync: \(error)")
    }
  }

  private static func words(_ seconds: Double) -> String {
    seconds == 0 ? "right" : "\(rounded(abs(seconds))) s \(seconds > 0 ? "slow" : "fast")"
  }

  private static func rounded(_ seconds: Double) -> Double { (seconds * 10).rounded() / 10 }
}
