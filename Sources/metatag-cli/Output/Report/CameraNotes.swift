import MetaTag

/// What is noted of each camera, in the order in which photos name them.
struct CameraNotes<Note: Sendable>: Sendable {
  struct Camera: Sendable {
    let body: CameraBody
    let label: CameraLabel
    var note: Note
  }

  private(set) var cameras: [Camera] = []
  private var indices: [CameraBody: Int] = [:]

  /// Changes what is noted of the camera that took a photo; nothing was, at first, but `blank`.
  mutating func change(_ metadata: Metadata, from blank: Note, _ change: (inout Note) -> Void) {
    let body = CameraBody(of: metadata)
    let index = indices[body] ?? cameras.endIndex
    if index == cameras.endIndex {
      cameras.append(Camera(body: body, label: CameraLabel(metadata), note: blank))
      indices[body] = index
    }
    change(&cameras[index].note)
  }

  /// What a camera is called, so that no other is called like it.
  func name(of camera: Camera) -> String { camera.label.name(among: cameras.map(\.label)) }

  /// The command that adds the same to all dates of a camera; nil where its `errors` aren't one.
  func shift(
    of camera: Camera, by errors: [Double], where conditions: [String] = [], _ command: DateFixCommand
  ) -> String? {
    let all = camera.label.conditions(among: cameras.map(\.label)) + conditions
    return ClockError(errors).constant.map { command.shift(by: $0, of: all) }
  }
}

extension JSONWriter {
  /// The least and the greatest of what must be added to a camera's clock, in seconds.
  mutating func member(correction errors: [Double]) {
    key("correction")
    object { writer in
      writer.member("least", errors.min())
      writer.member("greatest", errors.max())
    }
  }
}
