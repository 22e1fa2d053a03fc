/// A condition of `--where` that selects photos: a pure, total function of the facts of a photo.
/// Documentation/CONDITIONS.md has the grammar.
///
/// A value that a photo doesn't record is neither less nor greater than, nor equal to anything: only `!=` holds.
package struct Condition: Hashable, Sendable {
  /// The comparison of two values.
  enum Relation: String, Hashable, Sendable, CaseIterable {
    case equal = "=="
    case notEqual = "!="
    case less = "<"
    case lessOrEqual = "<="
    case greater = ">"
    case greaterOrEqual = ">="
    /// A text matches a pattern.
    case matches = "~"
  }

  indirect enum Term: Hashable, Sendable {
    case all([Term])
    case any([Term])
    case not(Term)
    /// The field is recorded.
    case has(ConditionField)
    case text(ConditionField, isEqual: Bool, String)
    case matches(ConditionField, Glob)
    /// A comparison of a number in degrees, metres, bytes or pixels.
    case number(ConditionField, Relation, Double)
    case date(ConditionField, Relation, DateSpan)
    /// The position lies within a radius in metres.
    case within(Coordinate, radius: Double)
    case place(ConditionPlace)
  }

  let term: Term

  init(_ term: Term) { self.term = term }

  /// Creates a condition that holds if all of `conditions` hold; without any, it holds for every photo.
  package init(all conditions: [Condition]) { self.init(.all(conditions.map(\.term))) }

  /// Whether `photo` satisfies the condition.
  package func isMet(by photo: PhotoFacts) -> Bool { Condition.holds(term, photo) }

  /// Evaluates a term recursively. The parser limits the depth.
  private static func holds(_ term: Term, _ photo: PhotoFacts) -> Bool {
    if let answer = photo.answers[term] { return answer }
    switch term {
    case .all(let terms): return terms.allSatisfy { holds($0, photo) }
    case .any(let terms): return terms.contains { holds($0, photo) }
    case .not(let term): return !holds(term, photo)
    case .has(let field): return photo.has(field)
    case .text(let field, let isEqual, let text): return photo.texts(field).contains(text) == isEqual
    case .matches(let field, let pattern): return photo.texts(field).contains(where: pattern.matches)
    case .number(let field, let relation, let number):
      guard let value = photo.number(field) else { return relation == .notEqual }
      return relation.holds(value, number...number)
    case .date(.taken, let relation, let span) where photo.metadata.captureTime == nil:
      guard let range = photo.metadata.partialDates.first.flatMap({ span.moments($0.value) }) else {
        return relation == .notEqual
      }
      return relation.holds(range, span.first...span.last)
    case .date(let field, let relation, let span):
      guard let moment = photo.date(field).flatMap(span.moment) else { return relation == .notEqual }
      return relation.holds(moment, span.first...span.last)
    case .within(let center, let radius):
      return photo.metadata.location.map { $0.coordinate.distance(to: center) <= radius } ?? false
    case .place(let place):
      return photo.metadata.location.map { place.contains($0) } ?? false
    }
  }
}

extension Condition {
  /// The terms about fields that a catalog doesn't keep, each once.
  var unkeptTerms: [Term] {
    var terms: [Term] = []
    for (term, field) in Condition.tests(in: term) where !field.isKept && !terms.contains(term) { terms.append(term) }
    return terms
  }

  /// Whether the condition tests what a container records.
  var needsProperties: Bool { Condition.tests(in: term).contains { $0.field.needsProperties } }

  /// Returns the terms that test a field.
  private static func tests(in term: Term) -> [(term: Term, field: ConditionField)] {
    switch term {
    case .all(let terms), .any(let terms): terms.flatMap(tests)
    case .not(let term): tests(in: term)
    case .has(let field), .text(let field, _, _), .matches(let field, _), .number(let field, _, _),
      .date(let field, _, _):
      [(term, field)]
    case .within, .place: []
    }
  }
}

extension Condition.Relation {
  /// Whether the relation holds between a value and a range: a value in the range is equal to it, a value before the
  /// range is less.
  fileprivate func holds<Value: Comparable>(_ value: Value, _ range: ClosedRange<Value>) -> Bool {
    holds(value...value, range)
  }

  /// Whether the relation holds for a value known only by its bounds: it must hold for every value between them, except
  /// `!=`, which is the opposite of `==`.
  fileprivate func holds<Value: Comparable>(_ value: ClosedRange<Value>, _ range: ClosedRange<Value>) -> Bool {
    switch self {
    case .equal: range.lowerBound <= value.lowerBound && value.upperBound <= range.upperBound
    case .notEqual: !(range.lowerBound <= value.lowerBound && value.upperBound <= range.upperBound)
    case .less: value.upperBound < range.lowerBound
    case .lessOrEqual: value.upperBound <= range.upperBound
    case .greater: value.lowerBound > range.upperBound
    case .greaterOrEqual: value.lowerBound >= range.lowerBound
    case .matches: false  // Patterns have a term of their own.
    }
  }
}

/// A year, month, day, minute or second on the photo's own clock; with an offset, a span of instants.
struct DateSpan: Hashable, Sendable {
  /// The bounds on the photo's own clock, as if it were UTC; for a span with an offset, in UTC.
  let first, last: Instant
  private let isInstant: Bool

  /// Parses `2024`, `2024-05`, `2024-05-01`, `2024-05-01T10:00` or `2024-05-01T10:00:30`, the last two optionally with
  /// an offset. Returns nil for anything else, and for days and times that don't exist.
  init?(_ text: String) {
    let parts = text.uppercased().split(separator: "T", omittingEmptySubsequences: false)
    let day = parts[0].split(separator: "-", omittingEmptySubsequences: false)
    let widths = [4, 2, 2]
    guard parts.count <= 2, day.count <= 3, zip(day, widths).allSatisfy({ $0.utf8.count == $1 }) else { return nil }
    let numbers = day.compactMap { $0.allSatisfy { ("0"..."9").contains($0) } ? Int($0) : nil }
    guard numbers.count == day.count else { return nil }
    var (start, end): (CivilTime?, CivilTime?)
    if parts.count == 2 {
      guard day.count == 3, let time = try? CaptureTime(parsing: text), time.fraction == nil else { return nil }
      let clock = parts[1].prefix { $0.isNumber || $0 == ":" }
      guard clock.utf8.count == 5 || clock.utf8.count == 8 else { return nil }
      start = time.civil
      end = time.civil.adding(seconds: clock.utf8.count == 5 ? 59 : 0)
      isInstant = time.offset != nil
      first = time.offset.map(time.instant) ?? time.instant(at: .utc)
    } else {
      let month = numbers.count > 1 ? numbers[1] : 1
      let lastMonth = numbers.count > 1 ? numbers[1] : 12
      guard (1...12).contains(lastMonth) else { return nil }
      let lastDay = numbers.count > 2 ? numbers[2] : CivilTime.days(inMonth: lastMonth, of: numbers[0])
      start = CivilTime(year: numbers[0], month: month, day: numbers.count > 2 ? numbers[2] : 1)
      end = CivilTime(year: numbers[0], month: lastMonth, day: lastDay, hour: 23, minute: 59, second: 59)
      isInstant = false
      guard let start else { return nil }
      first = CaptureTime(start).instant(at: .utc)
    }
    guard let start, let end else { return nil }
    let length = end.secondsSince1970 - start.secondsSince1970
    last = Instant(seconds: first.seconds + length, nanoseconds: 999_999_999)
  }

  /// Returns the first and last moment of a year, month or day; nil if this span consists of instants.
  func moments(_ date: PartialDate) -> ClosedRange<Instant>? {
    guard !isInstant, let first = date.first, let last = date.last else { return nil }
    return CaptureTime(first).instant(at: .utc)...CaptureTime(last).instant(at: .utc)
  }

  /// Returns a photo's time on the scale of this span; nil if it isn't known.
  func moment(_ time: CaptureTime) -> Instant? { isInstant ? time.instant : time.instant(at: .utc) }
}

/// A named place in a condition.
package struct ConditionPlace: Sendable {
  /// The name as typed.
  package var name: String
  /// A point in the place from which distances are measured; nil for a country or region.
  package var center: Coordinate?
  /// Returns whether a position certainly lies in the place, considering its error.
  package var contains: @Sendable (Location) -> Bool

  /// Creates a place with its test.
  package init(name: String, center: Coordinate?, contains: @escaping @Sendable (Location) -> Bool) {
    (self.name, self.center, self.contains) = (name, center, contains)
  }
}

extension ConditionPlace: Hashable {
  /// Compares the names, as a name means one place within a run.
  package static func == (one: ConditionPlace, other: ConditionPlace) -> Bool { one.name == other.name }
  /// Hashes the name.
  package func hash(into hasher: inout Hasher) { hasher.combine(name) }
}

/// A pattern for names: `*` matches any text, `?` one character, `\` makes the next character literal. Case is ignored.
struct Glob: Hashable, Sendable {
  private enum Part: Hashable, Sendable {
    case anything
    case one
    case exactly(Character)
  }

  private let parts: [Part]

  init(_ pattern: String) {
    var parts: [Part] = []
    var isEscaped = false
    for character in pattern.lowercased() {
      switch character {
      case _ where isEscaped:
        parts.append(.exactly(character))
        isEscaped = false
      case "\\": isEscaped = true
      // Several in a row are equivalent to one.
      case "*": if parts.last != .anything { parts.append(.anything) }
      case "?": parts.append(.one)
      default: parts.append(.exactly(character))
      }
    }
    if isEscaped { parts.append(.exactly("\\")) }
    self.parts = parts
  }

  /// Whether the pattern matches all of `text`. The time is at most proportional to the product of both lengths.
  func matches(_ text: String) -> Bool {
    let text = Array(text.lowercased())
    var (at, part) = (0, 0)
    // The last `*` and the end of the text that it matches so far.
    var (star, reached): (Int?, Int) = (nil, 0)
    while at < text.count {
      if part < parts.count, parts[part] == .anything {
        (star, reached) = (part, at)
        part += 1
      } else if part < parts.count, parts[part] == .one || parts[part] == .exactly(text[at]) {
        at += 1
        part += 1
      } else if let star {
        reached += 1
        (at, part) = (reached, star + 1)
      } else {
        return false
      }
    }
    return parts[part...].allSatisfy { $0 == .anything }
  }
}
