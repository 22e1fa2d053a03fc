import MetaTag

/// A note on each camera, in the order of their first photos.
struct CameraNotes<Note: Sendable>: Sendable {
  struct Camera: Sendable {
    let body: CameraBody
    let label: CameraLabel
    var note: Note
  }

  private(set) var cameras: [Camera] = []
  private var indices: [CameraBody: Int] = [:]

  /// Changes the note on a photo's camera, starting from `blank`.
  mutating func change(_ metadata: Metadata, from blank: Note, _ change: (inout Note) -> Void) {
    let body = CameraBody(of: metadata)
    let index = indices[body] ?? cameras.endIndex
    if index == cameras.endIndex {
      cameras.append(Camera(body: body, label: CameraLabel(metadata), note: blank))
      indices[body] = index
    }
    change(&cameras[index].note)
  }

  /// Returns a name for the camera that no other camera of the run has.
  func name(of camera: Camera) -> String { camera.label.name(among: cameras.map(\.label)) }

  /// Returns the `date shift` command that corrects all of a camera's dates; nil if its `errors` differ.
  func shift(
    of camera: Camera, by errors: [Double], where conditions: [String] = [], _ command: DateFixCommand
  ) -> String? {
    let all = camera.label.conditions(among: cameras.map(\.label)) + conditions
    return ClockError(errors).constant.map { command.shift(by: $0, of: all) }
  }
}

extension JSONWriter {
  /// Writes the smallest and the largest correction of a camera's clock, in seconds.
  mutating func member(correction errors: [Double]) {
    key("correction")
    object { writer in
      writer.member("least", errors.min())
      writer.member("greatest", errors.max())
    }
  }
}
