import MetaTag

/// The cameras whose clocks their photos' GPS time, or the journal, proves wrong.
struct ProvenClocks {
  private struct Note {
    var errors: [Double] = []
    /// Whether the journal tells it of some.
    var isTold = false
    /// Photos whose dates may be right.
    var others = 0
  }

  private var notes = CameraNotes<Note>()
  private let command: DateFixCommand

  init(_ command: DateFixCommand) { self.command = command }

  mutating func take(_ metadata: Metadata, told clock: DateFacts.KnownClock?) {
    guard metadata.captureTime != nil else { return }
    notes.change(metadata, from: Note()) { note in
      guard let error = metadata.clockError(told: clock) else { return note.others += 1 }
      if metadata.clockError() == nil { note.isTold = true }
      note.errors.append(error.timeInterval)
    }
  }

  /// A line for each.
  var lines: [String] {
    wrong.map { camera in
      let (errors, proof) = (camera.note.errors, "\(camera.note.isTold ? "journal or " : "")GPS time")
      let clock = "clock \(ClockError(errors)), by the \(proof) of \(errors.count.things("photo"))."
      return "\(notes.name(of: camera)): \(clock) To correct the dates: \(remedy(for: camera))".printable
    }
  }

  /// An object for each, where there is one.
  func write(to writer: inout JSONWriter) {
    guard !wrong.isEmpty else { return }
    writer.key("cameras")
    writer.array { writer in
      for camera in wrong {
        writer.object { writer in
          writer.member("camera", notes.name(of: camera))
          writer.member("photos", camera.note.errors.count)
          writer.member(correction: camera.note.errors)
          writer.member("command", remedy(for: camera))
        }
      }
    }
  }

  private var wrong: [CameraNotes<Note>.Camera] { notes.cameras.filter { !$0.note.errors.isEmpty } }

  private func remedy(for camera: CameraNotes<Note>.Camera) -> String {
    let isForAll = camera.note.others == 0
    return isForAll ? notes.shift(of: camera, by: camera.note.errors, command) ?? command.repair : command.repair
  }
}
