/// Proposes to mend what `DateCheck` finds, where the photo itself tells what is right; nothing is made up.
///
/// - A text that is no date, but can mean one time only, and a date that isn't written as it should be, become that
///   date.
/// - Where copies disagree, the one that more of the rest speaks for is taken: other namespaces, the date of
///   digitizing, the receiver's time, the file's name. Where that leaves doubt, the photo is left.
/// - A copy that knows no more than a year, a month or a day was written by somebody who knew no more, of a scan
///   mostly: it is never written over by a date that contradicts it. Nor is a text that isn't certainly the same date,
///   badly written: `1885/1890`, `circa 1885`.
/// - A date that the time of the position, or the journal, proves wrong is moved by as much, and keeps its zone; unless
///   it shows the right time of its place, so that the zone is wrong.
/// - A date without offset gets that of a copy in XMP which shows the same time, unless the receiver's time contradicts
///   it; or the one that the receiver's time implies, if it is that of the place's zone, too.
package struct DateRepairPlanner: Planner {
  private let facts: DateFacts
  private let zoneOfPlace: @Sendable (Coordinate) -> Zone?

  /// - Parameters:
  ///   - facts: What is known of the photo's file.
  ///   - zone: Which zone's time is kept at a place.
  package init(_ facts: DateFacts, zone: @escaping @Sendable (Coordinate) -> Zone?) {
    self.facts = facts
    zoneOfPlace = zone
  }

  /// One date for all copies, with the reasons.
  package func propose(for metadata: Metadata) -> Proposal {
    Proposal { () throws(Reason) in
      try plan(facts.sidecar?.isBelieved == true ? metadata : metadata.withoutSidecar)
    }
  }

  private func plan(_ metadata: Metadata) throws(Reason) -> Proposal {
    let findings = DateCheck(metadata, facts).findings
    guard let believed = metadata.captureTimes.first else { return try readMalformed(metadata) }
    // As a copy in the photo itself that contradicts it and for which nothing speaks.
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
    // Zones that contradict each other stay, unless the rest speaks for one of them.
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
      // What is written as it should be stays, and nothing is added.
      let offset = time.offset == metadata.captureTime?.offset ? nil : time.offset
      let still = CalendarShift().anchored(at: metadata.captureTime)
      return proposal(.adjust(still, offset: offset.map { .set($0) } ?? .keep), reasons)
    }
    return proposal(.set(time, replacingOffsets: true), reasons)
  }

  /// Whether it stands in the sidecar of a photo that is believed before it.
  private func isBeside(_ statement: DateFinding.Statement) -> Bool {
    facts.sidecar?.isBelieved == false && statement.source == Namespace.sidecar.rawValue
  }

  /// A text that nobody can say is `time`, badly written: somebody may have meant just that.
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

  /// A photo without a date, but with texts that can be read as one.
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
      reasons.append("the digitized time knows the seconds")
    }
    guard times.allSatisfy({ time.disagreement(with: $0, of: .exif) == nil }), metadata.fits(time),
      looseText(metadata, than: time) == nil
    else { throw metadata.lackOfTime }
    guard metadata.digitizedTimes.allSatisfy({ time.disagreement(with: $0.value, of: $0.namespace) == nil }) else {
      throw .unrepairable([.malformed, .digitizedTime])
    }
    return proposal(.set(time), reasons)
  }

  /// A scan's own date of digitizing would be lost.
  private func requireNoOwnDigitizedTime(_ metadata: Metadata, _ findings: [DateFinding]) throws(Reason) {
    guard let believed = metadata.captureTime else { return }
    let doubted = findings.filter { $0.kind == .digitizedTime }.map(\.statement)
    let isOwn = metadata.digitizedTimes.contains { copy in
      believed.disagreement(with: copy.value, of: copy.namespace) == .captureTime && !doubted.contains(.init(copy))
    }
    if isOwn { throw .unrepairable(findings.map(\.kind)) }
  }

  /// A date that the time of its position, or the run that placed it, proves wrong, unless its zone was: where it shows
  /// the right time of its place, and another zone.
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
    return try moving(metadata, by: error, because: placed(by: run) ?? "its GPS time proves")
  }

  /// Corrects a date without a zone by what the journal records, or by a GPS time that no zone explains.
  private func wrongClockWithoutZone(_ metadata: Metadata) throws(Reason) -> Proposal? {
    guard let error = metadata.clockError(recorded: facts.clock, readIn: facts.zone) else { return nil }
    let run = facts.clock.flatMap { $0.error == error ? $0.run : nil }
    // Moved by as much, headers that show the clock's time would still not be in UTC.
    if metadata.isDatedByHeaders { throw .headersOfWrongClock(run) }
    let proof = "its GPS time\(facts.zone.map { ", in the time of \($0)," } ?? "") proves"
    return try moving(metadata, by: error, because: placed(by: run) ?? proof)
  }

  private func placed(by run: RunID?) -> String? { run.map { "it was placed by run \($0), which was told" } }

  private func moving(_ metadata: Metadata, by error: TimeShift, because proof: String) throws(Reason) -> Proposal {
    var edit = MetadataEdit()
    edit.dates = .adjust(try DatePlanner.checked(CalendarShift(error), metadata), offset: .keep)
    edit.movesFilesAlike = true
    return .change(edit, because: .repaired("\(proof) that the clock was wrong by \(error)"))
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
    return (best.time, ["\(best.time) is what \(best.zoneEvidence.joined(separator: ", ")) say"])
  }

  /// Copies count one for each namespace, what is independent of them two.
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
      candidate.zoneEvidence.append("the receiver's time")
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
    return (offset, "the receiver's time implies the offset \(offset), which is that of the place's zone")
  }
}

extension Metadata {
  /// Whether no copy that knows only a year, a month or a day contradicts `time`.
  fileprivate func fits(_ time: CaptureTime) -> Bool {
    partialDates.allSatisfy { $0.value.contains(time) } && digitizedDays.allSatisfy { $0.value.isDay(of: time) }
  }
}

extension CaptureTime {
  /// Whether a clock showed it in the minute that began at `other`.
  fileprivate func isInMinute(from other: CaptureTime) -> Bool {
    (0..<60).contains(civil.secondsSince1970 - other.civil.secondsSince1970)
  }
}

extension String {
  /// Whether a date with a time of day stops at the minutes.
  fileprivate var lacksSeconds: Bool { split { !$0.isNumber }.count == 5 }

  /// Zeros, blanks and signs.
  fileprivate var holdsNothing: Bool { !contains { $0.isLetter || $0.isNumber && $0 != "0" } }
}

extension DateFinding.Statement {
  /// A text that isn't written as its standard says, as it should be.
  fileprivate var mended: String? {
    source == Namespace.exif.rawValue ? CivilTime(exif: value)?.exifText : CivilTime(exif: value)?.description
  }
}

extension DateFinding {
  /// Whether it is about a text that is no zone.
  fileprivate var isOfOffsetTag: Bool { kind == .malformed && statement.tag.hasPrefix("OffsetTime") }

  /// Whether a new date for all copies puts it right. EXIF DateTime is that of the file's last change, and stays. All
  /// of a movie's headers follow the date: where its zone isn't known, a right movie header in UTC would be lost. A
  /// picture's are only moved by as much as its date.
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
  /// Whether the date to which the zone belongs is there, and changes with the others. That of the file's last change
  /// doesn't.
  fileprivate func hasDate(of offset: Sourced<String>) -> Bool {
    let tag = offset.tag.replacing("OffsetTime", with: "DateTime")
    return (captureTimes + digitizedTimes).contains { $0.namespace == .exif && $0.tag == tag }
  }
}
