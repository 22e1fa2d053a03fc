extension InPlaceErasing {
  /// Returns the splices for the IPTC data of a JPEG.
  /// - Throws: `.refused` when the data can't be read, or isn't in one place.
  static func splices(
    inIPTCOf segments: JPEGSegments, _ image: any ByteSource, by edit: MetadataEdit
  ) throws(FileError) -> [Splice] {
    guard let start = segments[.photoshop]?.range.lowerBound else { return [] }
    let refusal = FileError(
      .notErasable,
      "IPTC of an additional picture can't be edited and may contain \(edit.erasesPlaces ? "a place" : "a date")",
      at: start)
    do throws(FileError) {
      guard let photoshop = try JPEGPhotoshop(segments, image) else { return [] }
      guard !photoshop.isParted, !photoshop.resources.hasFurtherIPTC, !photoshop.resources.holdsOthers else {
        throw refusal
      }
      guard let range = photoshop.iptc, let new = try IPTCData(image.bytes(range)).edited(by: edit) else { return [] }
      guard new.count <= range.count else { throw refusal }
      let splices = try photoshop.splices(
        replacingIPTC: new + [UInt8](repeating: 0, count: range.count - new.count))
      guard splices.allSatisfy({ $0.growth == 0 }) else { throw refusal }
      return splices
    } catch {
      throw error.kind == .io ? error : refusal
    }
  }
}
