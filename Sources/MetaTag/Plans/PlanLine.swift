/// A line of a plan by itself, as an engine sends it to a worker.
package enum PlanLine: Sendable {
  /// The first line of a plan file.
  case header(PlanFile.Header)
  /// A row.
  case row(Row)
  /// The answer about a photo that isn't to be changed, and what became of it.
  case answer(PlanValue, outcome: String)

  /// A row that may be apart from its plan.
  package struct Row: Sendable {
    /// The identifier that the engine chose; nil if it chose none.
    package let id: String?
    /// The row as in a plan file.
    package let row: PlanRow
    /// The values of the plan's first line; nil if the row doesn't repeat them.
    package let header: PlanFile.Header?
  }

  /// Reads a line. A row may have two members more than in a plan file: `id`, and `plan` with the values of the first
  /// line except `command`.
  /// - Throws: `FileError` with the offset, or `ParseError`, for a line that is neither.
  package init(_ bytes: [UInt8], allowsZero: Bool = false) throws {
    guard let first = bytes.first(where: { ![0x20, 0x09, 0x0D].contains($0) }) else {
      throw ParseError("the line is empty")
    }
    guard first == UInt8(ascii: "{") else { throw ParseError("the line is not a JSON object") }
    var json = JSONReader(try InputWindow(SourceStream(Bytes(bytes))))
    let value = try PlanValue(try json.value())
    guard try json.peek() == nil else { throw ParseError("the line has more than one JSON object") }
    if case .members(let members) = value, members.contains(where: { $0.name == "metatagPlan" }) {
      self = .header(try PlanFile.Header(plan: value))
      return
    }
    var members = try PlanMembers(value, "row")
    if let outcome = try members.text("outcome") {
      switch members.take("id") {
      case .text?, .null?: break
      default: throw ParseError("'id' in the answer is missing, or not a string")
      }
      self = .answer(value, outcome: outcome)
      return
    }
    let id = try members.text("id")
    let header = try members.take("plan").map { value throws(ParseError) in
      try PlanFile.Header(plan: value, inRow: true)
    }
    self = .row(Row(id: id, row: try PlanRow(members, allowsZero: allowsZero), header: header))
  }
}

extension PlanRow {
  /// Identifies the row in a plan: the path, or its bytes in base64 if they aren't UTF-8.
  package var id: String { path.planID }

  /// Returns the row for a worker: with its identifier and the values of the first line.
  package func lineValue(
    id: String? = nil, before: Metadata?, after: Metadata?, of header: PlanFile.Header
  ) -> PlanValue {
    var header = header
    header.command = []
    guard case .members(let members) = planValue(before: before, after: after, behind: header) else { return .null }
    return .members(
      [PlanValue.Member(name: "id", value: .text(id ?? self.id))] + members
        + [PlanValue.Member(name: "plan", value: header.planValue)])
  }
}
