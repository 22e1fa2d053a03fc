/// A reader of track files in XML, token by token, for files of any length.
struct TrackXML {
  private(set) var scanner: XMLScanner
  private var input: TrackInput
  /// If fewer bytes than this are ahead, a tag may be cut by the window's end.
  private static let leastAhead = 1 << 14

  init(_ input: TrackInput) {
    scanner = XMLScanner(input.bytes, passesDoctype: true)
    self.input = input
  }

  /// Advances to the next token, as `XMLScanner.next` does; texts are complete.
  private mutating func next() throws(FileError) -> Bool {
    let closesNext = scanner.kind == .start && scanner.isEmptyElement
    if scanner.remaining < TrackXML.leastAhead, !input.isComplete, !closesNext { try slide(rewinding: false) }
    while true {
      do throws(FileError) {
        let isToken = try scanner.next()
        if input.isComplete || isToken && !(scanner.kind == .text && scanner.remaining == 0) { return isToken }
      } catch {
        if input.isComplete || scanner.remaining > TrackInput.longestToken { throw error.moved(by: scanner.base) }
      }
      try slide(rewinding: true)
    }
  }

  private mutating func slide(rewinding: Bool) throws(FileError) {
    scanner.slide(rewinding: rewinding, appending: try input.piece() ?? [])
  }

  /// Whether `error` is at the end of the data, so that the file is only truncated.
  private func endsHere(_ error: FileError) -> Bool {
    let rest = scanner.bytes[scanner.range.upperBound...]
    return input.isComplete && (error.kind == .truncated || !rest.contains(UInt8(ascii: ">")))
  }

  /// Passes every token to `take`. If a logger loses power, its file may end inside a tag, or continue with old data of
  /// the disk. What was recorded before that is used.
  static func scan(
    _ input: TrackInput, into builder: inout TrackBuilder, _ take: (XMLScanner, inout TrackBuilder) -> Void
  ) throws(FileError) {
    var xml = TrackXML(input)
    do throws(FileError) {
      while try xml.next() { take(xml.scanner, &builder) }
    } catch {
      guard !builder.isEmpty else { throw error }
      if xml.endsHere(error) {
        builder.noteEnd(at: xml.scanner.base + xml.scanner.bytes.count)
      } else if error.kind == .malformed, let offset = error.offset {
        builder.note(.broken(at: offset, fixes: builder.count))
      } else {
        throw error
      }
    }
  }
}

extension XMLScanner {
  /// The name without its prefix: exporters choose any prefixes.
  var localName: ArraySlice<UInt8> {
    let name = bytes[name]
    guard let colon = name.lastIndex(of: UInt8(ascii: ":")) else { return name }
    return name[(colon + 1)...]
  }

  /// Whether a file that begins with `head` has a root element of this name, or declares one.
  static func hasRoot(_ root: StaticString, in head: [UInt8]) -> Bool {
    guard head.firstInk == UInt8(ascii: "<") || head.starts(with: [0xEF, 0xBB, 0xBF]) else { return false }
    var xml = XMLScanner(head, passesDoctype: true)
    do throws(FileError) {
      while try xml.next() {
        if xml.kind == .start { return xml.localName.elementsEqual(root) }
      }
    } catch {
      // Accept a document type with declarations here: reading then refuses it, with the reason.
      let words = head.dropFirst(error.offset ?? 0).split(maxSplits: 2) { $0 <= 0x20 || $0 == UInt8(ascii: "[") }
      return error.kind == .refused && words.dropFirst().first?.elementsEqual(root) == true
    }
    return false
  }
}

extension FileError {
  /// Returns the error with its offset moved by `distance` bytes, where the scanned data begin in the file.
  fileprivate func moved(by distance: Int) -> FileError {
    FileError(code, description, at: offset.map { $0 + distance }, remedy: remedy)
  }
}
