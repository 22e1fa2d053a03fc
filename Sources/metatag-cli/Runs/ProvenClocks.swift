import MetaTag

/// The cameras whose clocks their photos' GPS time, or the journal, proves wrong.
struct ProvenClocks {
  private struct Camera {
    let label: CameraLabel
    var errors: [Double] = []
    /// Whether the journal tells it of some.
    var isTold = false
    /// Photos whose dates may be right.
    var others = 0
  }

  private var cameras: [Camera] = []
  private var indices: [CameraBody: Int] = [:]
  private let command: DateFixCommand

  init(_ command: DateFixCommand) { self.command = command }

  mutating func take(_ metadata: Metadata, told clock: DateFacts.KnownClock?) {
    guard metadata.captureTime != nil else { return }
    let body = CameraBody(of: metadata)
    let index = indices[body] ?? cameras.endIndex
    if index == cameras.endIndex {
      cameras.append(Camera(label: CameraLabel(metadata)))
      indices[body] = index
    }
    guard let error = metadata.clockError(told: clock) else { return cameras[index].others += 1 }
    if metadata.clockError == nil { cameras[index].isTold = true }
    cameras[index].errors.append(error.timeInterval)
  }

  /// A line for each.
  var lines: [String] {
    wrong.map { camera in
      let (name, count) = (camera.label.name(among: labels), camera.errors.count)
      let clock = "\(name): clock \(ClockError(camera.errors)), by the \(camera.isTold ? "journal or " : "")GPS time of \(count.things("photo"))."
      return "\(clock) To correct the dates: \(remedy(for: camera))".printable
    }
  }

  /// An object for each, where there is one.
  func write(to writer: inout JSONWriter) {
    guard !wrong.isEmpty else { return }
    writer.key("cameras")
    writer.array { writer in
      for camera in wrong {
        writer.object { writer in
          writer.member("camera", camera.label.name(among: labels))
          writer.member("photos", camera.errors.count)
          writer.key("correction")
          writer.object { writer in
            writer.member("least", camera.errors.min())
            writer.member("greatest", camera.errors.max())
          }
          writer.member("command", remedy(for: camera))
        }
      }
    }
  }

  private var wrong: [Camera] { cameras.filter { !$0.errors.isEmpty } }
  private var labels: [CameraLabel] { cameras.map(\.label) }

  private func remedy(for camera: Camera) -> String {
    guard camera.others == 0, let seconds = ClockError(camera.errors).constant else { return command.repair }
    return command.shift(by: seconds, of: camera.label.conditions(among: labels))
  }
}
