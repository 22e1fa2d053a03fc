import MetaTag

extension JSONWriter {
  /// Writes a value of a plan file, whole numbers without a fraction.
  mutating func value(_ plan: PlanValue) {
    switch plan {
    case .text(let text): value(text)
    case .number(let number):
      if let whole = Int(exactly: number), abs(number) < 1e15 { value(whole) } else { value(number) }
    case .bool(let truth): value(truth)
    case .null: null()
    case .list(let values): array { writer in values.forEach { writer.value($0) } }
    case .members(let members):
      object { writer in
        for member in members {
          writer.key(member.name)
          writer.value(member.value)
        }
      }
    }
  }
}
