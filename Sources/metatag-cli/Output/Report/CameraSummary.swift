import MetaTag
import SystemPackage

/// The clock of each camera of a run, how it was read, and whether its photos' dates are right now.
struct CameraSummary: Sendable {
  fileprivate struct Note: Sendable {
    /// Seconds that are added to its clock, of each photo that was placed.
    var corrections: [Double] = []
    var zones: [String] = []
    var sources: [String] = []
    /// The zones of the place that its photos were read by, in words.
    var assumed: [String] = []
    /// Photos whose date was corrected, and not.
    var fixed = 0
    var unfixed = 0
    /// Movies that don't name it, and the offsets at which those were read of which photos beside them tell it.
    var movies = 0
    var headers: [UTCOffset: Int] = [:]
    /// Whether a movie's headers were read as a clock showed it: a shift would leave them so, and they are to be in UTC.
    var hasShownHeader = false
    /// Photos that kept a place: their dates may be right already.
    var kept = 0
    /// Photos without a place for which the track has none, and that were left for another reason.
    var missed = 0
    var others = 0
    /// Seconds by which what sightings tell of the clock may be wrong; also what its photos tell, where that is no
    /// correction of dates.
    var uncertainty = 0.0
    /// Whether the clock isn't known to the minute.
    var isVague = false

    /// Whether `date shift` doesn't reach all of its photos, or doesn't give them the time of their place.
    var isFarther = false

    var isWrong: Bool { corrections.contains { $0 != 0 } }

    mutating func take(_ outcome: Outcome, isPlaced: Bool) {
      switch outcome.explanation?.ofPosition {
      case .matched(let match, let reading):
        if reading.isSynced { isFarther = true }
        if reading.isVague { isVague = true }
        if outcome.before?.isDatedByHeaders ?? false, reading.offset != .utc { hasShownHeader = true }
        uncertainty = max(uncertainty, reading.isVague ? reading.clockUncertainty : reading.uncertainty)
        let correction = match.instant.timeInterval(since: reading.instant)
        corrections.append(correction)
        zones.addOnce(reading.zone?.description ?? "\(reading.offset)")
        sources.addOnce(reading.source)
        if reading.isOfPlace, let zone = reading.zone {
          assumed.addOnce("\(reading.offset) (\(zone), from the track's place)")
        }
        if correction != 0 { if outcome.movesDates { fixed += 1 } else { unfixed += 1 } }
      case .shifted(let shift):
        corrections.append(Double(shift.span.seconds))
        fixed += 1
      default:
        if isPlaced { kept += 1 } else if case .skipped(.noMatch) = outcome.status { missed += 1 } else { others += 1 }
      }
    }

    /// How far the clock is known, where that is not to the second.
    var doubt: String { uncertainty > 0 ? ", give or take \(ClockError.text(Int64(uncertainty.rounded(.up))))" : "" }
  }

  private typealias Camera = CameraNotes<Note>.Camera

  private var notes = CameraNotes<Note>()
  private let command: DateFixCommand
  private var diagnosis: CameraDiagnosis
  private let isTrial: Bool

  /// A photo of its camera for each movie that doesn't name it.
  private let movies: [FilePath: CameraMovie]

  init(_ command: DateFixCommand, isTrial: Bool, _ diagnosis: CameraDiagnosis, movies: [FilePath: CameraMovie]) {
    (self.command, self.isTrial, self.diagnosis, self.movies) = (command, isTrial, diagnosis, movies)
  }

  /// Notes how a photo was read.
  mutating func take(_ outcome: Outcome) {
    guard let metadata = outcome.before, metadata.captureTime != nil else { return }
    let movie = movies[outcome.path]
    let own = movie?.camera
    if own == nil { diagnosis.take(metadata, of: outcome) }
    notes.change(own ?? metadata, from: Note()) { note in
      if let movie { note.takeMovie(outcome, isNamed: movie.namesIt) }
      note.take(outcome, isPlaced: metadata.location != nil)
    }
  }

  /// What is to be known of each camera's clock.
  var lines: [String] {
    notes.cameras.flatMap { camera in
      let (name, assumed) = (notes.name(of: camera), camera.note.assumed.joined(separator: " and "))
      let zone = assumed.isEmpty ? [] : ["\(name): no time zone recorded; assumed \(assumed)"]
      let clock =
        camera.note.isWrong
        ? [clockLine(of: camera, called: name)]
        : camera.note.uncertainty > 0 ? ["\(name): clock taken as right\(camera.note.doubt)."] : []
      return (zone + diagnosis.lines(of: camera.body, called: name) + camera.note.movieLines(name) + clock)
        .map(\.printable)
    }
  }

  private func clockLine(of camera: Camera, called name: String) -> String {
    let clock = "\(name): clock \(ClockError(camera.note.corrections))\(camera.note.doubt)."
    guard camera.note.unfixed > 0 else {
      return "\(clock) The dates of \(camera.note.fixed.pluralized("photo")) are corrected.\(missed(of: camera))"
    }
    if camera.note.isVague {
      return
        "\(clock) Dates not corrected, as that is not known to the minute. To correct them, give --sync a photo of a "
        + "clock, or 'metatag date shift' a value of your own."
    }
    return "\(clock) Dates not corrected. To correct them: \(remedy(for: camera))"
  }

  /// What becomes of its photos without a place, where others are corrected. No command could pick them in a trial, as none
  /// has a place then, nor where others have none, whose dates may be right.
  private func missed(of camera: Camera) -> String {
    let (count, note) = (camera.note.missed, camera.note)
    guard count > 0 else { return "" }
    let photos =
      count == 1
      ? "1 more has no place on the track and keeps its" : "\(count) more have no place on the track and keep their"
    let isClear =
      !isTrial && note.others == 0 && note.movies == 0 && note.headers.isEmpty && !note.isFarther
      && !note.hasShownHeader
    let command = isClear ? notes.shift(of: camera, by: note.corrections, where: ["!location"], command) : nil
    return " \(photos) dates" + (command.map { ": \($0)" } ?? ".")
  }

  /// An object for each camera of which photos were placed by their time.
  func write(to writer: inout JSONWriter) {
    writer.array { writer in
      for camera in notes.cameras where !camera.note.corrections.isEmpty || diagnosis.hasDoubt(of: camera.body) {
        let note = camera.note
        writer.object { writer in
          writer.member("camera", notes.name(of: camera))
          writer.member("photos", note.corrections.count)
          writer.member("movies", note.movies > 0 ? note.movies : nil)
          writer.member(correction: note.corrections)
          writer.key("zones")
          writer.array { writer in note.zones.forEach { writer.value($0) } }
          writer.key("zonesFrom")
          writer.array { writer in note.sources.forEach { writer.value($0) } }
          diagnosis.write(camera.body, to: &writer)
          writer.member("datesCorrected", note.isWrong ? note.unfixed == 0 : nil)
          writer.member("command", note.unfixed > 0 && !note.isVague ? remedy(for: camera) : nil)
        }
      }
    }
  }

  /// One shift for all, unless the clock drifted, or some of the photos may have been corrected before.
  private func remedy(for camera: Camera) -> String {
    let note = camera.note
    guard note.kept == 0, note.fixed == 0, note.movies == 0, note.headers.isEmpty, !note.isFarther, !note.hasShownHeader
    else { return command.fixing }
    return notes.shift(of: camera, by: note.corrections, command) ?? command.fixing
  }
}

extension CameraSummary.Note {
  fileprivate mutating func takeMovie(_ outcome: Outcome, isNamed: Bool) {
    if !isNamed { movies += 1 }
    guard case .matched(_, let reading)? = outcome.explanation?.ofPosition, !reading.neighbours.isEmpty else { return }
    headers[reading.offset, default: 0] += 1
  }

  fileprivate func movieLines(_ name: String) -> [String] {
    let taken =
      movies == 0
      ? []
      : [
        "\(movies.pluralized("movie")) between the photos of \(name) \(movies == 1 ? "was" : "were") taken for its own."
      ]
    let read = headers.sorted { $0.key.seconds < $1.key.seconds }.map { offset, count in
      offset == .utc ? "in UTC (\(count))" : "at \(offset) (\(count))"
    }
    let recorded =
      read.isEmpty ? [] : ["Header times, as the photos numbered beside show: \(read.joined(separator: ", "))."]
    let line = (taken + recorded).joined(separator: " ")
    return line.isEmpty ? [] : [taken.isEmpty ? "\(name): \(line)" : line]
  }
}

/// What a camera is called, and how `--where` picks its photos.
struct CameraLabel: Hashable, Sendable {
  private let (make, model, serial): (String?, String?, String?)
  private let name: String

  init(_ metadata: Metadata) {
    (make, model, serial) = (metadata.make, metadata.model, metadata.serialNumber)
    name = metadata.cameraModel ?? "camera without a name"
  }

  /// With the serial number where another is called like it.
  func name(among others: [CameraLabel]) -> String {
    others.count { $0.name == name } > 1 ? [name, serial].compactMap(\.self).joined(separator: " ") : name
  }

  /// None where it is the only one.
  func conditions(among others: [CameraLabel]) -> [String] {
    guard Set(others).count > 1 else { return [] }
    guard let model else { return ["!model"] + (make.map { ["make == \(Self.quoted($0))"] } ?? ["!make"]) }
    let twins = Set(others.filter { $0.model == model })
    var conditions = ["camera == \(Self.quoted(model))"]
    if Set(twins.map(\.make)).count > 1 { conditions.append(make.map { "make == \(Self.quoted($0))" } ?? "!make") }
    if Set(twins.map(\.serial)).count > 1 {
      conditions.append(serial.map { "serial == \(Self.quoted($0))" } ?? "!serial")
    }
    return conditions
  }

  private static func quoted(_ text: String) -> String { "\"\(text.replacing("\"", with: "\\\""))\"" }
}

/// By how much a clock was wrong, of one photo or of many.
struct ClockError: CustomStringConvertible {
  private let (least, most): (Int64, Int64)

  /// - Parameter corrections: Seconds that are to be added.
  init(_ corrections: [Double]) {
    let wrong = corrections.filter { $0 != 0 }.map { Int64($0.rounded()) }
    (least, most) = (wrong.min() ?? 0, wrong.max() ?? 0)
    isMixed = wrong.count < corrections.count
  }

  private let isMixed: Bool

  /// Nil where it drifted, by more than times in whole seconds differ.
  var constant: Int64? { most - least <= 1 && !isMixed ? abs(least) < abs(most) ? least : most : nil }

  /// `6 h 4 min 37 s slow`; of a clock that drifted, the least and the greatest.
  var description: String {
    let (first, last) = abs(least) <= abs(most) ? (least, most) : (most, least)
    let sign = { (seconds: Int64) in seconds < 0 ? "fast" : "slow" }
    if last - first <= 1, first - last <= 1 { return "\(Self.text(first)) \(sign(first))" }
    let before = sign(first) == sign(last) ? "" : " \(sign(first))"
    return "\(Self.text(first))\(before) to \(Self.text(last)) \(sign(last))"
  }

  static func text(_ seconds: Int64) -> String {
    let size = abs(seconds)
    let parts = [(size / 86_400, "d"), (size / 3_600 % 24, "h"), (size / 60 % 60, "min"), (size % 60, "s")]
    return parts.filter { $0.0 > 0 }.map { "\($0.0) \($0.1)" }.joined(separator: " ")
  }
}

extension [String] {
  fileprivate mutating func addOnce(_ word: String) { if !contains(word) { append(word) } }
}
