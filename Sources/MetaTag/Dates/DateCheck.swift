/// Finds contradictions to the date of a photo that takes precedence. A less precise copy, without fraction, offset or
/// time of day, is not a contradiction. The constants below are the tolerances.
package struct DateCheck: Sendable {
  let metadata: Metadata
  let facts: DateFacts

  /// Seconds by which copies of one time may differ: some writers round, others truncate.
  static let copySeconds: Int64 = 1
  /// Seconds between the shutter and the time that phones write into a name or a second tag.
  static let shutterSeconds: Int64 = 60
  /// The longest duration of a panorama in seconds; its first and last picture have dates of their own.
  static let panoramaSeconds: Int64 = 900
  /// The maximum age in seconds of a fix that a camera uses for a photo. Less than an hour, as an hour is daylight
  /// saving time.
  static let fixSeconds: Int64 = 3_540
  /// The range of offsets of all zones from UTC, in seconds.
  static let zones: ClosedRange<Int64> = -12 * 3_600...14 * 3_600
  static let widestZones: Int64 = 26 * 3_600
  /// The longest movie in seconds: its name may record the beginning, and its header the end.
  static let longestMovie: Int64 = 3 * 3_600

  /// Creates a check of a photo's metadata with the facts about its file.
  package init(_ metadata: Metadata, _ facts: DateFacts) { (self.metadata, self.facts) = (metadata, facts) }

  /// All findings, in the order of `DateFinding.Kind`.
  package var findings: [DateFinding] {
    // A block that occurs twice yields the same finding twice.
    var known: Set<DateFinding> = []
    let isExpected = { (finding: DateFinding) in finding.kind == .sidecar && facts.sidecar?.isCorrected == true }
    return all.filter { !isExpected($0) && known.insert($0).inserted }
  }

  private var all: [DateFinding] {
    let forms =
      (metadata.malformedDates + metadata.malformedOffsets).map { DateFinding(.malformed, .init($0)) } + malformedBeside
      + metadata.irregularDates.map { DateFinding(.irregular, .init($0)) }
    guard let believed = metadata.captureTimes.first else { return forms + partialsAlone }
    return forms + copies(believed) + zones(besides: believed) + additional(believed) + partials(believed)
      + digitized(believed)
      + digitizedDays(believed) + modified(believed) + gps(believed) + clock(believed) + header(believed)
      + pictureHeaders(believed) + sidecar(believed) + name(believed) + fileTime(believed)
  }

  // MARK: Inside the file

  func copies(_ believed: Sourced<CaptureTime>) -> [DateFinding] {
    let all = metadata.captureTimes.dropFirst().compactMap { copy -> DateFinding? in
      let found = believed.value.disagreement(with: copy.value, of: copy.namespace)
      guard let kind = found ?? believed.value.strayOffset(in: copy) else { return nil }
      return DateFinding(
        isOverruled(copy, by: believed) ? .sidecar : kind, .init(copy), against: .init(believed),
        seconds: copy.value.distance(from: believed.value))
    }
    return all.filter { $0.kind == .captureTime } + all.filter { $0.kind == .offset }
      + all.filter { $0.kind == .sidecar }
  }

  /// Returns findings about copies of one civil time in different zones, if the preferred date has no offset or another
  /// civil time. UTC in IPTC is ignored as made up.
  private func zones(besides believed: Sourced<CaptureTime>) -> [DateFinding] {
    let zoned = (metadata.captureTimes + metadata.digitizedTimes + metadata.additionalTimes).filter { copy in
      guard let offset = copy.value.offset, copy.namespace != .iptc || offset != .utc else { return false }
      return believed.value.offset == nil || !copy.value.isShowing(believed.value)
    }
    return zoned.indices.compactMap { index in
      let copy = zoned[index]
      let other = zoned[..<index].first { $0.value.isShowing(copy.value) && $0.value.offset != copy.value.offset }
      return other.map {
        DateFinding(.offset, .init(copy), against: .init($0), seconds: copy.value.distance(from: $0.value))
      }
    }
  }

  /// Whether the copy is the raw file's own and the sidecar takes precedence.
  private func isOverruled(_ copy: Sourced<CaptureTime>, by believed: Sourced<CaptureTime>) -> Bool {
    believed.namespace == .sidecar && copy.namespace != .sidecar
  }

  /// Returns findings about dates that only single programs write.
  func additional(_ believed: Sourced<CaptureTime>) -> [DateFinding] {
    metadata.additionalDates.compactMap { copy in
      let kind: DateFinding.Kind
      var seconds: Int64?
      switch copy.value {
      case .time(let time, _):
        guard let found = believed.value.disagreement(with: time, of: copy.namespace) else { return nil }
        let later = time.distance(from: believed.value)
        if copy.tag.hasPrefix("GPano:"), abs(later) <= Self.panoramaSeconds { return nil }
        (kind, seconds) = (found, later)
      case .partial(let date) where !date.contains(believed.value): kind = .captureDay
      case .partial, .blank, .malformed: return nil
      }
      let isOld = believed.namespace == .sidecar && copy.namespace != .sidecar
      return DateFinding(isOld ? .sidecar : kind, .init(copy), against: .init(believed), seconds: seconds)
    }
  }

  func partials(_ believed: Sourced<CaptureTime>) -> [DateFinding] {
    metadata.partialDates.filter { !$0.value.contains(believed.value) }
      .map { DateFinding(.captureDay, .init($0), against: .init(believed)) }
  }

  /// Findings about a photo of which only years, months and days are known.
  private var partialsAlone: [DateFinding] {
    guard let believed = metadata.partialDates.first else { return [] }
    let others = metadata.partialDates.filter { !$0.value.agrees(with: believed.value) }
    let overruled = metadata.overruledTimes.filter { !believed.value.contains($0.value) }
    return others.map { DateFinding(.captureDay, .init($0), against: .init(believed)) }
      + overruled.map { DateFinding(.sidecar, .init($0), against: .init(believed)) }
  }

  func digitized(_ believed: Sourced<CaptureTime>) -> [DateFinding] {
    var findings = metadata.digitizedTimes.filter { copy in
      believed.value.civil == copy.value.civil
        && believed.value.disagreement(with: copy.value, of: copy.namespace) == .offset
    }
    .map { DateFinding(.offset, .init($0), against: .init(believed), seconds: $0.value.distance(from: believed.value)) }
    let first = metadata.digitizedTimes.first
    // If the sidecar of a raw file moved one date, it didn't necessarily move the other.
    let overruled = metadata.captureTimes.filter { isOverruled($0, by: believed) }
    for copy in metadata.digitizedTimes
    where believed.value.disagreement(with: copy.value, of: copy.namespace) == .captureTime
      && !overruled.contains(where: { $0.value.disagreement(with: copy.value, of: copy.namespace) == nil })
    {
      if let first, copy != first {
        guard first.value.disagreement(with: copy.value, of: copy.namespace) == .captureTime else { continue }
        findings.append(
          DateFinding(
            .digitizedTime, .init(copy), against: .init(first), seconds: copy.value.distance(from: first.value)))
        continue
      }
      let later = copy.value.distance(from: believed.value)
      // Scans are digitized long after; a clock that was corrected in only one of two tags differs by less than a day.
      let isAllowed =
        copy.namespace == .exif
        ? abs(later) <= Self.shutterSeconds || later > Self.widestZones : later >= -Self.shutterSeconds
      if !isAllowed {
        findings.append(DateFinding(.digitizedTime, .init(copy), against: .init(believed), seconds: later))
      }
    }
    return findings
  }

  /// Returns findings about copies with only a day. The day must be that of the other digitized times, or not before
  /// the photo was taken.
  func digitizedDays(_ believed: Sourced<CaptureTime>) -> [DateFinding] {
    metadata.digitizedDays.compactMap { copy in
      let others = metadata.digitizedTimes.first
      let fits =
        others.map { copy.value.isDay(of: $0.value) } ?? (copy.value.day(since: believed.value.civil) >= -1)
      return fits ? nil : DateFinding(.digitizedTime, .init(copy), against: .init(others ?? believed))
    }
  }

  private func modified(_ believed: Sourced<CaptureTime>) -> [DateFinding] {
    let recorded = metadata.modifyTime.map { (time: $0, source: Namespace.exif.rawValue, tag: "DateTime") }
    let stated = facts.statedTimes.map { (time: $0.time, source: "file", tag: $0.keyword) }
    return ([recorded].compactMap(\.self) + stated).compactMap { copy in
      let later = copy.time.distance(from: believed.value)
      // The file may have been changed on a computer in another zone.
      guard later < -Self.widestZones else { return nil }
      return DateFinding(
        .modifyTime, .init(value: "\(copy.time)", source: copy.source, tag: copy.tag), against: .init(believed),
        seconds: later)
    }
  }

  private func gps(_ believed: Sourced<CaptureTime>) -> [DateFinding] {
    if let taken = metadata.knownInstant {
      guard let fix = metadata.fixContradicting(taken, recorded: facts.clock) else { return [] }
      return [gps(fix, fix.value, metadata.zonedCopy ?? believed, fix.value.seconds - taken.seconds)]
    }
    if let fix = metadata.fixOfNoZone(recorded: facts.clock) {
      let copy = metadata.fixes.first { $0.value == fix } ?? Sourced(fix, .exif, tag: "GPSTimeStamp")
      return [gps(copy, fix, believed, metadata.clockError(recorded: facts.clock, readIn: facts.zone)?.seconds)]
    }
    // Accept the fix if it fits in some zone.
    let possible = Self.zones.lowerBound - Self.shutterSeconds...Self.zones.upperBound + Self.fixSeconds
    let fix = metadata.fixes.first { !possible.contains(believed.value.civil.secondsSince1970 - $0.value.seconds) }
    return fix.map { [gps($0, $0.value, believed, nil)] } ?? []
  }

  /// Returns the finding from the journal, if the receiver's time gives none.
  private func clock(_ believed: Sourced<CaptureTime>) -> [DateFinding] {
    guard let clock = facts.clock, let error = clock.error, metadata.clockError(recorded: clock) == error else {
      return []
    }
    let right: CaptureTime?
    if let offset = metadata.zonedCopy?.value.offset, let taken = metadata.knownInstant {
      right = try? CaptureTime(taken.adding(error), at: offset)
    } else {
      right = believed.value.adding(error)
    }
    guard let right else { return [] }
    let statement = DateFinding.Statement(value: "\(right)", source: "journal", tag: "run \(clock.run)")
    let stated = metadata.zonedCopy ?? believed
    return [DateFinding(.clock, statement, against: .init(stated), seconds: error.seconds)]
  }

  private func gps(
    _ copy: Sourced<Instant>, _ fix: Instant, _ believed: Sourced<CaptureTime>, _ seconds: Int64?
  ) -> DateFinding {
    let text = CivilTime(secondsSince1970: fix.seconds).map { "\(CaptureTime($0, offset: .utc))" } ?? "\(fix.seconds)"
    let statement = DateFinding.Statement(value: text, source: copy.namespace.rawValue, tag: "GPSTimeStamp")
    return DateFinding(.gpsTime, statement, against: .init(believed), seconds: seconds)
  }

  // MARK: Outside the metadata

  private func name(_ believed: Sourced<CaptureTime>) -> [DateFinding] {
    let (statement, seconds): (String, Int64?)
    let isSaved = facts.fileName.isNameOfSavedPicture
    switch facts.nameDate {
    case nil: return []
    case .day(let day):
      let days = day.day(since: believed.value.civil)
      guard days < -1 || days > 1 && !isSaved else { return [] }
      (statement, seconds) = (day.dayText, nil)
    case .time(let time):
      guard let later = lateness(of: time, than: believed), later < -Self.shutterSeconds || !isSaved else { return [] }
      (statement, seconds) = ("\(time)", later)
    }
    return [
      DateFinding(
        .fileName, .init(value: statement, source: "file", tag: "name"), against: .init(believed), seconds: seconds)
    ]
  }

  /// Returns the seconds by which a name's time is too late; nil when it fits, in some zone if none is known.
  private func lateness(of name: CaptureTime, than believed: Sourced<CaptureTime>) -> Int64? {
    let civil = name.distance(from: believed.value)
    let slack = believed.namespace == .quickTime ? Self.longestMovie : Self.shutterSeconds
    if abs(civil) <= slack { return nil }
    let isZoned = [name.offset, believed.value.offset].filter { $0 == nil }.count == 1
    let isHeader = believed.tag == "mvhd"
    guard isZoned && (name.offset != nil || isHeader) else { return civil }
    // Which of the two is in UTC determines the sign of the zone's offset.
    let ahead = name.offset != nil ? -civil : civil
    let (zone, rest) = ahead.nearestQuarterHour
    return Self.zones.contains(zone) && (isHeader || abs(rest) <= Self.shutterSeconds) ? nil : civil
  }

  private func fileTime(_ believed: Sourced<CaptureTime>) -> [DateFinding] {
    guard let modified = facts.modified else { return [] }
    let later: Int64
    if let taken = metadata.knownInstant {
      later = modified.seconds - taken.seconds
      guard later < -Self.shutterSeconds || later.isOfOtherZone else { return [] }
    } else {
      // The earliest instant that the date can mean in any zone.
      later = modified.seconds - (believed.value.civil.secondsSince1970 - Self.zones.upperBound)
      guard later < -Self.shutterSeconds else { return [] }
    }
    let text =
      CivilTime(secondsSince1970: modified.seconds).map { "\(CaptureTime($0, offset: .utc))" } ?? "\(modified.seconds)"
    return [
      DateFinding(
        .fileTime, .init(value: text, source: "file", tag: "mtime"), against: .init(believed),
        seconds: metadata.knownInstant == nil ? nil : later)
    ]
  }
}

/// Checks of the headers of movies and of pictures in boxes.
extension DateCheck {
  /// Returns findings about the headers of the movie and of its tracks.
  func header(_ believed: Sourced<CaptureTime>) -> [DateFinding] {
    guard let header = facts.headerTime, believed.tag != "mvhd", let taken = believed.value.instant else {
      return trackHeaders
    }
    let later = header.civil.secondsSince1970 - taken.seconds
    // A later header is the time of an export.
    guard later < -Self.longestMovie || later.isOfOtherZone else { return trackHeaders }
    return [
      DateFinding(
        .movieHeader, .init(value: "\(CaptureTime(header.civil, offset: .utc))", source: "quicktime", tag: "mvhd"),
        against: .init(believed), seconds: later)
    ] + trackHeaders
  }

  /// Findings about track headers that contradict the movie's header. A movie that was cut has later ones, within the
  /// day.
  private var trackHeaders: [DateFinding] {
    guard let movie = facts.headerTime else { return [] }
    let known = Sourced(CaptureTime(movie.civil, offset: .utc), .quickTime, tag: "mvhd")
    return facts.trackTimes.compactMap { track in
      let later = track.value.civil.secondsSince1970 - movie.civil.secondsSince1970
      guard abs(later) > Self.widestZones else { return nil }
      let copy = Sourced(CaptureTime(track.value.civil, offset: .utc), .quickTime, tag: track.tag)
      return DateFinding(.movieHeader, .init(copy), against: .init(known), seconds: later)
    }
  }

  /// Returns findings about the headers of a picture in boxes. They are in UTC or show the camera's clock; later than
  /// any zone allows, they show when the picture was encoded. They are compared with the file's own date, not with its
  /// sidecar's.
  func pictureHeaders(_ first: Sourced<CaptureTime>) -> [DateFinding] {
    let believed = metadata.captureTimes.first { $0.namespace != .sidecar } ?? first
    return facts.pictureTimes.compactMap { copy in
      let later = copy.value.civil.secondsSince1970 - believed.value.civil.secondsSince1970
      let shown = [0] + (believed.value.offset.map { [Int64(-$0.seconds)] } ?? [])
      let (zone, rest) = later.nearestQuarterHour
      let isOfSomeZone =
        believed.value.offset == nil && Self.zones.contains(-zone) && abs(rest) <= Self.shutterSeconds
      if shown.contains(where: { abs(later - $0) <= Self.shutterSeconds }) || isOfSomeZone { return nil }
      guard later <= Self.widestZones else { return nil }
      return DateFinding(.pictureHeader, .init(copy), against: .init(believed), seconds: later)
    }
  }
}

extension DateCheck {
  /// Returns findings about the sidecar, whose dates are compared as if they were in the file.
  func sidecar(_ believed: Sourced<CaptureTime>) -> [DateFinding] {
    guard let sidecar = facts.sidecar, !sidecar.isBelieved else { return [] }
    var own = Metadata()
    (own.captureTimes, own.digitizedTimes) = ([believed], metadata.digitizedTimes)
    let both = DateCheck(own.joined(with: sidecar.metadata, isRaw: false), DateFacts())
    let found =
      both.copies(believed) + both.additional(believed) + both.partials(believed)
      + both.digitized(believed) + both.digitizedDays(believed)
    return found.filter { $0.statement.source == Namespace.sidecar.rawValue }.map { finding in
      DateFinding(.sidecar, finding.statement.named(sidecar), against: finding.believed, seconds: finding.seconds)
    }
  }

  /// Findings about texts in the sidecar that are no dates.
  var malformedBeside: [DateFinding] {
    guard let sidecar = facts.sidecar, !sidecar.isBelieved else { return [] }
    return sidecar.metadata.malformedDates.map {
      DateFinding(.malformed, DateFinding.Statement(Sourced($0.value, .sidecar, tag: $0.tag)).named(sidecar))
    }
  }
}

extension DateFinding.Statement {
  /// Returns the statement with the sidecar's name before the tag's.
  fileprivate func named(_ sidecar: DateFacts.Sidecar) -> DateFinding.Statement {
    .init(value: value, source: source, tag: "\(sidecar.name) \(tag)")
  }
}
