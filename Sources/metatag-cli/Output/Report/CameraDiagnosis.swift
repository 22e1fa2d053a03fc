import MetaTag

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
          + (held == 0 ? "" : "; \(held.pluralized("photo")) inside held back: --trust-clock places them"))
    }
    if case .failure(let doubt)? = estimate(of: body), case .ambiguous = doubt {
      lines.append("\(name): --offset auto found no correction, its clock is taken as it is: \(doubt)")
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
