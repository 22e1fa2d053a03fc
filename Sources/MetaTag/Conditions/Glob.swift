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
