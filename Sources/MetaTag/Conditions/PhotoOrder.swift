/// An order of photos by a field that conditions can test.
package struct PhotoOrder: Hashable, Sendable {
  /// The value by which a photo is sorted.
  package enum Key: Comparable, Sendable {
    case number(Double)
    case time(CaptureTime)
    case text(String)
  }

  private let field: ConditionField
  /// Whether later dates, larger numbers and later letters come first.
  package var isReversed = false

  /// The names of the fields by which photos can be sorted.
  package static var names: [String] { fields.map(\.rawValue) }

  private static var fields: [ConditionField] { ConditionField.allCases.filter { $0.kind != .presence } }

  /// Creates the order by the field of this name.
  /// - Throws: `ParseError` with the nearest names when there is no such field.
  package init(parsing name: String) throws(ParseError) {
    guard let field = Self.fields.first(where: { $0.rawValue == name }) else {
      throw ParseError("photos can't be sorted by '\(name)': expected one of \(Self.names.joined(separator: ", "))")
    }
    self.field = field
  }

  /// Whether the order is by what a container records.
  package var needsProperties: Bool { field.needsProperties }

  /// Returns the value by which a photo is sorted, the first of several; nil if it has none.
  package func key(of photo: PhotoFacts) -> Key? {
    switch field.kind {
    case .text: photo.texts(field).first.map { .text($0) }
    case .number: photo.number(field).map { .number($0) }
    case .date: photo.date(field).map { .time($0) }
    case .presence: nil
    }
  }

  /// Returns values in this order, those without a key last. Those with equal keys stay in their order.
  package func sorted<Value>(_ values: [(key: Key?, value: Value)]) -> [Value] {
    let known = values.enumerated().compactMap { index, pair in pair.key.map { (key: $0, index: index) } }
    let order = known.sorted { a, b in
      guard a.key != b.key else { return a.index < b.index }
      return isReversed ? b.key < a.key : a.key < b.key
    }
    return order.map { values[$0.index].value } + values.filter { $0.key == nil }.map(\.value)
  }
}
