/// A JSON value (RFC 8259) of a plan file, for writing and reading.
package indirect enum PlanValue: Hashable, Sendable {
  case text(String)
  case number(Double)
  case bool(Bool)
  case null
  case list([PlanValue])
  /// The members in the order in which they are written.
  case members([Member])

  /// A name and its value.
  package struct Member: Hashable, Sendable {
    /// The name as in the file.
    package let name: String
    /// The value of the member.
    package let value: PlanValue
  }

  /// Returns an object of those members that have a value.
  static func object(_ members: [(String, PlanValue?)]) -> PlanValue {
    .members(members.compactMap { name, value in value.map { Member(name: name, value: $0) } })
  }

  static func text(_ text: String?) -> PlanValue? { text.map { .text($0) } }
  static func number(_ number: Double?) -> PlanValue? { number.map { .number($0) } }
  /// Returns true if `truth` holds, otherwise nil, so that nothing is written.
  static func bool(ifSo truth: Bool) -> PlanValue? { truth ? .bool(true) : nil }

  init(_ json: JSONValue) throws(ParseError) {
    switch json {
    case .string(let bytes): self = .text(try PlanValue.text(bytes))
    case .number(let number): self = .number(number)
    case .integer(let number): self = .number(Double(number))
    case .numbers(let numbers): self = .list(numbers.map { .number($0) })
    case .bool(let truth): self = .bool(truth)
    case .null: self = .null
    case .array(let values): self = .list(try values.map { value throws(ParseError) in try PlanValue(value) })
    case .object(let members):
      self = .members(
        try members.map { member throws(ParseError) in
          Member(name: try PlanValue.text(member.name), value: try PlanValue(member.value))
        })
    }
  }

  private static func text(_ bytes: [UInt8]) throws(ParseError) -> String {
    guard let text = String(validating: bytes, as: UTF8.self) else { throw ParseError("a text that is not UTF-8") }
    return text
  }
}

/// The members of an object. Each is taken once; members that are unknown or occur twice are errors.
struct PlanMembers {
  private var rest: [String: PlanValue] = [:]
  private let place: String

  /// Reads an object. `place` names it in errors.
  init(_ value: PlanValue, _ place: String) throws(ParseError) {
    guard case .members(let members) = value else { throw ParseError("'\(place)' is not an object") }
    self.place = place
    for member in members where rest.updateValue(member.value, forKey: member.name) != nil {
      throw ParseError("'\(member.name)' stands twice in '\(place)'")
    }
  }

  mutating func take(_ name: String) -> PlanValue? { rest.removeValue(forKey: name) }

  mutating func text(_ name: String) throws(ParseError) -> String? {
    switch take(name) {
    case nil: return nil
    case .text(let text)?: return text
    default: throw ParseError("'\(name)' in '\(place)' is not a text")
    }
  }

  mutating func number(_ name: String) throws(ParseError) -> Double? {
    switch take(name) {
    case nil: return nil
    case .number(let number)? where number.isFinite: return number
    default: throw ParseError("'\(name)' in '\(place)' is not a number")
    }
  }

  mutating func whole(_ name: String) throws(ParseError) -> Int? {
    guard let number = try number(name) else { return nil }
    guard let whole = Int(exactly: number) else { throw ParseError("'\(name)' in '\(place)' is not a whole number") }
    return whole
  }

  mutating func bool(_ name: String) throws(ParseError) -> Bool {
    switch take(name) {
    case nil: return false
    case .bool(let truth)?: return truth
    default: throw ParseError("'\(name)' in '\(place)' is neither true nor false")
    }
  }

  mutating func required<Value>(_ name: String, _ value: Value?) throws(ParseError) -> Value {
    guard let value else { throw ParseError("'\(name)' is missing in '\(place)'") }
    return value
  }

  /// Throws if a member is left, since it is unknown.
  func finish() throws(ParseError) {
    guard let orphan = rest.keys.min() else { return }
    throw ParseError("'\(orphan)' in '\(place)' is unknown to this version")
  }
}
