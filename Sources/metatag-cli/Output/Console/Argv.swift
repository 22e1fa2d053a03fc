import ArgumentParser
import Glibc

/// The command line as ArgumentParser takes it, without losing what it can't hold.
///
/// ArgumentParser reads `String`s, and takes every word with a dash in front for an option. File names need not be
/// UTF-8, and `date shift -1h` must mean minus one hour. So bytes that don't fit are sent past the parser in disguise,
/// each as one private-use character (U+10FE00 + byte), and every argument type takes the disguise off again.
enum Argv {
  /// Whether it can be had at all: Swift reads it from /proc, and where that fails there is not even the program's
  /// name.
  static var isKnown: Bool { CommandLine.argc > 0 }

  /// The words after the program's name.
  static var words: [String] { folded(withEmptyValues(typedWords)) }

  private static var typedWords: [String] {
    (1..<max(1, Int(CommandLine.argc))).compactMap { index in
      CommandLine.unsafeArgv[index].map { disguised(Array(UnsafeRawBufferPointer(start: $0, count: strlen($0)))) }
    }
  }

  /// `--title=` is `--title ""`: the parser would take the next word for the value, be it `--dry-run` or a photo.
  static func withEmptyValues(_ words: [String]) -> [String] {
    let options = words.prefix { $0 != "--" }
    return options.flatMap {
      $0.hasPrefix("--") && $0.firstIndex(of: "=") == $0.indices.last ? [String($0.dropLast()), ""] : [$0]
    }
      + words[options.endIndex...]
  }

  /// Many names in a row become one word, with a NUL between them, which no name can hold: the parser's time grows with
  /// the square of the words. The first four of a row stay as they are: commands, and an option's value.
  static func folded(_ words: [String]) -> [String] {
    var folded: [String] = []
    for row in words.split(omittingEmptySubsequences: false, whereSeparator: { $0.hasPrefix("-") }) {
      let names = row.dropFirst(4)
      folded += row.prefix(4)
      folded += names.count > 32 ? [names.joined(separator: String(Character(mask(0))))] : Array(names)
      if row.endIndex < words.endIndex { folded.append(words[row.endIndex]) }
    }
    return folded
  }

  /// The command line as it was typed, for the journal. Bytes that aren't UTF-8 are repaired.
  static var typed: [String] { ["metatag"] + typedWords.map { shown($0) } }

  /// Whether `--quiet` is given: known before the command line is parsed, which may look up places.
  static var wantsQuiet: Bool {
    typedWords.prefix { $0 != "--" }.contains { $0 == "--quiet" || $0.wholeMatch(of: /-[a-zA-Z]*q[a-zA-Z]*/) != nil }
  }

  /// One word, disguised where it must be.
  static func disguised(_ word: [UInt8]) -> String {
    var rest = word[...]
    var text = ""
    if isNegativeValue(word), let dash = rest.popFirst() { text.unicodeScalars.append(mask(dash)) }
    while !rest.isEmpty {
      let good = rest.validUTF8Prefix
      for scalar in String(decoding: good, as: UTF8.self).unicodeScalars {
        // A character of the disguise itself goes byte by byte, so that unmasking is exact.
        if masked.contains(scalar.value) {
          text.unicodeScalars.append(contentsOf: UTF8.encode(scalar).map { $0.map(mask) } ?? [])
        } else {
          text.unicodeScalars.append(scalar)
        }
      }
      rest = rest.dropFirst(good.count)
      if let byte = rest.popFirst() { text.unicodeScalars.append(mask(byte)) }
    }
    return text
  }

  /// The word as it was typed.
  static func bytes(of word: String) -> [UInt8] {
    word.unicodeScalars.flatMap { scalar -> [UInt8] in
      masked.contains(scalar.value) ? [UInt8(truncatingIfNeeded: scalar.value)] : Array(String(scalar).utf8)
    }
  }

  /// The word as it was typed, for messages, those of the parser too. Bytes that aren't UTF-8 are repaired.
  static func shown(_ word: String) -> String { String(decoding: bytes(of: word), as: UTF8.self) }

  /// The word as it was typed, as text.
  /// - Throws: `ValidationError` where it isn't UTF-8: a photo would get characters that nobody typed.
  static func text(of word: String) throws -> String { try text(of: bytes(of: word)) }

  static func text(of bytes: some Sequence<UInt8>) throws -> String {
    guard let text = String(validating: bytes, as: UTF8.self) else {
      throw ValidationError("the text is not UTF-8: use a terminal that is, or iconv on the script.")
    }
    return text
  }

  private static let masked: ClosedRange<UInt32> = 0x10FE00...0x10FEFF

  private static func mask(_ byte: UInt8) -> Unicode.Scalar { Unicode.Scalar(0x10FE00 + UInt32(byte)) ?? "?" }

  /// `-1h`, `-.5`, `-33.8,151.2`: no option's name begins with a digit, `-0` aside.
  private static func isNegativeValue(_ word: [UInt8]) -> Bool {
    guard word.count > 1, word[0] == 0x2D, word != Array("-0".utf8) else { return false }
    return (0x30...0x39).contains(word[1]) || (word[1] == 0x2E && word.count > 2 && (0x30...0x39).contains(word[2]))
  }
}
