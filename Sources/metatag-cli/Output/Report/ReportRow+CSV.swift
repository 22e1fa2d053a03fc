import MetaTag
import SystemPackage

extension ReportRow {
  /// The columns of a report as CSV.
  static let csvTitles: [String] = {
    let head = ["path", "outcome", "reason", "offset", "newName"]
    let tail = ["written", "losses", "explanation", "notes", "companions"]
    return head + bothSides(["taken", "latitude", "longitude", "altitude", "place"]) + tail
      + bothSides(additionalTitles)
      + ["dryRun"]
  }()
  /// What came later stands behind what programs know.
  private static let additionalTitles: [String] = ["modified"] + PhotoField.allCases.map(\.rawValue) + ["tags"]

  private static func bothSides(_ titles: [String]) -> [String] {
    ["before", "after"].flatMap { side in titles.map { "\(side).\($0)" } }
  }

  /// One row; what has several values has them parted by semicolons.
  func write(to writer: inout CSVWriter, isDryRun: Bool = false) {
    writer.field(path: path)
    let head: [String?] = [outcome.rawValue, reason, offset?.description, newName]
    for field in head + ReportRow.fields(before) + ReportRow.fields(after) { writer.field(field) }
    if let substitute { writer.field(path: substitute.path) } else { writer.field(nil) }
    let tail: [String?] = [
      ReportRow.list(substitute?.losses ?? []), explanation?.description, ReportRow.list(notes),
      ReportRow.list(companions.map { $0.path.string }),
    ]
    let additional =
      fields(before, against: after, modified?.before) + fields(after, against: before, modified?.after)
    for field in tail + additional + [isDryRun.description] { writer.field(field) }
    writer.endRow()
  }

  private static func fields(_ values: PhotoValues?) -> [String?] {
    let location = values?.location
    return [
      values?.taken, location?.coordinate.latitude.description,
      location?.coordinate.longitude.description, location?.altitude?.description, values?.names?.description,
    ]
  }

  /// Of title, author, camera and tags what changes, as JSON has it.
  private func fields(_ values: PhotoValues?, against other: PhotoValues?, _ modified: String?) -> [String?] {
    let fields = PhotoField.allCases.map { values?.changed($0, against: other ?? values) }
    return [modified] + fields + [ReportRow.list(values?.tagWords(against: other ?? values) ?? [])]
  }

  private static func list(_ texts: [String]) -> String? { texts.isEmpty ? nil : texts.joined(separator: "; ") }
}
