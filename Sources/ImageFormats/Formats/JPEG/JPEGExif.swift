/// Edits of the Exif segments of a JPEG.
extension JPEGContainer {
  /// A file that grows by whole pages can share the rest of its bytes with the original (reflink).
  private static let pageCount = 4_096
  /// The zeros to leave after new metadata, as space for the next edit.
  private static let spareCount = 512

  /// Returns the splices that put `changes` into the first Exif segment, or a new segment into the file.
  func exifSplices(
    _ changes: TIFFChanges, _ segments: JPEGSegments, _ source: any ByteSource
  ) throws(FileError) -> [Splice] {
    guard let segment = segments[.exif] else { return try newExif(changes, segments) }
    let block = try TIFFBlock(source, JPEGContainer.block(in: segment))
    let changes = completed(changes, block, segments)
    let references = try TIFFReferences(of: block)
    let place = try block.tail(references, for: changes)
    let edit = try TIFFEditor.edit(block, changes, references: references, appendingAt: place)
    let start = block.range.lowerBound
    var splices = edit.overwrites.map { $0.moved(by: start) }
    guard !edit.appended.isEmpty else { return splices }
    let missing = place + edit.appended.count - block.count
    let tail = min(place, block.count)
    if missing <= 0 {
      splices.append(Splice(tail..<tail + edit.appended.count, edit.appended).moved(by: start))
      return splices
    }
    let growth = try JPEGContainer.growth(missing, within: JPEGSegment.longestPayload - segment.payload.count)
    let filling = [UInt8](repeating: 0, count: place - tail) + edit.appended
    let padding = [UInt8](repeating: 0, count: block.count + growth - tail - filling.count)
    splices.append(Splice(tail..<block.count, filling + padding).moved(by: start))
    let length = segment.range.lowerBound + 2
    splices.append(Splice(length..<length + 2, try JPEGSegment.length(segment.payload.count + growth)))
    return splices
  }

  /// Erases the position from further Exif segments when the first one loses it; otherwise they stay as they are.
  func additionalEXIFSplices(_ segments: [JPEGSegment], _ source: any ByteSource) throws(FileError) -> [Splice] {
    var splices: [Splice] = []
    for segment in segments {
      splices += try InPlaceErasing.splices(inEXIF: JPEGContainer.block(in: segment), of: source, by: .placeRemoval)
    }
    return splices
  }

  /// Checks that further Exif segments contain no dates, as these are neither changed nor erased.
  func requireUndated(_ segments: some Sequence<JPEGSegment>, _ source: any ByteSource) throws(FileError) {
    for segment in segments {
      if let block = try? TIFFBlock(source, JPEGContainer.block(in: segment)) {
        var metadata = Metadata()
        EXIF.read(block, into: &metadata)
        guard metadata.holdsDate else { continue }
      }
      throw FileError(
        .notErasable, "has a second Exif segment that may contain a date", at: segment.range.lowerBound,
        remedy: .clearAll)
    }
  }

  /// Returns the range from the TIFF header to the end of the segment.
  package static func block(in segment: JPEGSegment) -> Range<Int> {
    segment.payload.lowerBound + JPEGSegment.exifHeader.count..<segment.payload.upperBound
  }

  /// Returns the position for new segments: after SOI, or after JFIF, which must be first.
  static func headEnd(_ segments: JPEGSegments) -> Int {
    segments.all.prefix { $0.kind == .jfif }.last?.range.upperBound ?? 2
  }

  func newExif(
    _ changes: TIFFChanges, _ segments: JPEGSegments, _ order: Bytes.Order = .big
  ) throws(FileError) -> [Splice] {
    guard changes.tags.values.contains(where: { $0.values.contains { $0 != .remove } }) else { return [] }
    let changes = completed(changes, TIFFBlock(blank: order, for: changes), segments)
    let block = TIFFBlock(blank: order, for: changes)
    let edit = try TIFFEditor.edit(
      block, changes, references: try TIFFReferences(of: block), appendingAt: block.count)
    let head = try Patch(edit.overwrites, to: block.count, imageData: []).applied(to: try block.bytes(0..<block.count))
    let content = JPEGSegment.exifHeader + head + edit.appended
    let growth = try JPEGContainer.growth(content.count + 4, within: JPEGSegment.longestPayload + 4)
    let padding = [UInt8](repeating: 0, count: growth - 4 - content.count)
    let start = JPEGContainer.headEnd(segments)
    return [Splice(start..<start, try JPEGSegment.bytes(0xE1, content + padding))]
  }

  /// Returns the growth of a segment for `missing` bytes: whole pages with spare space, if `room` allows.
  private static func growth(_ missing: Int, within room: Int) throws(FileError) -> Int {
    for wanted in [missing + spareCount, missing] {
      let pages = (wanted + pageCount - 1) / pageCount * pageCount
      if pages <= room { return pages }
    }
    guard missing <= room else {
      throw FileError(
        .noRoom, "the EXIF block would exceed 64 KB, the limit of a JPEG segment", remedy: .useSidecar)
    }
    return missing
  }

  /// Adds to a new EXIF directory the tags that EXIF 3.0 (4.6.5) requires in every JPEG, as far as they are known.
  private func completed(_ changes: TIFFChanges, _ block: TIFFBlock, _ segments: JPEGSegments) -> TIFFChanges {
    guard block.exif == nil, changes.tags[.exif]?.values.contains(where: { $0 != .remove }) ?? false else {
      return changes
    }
    var changes = changes
    changes.set(TIFFTag.exifVersion, in: .exif, to: .undefined(Array("0231".utf8)))
    changes.set(TIFFTag.flashpixVersion, in: .exif, to: .undefined(Array("0100".utf8)))
    // JFIF without a profile means sRGB, except with four inks. Otherwise the colour space is unknown: 0xFFFF,
    // uncalibrated.
    let isPlain = segments[.jfif] != nil && segments[.colorProfile] == nil && segments.frame?.components != 4
    if changes.tags[.exif]?[TIFFTag.colorSpace] == nil {
      changes.set(TIFFTag.colorSpace, in: .exif, to: .short([isPlain ? 1 : 0xFFFF]))
    }
    guard let frame = segments.frame else { return changes }
    if frame.components == 1 || frame.components == 3 {
      let components: [UInt8] = frame.components == 1 ? [1, 0, 0, 0] : [1, 2, 3, 0]
      changes.set(TIFFTag.componentsConfiguration, in: .exif, to: .undefined(components))
    }
    changes.set(TIFFTag.pixelXDimension, in: .exif, to: .long([UInt32(frame.width)]))
    if frame.height != 0 { changes.set(TIFFTag.pixelYDimension, in: .exif, to: .long([UInt32(frame.height)])) }
    return changes
  }
}

extension Splice {
  package func moved(by distance: Int) -> Splice {
    Splice(range.lowerBound + distance..<range.upperBound + distance, bytes, usedBy: use)
  }
}

/// Adding of metadata to a JPEG that has none yet.
package enum JPEGAssembly {
  /// The header of each part of a profile (ICC.1:2010, B.4).
  private static let profileHeader = Array("ICC_PROFILE\0".utf8)
  private static let profilePart = JPEGSegment.longestPayload - 14

  /// Returns the file with the segments in the order in which cameras write them, after JFIF.
  /// - Throws: `.tooLarge` naming what doesn't fit into a JPEG.
  package static func file(
    _ picture: [UInt8], exif: [UInt8], xmp: [UInt8], iptc: [UInt8], profile: [UInt8]
  ) throws(FileError) -> [UInt8] {
    var segments: [UInt8] = []
    if !exif.isEmpty { segments += try segment(0xE1, JPEGSegment.exifHeader, exif, "EXIF") }
    if !xmp.isEmpty { segments += try segment(0xE1, JPEGSegment.xmpHeader, xmp, "XMP") }
    if !iptc.isEmpty {
      // Photoshop resource 0x0404 without a name, padded to an even length.
      let resource = Array("8BIM".utf8) + [4, 4, 0, 0] + UInt32(clamping: iptc.count).bytes(.big) + iptc
      segments += try segment(
        0xED, JPEGSegment.photoshopHeader, resource + [UInt8](repeating: 0, count: iptc.count % 2), "IPTC data")
    }
    let parts = (profile.count + profilePart - 1) / profilePart
    guard parts <= 255 else { throw FileError(.tooLarge, "its ICC profile is too large for a JPEG") }
    for index in 0..<parts {
      let part = profile[index * profilePart..<min((index + 1) * profilePart, profile.count)]
      segments += try JPEGSegment.bytes(0xE2, profileHeader + [UInt8(index + 1), UInt8(parts)] + part)
    }
    let start = JPEGContainer.headEnd(try JPEGSegments(of: Bytes(picture)))
    return picture[..<start] + segments + picture[start...]
  }

  private static func segment(
    _ marker: UInt8, _ header: [UInt8], _ content: [UInt8], _ name: String
  ) throws(FileError) -> [UInt8] {
    guard header.count + content.count <= JPEGSegment.longestPayload else {
      throw FileError(
        .tooLarge, "its \(name) of \(content.count) bytes doesn't fit into a JPEG, which has room for 64 KB")
    }
    return try JPEGSegment.bytes(marker, header + content)
  }
}
