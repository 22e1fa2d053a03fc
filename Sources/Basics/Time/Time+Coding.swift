/// The texts in which dates and times are encoded, so that a client can store them.
extension CaptureTime: Comparable {
  /// Compares the readings of clocks: by civil time, then by fraction, then by offset, an unknown one first. Readings
  /// with different offsets are not compared as instants, because the offset is often unknown; compare `instant` for
  /// that.
  public static func < (a: CaptureTime, b: CaptureTime) -> Bool { a.order < b.order }

  private var order: (CivilTime, Int32, Int, Int) {
    (civil, fraction?.nanoseconds ?? 0, fraction?.digits.utf8.count ?? 0, offset.map { $0.seconds } ?? .min)
  }
}

extension CivilTime {
  /// Parses the text of `description`: `2024-05-23T18:38:41`. Returns nil for anything else.
  package init?(iso text: some StringProtocol) {
    let bytes = Array(text.utf8)
    let separators: [Int: UInt8] = [4: 0x2D, 7: 0x2D, 10: 0x54, 13: 0x3A, 16: 0x3A]
    guard bytes.count == 19, separators.allSatisfy({ bytes[$0.key] == $0.value }) else { return nil }
    func number(_ range: Range<Int>) -> Int? {
      let digits = bytes[range]
      guard digits.allSatisfy({ (0x30...0x39).contains($0) }) else { return nil }
      return digits.reduce(0) { $0 * 10 + Int($1 - 0x30) }
    }
    let fields = [0..<4, 5..<7, 8..<10, 11..<13, 14..<16, 17..<19].compactMap(number)
    guard fields.count == 6 else { return nil }
    self.init(
      year: fields[0], month: fields[1], day: fields[2], hour: fields[3], minute: fields[4], second: fields[5])
  }
}

extension CaptureTime {
  /// Parses the text of `description`: `2024-05-23T18:38:41.601+09:00`, without the parts that aren't known. Returns nil
  /// for anything else.
  package init?(iso text: String) {
    guard let civil = CivilTime(iso: text.prefix(19)) else { return nil }
    var rest = text.dropFirst(19)
    var fraction: SecondFraction?
    if rest.first == "." {
      let digits = rest.dropFirst().prefix { $0.isASCII && $0.isNumber }
      fraction = SecondFraction(digits: digits)
      guard fraction != nil else { return nil }
      rest = rest.dropFirst(1 + digits.count)
    }
    let offset = UTCOffset(rest)
    guard offset != nil || rest.isEmpty else { return nil }
    self.init(civil, fraction: fraction, offset: offset)
  }
}

/// Returns the value that `parse` makes of an encoded text.
private func decoded<Value>(
  _ decoder: any Decoder, _ parse: (String) -> Value?
) throws -> Value {
  let container = try decoder.singleValueContainer()
  let text = try container.decode(String.self)
  guard let value = parse(text) else {
    throw DecodingError.dataCorruptedError(in: container, debugDescription: "'\(text)' is not valid")
  }
  return value
}

extension Encodable where Self: CustomStringConvertible {
  fileprivate func encodeText(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    try container.encode(description)
  }
}

extension CaptureTime: Codable {
  /// Decodes the text of `description`.
  public init(from decoder: any Decoder) throws { self = try decoded(decoder) { CaptureTime(iso: $0) } }

  /// Encodes `description`.
  public func encode(to encoder: any Encoder) throws { try encodeText(to: encoder) }
}

extension CivilTime: Codable {
  /// Decodes the text of `description`.
  public init(from decoder: any Decoder) throws { self = try decoded(decoder) { CivilTime(iso: $0) } }

  /// Encodes `description`.
  public func encode(to encoder: any Encoder) throws { try encodeText(to: encoder) }
}

extension UTCOffset: Codable {
  /// Decodes the text of `description`.
  public init(from decoder: any Decoder) throws { self = try decoded(decoder) { UTCOffset($0) } }

  /// Encodes `description`.
  public func encode(to encoder: any Encoder) throws { try encodeText(to: encoder) }
}

extension Instant: Codable {
  private enum CodingKeys: String, CodingKey { case seconds, nanoseconds }

  /// Decodes `seconds` and `nanoseconds`.
  public init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: CodingKeys.self)
    self.init(
      seconds: try container.decode(Int64.self, forKey: .seconds),
      nanoseconds: try container.decode(Int32.self, forKey: .nanoseconds))
  }

  /// Encodes `seconds` and `nanoseconds`.
  public func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: CodingKeys.self)
    try container.encode(seconds, forKey: .seconds)
    try container.encode(nanoseconds, forKey: .nanoseconds)
  }
}
