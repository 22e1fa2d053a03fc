/// A reader of XML files of any length, token by token. It keeps a window over the file in memory.
package struct XMLReader {
  /// The scanner, at the current token.
  package private(set) var scanner: XMLScanner
  private var input: InputWindow
  private let splitsText: Bool
  /// If fewer bytes than this are ahead, a tag may be cut by the window's end.
  private static let leastAhead = 1 << 14
  /// The largest length of a text that isn't split.
  private static let longestPiece = 1 << 16
  private let longestToken: Int

  /// Creates a reader of the document in `input`.
  /// - Parameters:
  ///   - splitsText: Whether a text longer than 64 KiB may arrive as several tokens. A reference such as `&amp;` is never
  ///     split.
  ///   - longestToken: The largest length in bytes of a token that isn't split; no file has a longer one.
  package init(_ input: InputWindow, splitsText: Bool = false, longestToken: Int = 64 << 20) {
    self.longestToken = longestToken
    scanner = XMLScanner(Array(input.bytes[input.at...]), passesDoctype: true, base: input.position)
    self.input = input
    self.splitsText = splitsText
  }

  /// Advances to the next token, like `XMLScanner.next`. Offsets of errors are positions in the file.
  ///
  /// - Throws: Also `.refused` if a token is longer than `longestToken`.
  package mutating func next() throws(FileError) -> Bool {
    let closesNext = scanner.kind == .start && scanner.isEmptyElement
    if scanner.remaining < XMLReader.leastAhead, !input.isComplete, !closesNext { try slide(rewinding: false) }
    while true {
      do throws(FileError) {
        let isToken = try scanner.next()
        if input.isComplete || isToken && !(scanner.kind == .text && scanner.remaining == 0) { return isToken }
        if isToken, splitsText, scanner.range.count >= XMLReader.longestPiece {
          scanner.keepReferenceWhole()
          return true
        }
      } catch {
        if input.isComplete { throw error.moved(by: scanner.base) }
      }
      guard scanner.tokenCount <= longestToken else {
        throw FileError(
          .valueTooLong, "an XML tag or text exceeds \(longestToken >> 20) MB",
          at: scanner.base + scanner.bytes.count - scanner.tokenCount)
      }
      try slide(rewinding: true)
    }
  }

  /// Extends the window. A token that is scanned again from its start doubles it, so that the time stays in proportion to
  /// the token's length.
  private mutating func slide(rewinding: Bool) throws(FileError) {
    let wanted = rewinding ? scanner.tokenCount : 0
    var more: [UInt8] = []
    repeat {
      guard let piece = try input.piece() else { break }
      more += piece
    } while more.count < wanted
    scanner.slide(rewinding: rewinding, appending: more)
  }

  /// Whether `error` is at the end of the data, so that the file is only truncated.
  package func endsHere(_ error: FileError) -> Bool {
    let rest = scanner.bytes[scanner.range.upperBound...]
    return input.isComplete && (error.kind == .truncated || !rest.contains(UInt8(ascii: ">")))
  }
}

extension XMLScanner {
  /// The name without its prefix: exporters choose any prefixes.
  package var localName: ArraySlice<UInt8> { local(name) }

  /// Returns the value of an attribute by its name without prefix. References that XML doesn't define stay as they are.
  package func attribute(_ name: StaticString) -> String? {
    guard let attribute = attributes.last(where: { local($0.name).elementsEqual(name) }) else { return nil }
    return (try? unescaped(attribute.value)) ?? String(decoding: bytes[attribute.value], as: UTF8.self)
  }

  private func local(_ range: Range<Int>) -> ArraySlice<UInt8> {
    let name = bytes[range]
    guard let colon = name.lastIndex(of: UInt8(ascii: ":")) else { return name }
    return name[(colon + 1)...]
  }

  /// Returns the name of the root element of a file that begins with `head`; nil if there is none. A document type with
  /// declarations counts with the name that it declares: reading then refuses it, with the reason.
  package static func root(of head: ArraySlice<UInt8>) -> String? {
    guard head.first(where: { $0 != 0x20 && !(0x09...0x0D).contains($0) }) == UInt8(ascii: "<") else { return nil }
    var xml = XMLScanner(Array(head), passesDoctype: true)
    do throws(FileError) {
      while try xml.next() {
        if xml.kind == .start { return String(decoding: xml.localName, as: UTF8.self) }
      }
    } catch {
      guard error.kind == .refused else { return nil }
      let words = xml.bytes.dropFirst(error.offset ?? 0).split(maxSplits: 2) { $0 <= 0x20 || $0 == UInt8(ascii: "[") }
      return words.dropFirst().first.map { String(decoding: $0, as: UTF8.self) }
    }
    return nil
  }
}

extension FileError {
  /// Returns the error with its offset moved by `distance` bytes, where the scanned data begin in the file.
  fileprivate func moved(by distance: Int) -> FileError {
    FileError(code, description, at: offset.map { $0 + distance }, remedy: remedy)
  }
}
