/// One way to read what was typed: a name, and the countries or regions it must lie in, all as keys.
struct Reading: Hashable {
  let name: String
  let within: [String]

  /// The ways to read `text`, the likeliest first: as it stands; at its commas; at a space, the longest name first
  /// (`Paris Texas`). None if it has no letter or digit.
  static func all(of text: String) -> [Reading] {
    var folding = Folding()
    let whole = folding.key(text)
    guard !whole.isEmpty, whole.utf8.count <= longest else { return [] }
    var readings = [Reading(name: whole, within: [])]

    let parts = text.split(whereSeparator: { ",，、".contains($0) }).map { folding.key($0) }.filter { !$0.isEmpty }
    if parts.count > 1 {
      readings.append(Reading(name: parts[0], within: Array(parts.dropFirst())))
    } else {
      let words = text.split(whereSeparator: \.isWhitespace).map { folding.key($0) }.filter { !$0.isEmpty }
      for split in (1..<max(words.count, 1)).reversed() {
        readings.append(Reading(name: words[..<split].joined(), within: [words[split...].joined()]))
      }
    }
    return readings
  }

  /// Bytes. The longest name of the gazetteer is shorter.
  private static let longest = 400
}
