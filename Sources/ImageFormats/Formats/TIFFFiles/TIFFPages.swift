/// XMP, IPTC and Photoshop's resources of every directory except IFD0: of further pages and smaller pictures. They
/// describe other pictures and aren't read, but are erased with the rest, in place and at the same length.
struct TIFFPages {
  /// The limit of all pages together. Only a file made to exhaust its readers has more.
  private static let mostBytes = 1 << 26

  private let block: TIFFBlock
  private let pages: [TIFFDirectory]
  private var values: [(tag: UInt16, range: Range<Int>)] = []
  /// The offset where the data exceeds the limit.
  private var excess: Int?

  init(of block: TIFFBlock, _ references: TIFFReferences) {
    self.block = block
    let own = [block.ifd0.range, block.exif?.range, block.gps?.range]
    pages = references.directories.filter { !own.contains($0.range) }
    var (left, seen) = (TIFFPages.mostBytes, Set<Range<Int>>())
    for page in pages {
      for tag in [TIFFTag.xmp, TIFFTag.iptc, TIFFTag.photoshop] {
        guard let range = page[tag]?.value, !range.isEmpty, seen.insert(range).inserted else { continue }
        left -= range.count
        guard left >= 0, range.count <= TIFFBlock.longestValue else {
          excess = range.lowerBound
          return
        }
        values.append((tag, range))
      }
    }
  }

  /// Returns the splices that erase from the pages what `edit` erases.
  ///
  /// - Throws: `.refused` when the data can't be read.
  func erasures(by edit: MetadataEdit) throws(FileError) -> [Splice] {
    let what = edit.erasesPlaces ? "a location" : "a date"
    func refusal(_ offset: Int) -> FileError {
      FileError(
        .notErasable, "an additional page has metadata that can't be read and may contain \(what)", at: offset,
        remedy: .clearAll)
    }
    if let excess { throw refusal(excess) }
    var splices: [Splice] = []
    for (tag, range) in values {
      let old = try block.bytes(range)
      let new: [UInt8]?
      do throws(FileError) {
        new = try erased(old, tag, by: edit)
      } catch {
        let isHarmless =
          tag == TIFFTag.xmp
          ? !edit.erasesDates && !XMPProperty.mayContainPlace(in: old) : old.array.allSatisfy { $0 == 0 }
        guard isHarmless else { throw refusal(range.lowerBound) }
        continue
      }
      guard let new else { continue }
      let filling = [UInt8](repeating: tag == TIFFTag.xmp ? 0x20 : 0, count: max(0, range.count - new.count))
      guard new.count + filling.count == range.count else { throw refusal(range.lowerBound) }
      splices.append(Splice(range, new + filling))
    }
    return splices
  }

  /// Whether one of them records a date, which a change of the first page's date doesn't affect.
  var areDated: Bool {
    var edit = MetadataEdit()
    edit.erasesDates = true
    if excess != nil { return true }
    return values.contains { tag, range in
      guard let old = try? block.bytes(range), let new = try? erased(old, tag, by: edit) else { return false }
      return new != old.array
    }
      || pages.contains { $0[TIFFTag.dateTimeOriginal] != nil }
  }

  /// Returns a value without the data that `edit` erases, possibly shorter; nil when it has no such data.
  private func erased(_ old: Bytes, _ tag: UInt16, by edit: MetadataEdit) throws(FileError) -> [UInt8]? {
    switch tag {
    case TIFFTag.xmp: return try XMPPacket(old).edited(by: edit)
    case TIFFTag.iptc: return try IPTCData(old).edited(by: edit)
    default:
      let resources = try PhotoshopResources(old)
      guard !resources.holdsOthers else {
        throw FileError(.photoshopData, "EXIF or XMP in Photoshop resources can't be edited")
      }
      guard let range = resources.iptc, let new = try IPTCData(old.bytes(range)).edited(by: edit) else { return nil }
      guard new.count <= range.count else {
        throw FileError(.tooLarge, "the IPTC data of an additional page has no room to grow")
      }
      // Zeros after the last dataset, so that no other resource moves.
      return try resources.replacingIPTC(with: new + [UInt8](repeating: 0, count: range.count - new.count))
    }
  }
}
