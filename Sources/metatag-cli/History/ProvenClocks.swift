import MetaTag

/// The cameras whose clocks are proved wrong by the GPS time of their photos or by the journal.
struct ProvenClocks {
  private struct Note {
    var errors: [Double] = []
    /// Whether the journal proves it for some photos.
    var isGiven = false
    /// The zones assumed for dates without one.
    var zones: [String] = []
    /// The number of photos whose dates may be right.
    var others = 0
    /// The number of movies dated only by their headers, which may be in local time; no shift would make them UTC.
    var movies = 0
  }

  /// The number of such movies that runs placed by a corrected clock.
  private var movies: [RunID: Int] = [:]
  /// The runs whose command line gave the correction.
  private var recorded: Set<RunID> = []

  private var notes = CameraNotes<Note>()
  private let command: DateFixCommand

  init(_ command: DateFixCommand) { self.command = command }

  mutating func take(_ metadata: Metadata, _ facts: DateFacts) {
    guard metadata.captureTime != nil else { return }
    notes.change(metadata, from: Note()) { note in
      let (clock, zone) = (facts.clock, facts.zone)
      if metadata.isDatedByHeaders {
        note.movies += 1
        if let clock, clock.isGiven { movies[clock.run, default: 0] += 1 }
        if let clock, clock.error != nil { recorded.insert(clock.run) }
        return
      }
      guard let error = metadata.clockError(recorded: clock, readIn: zone) else { return note.others += 1 }
      if metadata.clockError(readIn: zone) == nil { note.isGiven = true }
      if let zone, clock?.error != error, !note.zones.contains("\(zone)") { note.zones.append("\(zone)") }
      note.errors.append(error.timeInterval)
    }
  }

  /// A line for each camera, and for the movies.
  var lines: [String] { cameraLines + movieLines }

  /// The lines for movies, unless neither a camera's clock is proved wrong nor the run's command line gave a
  /// correction.
  private var movieLines: [String] {
    movies.filter { run, _ in !wrong.isEmpty || recorded.contains(run) }.sorted { $0.key < $1.key }.map { run, count in
      "\(count.pluralized("movie")) with header times only: placed by run \(run) with a corrected clock. To correct the "
        + "dates: the 'metatag geotag' of that run with --fix-dates (see 'metatag log')"
    }
  }

  private var cameraLines: [String] {
    wrong.map { camera in
      let (errors, proof) = (camera.note.errors, "\(camera.note.isGiven ? "journal or " : "")GPS time")
      let zones = camera.note.zones.joined(separator: " and ")
      let read = zones.isEmpty ? "" : ", read in \(zones)"
      let clock = "clock \(ClockError(errors))\(read), by the \(proof) of \(errors.count.pluralized("photo"))."
      return "\(notes.name(of: camera)): \(clock) To correct the dates: \(remedy(for: camera))".printable
    }
  }

  /// Writes an object for each, if there are any.
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
    let isForAll = camera.note.others == 0 && camera.note.movies == 0
    return isForAll ? notes.shift(of: camera, by: camera.note.errors, command) ?? command.repair : command.repair
  }
}
