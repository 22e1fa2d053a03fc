/// The datasets of an IPTC IIM block (IPTC-NAA Information Interchange Model 4.2), and their positions.
package struct IPTCData {
  /// One dataset: the tag marker 0x1C, record, number, length, value.
  package struct Dataset {
    /// The record in the upper byte, the dataset in the lower: 2:55 is 0x0237.
    let number: UInt16
    /// The whole dataset.
    let range: Range<Int>
    let value: Range<Int>
  }

  /// The numbers of known datasets, by their names in the standard.
  package enum Number {
    static let characterSet: UInt16 = 0x015A
    static let contentLocationCode: UInt16 = 0x021A
    static let contentLocationName: UInt16 = 0x021B
    static let dateCreated: UInt16 = 0x0237
    static let timeCreated: UInt16 = 0x023C
    static let digitalCreationDate: UInt16 = 0x023E
    static let digitalCreationTime: UInt16 = 0x023F
    package static let city: UInt16 = 0x025A
    package static let sublocation: UInt16 = 0x025C
    package static let state: UInt16 = 0x025F
    package static let countryCode: UInt16 = 0x0264
    package static let country: UInt16 = 0x0265

    /// Datasets without text: versions, pictures and sounds (IIM 4.2, 1:0, 2:0, 2:125, 2:200 to 2:202), and all of the
    /// last records.
    static let binary: Set<UInt16> = Set([0x0100, 0x0200, 0x027D, 0x02C8, 0x02C9, 0x02CA] + Array(0x0700...0x09FF))

    /// Datasets erased with the dates: of creation, digitizing, sending, release and expiry, and of a referenced object
    /// (IIM 4.2, 1:70, 1:80, 2:30 to 2:38, 2:47, 2:55 to 2:63).
    package static let dates: Set<UInt16> = [
      0x0146, 0x0150, 0x021E, 0x0223, 0x0225, 0x0226, 0x022F, dateCreated, timeCreated, digitalCreationDate,
      digitalCreationTime,
    ]

    /// Datasets erased with the location.
    package static let places: Set<UInt16> = [
      contentLocationCode, contentLocationName, city, sublocation, state, countryCode, country,
    ]
  }

  package let bytes: Bytes
  let datasets: [Dataset]
  /// Whether 1:90 is ESC % G, or is missing and the texts can only be UTF-8.
  let isUTF8: Bool
  /// Whether the block declares its encoding.
  let declaresCharacters: Bool

  /// Reads the datasets. Zeros after the last one are padding.
  ///
  /// - Throws: `malformed` or `truncated` with the offset of the dataset that breaks the rules.
  package init(_ bytes: Bytes) throws(FileError) {
    var datasets: [Dataset] = []
    var at = 0
    while at < bytes.count {
      guard try bytes.u8(at) == 0x1C else {
        guard bytes.array.suffix(from: at).allSatisfy({ $0 == 0 }) else {
          throw FileError(.malformed, "invalid IPTC data: expected the tag marker 0x1C", at: bytes.base + at)
        }
        break
      }
      let dataset = try IPTCData.dataset(at: at, of: bytes)
      datasets.append(dataset)
      at = dataset.range.upperBound
    }
    self.bytes = bytes
    self.datasets = datasets
    let declared = datasets.first { $0.number == Number.characterSet }
    declaresCharacters = declared != nil
    if let declared {
      isUTF8 = declared.value.count == 3 && bytes.has([0x1B, 0x25, 0x47], at: declared.value.lowerBound)
    } else {
      let texts = try datasets.filter { !Number.binary.contains($0.number) }.map { dataset throws(FileError) in
        try bytes.bytes(dataset.value).array
      }
      isUTF8 =
        texts.contains { $0.contains { $0 >= 0x80 } }
        && texts.allSatisfy { String(validating: $0, as: UTF8.self) != nil }
    }
  }

  private static func dataset(at start: Int, of bytes: Bytes) throws(FileError) -> Dataset {
    var length = Int(try bytes.u16(start + 3, .big))
    var value = start + 5
    if length & 0x8000 != 0 {
      // An extended dataset: the lower bits are the number of length bytes that follow (IIM 1.5.4).
      let count = length & 0x7FFF
      guard count <= 4 else {
        throw FileError(.malformed, "an IPTC dataset has an invalid length", at: bytes.base + start)
      }
      length = try bytes.bytes(value..<value + count).array.reduce(0) { $0 << 8 | Int($1) }
      value += count
    }
    guard value <= bytes.count, length <= bytes.count - value else {
      throw FileError(.truncated, "an IPTC dataset is truncated", at: bytes.base + start)
    }
    return Dataset(
      number: try bytes.u16(start + 1, .big), range: start..<value + length, value: value..<value + length)
  }

  /// Returns every dataset with this number, in order.
  package func all(_ number: UInt16) -> [Dataset] { datasets.filter { $0.number == number } }

  /// Returns the text of a dataset in the declared encoding; without a declaration, UTF-8 if valid, else Latin-1.
  package func text(_ dataset: Dataset) -> String {
    let raw = (try? bytes.bytes(dataset.value).array) ?? []
    if isUTF8 { return String(decoding: raw, as: UTF8.self) }
    // Decide for each dataset alone: others must not change how it is read.
    if !declaresCharacters, let text = String(validating: raw, as: UTF8.self) { return text }
    return String(String.UnicodeScalarView(raw.map { Unicode.Scalar($0) }))
  }
}

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
