/// Which photos are meant, as `--where` says it: a pure and total function of what is known of a photo. Its grammar is
/// in Documentation/CONDITIONS.md.
///
/// What a photo doesn't record is neither more nor less than anything, and is not equal to anything: only `!=` holds.
package struct Condition: Hashable, Sendable {
  /// How two values are compared.
  enum Relation: String, Hashable, Sendable, CaseIterable {
    case equal = "=="
    case notEqual = "!="
    case less = "<"
    case lessOrEqual = "<="
    case greater = ">"
    case greaterOrEqual = ">="
    /// A text and a pattern.
    case matches = "~"
  }

  indirect enum Term: Hashable, Sendable {
    case all([Term])
    case any([Term])
    case not(Term)
    /// Something is recorded.
    case has(ConditionField)
    case text(ConditionField, isEqual: Bool, String)
    case matches(ConditionField, Glob)
    /// In degrees, metres, bytes, pixels.
    case number(ConditionField, Relation, Double)
    case date(ConditionField, Relation, DateSpan)
    /// Metres.
    case within(Coordinate, radius: Double)
    case place(ConditionPlace)
  }

  let term: Term

  init(_ term: Term) { self.term = term }

  /// What all of `conditions` hold of; without any, every photo.
  package init(all conditions: [Condition]) { self.init(.all(conditions.map(\.term))) }

  /// Whether `photo` is meant.
  package func isMet(by photo: PhotoFacts) -> Bool { Condition.holds(term, photo) }

  /// As deep as the parser lets conditions be.
  private static func holds(_ term: Term, _ photo: PhotoFacts) -> Bool {
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
    case .within(let centre, let radius):
      return photo.metadata.location.map { $0.coordinate.distance(to: centre) <= radius } ?? false
    case .place(let place):
      return photo.metadata.location.map { place.contains($0) } ?? false
    }
  }
}

extension Condition.Relation {
  /// Whether it holds between a value and all that `range` means: equal is what lies in it, less what lies before it.
  fileprivate func holds<Value: Comparable>(_ value: Value, _ range: ClosedRange<Value>) -> Bool {
    holds(value...value, range)
  }

  /// The same of a value of which only bounds are known: it must hold for all that lies between them.
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

/// A year, month, day, minute or second, as the civil clock of a photo shows it; or, with an offset, as it was.
struct DateSpan: Hashable, Sendable {
  /// On the photo's own clock, as if that were UTC; of a span with an offset, in UTC.
  let first, last: Instant
  private let isInstant: Bool

  /// Reads `2024`, `2024-05`, `2024-05-01`, `2024-05-01T10:00`, `2024-05-01T10:00:30`, the latter two perhaps with an
  /// offset; nil for anything else, and for days and times that don't exist.
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

  /// Between which moments a year or a month lies; nil beside an instant.
  func moments(_ date: PartialDate) -> ClosedRange<Instant>? {
    guard !isInstant, let first = date.first, let last = date.last else { return nil }
    return CaptureTime(first).instant(at: .utc)...CaptureTime(last).instant(at: .utc)
  }

  /// Where a photo's time stands beside this; nil where that isn't known.
  func moment(_ time: CaptureTime) -> Instant? { isInstant ? time.instant : time.instant(at: .utc) }
}
