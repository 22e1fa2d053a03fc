import Glibc
package import SystemPackage

/// A plan file: the changes that a run would make, to be applied later. It contains one JSON object after another; the
/// first has what all rows share. The format is described in Documentation/PLANS.md.
package struct PlanFile: Sendable {
  /// The values that all rows share.
  package struct Header: Sendable {
    /// The version of the file format.
    package static let form = 1

    /// The version of the tool that wrote the plan.
    package var version: String
    /// The command line that would make the changes, including the program's name.
    package var command: [String]
    /// The substitute for a photo that can't be changed.
    package var fallback: Fallback.Choice
    /// The quality of JPEG substitutes, 1…100.
    package var jpegQuality: Int
    /// Whether a substitute counts as a failure.
    package var isStrict: Bool
    /// The rules by which changes go into sidecars.
    package var sidecars: SidecarPolicy
    /// Whether files keep their modification time.
    package var keepsModificationTime: Bool
    /// Whether wrong file extensions are corrected.
    package var fixesExtensions: Bool
    /// Whether each file is a photo of its own.
    package var isSeparate: Bool

    /// Creates the header for what `command` of `version` would do with these options.
    package init(version: String, command: [String], options: Batch.Options, isStrict: Bool, isSeparate: Bool) {
      (self.version, self.command) = (version, command)
      (fallback, jpegQuality) = (options.fallback.choice, options.fallback.quality)
      self.isStrict = isStrict
      sidecars = options.sidecars
      keepsModificationTime = options.keepsModificationTime
      fixesExtensions = options.fixesExtensions
      self.isSeparate = isSeparate
    }

    /// The first line, or without a command the member `plan` of a row.
    package var planValue: PlanValue {
      .object([
        ("metatagPlan", .number(Double(Header.form))), ("version", .text(version)),
        ("command", command.isEmpty ? nil : .list(command.map { .text($0) })), ("fallback", .text(fallback.rawValue)),
        ("jpegQuality", .number(Double(jpegQuality))), ("strict", .bool(isStrict)),
        ("keepMtime", .bool(keepsModificationTime)), ("fixExtension", .bool(fixesExtensions)),
        ("separately", .bool(isSeparate)),
        ("raw", .text(sidecars.raw.rawValue)), ("sidecar", .text(sidecars.new.rawValue)),
        ("sidecarName", .text(sidecars.name.rawValue)),
      ])
    }

    /// Reads the first line, or the member `plan` of a row, which has no command.
    init(plan value: PlanValue, inRow isInRow: Bool = false) throws(ParseError) {
      var members = try PlanMembers(value, isInRow ? "plan" : "first line")
      guard let form = try members.whole("metatagPlan") else {
        throw ParseError("it does not begin with \"metatagPlan\": not a plan, or its first line is missing")
      }
      guard form == Header.form else {
        throw ParseError("it has format \(form), but this version reads format \(Header.form)")
      }
      version = try members.required("version", try members.text("version"))
      guard case .list(let words) = members.take("command") ?? (isInRow ? .list([]) : .null) else {
        throw ParseError("'command' is not a list")
      }
      command = try words.map { word throws(ParseError) in
        guard case .text(let text) = word else { throw ParseError("'command' is not a list of strings") }
        return text
      }
      guard let choice = Fallback.Choice(rawValue: try members.required("fallback", try members.text("fallback")))
      else {
        throw ParseError("'fallback' must be jpeg, sidecar or fail")
      }
      fallback = choice
      jpegQuality = try members.required("jpegQuality", try members.whole("jpegQuality"))
      guard (1...100).contains(jpegQuality) else {
        throw ParseError("'jpegQuality' must be 1 to 100, not \(jpegQuality)")
      }
      isStrict = try members.bool("strict")
      keepsModificationTime = try members.bool("keepMtime")
      fixesExtensions = try members.bool("fixExtension")
      isSeparate = try members.bool("separately")
      sidecars = try SidecarPolicy(plan: &members)
      try members.finish()
    }

    /// Reads the first line of a plan file.
    /// - Throws: `FileError` with the offset.
    package init(ofFile path: FilePath) throws(FileError) {
      var json = JSONReader(try InputWindow(SourceStream(try FileSource(path))))
      guard try json.peek() != nil else { throw FileError(.malformed, "the plan is empty") }
      let value = try json.value()
      do throws(ParseError) { try self.init(plan: PlanValue(value)) } catch {
        throw FileError(.malformed, "its first line: \(error.description)", at: 0, remedy: error.remedy)
      }
    }

    /// Whether rows of both plans can be applied in the same way.
    package func hasOptions(of other: Header) -> Bool {
      (fallback, jpegQuality, isStrict) == (other.fallback, other.jpegQuality, other.isStrict)
        && (keepsModificationTime, fixesExtensions, isSeparate)
          == (other.keepsModificationTime, other.fixesExtensions, other.isSeparate)
        && sidecars == other.sidecars
    }
  }

  /// The values that all rows share.
  package let header: Header
  /// The rows, one per photo.
  package let rows: [PlanRow]

  /// Reads a whole plan, or nothing of it if anything is wrong.
  /// - Throws: `FileError` with the number of the entry, 0 for the first line, and its offset.
  package init(_ path: FilePath, allowsZero: Bool = false) throws(FileError) {
    try self.init(JSONReader(try InputWindow(SourceStream(try FileSource(path)))), allowsZero)
    try requireEachOnce()
  }

  /// Refuses a file that is named in two ways, since it would be changed twice.
  private func requireEachOnce() throws(FileError) {
    var seen: [Walk.FileID: FilePath] = [:]
    for (index, row) in rows.enumerated() {
      for path in row.paths {
        guard let id = Walk.FileID(at: path, S_IFREG) else { continue }
        if let other = seen.updateValue(path, forKey: id) {
          throw FileError(
            .plannedTwice,
            "row \(index + 1): \(path.string) and \(other.string) are the same file, which is in the plan twice")
        }
      }
    }
  }

  /// Creates a plan of rows that have been read one by one.
  package init(_ header: Header, rows: [PlanRow]) { (self.header, self.rows) = (header, rows) }

  /// Reads a plan from memory.
  package init(holding bytes: [UInt8], allowsZero: Bool = false) throws(FileError) {
    try self.init(JSONReader(try InputWindow(SourceStream(Bytes(bytes)))), allowsZero)
  }

  private init(_ reader: JSONReader, _ allowsZero: Bool) throws(FileError) {
    var json = reader
    var header: Header?
    var rows: [PlanRow] = []
    var seen: Set<FilePath> = []
    while try json.peek() != nil {
      let start = json.position
      let place = header == nil ? "its first line" : "row \(rows.count + 1)"
      let value: JSONValue
      do throws(FileError) { value = try json.value() } catch {
        throw error.reworded("\(place): \(error.description)")
      }
      do throws(ParseError) {
        let value = try PlanValue(value)
        if header == nil {
          header = try Header(plan: value)
        } else {
          let row = try PlanRow(plan: value, allowsZero: allowsZero)
          for path in row.paths where !seen.insert(path).inserted {
            throw ParseError("\(path.string) is in the plan twice")
          }
          rows.append(row)
        }
      } catch {
        throw FileError(.malformed, "\(place): \(error.description)", at: start, remedy: error.remedy)
      }
    }
    guard let header else { throw FileError(.malformed, "the plan is empty") }
    (self.header, self.rows) = (header, rows)
  }
}

extension SidecarPolicy {
  /// Reads the options; those that are missing keep their defaults.
  fileprivate init(plan members: inout PlanMembers) throws(ParseError) {
    self.init()
    raw = try members.choice("raw") ?? raw
    new = try members.choice("sidecar") ?? new
    name = try members.choice("sidecarName") ?? name
  }
}

extension PlanMembers {
  fileprivate mutating func choice<C: RawRepresentable & CaseIterable>(
    _ name: String
  ) throws(ParseError) -> C? where C.RawValue == String {
    guard let word = try text(name) else { return nil }
    guard let choice = C(rawValue: word) else {
      throw ParseError("'\(name)' must be one of \(C.allCases.map(\.rawValue).joined(separator: ", ")), not \(word)")
    }
    return choice
  }
}

/// A JSON value (RFC 8259) of a plan file. Unlike `JSONValue`, its texts are valid UTF-8 and its numbers have one case, so
/// that a plan equals what is read from its file.
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
    guard let text = String(validating: bytes, as: UTF8.self) else { throw ParseError("a string is not valid UTF-8") }
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
      throw ParseError("'\(member.name)' occurs twice in '\(place)'")
    }
  }

  mutating func take(_ name: String) -> PlanValue? { rest.removeValue(forKey: name) }

  mutating func text(_ name: String) throws(ParseError) -> String? {
    switch take(name) {
    case nil: return nil
    case .text(let text)?: return text
    default: throw ParseError("'\(name)' in '\(place)' is not a string")
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

  mutating func list(_ name: String) throws(ParseError) -> [PlanValue]? {
    switch take(name) {
    case nil: return nil
    case .list(let values)?: return values
    default: throw ParseError("'\(name)' is not a list")
    }
  }

  mutating func required<Value>(_ name: String, _ value: Value?) throws(ParseError) -> Value {
    guard let value else { throw ParseError("'\(name)' is missing in '\(place)'") }
    return value
  }

  /// Throws if a member is left, since it is unknown.
  func finish() throws(ParseError) {
    guard let orphan = rest.keys.min() else { return }
    throw ParseError("'\(orphan)' in '\(place)' is not supported by this version")
  }
}
