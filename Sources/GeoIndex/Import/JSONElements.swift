/// Finds the features of a GeoJSON text without parsing all of it: the elements of the array `features` in the
/// outermost object, and each outermost object that has none.
struct JSONElements {
  private var depth = 0
  private var isInString = false
  private var isEscaped = false
  /// The last string at depth 1: the member's name when an array begins.
  private var word: [UInt8] = []
  private var isInFeatures = false
  /// The object that is being read.
  private var element: [UInt8] = []
  private var isKept = false

  /// The largest size of a feature in bytes.
  static let longest = 32 << 20

  /// The element that ends with a byte.
  enum Event {
    case feature([UInt8])
    /// An outermost object without features: a feature in a sequence (RFC 8142), or something else.
    case root([UInt8])
  }

  /// Whether an object, array or string is incomplete.
  var isOpen: Bool { depth > 0 || isInString }

  mutating func take(_ byte: UInt8) throws(GeoIndexError) -> Event? {
    if isKept { element.append(byte) }
    guard element.count <= Self.longest else {
      throw GeoIndexError(.badFile, "one feature is longer than \(Self.longest >> 20) MB")
    }
    if isInString {
      if isEscaped {
        isEscaped = false
      } else if byte == UInt8(ascii: "\\") {
        isEscaped = true
      } else if byte == UInt8(ascii: "\"") {
        isInString = false
      }
      if isInString, depth == 1, word.count < 16 { word.append(byte) }
      return nil
    }
    switch byte {
    case UInt8(ascii: "\""):
      isInString = true
      if depth == 1 { word = [] }
    case UInt8(ascii: "{"), UInt8(ascii: "["): try open(byte)
    case UInt8(ascii: "}"), UInt8(ascii: "]"): return try close()
    default: break
    }
    return nil
  }

  private mutating func open(_ byte: UInt8) throws(GeoIndexError) {
    depth += 1
    guard depth <= 256 else { throw GeoIndexError(.badFile, "the JSON is nested more than 256 levels deep") }
    if depth == 1 {
      (isKept, element) = (byte == UInt8(ascii: "{"), [byte])
    } else if depth == 2, byte == UInt8(ascii: "["), word.elementsEqual("features".utf8) {
      (isInFeatures, isKept, element) = (true, false, [])
    } else if depth == 3, isInFeatures, byte == UInt8(ascii: "{") {
      (isKept, element) = (true, [byte])
    }
  }

  private mutating func close() throws(GeoIndexError) -> Event? {
    guard depth > 0 else { throw GeoIndexError(.badFile, "the JSON closes more than it opens") }
    depth -= 1
    guard isKept, depth == 0 || isInFeatures && depth == 2 else {
      if depth == 1 { isInFeatures = false }
      return nil
    }
    defer { (isKept, element) = (false, []) }
    return depth == 0 ? .root(element) : .feature(element)
  }
}
