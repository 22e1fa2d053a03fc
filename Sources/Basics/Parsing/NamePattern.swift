/// A pattern that describes the position of the date in a file name: `scan_{YYYY}-{MM}-{DD}_*`.
///
/// The pattern must match the whole name without its extension. `{YYYY}` is four digits, `{YY}`, `{MM}`, `{DD}`,
/// `{hh}`, `{mm}` and `{ss}` are two digits each, and `{f}` is one to nine digits of a fraction. `*` matches any text,
/// also none, and `?` one character. Everything else matches itself; case matters. If `*` can match in several ways,
/// the first one counts. Two-digit years are 1969 to 2068 (POSIX `strptime`, `%y`).
public struct NamePattern: Hashable, Sendable {
  fileprivate enum Field: String, CaseIterable {
    case year = "YYYY"
    case shortYear = "YY"
    case month = "MM"
    case day = "DD"
    case hour = "hh"
    case minute = "mm"
    case second = "ss"
    case fraction = "f"

    var digits: ClosedRange<Int> {
      switch self {
      case .year: 4...4
      case .fraction: 1...9
      default: 2...2
      }
    }
  }

  private enum Element: Hashable {
    case character(Character)
    case one
    case any
    case field(Field)
  }

  private let elements: [Element]
  private let hasTime: Bool
  /// Whether the pattern contains only the year, or the year and the month.
  private let isPartial: Bool

  /// Parses a pattern.
  ///
  /// - Throws: `ParseError` if a field is unknown, repeated or missing: a day needs a year and `{MM}`, a month needs a
  ///   year, and a time of day needs the day, `{hh}` and `{mm}`.
  public init(parsing text: String) throws(ParseError) {
    var elements: [Element] = []
    var rest = text[...]
    while let first = rest.popFirst() {
      switch first {
      case "*": if elements.last != .any { elements.append(.any) }
      case "?": elements.append(.one)
      case "{":
        let name = rest.prefix { $0 != "}" }
        guard let field = Field(rawValue: String(name)), rest.dropFirst(name.count).first == "}" else {
          throw ParseError("'{\(name)}' in '\(text)' is not one of {YYYY}, {YY}, {MM}, {DD}, {hh}, {mm}, {ss} and {f}")
        }
        guard !elements.contains(.field(field)) else {
          throw ParseError("'\(text)' has {\(name)} twice")
        }
        elements.append(.field(field))
        rest = rest.dropFirst(name.count + 1)
      default: elements.append(.character(first))
      }
    }
    let fields = Set(Field.allCases.filter { elements.contains(.field($0)) })
    guard !fields.isSuperset(of: [.year, .shortYear]) else {
      throw ParseError("'\(text)' has both {YYYY} and {YY}")
    }
    let others = fields.subtracting([.year, .shortYear])
    isPartial = others.isEmpty || others == [.month]
    guard isPartial || fields.isSuperset(of: [.month, .day]), !fields.isDisjoint(with: [.year, .shortYear]) else {
      throw ParseError("'\(text)' has no day", remedy: .writeLike("scan_{YYYY}-{MM}-{DD}_*"))
    }
    hasTime = fields.contains(.hour)
    let timeOfDay: Set<Field> = [.hour, .minute, .second, .fraction]
    let needed: Set<Field> = hasTime ? [.minute] : []
    let fits = fields.isSuperset(of: needed) && (hasTime || fields.isDisjoint(with: timeOfDay))
    guard fits, !fields.contains(.fraction) || fields.contains(.second) else {
      throw ParseError("'\(text)' has an incomplete time of day: it needs {hh} and {mm}, and {f} needs {ss}")
    }
    self.elements = elements
  }

  /// Returns the date in a file name (with extension); nil if the name doesn't match the pattern, or if the date
  /// doesn't exist.
  public func date(in fileName: String) -> NameDate? {
    guard !isPartial, let values = values(in: fileName) else { return nil }
    let number = { (field: Field) in values[field].flatMap { Int(String($0)) } ?? 0 }
    let civil = CivilTime(
      year: NamePattern.year(values), month: number(.month), day: number(.day), hour: number(.hour),
      minute: number(.minute),
      second: number(.second))
    guard let civil else { return nil }
    guard hasTime else { return .day(civil) }
    return .time(CaptureTime(civil, fraction: values[.fraction].flatMap { SecondFraction(digits: String($0)) }))
  }

  /// Returns the year or month in a file name (with extension); nil if the name doesn't match, or if the pattern
  /// contains the day.
  public func partialDate(in fileName: String) -> PartialDate? {
    guard isPartial, let values = values(in: fileName) else { return nil }
    return PartialDate(year: NamePattern.year(values), month: values[.month].flatMap { Int(String($0)) })
  }

  private func values(in fileName: String) -> [Field: ArraySlice<Character>]? {
    let name = Array(fileName.lastIndex(of: ".").map { fileName[..<$0] } ?? fileName[...])
    var search = Search(elements: elements, name: name)
    return search.matches(0, 0) ? search.values : nil
  }

  private static func year(_ values: [Field: ArraySlice<Character>]) -> Int {
    func number(_ field: Field) -> Int? { values[field].flatMap { Int(String($0)) } }
    return number(.shortYear).map { ($0 + 31) % 100 + 1969 } ?? number(.year) ?? 0
  }

  /// A search for the first way in which the elements match the name. Each position is tried once.
  private struct Search {
    let elements: [Element]
    let name: [Character]
    var values: [Field: ArraySlice<Character>] = [:]
    private var failed: Set<[Int]> = []

    init(elements: [Element], name: [Character]) {
      self.elements = elements
      self.name = name
    }

    mutating func matches(_ element: Int, _ start: Int) -> Bool {
      guard element < elements.count else { return start == name.count }
      guard !failed.contains([element, start]) else { return false }
      for end in ends(of: elements[element], start) where matches(element + 1, end) {
        if case .field(let field) = elements[element] { values[field] = name[start..<end] }
        return true
      }
      failed.insert([element, start])
      return false
    }

    private func ends(of element: Element, _ start: Int) -> [Int] {
      switch element {
      case .character(let character): return start < name.count && name[start] == character ? [start + 1] : []
      case .one: return start < name.count ? [start + 1] : []
      case .any: return Array(start...name.count)
      case .field(let field):
        let digits = name[start...].prefix(field.digits.upperBound).prefix { $0.isASCII && $0.isNumber }.count
        guard digits >= field.digits.lowerBound else { return [] }
        return (field.digits.lowerBound...digits).reversed().map { start + $0 }
      }
    }
  }
}
