/// A JSON value (RFC 8259) that was read as a whole. Strings are unescaped bytes in UTF-8.
package enum JSONValue: Hashable, Sendable {
  case object([Member])
  case array([JSONValue])
  /// An array that contains only numbers, such as coordinates: there may be millions.
  case numbers([Double])
  case string([UInt8])
  case number(Double)
  /// A whole number that a `Double` may not hold exactly.
  case integer(Int)
  case bool(Bool)
  /// `null`, a number that is too large, or `NaN` or `Infinity`, which Python writes though JSON has none.
  case null

  package struct Member: Hashable, Sendable {
    package let name: [UInt8]
    package let value: JSONValue

    package init(name: [UInt8], value: JSONValue) {
      self.name = name
      self.value = value
    }
  }

  /// The member of this name, if this is an object that has one.
  package subscript(name: StaticString) -> JSONValue? {
    guard case .object(let members) = self else { return nil }
    return members.first { $0.name.elementsEqual(name) }?.value
  }

  package var elements: [JSONValue] {
    switch self {
    case .array(let elements): elements
    case .numbers(let numbers): numbers.map { .number($0) }
    default: []
    }
  }

  /// The value as a number, also if it is a string that contains one.
  package var number: Double? {
    switch self {
    case .number(let number): number
    case .integer(let number): Double(number)
    case .string(let text): PlainText.number(text, 0..<text.count)
    default: nil
    }
  }

  var isNumber: Bool {
    switch self {
    case .number, .integer: true
    default: false
    }
  }

  package var numbers: [Double]? {
    switch self {
    case .numbers(let numbers): numbers
    case .array(let elements) where elements.isEmpty: []
    default: nil
    }
  }

  package var text: [UInt8]? {
    guard case .string(let text) = self else { return nil }
    return text
  }

  /// The text of a string as a `String`; nil for other values, and if it isn't UTF-8.
  package var string: String? { text.flatMap { String(validating: $0, as: UTF8.self) } }

  /// The members of an object; nil for other values.
  package var members: [Member]? {
    guard case .object(let members) = self else { return nil }
    return members
  }

  package func isText(_ text: StaticString) -> Bool { self.text?.elementsEqual(text) ?? false }
}
