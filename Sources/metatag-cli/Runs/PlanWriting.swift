import MetaTag
import SystemPackage

/// A plan that is being written to a new file, row by row.
struct PlanWriting {
  private let file: NewFile
  private let header: PlanFile.Header
  private var writer = JSONWriter()
  private(set) var rows = 0

  /// Creates the file.
  /// - Throws: An error if the file exists or can't be created.
  init(_ path: FilePath, _ header: PlanFile.Header) throws {
    self.header = header
    file = try NewFile(path, called: "the plan")
    writer.value(header.planValue)
    writer.endLine()
  }

  mutating func add(_ outcome: Outcome) throws {
    guard let row = PlanRow(outcome) else { return }
    writer.value(row.planValue(before: outcome.before, after: outcome.after, behind: header))
    writer.endLine()
    rows += 1
    if writer.bytes.count >= 1 << 16 { try flush() }
  }

  /// Closes the plan. An incomplete one is removed.
  mutating func finish(isWhole: Bool, console: Console) throws {
    do {
      if isWhole { try flush() }
      try file.close()
    } catch {
      file.discard()
      throw error
    }
    guard isWhole else {
      file.discard()
      return console.warn("metatag: \(file.path.printable) was not written: the plan is incomplete")
    }
    let words = rows == 1 ? "1 photo" : "\(rows) photos"
    console.warn("\(file.path.printable) has the changes of \(words); make them with 'metatag apply'")
  }

  private mutating func flush() throws { try file.write(writer.take()) }
}
