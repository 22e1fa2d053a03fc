/// The path of a value in XMP (ISO 16684-1): a property, an item of an array, a text in a language, or a field of a
/// structure.
///
/// | path | value |
/// |---|---|
/// | `xmpRights:Marked` | a simple property |
/// | `dc:subject[2]` | the second item of an array |
/// | `dc:rights[en]` | the text in a language; `dc:rights` alone is the default text |
/// | `Iptc4xmpCore:CreatorContactInfo/Iptc4xmpCore:CiEmailWork` | a field of a structure |
/// | `xmpMM:History[1]/stEvt:action` | a field of a structure in an array |
public struct XMPPath: Hashable, Sendable {
  /// One step of a path.
  struct Step: Hashable, Sendable {
    /// The name with its prefix.
    let name: String
    let selector: Selector?
  }

  /// The choice of one value among several.
  enum Selector: Hashable, Sendable {
    /// The item at this position, from 1.
    case item(Int)
    /// The text in this language (RFC 3066), in lowercase.
    case language(String)
  }

  let steps: [Step]

  init(_ steps: [Step]) { self.steps = steps }

  /// The prefix of a step's namespace.
  static func prefix(of name: String) -> Substring { name.prefix { $0 != ":" } }
}

extension XMPPath {
  /// Whether the path ends at an item of an array.
  package var choosesItem: Bool { if case .item? = steps.last?.selector { true } else { false } }

  /// The path of the next item, if the path ends at an item of an array.
  package var next: XMPPath? {
    guard let last = steps.last, case .item(let number)? = last.selector else { return nil }
    return XMPPath(steps.dropLast() + [Step(name: last.name, selector: .item(number + 1))])
  }

  /// Whether both paths begin at the same property of the picture.
  package func isOfSameProperty(as other: XMPPath) -> Bool { steps.first?.name == other.steps.first?.name }
}

extension XMPPath: CustomStringConvertible {
  /// The path as it is parsed.
  public var description: String {
    steps.map { step in
      switch step.selector {
      case .item(let number): "\(step.name)[\(number)]"
      case .language(let language): "\(step.name)[\(language)]"
      case nil: step.name
      }
    }.joined(separator: "/")
  }
}

extension XMPPath {
  /// Parses a path.
  /// - Throws: `ParseError` when a step has no prefix, or an index isn't a number from 1 or a language.
  public init(parsing text: String) throws(ParseError) {
    var steps: [Step] = []
    for part in text.split(separator: "/", omittingEmptySubsequences: false) {
      let name = part.prefix { $0 != "[" }
      let names = name.split(separator: ":", omittingEmptySubsequences: false)
      guard names.count == 2, names.allSatisfy(XMPPath.isName) else {
        throw ParseError(
          "'\(text)' is not a path in XMP", remedy: .writeLike("dc:rights[en]", or: ["xmpRights:Marked"]))
      }
      steps.append(Step(name: String(name), selector: try XMPPath.selector(part.dropFirst(name.count), of: text)))
    }
    self.init(steps)
  }

  private static func selector(_ text: Substring, of path: String) throws(ParseError) -> Selector? {
    if text.isEmpty { return nil }
    let inner = text.dropFirst().dropLast()
    let isPlain = inner.utf8.allSatisfy { $0 == 0x2D || (0x30...0x39).contains($0) || ($0 | 0x20).isLetter }
    guard text.last == "]", !inner.isEmpty, inner.utf8.count <= 64, isPlain else {
      throw ParseError(
        "'\(text)' in '\(path)' is neither a position nor a language", remedy: .writeLike("[2]", or: ["[en]"]))
    }
    guard inner.allSatisfy(\.isNumber) else { return .language(inner.lowercased()) }
    guard let number = Int(inner), number > 0 else {
      throw ParseError("positions in '\(path)' count from 1", remedy: .writeLike("[1]"))
    }
    return .item(number)
  }

  /// Whether the text is a name in XML, of ASCII letters, digits, `_`, `-` and `.`.
  private static func isName(_ text: Substring) -> Bool {
    guard let first = text.utf8.first, first == 0x5F || (first | 0x20).isLetter, text.utf8.count <= 100 else {
      return false
    }
    return text.utf8.allSatisfy { byte in
      [0x5F, 0x2D, 0x2E].contains(byte) || (0x30...0x39).contains(byte) || (byte | 0x20).isLetter
    }
  }
}

extension UInt8 {
  /// Whether it is a small letter in ASCII.
  fileprivate var isLetter: Bool { (0x61...0x7A).contains(self) }
}
