import Foundation

/// A table of the tags, codes or words of a source, and the kind of place that each means. If several rows apply, the
/// first one counts. `Documentation/PLACES.md` has the same rows.
struct KindTable: Sendable {
  /// A kind, and what means it.
  struct Row: Sendable, Hashable {
    let kind: Place.Kind
    let patterns: [String]
  }

  /// The requirement for a kind: a tag, and perhaps a second one.
  private struct Condition: Hashable {
    let rank: Int
    let kind: Place.Kind
    let more: (key: Substring, value: Substring)?

    static func == (one: Condition, other: Condition) -> Bool { one.rank == other.rank }
    func hash(into hasher: inout Hasher) { hasher.combine(rank) }
  }

  let rows: [Row]
  /// The keys of all tags.
  let keys: Set<String>
  private let conditions: [String: [Condition]]
  private let phrases: [(text: String, kind: Place.Kind)]

  /// Creates a table from kinds and their patterns, which blanks separate:
  /// - `key=value` or `class.code`, with `*` for any value, and perhaps `+key=value` for a second tag;
  /// - or words: `theme_park` is found in "the first theme park of Japan".
  init(_ rows: [(Place.Kind, String)]) {
    self.rows = rows.map { Row(kind: $0, patterns: $1.split(whereSeparator: \.isWhitespace).map(String.init)) }
    var conditions: [String: [Condition]] = [:]
    var phrases: [(text: String, kind: Place.Kind)] = []
    var keys: Set<String> = []
    var rank = 0
    for row in self.rows {
      for pattern in row.patterns {
        rank += 1
        let parts = pattern.split(separator: "+").map { Self.halves($0) }
        guard let first = parts[0] else {
          phrases.append((Self.words(pattern), row.kind))
          continue
        }
        keys.insert(String(first.key))
        let condition = Condition(rank: rank, kind: row.kind, more: parts.count > 1 ? parts[1] : nil)
        conditions["\(first.key)=\(first.value)", default: []].append(condition)
      }
    }
    (self.conditions, self.phrases, self.keys) = (conditions, phrases, keys)
  }

  private static func halves(_ pattern: Substring) -> (key: Substring, value: Substring)? {
    guard let mark = pattern.firstIndex(where: { $0 == "=" || $0 == "." }) else { return nil }
    return (pattern[..<mark], pattern[pattern.index(after: mark)...])
  }

  /// Returns the kind of an object with these tags, and the tag that decided; nil if no row applies.
  func kind(of tags: [String: String]) -> (kind: Place.Kind, tag: String)? {
    var best: (condition: Condition, tag: String)?
    for (key, value) in tags where keys.contains(key) && value != "no" {
      for pattern in ["\(key)=\(value)", "\(key)=*"] {
        for condition in conditions[pattern] ?? [] where condition.rank < best?.condition.rank ?? .max {
          if let more = condition.more {
            guard let other = tags[String(more.key)], more.value == "*" || more.value == other else { continue }
          }
          best = (condition, "\(key)=\(value)")
        }
      }
    }
    return best.map { ($0.condition.kind, $0.tag) }
  }

  /// Returns the kind of a code in a class of codes, such as `PPL` in `P`; nil if the table has neither.
  func kind(ofCode code: String, in codes: String) -> Place.Kind? {
    (conditions["\(codes)=\(code)"] ?? conditions["\(codes)=*"])?.first?.kind
  }

  /// Returns the kind of the first row of which a phrase occurs among the words of a text; nil if none does.
  func kind(inWords text: String) -> Place.Kind? {
    let words = Self.words(text)
    return phrases.first { words.contains($0.text) }?.kind
  }

  /// Returns the words in small letters, each between two underscores.
  private static func words(_ text: String) -> String {
    "_" + text.lowercased().split { !$0.isLetter && !$0.isNumber }.map { "\($0)_" }.joined()
  }
}
