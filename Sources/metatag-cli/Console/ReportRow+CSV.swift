import MetaTag
import SystemPackage

extension ReportRow {
  /// The columns of a report as CSV.
  static let csvTitles =
    ["path", "outcome", "reason", "offset", "newName"]
    + ["before", "after"].flatMap { side in
      ["taken", "latitude", "longitude", "altitude", "place"].map { side + "." + $0 }
    }
    + ["written", "losses", "explanation", "notes", "companions"]

  /// One row; what has several values has them parted by semicolons.
  func write(to writer: inout CSVWriter) {
    writer.field(path: path)
    let head: [String?] = [outcome.rawValue, reason, offset?.description, newName]
    for field in head + ReportRow.fields(before) + ReportRow.fields(after) { writer.field(field) }
    if let substitute { writer.field(path: substitute.path) } else { writer.field(nil) }
    let tail: [String?] = [
      ReportRow.list(substitute?.losses ?? []), explanation?.description, ReportRow.list(notices),
      ReportRow.list(companions.map { $0.path.string }),
    ]
    for field in tail { writer.field(field) }
    writer.endRow()
  }

  private static func fields(_ values: PhotoValues?) -> [String?] {
    let location = values?.location
    return [
      values?.taken, location?.coordinate.latitude.description,
      location?.coordinate.longitude.description, location?.altitude?.description, values?.names?.description,
    ]
  }

  private static func list(_ texts: [String]) -> String? { texts.isEmpty ? nil : texts.joined(separator: "; ") }
}
