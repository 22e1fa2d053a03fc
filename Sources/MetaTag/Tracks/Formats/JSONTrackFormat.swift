/// A track format in JSON: a list of elements at the root or in members of it, or the root itself, or one root per
/// line.
protocol JSONTrackFormat: TrackFormat {
  /// The members of the root that are lists of elements.
  var lists: [StaticString] { get }
  /// Passes the points of one element to `builder`; other elements are skipped.
  func take(_ element: JSONValue, into builder: inout TrackBuilder)
}

extension JSONTrackFormat {
  func read(_ input: InputWindow, into builder: inout TrackBuilder) throws(FileError) {
    var json = JSONReader(input)
    do throws(FileError) {
      while let first = try json.peek() {
        switch first {
        case UInt8(ascii: "["): try takeList(&json, into: &builder)
        case UInt8(ascii: "{"): try takeRoot(&json, into: &builder)
        default:
          throw FileError(.malformed, "JSON without an object or a list where one must stand", at: json.position)
        }
      }
    } catch {
      guard error.kind == .truncated, !builder.isEmpty else { throw error }
      builder.noteEnd(at: json.position)
    }
  }

  private func takeList(_ json: inout JSONReader, into builder: inout TrackBuilder) throws(FileError) {
    try json.elements { (json) throws(FileError) in take(try json.value(), into: &builder) }
    builder.endSegment()
  }

  private func takeRoot(_ json: inout JSONReader, into builder: inout TrackBuilder) throws(FileError) {
    var others: [JSONValue.Member] = []
    try json.members { (name, json) throws(FileError) in
      if lists.contains(where: { name.elementsEqual($0) }), try json.peek() == UInt8(ascii: "[") {
        try takeList(&json, into: &builder)
      } else {
        others.append(.init(name: name, value: try json.value()))
      }
    }
    take(.object(others), into: &builder)
  }

  /// Whether a file that begins with `head` can be JSON.
  func isJSON(_ head: [UInt8]) -> Bool { head.firstInk == UInt8(ascii: "{") || head.firstInk == UInt8(ascii: "[") }
}

extension PointDraft {
  /// Takes a time as text (XML Schema), or as a POSIX time.
  mutating func take(time value: JSONValue?) {
    switch value {
    case .string(let text):
      if let number = PlainText.number(text[...]) {
        take(epoch: number)
      } else {
        take(time: text, 0..<text.count)
      }
    default: if let number = value?.number { take(epoch: number) }
    }
  }
}
