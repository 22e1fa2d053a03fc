import MetaTag
import SystemPackage

/// A photo as `metatag show` prints it: a row of a table or of CSV, or a JSON object.
struct ShownPhoto {
  let path: FilePath
  let properties: ImageProperties
  let metadata: Metadata
  /// Place names looked up from its position, which the photo itself doesn't record.
  var derivedNames: PlaceNames?

  static let columns: [Table.Column] = [
    .init("FILE", .left, .atStart(8)), .init("TAKEN", .left, .atEnd(11)), .init("LATITUDE", .right),
    .init("LONGITUDE", .right), .init("PLACE", .left, .atEnd(6)), .init("CAMERA", .left, .atEnd(6)),
    .init("NOTE", .left, .belowRow),
  ]

  /// A row of the table. Unknown values are blank; derived place names are in parentheses.
  var cells: [String] {
    let coordinate = metadata.location?.coordinate
    return [
      path.printable, metadata.takenText?.replacing("T", with: " ") ?? "",
      coordinate.map { ShownPhoto.short($0.latitude) } ?? "", coordinate.map { ShownPhoto.short($0.longitude) } ?? "",
      metadata.placeNames.first?.value.description ?? derivedNames.map { $0.isEmpty ? "" : "(\($0))" } ?? "",
      metadata.cameraModel ?? "", remarks.map(\.words).joined(separator: "; "),
    ]
  }

  static let csvTitles = [
    "path", "type", "taken", "latitude", "longitude", "altitude", "sublocation", "city", "state", "country",
    "countryCode", "make", "model", "orientation", "notes", "kind", "width", "height", "duration",
  ]

  /// The titles of the columns for `derivedNames`, which come last.
  static let derivedTitles = [
    "derivedSublocation", "derivedCity", "derivedState", "derivedCountry", "derivedCountryCode",
  ]

  /// Writes the photo as a row.
  /// - Parameter derives: Whether there are columns for `derivedNames`.
  func write(to writer: inout CSVWriter, derives: Bool = false) {
    let location = metadata.location
    let names = metadata.placeNames.first?.value
    writer.field(path: path)
    let fields: [String?] = [
      properties.type.rawValue, metadata.takenText, location?.coordinate.latitude.description,
      location?.coordinate.longitude.description, location?.altitude?.description, names?.sublocation, names?.city,
      names?.state, names?.country, names?.countryCode, metadata.make, metadata.model,
      properties.orientation?.description, remarks.isEmpty ? nil : remarks.map(\.words).joined(separator: "; "),
      properties.mediaKind.rawValue, properties.pixelSize?.width.description, properties.pixelSize?.height.description,
      properties.seconds?.description,
    ]
    fields.forEach { writer.field($0) }
    if derives {
      let names = derivedNames
      [names?.sublocation, names?.city, names?.state, names?.country, names?.countryCode].forEach { writer.field($0) }
    }
    writer.endRow()
  }

  /// Writes the effective values, then under `"sources"` every copy with its namespace and tag. `more` may add members.
  func write(to writer: inout JSONWriter, more: (inout JSONWriter) -> Void = { _ in }) {
    writer.object { writer in
      writer.member(path: path)
      writer.member("type", properties.type.rawValue)
      properties.write(to: &writer)
      writer.member("taken", metadata.takenText)
      if let location = metadata.location { writer.member("location", location) }
      if let names = metadata.placeNames.first?.value { writer.member("place", names) }
      if let derivedNames, !derivedNames.isEmpty { writer.member("derivedPlace", derivedNames) }
      writer.member("modified", metadata.modifyTime?.description)
      writer.member("make", metadata.make)
      writer.member("model", metadata.model)
      writer.member("serialNumber", metadata.serialNumber)
      writer.member("lensModel", metadata.lensModel)
      for field in PhotoField.allCases where ![.make, .model, .lensModel].contains(field) {
        if let value = metadata.value(of: field) { writer.member(RecordedField(field, value)) }
      }
      writer.key("sources")
      writer.object { writer in
        let partial = metadata.partialDates.map(\.text)
        writer.member("taken", metadata.captureTimes.map(\.text) + partial + metadata.overruledTimes.map(\.text)) {
          $0.member("value", $1)
        }
        writer.member("digitized", metadata.digitizedTimes) { $0.member("value", "\($1)") }
        writer.member("malformedDates", metadata.malformedDates + metadata.malformedOffsets) { $0.member("value", $1) }
        writer.member("locations", metadata.locations) { $0.members($1) }
        writer.member("placeNames", metadata.placeNames) { $0.members($1) }
        writer.member("namesShown", metadata.namesShown) { $0.members($1) }
      }
      if !remarks.isEmpty {
        writer.key("notes")
        writer.array { writer in remarks.forEach { writer.value($0.words) } }
        writer.key("noteCodes")
        writer.array { writer in remarks.forEach { writer.value($0.code.rawValue) } }
      }
      more(&writer)
    }
  }

  /// Notes for the reader: invalid dates, namespaces that disagree, blocks that can't be parsed.
  private var remarks: [Note] {
    metadata.malformedDates.map { Note(.invalidDate, "\($0.tag) is not a date: \($0.value)") }
      + metadata.malformedOffsets.map { Note(.invalidTimeZone, "\($0.tag) is not a time zone: \($0.value)") }
      + metadata.conflicts.map { Note(.conflictingCopies, $0.description) } + metadata.notes
  }

  /// Rounds to about a metre, which is enough for a table.
  private static func short(_ degrees: Double) -> String { "\((degrees * 1e5).rounded() / 1e5)" }
}

extension Sourced where Value: CustomStringConvertible {
  /// The value as text.
  fileprivate var text: Sourced<String> { Sourced<String>(value.description, namespace, tag: tag) }
}
