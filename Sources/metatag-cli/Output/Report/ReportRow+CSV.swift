import MetaTag
import SystemPackage

extension ReportRow {
  /// The columns of a report as CSV.
  static let csvTitles: [String] = {
    let head = ["path", "outcome", "reason", "offset", "newName"]
    let tail = ["written", "losses", "explanation", "notes", "companions"]
    return head + bothSides(["taken", "latitude", "longitude", "altitude", "place"]) + tail
      + bothSides(additionalTitles)
      + ["dryRun", "code", "explanationCode", "noteCodes"]
  }()
  /// Columns added later come last, so that existing programs keep working.
  private static let additionalTitles: [String] = ["modified"] + PhotoField.allCases.map(\.rawValue) + ["tags"]

  private static func bothSides(_ titles: [String]) -> [String] {
    ["before", "after"].flatMap { side in titles.map { "\(side).\($0)" } }
  }

  /// Writes one row. Several values of a field are separated by semicolons.
  func write(to writer: inout CSVWriter, isDryRun: Bool = false) {
    writer.field(path: path)
    let head: [String?] = [outcome.rawValue, reason, offset?.description, newName]
    for field in head + ReportRow.fields(before) + ReportRow.fields(after) { writer.field(field) }
    if let substitute { writer.field(path: substitute.path) } else { writer.field(nil) }
    let tail: [String?] = [
      ReportRow.list(substitute?.losses ?? []), explanation?.description, ReportRow.list(notes.map(\.words)),
      ReportRow.list(companions.map { $0.path.string }),
    ]
    let additional =
      fields(before, against: after, modified?.before) + fields(after, against: before, modified?.after)
    let codes = [code, explanation?.code.rawValue, ReportRow.list(notes.map(\.code.rawValue))]
    for field in tail + additional + [isDryRun.description] + codes { writer.field(field) }
    writer.endRow()
  }

  private static func fields(_ values: PhotoValues?) -> [String?] {
    let location = values?.location
    return [
      values?.taken, location?.coordinate.latitude.description,
      location?.coordinate.longitude.description, location?.altitude?.description, values?.names?.description,
    ]
  }

  /// Returns the changed title, author, camera fields and tags, as JSON.
  private func fields(_ values: PhotoValues?, against other: PhotoValues?, _ modified: String?) -> [String?] {
    let fields = PhotoField.allCases.map { values?.changed($0, against: other ?? values) }
    return [modified] + fields + [ReportRow.list(values?.tagWords(against: other ?? values) ?? [])]
  }

  private static func list(_ texts: [String]) -> String? { texts.isEmpty ? nil : texts.joined(separator: "; ") }
}
