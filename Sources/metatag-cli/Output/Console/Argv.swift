import ArgumentParser
import Glibc

/// Passes the command line through ArgumentParser without loss.
///
/// ArgumentParser reads `String`s and takes every word that starts with a dash for an option. But file names need not
/// be UTF-8, and `date shift -1h` must mean minus one hour. So each byte that doesn't fit is masked as a private-use
/// character (U+10FE00 + byte), and every argument type unmasks it.
enum Argv {
  /// Whether the command line is known: Swift reads it from /proc, and without that even the program's name is missing.
  static var isKnown: Bool { CommandLine.argc > 0 }

  /// The arguments, masked for the parser.
  static var words: [String] { folded(withEmptyValues(typedWords)) }

  private static var typedWords: [String] {
    (1..<max(1, Int(CommandLine.argc))).compactMap { index in
      CommandLine.unsafeArgv[index].map { disguised(Array(UnsafeRawBufferPointer(start: $0, count: strlen($0)))) }
    }
  }

  /// Replaces `--title=` by `--title ""`. Otherwise the parser takes the next word for the value, even `--dry-run` or a
  /// photo.
  static func withEmptyValues(_ words: [String]) -> [String] {
    let options = words.prefix { $0 != "--" }
    return options.flatMap {
      $0.hasPrefix("--") && $0.firstIndex(of: "=") == $0.indices.last ? [String($0.dropLast()), ""] : [$0]
    }
      + words[options.endIndex...]
  }

  /// Joins long rows of file names into one word with NULs between them, since the parser's time grows with the square
  /// of the number of words. The first four words of a row stay separate: they may be commands or an option's value.
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

  /// The command line as typed, for the journal. Bytes that aren't UTF-8 are repaired.
  static var typed: [String] { standIn ?? ["metatag"] + typedWords.map { shown($0) } }

  /// The command line of a job whose command a part of the program acts for.
  @TaskLocal static var standIn: [String]?

  /// Whether `--quiet` is given. Needed before the command line is parsed, because parsing may look up places.
  static var wantsQuiet: Bool {
    typedWords.prefix { $0 != "--" }.contains { $0 == "--quiet" || $0.wholeMatch(of: /-[a-zA-Z]*q[a-zA-Z]*/) != nil }
  }

  /// Returns a word with masked bytes, if necessary.
  static func disguised(_ word: [UInt8]) -> String {
    var rest = word[...]
    var text = ""
    if isNegativeValue(word), let dash = rest.popFirst() { text.unicodeScalars.append(mask(dash)) }
    while !rest.isEmpty {
      let good = rest.validUTF8Prefix
      for scalar in String(decoding: good, as: UTF8.self).unicodeScalars {
        // Mask the mask's own characters byte by byte, so that unmasking is exact.
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

  /// Returns the bytes of a word as typed.
  static func bytes(of word: String) -> [UInt8] {
    word.unicodeScalars.flatMap { scalar -> [UInt8] in
      masked.contains(scalar.value) ? [UInt8(truncatingIfNeeded: scalar.value)] : Array(String(scalar).utf8)
    }
  }

  /// Returns a word as typed, for messages, including the parser's. Bytes that aren't UTF-8 are repaired.
  static func shown(_ word: String) -> String { String(decoding: bytes(of: word), as: UTF8.self) }

  /// Returns a word as typed.
  /// - Throws: `ValidationError` if it isn't UTF-8, because repaired characters must not be written to a photo.
  static func text(of word: String) throws -> String { try text(of: bytes(of: word)) }

  static func text(of bytes: some Sequence<UInt8>) throws -> String {
    guard let text = String(validating: bytes, as: UTF8.self) else {
      throw ValidationError("the text is not valid UTF-8: use a UTF-8 terminal, or convert the script with iconv.")
    }
    return text
  }

  private static let masked: ClosedRange<UInt32> = 0x10FE00...0x10FEFF

  private static func mask(_ byte: UInt8) -> Unicode.Scalar { Unicode.Scalar(0x10FE00 + UInt32(byte)) ?? "?" }

  /// Whether a word is a negative value: `-1h`, `-.5`, `-33.8,151.2`. No option starts with a digit, except `-0`.
  private static func isNegativeValue(_ word: [UInt8]) -> Bool {
    guard word.count > 1, word[0] == 0x2D, word != Array("-0".utf8) else { return false }
    return (0x30...0x39).contains(word[1]) || (word[1] == 0x2E && word.count > 2 && (0x30...0x39).contains(word[2]))
  }
}
