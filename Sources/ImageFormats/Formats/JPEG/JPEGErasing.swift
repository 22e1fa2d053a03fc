/// Erasing of everything that describes a JPEG.
extension JPEGContainer {
  package func removalNotes(_ layout: Layout, source: any ByteSource) -> [Note] {
    guard let start = layout.imageData.first?.lowerBound, let end = try? JPEGScan.end(from: start, of: source),
      end < source.count
    else { return [] }
    return [Note(.partsRemoved, "loses what follows the picture: additional images, an HDR gain map, or a movie")]
  }

  /// Keeps the decoder tables, the segments of JFIF and Adobe, and the colour profile, and adds a new Exif segment with
  /// the tags that `exif` sets. Everything else is removed, including data after the picture.
  package func erased(_ exif: TIFFChanges, _ segments: JPEGSegments, _ source: any ByteSource) throws(FileError)
    -> Patch
  {
    let end = try JPEGScan.end(from: segments.scan, of: source)
    let order = segments[.exif].flatMap { try? TIFFBlock(source, JPEGContainer.block(in: $0)).order }
    let block = try newExif(exif, segments, order ?? .big).flatMap(\.bytes)
    var head: [UInt8] = []
    var rest: [UInt8] = []
    for segment in segments.all {
      let payload = try source.bytes(segment.payload)
      switch segment.kind {
      case .jfif where payload.has(Array("JFIF\0".utf8)):
        // Its thumbnail may show an older version of the picture.
        head += try JPEGSegment.bytes(segment.marker, payload.array.prefix(12) + [0, 0])
      case .colorProfile: rest += try source.bytes(segment.range).array
      case .other where segment.marker == 0xEE && payload.has(Array("Adobe".utf8)):
        rest += try JPEGSegment.bytes(segment.marker, Array(payload.array.prefix(12)))
      default:
        let isDescription = (0xE0...0xEF).contains(segment.marker) || segment.marker == 0xFE
        if !isDescription { rest += try source.bytes(segment.range).array }
      }
    }
    let new = head + block + rest
    var splices: [Splice] = []
    if try source.bytes(2..<segments.scan).array != new { splices.append(Splice(2..<segments.scan, new)) }
    if end < source.count { splices.append(Splice(end..<source.count, [])) }
    return try Patch(splices, to: source.count, imageData: [segments.scan..<end])
  }
}

/// The coded picture of a JPEG, after its headers.
package enum JPEGScan {
  private static let windowCount = 1 << 20

  /// Returns the end of the picture: after EOI, or the end of the file if EOI is missing (ISO/IEC 10918-1, B.1.1.2).
  ///
  /// - Parameter start: The start of the first scan.
  package static func end(from start: Int, of source: any ByteSource) throws(FileError) -> Int {
    var at = start
    windows: while at < source.count - 1 {
      let window = try source.prefix(at: at, count: windowCount)
      var from = 0
      while let found = window.firstIndex(of: [0xFF], from: from), found < window.count - 1 {
        switch try window.u8(found + 1) {
        case 0xFF: from = found + 1
        case 0x00, 0x01, 0xD0...0xD7: from = found + 2
        case 0xD9: return at + found + 2
        case 0xE0...0xEF, 0xFE:
          throw FileError(
            .notErasable, "has a segment of unknown content between two scans, which can't be erased",
            at: at + found)
        default:
          at += found + 2
          at += Int(try source.bytes(at: at, count: 2).u16(0, .big))
          continue windows
        }
      }
      // A marker may cross the border of two windows.
      at += max(window.count - 1, 1)
    }
    return source.count
  }
}

extension InPlaceErasing {
  /// Returns the splices for the IPTC data of a JPEG.
  /// - Throws: `.refused` when the data can't be read, or isn't in one place.
  static func splices(
    inIPTCOf segments: JPEGSegments, _ image: any ByteSource, by edit: MetadataEdit
  ) throws(FileError) -> [Splice] {
    guard let start = segments[.photoshop]?.range.lowerBound else { return [] }
    let refusal = FileError(
      .notErasable,
      "IPTC of an additional picture can't be edited and may contain \(edit.erasesPlaces ? "a location" : "a date")",
      at: start)
    do throws(FileError) {
      guard let photoshop = try JPEGPhotoshop(segments, image) else { return [] }
      guard !photoshop.isSplit, !photoshop.resources.hasFurtherIPTC, !photoshop.resources.holdsOthers else {
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
