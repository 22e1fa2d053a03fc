import MetaTag

/// A photo's date, location and place names, as a report shows them before and after a change.
struct PhotoValues: Sendable, Hashable {
  /// A time, month or year.
  var taken: String?
  var location: Location?
  var names: PlaceNames?
  /// Title, keywords, author and camera fields.
  var fields: [PhotoField: RecordedField]
  /// EXIF tags that are set by name.
  var tags: [String: String] = [:]
  /// Every copy of its dates, by tag and namespace.
  var dates: [String: String]
  /// A movie's header counts as a date only if there is no other; if one is added or removed, the header itself stays.
  private static let header = "mvhd (quicktime)"
  /// Keys of `dates` whose value is text instead of a date.
  private let texts: Set<String>

  init(_ metadata: Metadata) {
    taken = metadata.takenText
    location = metadata.location
    names = metadata.placeNames.first?.value
    dates = metadata.dateCopies
    texts = Set(metadata.captureTexts.map(\.value))
    let known = Set(metadata.fields.map(\.value.field))
    fields = Dictionary(
      uniqueKeysWithValues: known.compactMap { field in
        metadata.value(of: field).map { (field, RecordedField(field, $0)) }
      })
  }

  /// Describes the values that differ from `other`; nil if nothing is recorded.
  func text(against other: PhotoValues) -> String? {
    var parts: [String] = []
    if taken != other.taken { parts.append(taken ?? "no date") }
    parts += changedDates(against: other).map { "\($0) \(dates[$0] ?? "nothing")" }
    if location != other.location { parts.append(location.map(PhotoValues.text) ?? "no place") }
    if names != other.names { parts.append(names.map { "\($0)" } ?? "no names") }
    for field in changedFields(against: other) {
      parts.append(fields[field].map { "\(field.words) \($0)" } ?? "no \(field.words)")
    }
    parts += changedTags(against: other).map { tag in tags[tag].map { "\(tag) \($0)" } ?? "no \(tag)" }
    return parts.isEmpty ? nil : parts.joined(separator: ", ")
  }

  /// Returns copies that change while the effective date stays, and texts that weren't dates, so that the reader
  /// recognizes them.
  private func changedDates(against other: PhotoValues) -> [String] {
    let texts = texts.union(other.texts)
    return Set(dates.keys).union(other.dates.keys).filter { copy in
      dates[copy] != other.dates[copy] && !(copy == Self.header && (dates[copy] == nil || other.dates[copy] == nil))
        && (taken == other.taken || [dates[copy], other.dates[copy]].contains { $0.map(texts.contains) ?? false })
    }
    .sorted()
  }

  private func changedFields(against other: PhotoValues) -> [PhotoField] {
    PhotoField.allCases.filter { fields[$0] != other.fields[$0] }
  }

  private func changedTags(against other: PhotoValues) -> [String] {
    Set(tags.keys).union(other.tags.keys).filter { tags[$0] != other.tags[$0] }.sorted()
  }

  /// Writes the location and date, and the fields and other dates that differ from `other`.
  func write(to writer: inout JSONWriter, against other: PhotoValues) {
    writer.object { writer in
      writer.member("taken", taken)
      let changed = changedDates(against: other)
      if changed.contains(where: { dates[$0] != nil }) {
        writer.key("dates")
        writer.object { writer in changed.forEach { writer.member(JSONKey($0), dates[$0]) } }
      }
      if let location { writer.member("location", location) }
      if let names { writer.member("place", names) }
      for field in changedFields(against: other) { if let value = fields[field] { writer.member(value) } }
      let set = changedTags(against: other).filter { tags[$0] != nil }
      guard !set.isEmpty else { return }
      writer.key("tags")
      writer.object { writer in set.forEach { writer.member(JSONKey($0), tags[$0]) } }
    }
  }

  /// Returns the value of a field if it differs from `other`.
  func changed(_ field: PhotoField, against other: PhotoValues?) -> String? {
    fields[field] == other?.fields[field] ? nil : fields[field]?.description
  }

  /// Returns the tags that differ from `other`: `Exif.Image.Software=x`.
  func tagWords(against other: PhotoValues?) -> [String] {
    other.map(changedTags)?.compactMap { tag in tags[tag].map { "\(tag)=\($0)" } } ?? []
  }

  private static func text(_ location: Location) -> String {
    // Seven decimals are one centimetre.
    let degrees = [location.coordinate.latitude, location.coordinate.longitude].map { ($0 * 1e7).rounded() / 1e7 }
    let altitude = location.altitude.map { ", \(($0 * 10).rounded() / 10) m" } ?? ""
    return "\(degrees[0]), \(degrees[1])\(altitude)"
  }
}

extension PhotoField {
  /// The name as in a report: `lens model`.
  fileprivate var words: String {
    rawValue.reduce(into: "") { words, letter in
      words += letter.isUppercase ? " " + letter.lowercased() : String(letter)
    }
  }
}
