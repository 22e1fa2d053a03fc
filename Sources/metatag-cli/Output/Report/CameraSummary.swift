import MetaTag
import SystemPackage

/// Summarizes how the clock of each camera was read, and whether the dates of its photos are right.
struct CameraSummary: Sendable {
  fileprivate struct Note: Sendable {
    /// The seconds added to its clock, for each photo that was placed.
    var corrections: [Double] = []
    var zones: [String] = []
    var sources: [String] = []
    /// The assumed time zones of its photos, in words.
    var assumed: [String] = []
    /// The numbers of photos whose date was corrected, and whose wasn't.
    var fixed = 0
    var unfixed = 0
    /// The number of movies that don't name the camera but were read by its clock, and the UTC offsets of those that
    /// the photos numbered next to them decided.
    var movies = 0
    var headers: [UTCOffset: Int] = [:]
    /// Whether a movie's header was read as local time. A shift would keep it so, but headers should be in UTC.
    var hasShownHeader = false
    /// The number of photos that kept their location: their dates may be right already.
    var kept = 0
    /// The numbers of photos without a location that the track couldn't place, and that were skipped for another
    /// reason.
    var missed = 0
    var others = 0
    /// The uncertainty of the clock in seconds: by its --sync photos, and by all its photos if no date is to be
    /// corrected.
    var uncertainty = 0.0
    /// Whether the clock is uncertain by more than a minute.
    var isVague = false

    /// Whether `date shift` doesn't reach all of its photos, or doesn't give them the local time of their location.
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
          assumed.addOnce("\(reading.offset) (\(zone), the zone of the location)")
        }
        if correction != 0 { if outcome.movesDates { fixed += 1 } else { unfixed += 1 } }
      case .shifted(let shift):
        corrections.append(Double(shift.span.seconds))
        fixed += 1
      default:
        if isPlaced { kept += 1 } else if case .skipped(.noMatch) = outcome.status { missed += 1 } else { others += 1 }
      }
    }

    /// The uncertainty in words, if there is one.
    var doubt: String { uncertainty > 0 ? ", give or take \(ClockError.text(Int64(uncertainty.rounded(.up))))" : "" }
  }

  private typealias Camera = CameraNotes<Note>.Camera

  private var notes = CameraNotes<Note>()
  private let command: DateFixCommand
  private var diagnosis: CameraDiagnosis
  private let isTrial: Bool

  /// A photo of the camera for each movie that doesn't name it.
  private let movies: [FilePath: CameraMovie]

  init(_ command: DateFixCommand, isTrial: Bool, _ diagnosis: CameraDiagnosis, movies: [FilePath: CameraMovie]) {
    (self.command, self.isTrial, self.diagnosis, self.movies) = (command, isTrial, diagnosis, movies)
  }

  /// Records how a photo was read.
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

  /// The lines about each camera's clock.
  var lines: [String] {
    notes.cameras.flatMap { camera in
      let (name, assumed) = (notes.name(of: camera), camera.note.assumed.joined(separator: " and "))
      let zone = assumed.isEmpty ? [] : ["\(name): no time zone recorded; assumed \(assumed)"]
      let clock =
        camera.note.isWrong
        ? [clockLine(of: camera, called: name)]
        : camera.note.uncertainty > 0 ? ["\(name): clock assumed to be right\(camera.note.doubt)."] : []
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
        "\(clock) Dates not corrected, because that is not known to the minute. To correct them, use --sync with a "
        + "photo of a clock, or 'metatag date shift'."
    }
    return "\(clock) Dates not corrected. To correct them: \(remedy(for: camera))"
  }

  /// Describes the photos without a location when others are corrected. In a dry run, no command could select them, as
  /// none has a location yet; nor if other photos without one may have the right date.
  private func missed(of camera: Camera) -> String {
    let (count, note) = (camera.note.missed, camera.note)
    guard count > 0 else { return "" }
    let photos =
      count == 1
      ? "1 more has no position on the track and keeps its"
      : "\(count) more have no position on the track and keep their"
    let isClear =
      !isTrial && note.others == 0 && note.movies == 0 && note.headers.isEmpty && !note.isFarther
      && !note.hasShownHeader
    let command = isClear ? notes.shift(of: camera, by: note.corrections, where: ["!location"], command) : nil
    return " \(photos) dates" + (command.map { ": \($0)" } ?? ".")
  }

  /// Writes an object for each camera whose photos were placed by time.
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

  /// Returns the command that corrects the dates: one shift for all photos, unless the clock drifted or some may have
  /// been corrected before.
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
        "\(movies.pluralized("movie")) between the photos of \(name) \(movies == 1 ? "was" : "were") assumed to be its own."
      ]
    let read = headers.sorted { $0.key.seconds < $1.key.seconds }.map { offset, count in
      offset == .utc ? "in UTC (\(count))" : "at \(offset) (\(count))"
    }
    let recorded =
      read.isEmpty
      ? [] : ["Header times, according to the photos with neighbouring numbers: \(read.joined(separator: ", "))."]
    let line = (taken + recorded).joined(separator: " ")
    return line.isEmpty ? [] : [taken.isEmpty ? "\(name): \(line)" : line]
  }
}

/// A camera's name, and the conditions of `--where` that select its photos.
struct CameraLabel: Hashable, Sendable {
  private let (make, model, serial): (String?, String?, String?)
  private let name: String

  init(_ metadata: Metadata) {
    (make, model, serial) = (metadata.make, metadata.model, metadata.serialNumber)
    name = metadata.cameraModel ?? "camera without a name"
  }

  /// Returns the name, with the serial number if another camera has the same name.
  func name(among others: [CameraLabel]) -> String {
    others.count { $0.name == name } > 1 ? [name, serial].compactMap(\.self).joined(separator: " ") : name
  }

  /// Returns the conditions; none if it is the only camera.
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

/// The error of a clock, from one photo or many.
struct ClockError: CustomStringConvertible {
  private let (least, most): (Int64, Int64)

  /// Summarizes the corrections of one camera's photos.
  /// - Parameter corrections: The seconds to add, for each photo.
  init(_ corrections: [Double]) {
    let wrong = corrections.filter { $0 != 0 }.map { Int64($0.rounded()) }
    (least, most) = (wrong.min() ?? 0, wrong.max() ?? 0)
    isMixed = wrong.count < corrections.count
  }

  private let isMixed: Bool

  /// The correction; nil if the clock drifted by more than the rounding to whole seconds.
  var constant: Int64? { most - least <= 1 && !isMixed ? abs(least) < abs(most) ? least : most : nil }

  /// The error in words: `6 h 4 min 37 s slow`; for a clock that drifted, its smallest and largest error.
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

/// Doubts about the clocks of a run's cameras, for its summary.
struct CameraDiagnosis: Sendable {
  private let planner: PerCameraPlanner
  /// Whether the run's photos were read before it, so that `planner` knows them.
  private let isLearned: Bool
  private var parts: [CameraBody: Int] = [:]
  private var held: [CameraBody: Int] = [:]
  private var zoneEvidence = ZoneEvidence()

  init(_ planner: PerCameraPlanner, isLearned: Bool) { (self.planner, self.isLearned) = (planner, isLearned) }

  /// Records a photo's camera, and whether the photo was held back.
  mutating func take(_ metadata: Metadata, of outcome: Outcome) {
    let body = CameraBody(of: metadata)
    if parts[body] == nil { parts[body] = try? planner.index(for: metadata) }
    if case .skipped(.doubtfulClock) = outcome.status { held[body, default: 0] += 1 }
    if !isLearned { zoneEvidence.take(NumberedPhoto(path: outcome.path, metadata: metadata)) }
  }

  /// Whether there is anything to say about the camera.
  func hasDoubt(of body: CameraBody) -> Bool { found(body) != nil || !candidates(of: body).isEmpty }

  /// Returns the camera's diagnosis and its possible clock errors.
  func lines(of body: CameraBody, called name: String) -> [String] {
    var lines: [String] = []
    if let found = found(body) {
      let held = held[body] ?? 0
      // The correction that was tried has found nothing.
      let remedies = estimate(of: body) == nil ? "--offset auto, --sync" : "--sync"
      lines.append(
        "\(found.outside) of \(found.count) photos of \(name) are outside the track by up to \(found.span): wrong clock "
          + "or zone? Try \(remedies) or --camera-zone"
          + (held == 0 ? "" : "; \(held.pluralized("photo")) inside skipped; use --trust-clock to place them"))
    }
    if case .failure(let doubt)? = estimate(of: body), case .ambiguous = doubt {
      lines.append("\(name): \(doubt). Its times are used unchanged. \(doubt.remedy.words)")
    }
    return lines.map(\.printable)
  }

  /// Writes the diagnosis as members of the camera's object.
  func write(_ body: CameraBody, to writer: inout JSONWriter) {
    if let found = found(body) {
      writer.key("diagnosis")
      writer.object { writer in
        writer.member("photos", found.count)
        writer.member("outside", found.outside)
        writer.member("farthest", found.farthest)
        writer.member("attainable", found.attainable)
        writer.member("heldBack", held[body] ?? 0)
      }
    }
    let candidates = candidates(of: body)
    guard !candidates.isEmpty else { return }
    writer.key("candidates")
    writer.array { writer in
      for candidate in candidates {
        writer.object { writer in
          writer.member("correction", candidate.correction)
          writer.member("zone", candidate.offset.map { "\($0)" })
          writer.member("likelihood", (candidate.likelihood * 1e4).rounded(.down) / 1e4)
        }
      }
    }
  }

  private func found(_ body: CameraBody) -> ClockDiagnosis? {
    guard let part = parts[body] else { return nil }
    var planner = planner.parts[part].planner
    if !isLearned { planner.diagnose(zoneEvidence) }
    return planner.diagnoses[body]
  }

  private func candidates(of body: CameraBody) -> [ClockAmbiguity.Candidate] {
    guard case .failure(.ambiguous(let candidates))? = estimate(of: body) else { return [] }
    return candidates
  }

  private func estimate(of body: CameraBody) -> Result<ClockEstimate, ClockAmbiguity>? {
    parts[body].flatMap { planner.parts[$0].planner.estimates[body] }
  }
}

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
