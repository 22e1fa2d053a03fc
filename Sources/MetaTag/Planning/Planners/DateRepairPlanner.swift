/// Proposes repairs of what `DateCheck` finds, if the photo itself determines the correct date; nothing is made up.
///
/// - An invalid text that can mean only one time, and a date in an irregular form, become that date.
/// - If copies disagree, the one with the most support is used: other namespaces, the digitized time, the receiver's
///   time, the file's name. If that leaves doubt, the photo stays unchanged.
/// - A copy with only a year, a month or a day means that its author knew no more, mostly for a scan. A date that
///   contradicts it never replaces it. The same applies to a text that isn't certainly the same date in a bad form:
///   `1885/1890`, `circa 1885`.
/// - A date that the time of the position, or the journal, proves wrong is moved by the difference and keeps its zone;
///   unless it shows the correct time of its place, so that the zone is wrong.
/// - A date without an offset gets the offset of an XMP copy that shows the same time, unless the receiver's time
///   contradicts it; or the offset that the receiver's time implies, if it is also that of the place's zone.
package struct DateRepairPlanner: Planner {
  private let facts: DateFacts
  private let zoneOfPlace: @Sendable (Coordinate) -> Zone?

  /// Creates a planner.
  ///
  /// - Parameters:
  ///   - facts: Facts about the photo's file.
  ///   - zone: Returns the time zone at a place.
  package init(_ facts: DateFacts, zone: @escaping @Sendable (Coordinate) -> Zone?) {
    self.facts = facts
    zoneOfPlace = zone
  }

  /// Proposes one date for all copies, with the reasons.
  package func propose(for metadata: Metadata) -> Proposal {
    Proposal { () throws(Reason) in
      try plan(facts.sidecar?.isBelieved == true ? metadata : metadata.withoutSidecar)
    }
  }

  private func plan(_ metadata: Metadata) throws(Reason) -> Proposal {
    let findings = DateCheck(metadata, facts).findings
    guard let believed = metadata.captureTimes.first else { return try readMalformed(metadata) }
    // Treat it like a copy in the photo itself that contradicts the date without any support.
    if facts.sidecar?.isBelieved == false, findings.contains(where: { $0.kind == .sidecar }) {
      throw .unrepairable(findings.map(\.kind))
    }
    let isOwn = { (finding: DateFinding) in finding.kind != .malformed || !isBeside(finding.statement) }
    let isMendable = { (finding: DateFinding) in isOwn(finding) && finding.isMendable(believing: believed) }
    guard findings.contains(where: isMendable) else {
      if let moved = try wrongClock(metadata, findings) { return moved }
      if let offset = missingOffset(metadata, findings) {
        let still = CalendarShift().anchored(at: metadata.captureTime)
        return proposal(.adjust(still, offset: .set(offset.value)), [offset.reason])
      }
      if let loose = looseText(metadata, than: believed.value) { throw loose }
      let isMalformedZone = findings.allSatisfy(\.isOfOffsetTag)
      if isMalformedZone, let offset = metadata.malformedOffsets.first(where: metadata.hasDate) {
        throw .malformedOffset(tag: offset.tag, offset.value)
      }
      throw isMalformedZone ? .asWanted : .unrepairable(findings.map(\.kind))
    }
    try requireNoOwnDigitizedTime(metadata, findings)
    var (time, reasons) = try right(metadata, findings)
    // Contradictory zones stay, unless there is support for one of them.
    let isZoneDoubted = time.offset == nil && findings.contains { $0.kind == .offset }
    let others = facts.sidecar.map(\.metadata)
    guard findings.allSatisfy({ $0.kind != .captureDay }), metadata.fits(time), others?.fits(time) ?? true,
      !isZoneDoubted
    else { throw .unrepairable(findings.map(\.kind)) }
    if let loose = looseText(metadata, than: time) { throw loose }
    reasons += findings.filter { [.malformed, .irregular].contains($0.kind) && isMendable($0) }
      .map { finding in
        let mended = finding.kind == .irregular ? finding.statement.mended.map { ", which is '\($0)'" } : nil
        return "\(finding.statement.tag) was written '\(finding.statement.value)'" + (mended ?? "")
      }
    if time.offset == nil, time.civil == metadata.captureTime?.civil, let offset = missingOffset(metadata, findings) {
      time.offset = offset.value
      reasons.append(offset.reason)
    }
    let isOnlyWritten = { (finding: DateFinding) in
      finding.kind == .irregular && finding.statement.source == Namespace.exif.rawValue
        && finding.statement.mended != nil
    }
    if findings.allSatisfy({ isOnlyWritten($0) || !isMendable($0) }) {
      // Keep dates that are in the correct form, and add none.
      let offset = time.offset == metadata.captureTime?.offset ? nil : time.offset
      let still = CalendarShift().anchored(at: metadata.captureTime)
      return proposal(.adjust(still, offset: offset.map { .set($0) } ?? .keep), reasons)
    }
    return proposal(.set(time, replacingOffsets: true), reasons)
  }

  /// Whether the statement is from a sidecar that doesn't take precedence over the photo.
  private func isBeside(_ statement: DateFinding.Statement) -> Bool {
    facts.sidecar?.isBelieved == false && statement.source == Namespace.sidecar.rawValue
  }

  /// Returns the reason to keep a text that isn't certainly `time` in a bad form: it may be intentional.
  private func looseText(_ metadata: Metadata, than time: CaptureTime) -> Reason? {
    var beside: [Sourced<String>] = []
    if let sidecar = facts.sidecar, !sidecar.isBelieved {
      beside = sidecar.metadata.captureTexts.map { Sourced($0.value, .sidecar, tag: "\(sidecar.name) \($0.tag)") }
    }
    let loose = (metadata.captureTexts + beside).first { text in
      let same = CaptureTime(lenient: text.value).map { time.disagreement(with: $0, of: text.namespace) == nil }
      return !(same ?? text.value.holdsNothing)
    }
    return loose.map { .looseDate(tag: $0.tag, $0.value) }
  }

  private func proposal(_ dates: DateChange, _ reasons: [String]) -> Proposal {
    .dates(dates, because: .repaired(reasons.joined(separator: "; ")))
  }

  /// Proposes a date for a photo that has only texts that can be read as one.
  private func readMalformed(_ metadata: Metadata) throws(Reason) -> Proposal {
    guard !metadata.malformedDates.isEmpty else { throw metadata.lackOfTime }
    let texts = metadata.malformedDates.filter {
      $0.tag != EXIF.DateTags.modified.name && !$0.tag.hasSuffix(EXIF.DateTags.digitized.name)
    }
    let times = texts.compactMap { CaptureTime(lenient: $0.value) }
    guard let text = texts.first, var time = times.first, times.count == texts.count else { throw metadata.lackOfTime }
    var reasons = ["\(text.tag) was written '\(text.value)'"]
    if text.value.lacksSeconds, let copy = metadata.digitizedTimes.first?.value, copy.isInMinute(from: time) {
      (time.civil, time.fraction) = (copy.civil, copy.fraction)
      reasons.append("the digitized time has the seconds")
    }
    guard times.allSatisfy({ time.disagreement(with: $0, of: .exif) == nil }), metadata.fits(time),
      looseText(metadata, than: time) == nil
    else { throw metadata.lackOfTime }
    guard metadata.digitizedTimes.allSatisfy({ time.disagreement(with: $0.value, of: $0.namespace) == nil }) else {
      throw .unrepairable([.malformed, .digitizedTime])
    }
    return proposal(.set(time), reasons)
  }

  /// Throws if the photo has its own digitized time, as a scan does: a new date would replace it.
  private func requireNoOwnDigitizedTime(_ metadata: Metadata, _ findings: [DateFinding]) throws(Reason) {
    guard let believed = metadata.captureTime else { return }
    let doubted = findings.filter { $0.kind == .digitizedTime }.map(\.statement)
    let isOwn = metadata.digitizedTimes.contains { copy in
      believed.disagreement(with: copy.value, of: copy.namespace) == .captureTime && !doubted.contains(.init(copy))
    }
    if isOwn { throw .unrepairable(findings.map(\.kind)) }
  }

  /// Proposes to correct a date that the time of the position, or the run that placed the photo, proves wrong. Returns
  /// nil if only the zone is wrong: the date shows the correct time of its place, but another zone.
  private func wrongClock(_ metadata: Metadata, _ findings: [DateFinding]) throws(Reason) -> Proposal? {
    if metadata.knownInstant == nil { return try wrongClockWithoutZone(metadata) }
    guard let error = metadata.clockError(recorded: facts.clock), let place = metadata.location?.coordinate,
      let taken = metadata.knownInstant, let offset = metadata.zonedCopy?.value.offset,
      let zone = zoneOfPlace(place)
    else { return nil }
    let unexplained = error.seconds + Int64(zone.offset(at: taken.adding(error)).seconds - offset.seconds)
    guard zone.offset(at: taken.adding(error)) == offset || abs(unexplained) > DateCheck.shutterSeconds else {
      return nil
    }
    let run = metadata.fixTime == nil ? facts.clock?.run : nil
    return try moving(metadata, by: error, because: placed(by: run) ?? "its GPS time proves that")
  }

  /// Corrects a date without a zone by what the journal records, or by a GPS time that no zone explains.
  private func wrongClockWithoutZone(_ metadata: Metadata) throws(Reason) -> Proposal? {
    guard let error = metadata.clockError(recorded: facts.clock, readIn: facts.zone) else { return nil }
    let run = facts.clock.flatMap { $0.error == error ? $0.run : nil }
    // Headers that show the clock's time would still not be in UTC after the correction.
    if metadata.isDatedByHeaders { throw .headersOfWrongClock(run) }
    let proof = "its GPS time\(facts.zone.map { ", read in \($0)," } ?? "") proves that"
    return try moving(metadata, by: error, because: placed(by: run) ?? proof)
  }

  private func placed(by run: RunID?) -> String? { run.map { "the options of run \($0), which placed it, say that" } }

  private func moving(_ metadata: Metadata, by error: TimeShift, because proof: String) throws(Reason) -> Proposal {
    var edit = MetadataEdit()
    edit.dates = .adjust(try DatePlanner.checked(CalendarShift(error), metadata), offset: .keep)
    edit.movesFilesAlike = true
    return .change(edit, because: .repaired("\(proof) the clock was wrong by \(error)"))
  }

  // MARK: Which is right

  private struct Candidate {
    var time: CaptureTime
    var votes = 0
    var zoneEvidence: [String] = []
  }

  private func right(_ metadata: Metadata, _ findings: [DateFinding]) throws(Reason) -> (CaptureTime, [String]) {
    guard let believed = metadata.captureTime else { throw metadata.lackOfTime }
    let isDoubted = findings.contains { [.captureTime, .offset, .digitizedTime, .captureDay].contains($0.kind) }
    guard isDoubted else {
      let headers = findings.filter { $0.kind == .movieHeader }.map(\.statement.tag)
      return (
        believed,
        (headers.contains("mvhd") ? ["the movie's header"] : [])
          + (headers.contains { $0 != "mvhd" } ? ["the headers of its tracks"] : [])
      )
    }
    var candidates: [Candidate] = []
    for copy in metadata.captureTimes + metadata.digitizedTimes + metadata.additionalTimes
    where !candidates.contains(where: { $0.time.disagreement(with: copy.value, of: copy.namespace) == nil }) {
      candidates.append(Candidate(time: copy.value))
    }
    for index in candidates.indices { hear(metadata, about: &candidates[index]) }
    let ranked = candidates.sorted { $0.votes > $1.votes }
    guard let best = ranked.first, ranked.count < 2 || best.votes >= ranked[1].votes + 2 else {
      throw .unrepairable(findings.map(\.kind))
    }
    return (best.time, ["\(best.time) is supported by \(best.zoneEvidence.joined(separator: ", "))"])
  }

  /// Counts the support for a candidate: one vote for each namespace with a copy, two for each independent source.
  private func hear(_ metadata: Metadata, about candidate: inout Candidate) {
    let time = candidate.time
    let copies = [
      (metadata.captureTimes, "capture time"), (metadata.digitizedTimes, "digitized time"),
      (metadata.additionalTimes, "further date"),
    ]
    for (copies, what) in copies {
      for namespace in Namespace.allCases
      where copies.contains(where: {
        $0.namespace == namespace && time.disagreement(with: $0.value, of: namespace) == nil
      }) {
        candidate.votes += 1
        candidate.zoneEvidence.append("\(namespace.rawValue)'s \(what)")
      }
    }
    if let fix = metadata.location?.timestamp, let instant = time.instant,
      (-DateCheck.shutterSeconds...DateCheck.shutterSeconds * 10).contains(instant.seconds - fix.seconds)
    {
      candidate.votes += 2
      candidate.zoneEvidence.append("the GPS time")
    }
    if case .time(let name)? = facts.nameDate, !facts.fileName.isNameOfSavedPicture,
      abs(name.distance(from: time)) <= 2
    {
      candidate.votes += 2
      candidate.zoneEvidence.append("the file's name")
    }
  }

  // MARK: Offsets

  private func missingOffset(
    _ metadata: Metadata, _ findings: [DateFinding]
  ) -> (value: UTCOffset, reason: String)? {
    guard let time = metadata.captureTime, time.offset == nil, metadata.captureTimes[0].tag != "mvhd" else {
      return nil
    }
    if let offset = metadata.zonedCopy?.value.offset {
      return findings.contains { $0.kind == .gpsTime } ? nil : (offset, "XMP has the offset \(offset)")
    }
    guard metadata.datedOffsets.isEmpty, let location = metadata.location, let fix = location.timestamp else {
      return nil
    }
    let (quarter, rest) = (time.civil.secondsSince1970 - fix.seconds).nearestQuarterHour
    guard abs(rest) <= 2 * DateCheck.shutterSeconds, let offset = UTCOffset(seconds: Int(quarter)),
      zoneOfPlace(location.coordinate)?.offset(at: time.instant(at: offset)) == offset
    else { return nil }
    return (offset, "the GPS time and the zone of the location agree on the offset \(offset)")
  }
}

extension Metadata {
  /// Whether no copy with only a year, a month or a day contradicts `time`.
  fileprivate func fits(_ time: CaptureTime) -> Bool {
    partialDates.allSatisfy { $0.value.contains(time) } && digitizedDays.allSatisfy { $0.value.isDay(of: time) }
  }
}

extension CaptureTime {
  /// Whether the time lies in the minute that begins at `other`.
  fileprivate func isInMinute(from other: CaptureTime) -> Bool {
    (0..<60).contains(civil.secondsSince1970 - other.civil.secondsSince1970)
  }
}

extension String {
  /// Whether a date with a time of day ends with the minutes.
  fileprivate var lacksSeconds: Bool { split { !$0.isNumber }.count == 5 }

  /// Whether the text consists only of zeros, blanks and signs.
  fileprivate var holdsNothing: Bool { !contains { $0.isLetter || $0.isNumber && $0 != "0" } }
}

extension DateFinding.Statement {
  /// The text in the form that its standard defines.
  fileprivate var mended: String? {
    source == Namespace.exif.rawValue ? CivilTime(exif: value)?.exifText : CivilTime(exif: value)?.description
  }
}

extension DateFinding {
  /// Whether the finding is about an invalid zone.
  fileprivate var isOfOffsetTag: Bool { kind == .malformed && statement.tag.hasPrefix("OffsetTime") }

  /// Whether a new date for all copies resolves the finding. EXIF DateTime is the time of the file's last change and
  /// stays. All headers of a movie follow the date: without a known zone, a correct header in UTC would be lost. The
  /// headers of a picture only move by the same amount as its date.
  fileprivate func isMendable(believing believed: Sourced<CaptureTime>) -> Bool {
    switch kind {
    case .malformed, .irregular: statement.tag != EXIF.DateTags.modified.name && !isOfOffsetTag
    case .captureTime, .offset, .digitizedTime, .captureDay: true
    case .movieHeader: believed.value.instant != nil || believed.tag == "mvhd"
    case .modifyTime, .gpsTime, .clock, .pictureHeader, .sidecar, .fileName, .fileTime: false
    }
  }
}

extension Metadata {
  /// Whether the date of this offset exists and changes with the others. The time of the file's last change doesn't.
  fileprivate func hasDate(of offset: Sourced<String>) -> Bool {
    let tag = offset.tag.replacing("OffsetTime", with: "DateTime")
    return (captureTimes + digitizedTimes).contains { $0.namespace == .exif && $0.tag == tag }
  }
}
