extension IPTCData {
  /// Appends the block's data to `metadata`.
  package func read(into metadata: inout Metadata) {
    let believed = metadata.captureTime
    metadata.partialDates += read(
      .created, beside: believed, into: &metadata.captureTimes, &metadata.malformedDates)
    metadata.digitizedDays += read(
      .digitized, beside: believed, into: &metadata.digitizedTimes, &metadata.malformedDates
    ).compactMap(\.onDay)
    var names = PlaceNames()
    names.sublocation = name(Number.sublocation)
    names.city = name(Number.city)
    names.state = name(Number.state)
    names.country = name(Number.country)
    names.countryCode = name(Number.countryCode)
    if !names.isEmpty { metadata.placeNames.append(Sourced(names, .iptc, tag: "City")) }
    metadata.contentLocations +=
      datasets
      .filter { [Number.contentLocationName, Number.contentLocationCode].contains($0.number) }.map(text)
    readFields(into: &metadata)
  }

  /// Returns the datasets after `edit`, or nil when nothing changes. Existing dates are changed and none is added;
  /// place names are also added. No other dataset changes a byte.
  ///
  /// - Throws: `refused` when a date would leave the years 0…9999.
  package func edited(by edit: MetadataEdit) throws(FileError) -> [UInt8]? {
    var splices: [Splice] = []
    for pair in edit.dates.isPartial ? [Pair.created] : [Pair.created, .digitized] {
      for (date, time) in clocks(pair) {
        let clock = IPTCClock(date: date.map(text), time: time.map(text))
        let new = try clock.texts(after: edit.dates)
        if let date, let text = new.date { splices += replacement(of: date, with: text) }
        if let time, let text = new.time { splices += replacement(of: time, with: text) }
        // With only a year known, the time of day is unknown.
        if let time, edit.dates.isPartial { splices.append(Splice(time.range, [])) }
      }
    }
    if edit.erasesDates {
      splices += datasets.filter { Number.dates.contains($0.number) }.map { Splice($0.range, []) }
    }
    if edit.erasesPlaces {
      splices += datasets.filter { Number.places.contains($0.number) }.map { Splice($0.range, []) }
    }
    if let names = edit.wantedNames { splices = self.splices(IPTCTexts(names, in: self)) + splices }
    if let texts = texts(edit) { splices = self.splices(texts) + splices }
    guard !splices.isEmpty else { return nil }
    return try Patch(splices, to: bytes.count, imageData: []).applied(to: bytes)
  }

  /// The two datasets of a date.
  private struct Pair {
    let name: String
    let date: UInt16
    let time: UInt16

    static let created = Pair(name: "DateCreated", date: Number.dateCreated, time: Number.timeCreated)
    static let digitized = Pair(
      name: "DigitalCreationDate", date: Number.digitalCreationDate, time: Number.digitalCreationTime)
  }

  /// Returns dates with their times. There should be one, but some writers add another without removing the first.
  private func clocks(_ pair: Pair) -> [(date: Dataset?, time: Dataset?)] {
    let (dates, times) = (all(pair.date), all(pair.time))
    return (0..<max(dates.count, times.count)).map { index in
      (index < dates.count ? dates[index] : nil, index < times.count ? times[index] : nil)
    }
  }

  /// Adds the times and returns the dates without a time of day.
  private func read(
    _ pair: Pair, beside believed: CaptureTime?, into times: inout [Sourced<CaptureTime>],
    _ malformed: inout [Sourced<String>]
  ) -> [Sourced<PartialDate>] {
    var partial: [Sourced<PartialDate>] = []
    for (date, time) in clocks(pair) {
      switch IPTCClock(date: date.map(text), time: time.map(text)).reading {
      case .blank, .timeOfDay: break
      case .partial(let known): partial.append(Sourced(known, .iptc, tag: pair.name))
      case .time(let time) where IPTCClock.isDayOnly(time, beside: believed):
        if let day = PartialDate(dayOf: time.civil) { partial.append(Sourced(day, .iptc, tag: pair.name)) }
      case .time(let time): times.append(Sourced(time, .iptc, tag: pair.name))
      case .malformed(let raw): malformed.append(Sourced(raw, .iptc, tag: pair.name))
      }
    }
    return partial
  }

  /// Returns a place name without padding blanks and zeros.
  private func name(_ number: UInt16) -> String? {
    guard let dataset = all(number).first else { return nil }
    let name = String(text(dataset).prefix { $0 != "\0" }.trimmingBlanks)
    return name.isEmpty ? nil : name
  }

  private func replacement(of dataset: Dataset, with new: String) -> [Splice] {
    guard text(dataset) != new else { return [] }
    let value = Array(new.utf8)
    if value.count == dataset.value.count { return [Splice(dataset.value, value)] }
    let start = dataset.range.lowerBound + 3
    return [Splice(start..<dataset.range.upperBound, UInt16(value.count).bytes(.big) + value)]
  }
}
