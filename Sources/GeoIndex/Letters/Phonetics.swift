/// The approximate sound of names: what remains of a city's name when another language and a third script have spelled
/// it.
enum Phonetics {
  /// Returns hashes of the first ten consonant classes, three bits each: one with hard and one with soft c and g, if
  /// they differ.
  static func hashes(_ key: some Collection<UInt8>) -> [UInt32] {
    let letters = Array(key)
    let hard = hash(letters, isSoft: false)
    guard letters.contains(where: { $0 == c || $0 == g }) else { return [hard] }
    let soft = hash(letters, isSoft: true)
    return hard == soft ? [hard] : [hard, soft]
  }

  /// Returns the difference of two names relative to their mean length: 0 is equal, 1 is entirely different. Vowels,
  /// and consonants of the same class, differ less.
  static func distance(_ a: [UInt8], _ b: [UInt8]) -> Float {
    guard !a.isEmpty, !b.isEmpty else { return 1 }
    var row = [Float](repeating: 0, count: b.count + 1)
    for column in b.indices { row[column + 1] = row[column] + presence(b, column) }
    for line in a.indices {
      var diagonal = row[0]
      row[0] += presence(a, line)
      for column in b.indices {
        let substituted = diagonal + difference(a[line], b[column])
        diagonal = row[column + 1]
        row[column + 1] = min(substituted, diagonal + presence(a, line), row[column] + presence(b, column))
      }
    }
    return 2 * row[b.count] / Float(a.count + b.count)
  }

  private static let c = UInt8(ascii: "c")
  private static let g = UInt8(ascii: "g")

  private enum Class: UInt32 {
    case none, vowel, labial, velar, sibilant, dental, liquid, nasal
  }

  private static let classes: [Class] = "abcdefghijklmnopqrstuvwxyz".map { letter in
    switch letter {
    case "a", "e", "i", "o", "u", "y": .vowel
    case "b", "f", "p", "v", "w": .labial
    case "c", "g", "k", "q", "x": .velar
    case "j", "s", "z": .sibilant
    case "d", "t": .dental
    case "l", "r": .liquid
    case "m", "n": .nasal
    default: .none
    }
  }

  private static func kind(_ letter: UInt8) -> Class {
    letter >= 0x61 && letter <= 0x7A ? classes[Int(letter - 0x61)] : .none
  }

  private static func hash(_ letters: [UInt8], isSoft: Bool) -> UInt32 {
    var (hash, last, count) = (UInt32(0), Class.none, 0)
    for (index, letter) in letters.enumerated() where count < 10 {
      let next = index + 1 < letters.count ? letters[index + 1] : 0
      var kind = kind(letter)
      if isSoft, letter == c || letter == g, "eiyh".utf8.contains(next) { kind = .sibilant }
      // ts, tz, dz, dj are one sound, and so is ng.
      if kind == .dental, self.kind(next) == .sibilant { kind = .sibilant }
      if kind == .velar, last == .nasal, letter == g, self.kind(next) != .vowel { continue }
      // Vowels count only at the beginning of a name.
      if kind == .none || kind == .vowel && index > 0 {
        if kind == .vowel { last = .vowel }
        continue
      }
      if kind == last { continue }
      hash = hash << 3 | kind.rawValue
      (last, count) = (kind, count + 1)
    }
    return hash
  }

  /// Returns the cost of a letter that the other name doesn't have: low for vowels, h, and the second of a pair.
  private static func presence(_ name: [UInt8], _ index: Int) -> Float {
    let letter = name[index]
    if kind(letter) == .vowel || letter == UInt8(ascii: "h") { return 0.5 }
    return index > 0 && name[index - 1] == letter ? 0.5 : 1
  }

  private static func difference(_ a: UInt8, _ b: UInt8) -> Float {
    if a == b { return 0 }
    let (first, second) = (kind(a), kind(b))
    if first == second, first != .none { return 0.35 }
    return 1
  }
}
