/// Reading track files in XML.
enum TrackXML {
  /// Passes every token to `take`. If a logger loses power, its file may end inside a tag, or continue with old data of
  /// the disk. What was recorded before that is used.
  static func scan(
    _ input: InputWindow, into builder: inout TrackBuilder, _ take: (XMLScanner, inout TrackBuilder) -> Void
  ) throws(FileError) {
    var xml = XMLReader(input)
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
