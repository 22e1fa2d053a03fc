/// Canon RAW version 3: ISO base media boxes, with each EXIF directory in a TIFF structure of its own, in a slot of
/// fixed length. Nothing ever moves: an edit that doesn't fit its slot is refused, so the offsets in `CTBO` stay right.
/// In each slot, the directory is right after the header: LibRaw rejects a file otherwise.
struct CR3Container: PreviewedContainer {
  let types: [ImageType] = [.cr3]

  func type(of head: Bytes) -> ImageType? { head.has(Array("ftypcrx ".utf8), at: 4) ? .cr3 : nil }

  /// The id of Canon's box in `moov`.
  private static let canonID: [UInt8] = [
    0x85, 0xC0, 0xB6, 0x87, 0x82, 0x0F, 0x11, 0xE0, 0x81, 0x11, 0xF4, 0xCE, 0x46, 0x2B, 0x6A, 0x48,
  ]
  /// The slots. CMT3 holds the maker note, which stays unchanged.
  private static let slots: [FourCC: IFD] = ["CMT1": .ifd0, "CMT2": .exif, "CMT4": .gps]

  func layout(of source: any ByteSource) throws(FileError) -> Layout {
    let file = try MovieFile(of: source)
    var layout = Layout()
    layout.type = .cr3
    for box in try source.closedBoxes(in: file.moov.payload) where box.type == "uuid" && box.payload.count >= 16 {
      guard try source.prefix(at: box.payload.lowerBound, count: 16).has(CR3Container.canonID) else { continue }
      for slot in try source.closedBoxes(in: box.payload.lowerBound + 16..<box.payload.upperBound) {
        if let ifd = CR3Container.slots[slot.type], layout.exifDirectories[ifd] == nil {
          layout.add(.exifDirectory(ifd), at: slot.payload)
        }
        if slot.type == "THMB" { layout.add(.preview, at: CR3Container.jpeg(in: slot.payload, of: source)) }
      }
    }
    guard layout.exifDirectories[.ifd0] != nil else {
      throw FileError(.malformed, "has no CMT1 box, which holds IFD0", at: file.moov.range.lowerBound)
    }
    if let block = try? layout.exifBlock(of: source), let width = block.integer(of: TIFFTag.imageWidth, in: .ifd0),
      let height = block.integer(of: TIFFTag.imageLength, in: .ifd0)
    {
      layout.pixelSize = PixelSize(width: width, height: height)
    }
    for box in file.boxes where box.type == "uuid" {
      layout.add(.preview, at: CR3Container.jpeg(in: box.payload, of: source))
    }
    if let packet = try MovieBox.packet(in: file, source) { layout.add(.xmp, at: packet.range) }
    layout.imageData = file.boxes.filter { $0.type == "mdat" }.map(\.payload).filter { !$0.isEmpty }
    do throws(FileError) {
      let movie = try MovieBox(in: file, of: source)
      layout.add(.headers(movie.data.headers), at: file.moov.range)
      let times = try CanonTimeStamp.places(in: movie, of: file, source)
      layout.add(.canonTime, at: times)
      layout.imageData = layout.imageData.excluding(times)
    } catch {
      layout.blocks.append(
        .unread(
          "timed metadata that can't be read", at: error.offset ?? file.moov.range.lowerBound, mayHold: .date,
          .opaque(remedy: .clearDateOfCopy)))
    }
    return layout
  }

  /// Returns the JPEG in a preview's box, after a few numbers.
  private static func jpeg(in box: Range<Int>, of source: any ByteSource) -> [Range<Int>] {
    guard let head = try? source.prefix(at: box.lowerBound, count: min(box.count, 128)),
      let start = head.firstIndex(of: [0xFF, 0xD8, 0xFF])
    else { return [] }
    return [box.lowerBound + start..<box.upperBound]
  }

  func patch(_ changes: BlockChanges, layout: Layout, source: any ByteSource) throws(FileError) -> Patch {
    var splices: [Splice] = []
    for ifd in IFD.allCases {
      let tags = changes.exif.standingAlone(ifd)
      guard let slot = layout.exifDirectories[ifd] else {
        guard changes.exif.tags[ifd] == nil else {
          throw FileError(.noSlot, "has no slot for tags of the \(ifd) directory", at: 0)
        }
        continue
      }
      if !tags.isEmpty { splices += try self.splices(tags, in: try TIFFBlock(source, slot)) }
    }
    if let packet = changes.xmp {
      guard let old = layout.xmp else { throw FileError(.noSlot, "has no slot for an XMP packet", at: 0) }
      guard packet.count <= old.count else {
        throw FileError(.noRoom, "the XMP packet doesn't fit its slot", at: old.lowerBound)
      }
      let padding = [UInt8](repeating: 0x20, count: old.count - packet.count)
      if try source.bytes(old).array != packet + padding { splices.append(Splice(old, packet + padding)) }
    }
    splices += changes.quickTime.times
    return try Patch(splices, to: source.count, imageData: layout.imageData)
  }

  /// Returns the overwrites in one slot; new data goes into the zeros at its end.
  private func splices(_ changes: TIFFChanges, in block: TIFFBlock) throws(FileError) -> [Splice] {
    let references = try TIFFReferences(of: block)
    let bytes = try block.bytes(0..<block.count).array
    let used = max(references.end, (bytes.lastIndex { $0 != 0 } ?? -1) + 1)
    let tooLarge = FileError(.noRoom, "the tags don't fit their slot", at: block.range.lowerBound)
    let ifd0Slot = TIFFEditor.ifd0Slot(of: block, after: changes, isBehindHeader: true)
    guard ifd0Slot.upperBound <= block.count else { throw tooLarge }
    let place = min(max(used + used % 2, ifd0Slot.upperBound), block.count)
    let edit = try TIFFEditor.edit(
      block, changes, references: references, appendingAt: place, strategy: .leadingWithIFD0)
    guard edit.appended.count <= block.count - place else { throw tooLarge }
    let appended = edit.appended.isEmpty ? [] : [Splice(place..<place + edit.appended.count, edit.appended)]
    return (edit.overwrites + appended).map { $0.moved(by: block.range.lowerBound) }
  }
}

/// The capture time in a CR3's timed metadata (CTMD): records in a track of their own. ExifTool describes the first
/// kind as year (16 bits), month, day, hour, minute, second and hundredths, little-endian.
package enum CanonTimeStamp {
  private static let kind: UInt16 = 1
  /// The length of size, kind and undocumented fields.
  private static let headCount = 12
  private static let timeCount = 8
  private static let mostRecords = 4_096
  private static let longestSamples = 16 << 20

  /// Returns the positions of the times in tracks whose samples share no bytes with other tracks.
  package static func places(
    in movie: MovieBox, of file: MovieFile, _ source: any ByteSource
  ) throws(FileError) -> [Range<Int>] {
    let samples = MovieSamples(source)
    var places: [Range<Int>] = []
    for track in movie.tracks where try isTimed(track, source) {
      let chunks = try samples.exact(of: track).sorted { $0.lowerBound < $1.lowerBound }
      let others = movie.tracks.filter { $0.box != track.box }
      try samples.require(chunks, apartFrom: others, in: file)
      for chunk in chunks { places += try times(in: chunk, source) }
    }
    return places
  }

  private static func isTimed(_ track: MovieTrack, _ source: any ByteSource) throws(FileError) -> Bool {
    guard let descriptions = track.descriptions else { return false }
    return try source.prefix(at: descriptions.payload.lowerBound, count: 16).has(FourCC("CTMD").bytes, at: 12)
  }

  private static func times(in chunk: Range<Int>, _ source: any ByteSource) throws(FileError) -> [Range<Int>] {
    guard chunk.count <= longestSamples else {
      throw FileError(.tooLarge, "has too much timed metadata", at: chunk.lowerBound)
    }
    var places: [Range<Int>] = []
    var at = chunk.lowerBound
    for _ in 0..<mostRecords where at + headCount <= chunk.upperBound {
      let head = try source.bytes(at: at, count: headCount)
      let size = Int(try head.u32(0, .little))
      guard size >= headCount, size <= chunk.upperBound - at else { break }
      if try head.u16(4, .little) == kind, size >= headCount + 2 + timeCount {
        places.append(at + headCount + 2..<at + headCount + 2 + timeCount)
      }
      at += size
    }
    return places
  }

  /// Returns the time; nil if it is invalid.
  package static func time(in stamp: Bytes) throws(FileError) -> CivilTime? {
    CivilTime(
      year: Int(try stamp.u16(0, .little)), month: Int(try stamp.u8(2)), day: Int(try stamp.u8(3)),
      hour: Int(try stamp.u8(4)), minute: Int(try stamp.u8(5)), second: Int(try stamp.u8(6)))
  }

  /// Returns zeros if dates are erased; otherwise the time moved with the photo's.
  package static func splices(
    _ places: [Range<Int>], after edit: MetadataEdit, from captured: CaptureTime?, in source: any ByteSource
  ) throws(FileError) -> [Splice] {
    var splices: [Splice] = []
    for place in places {
      let old = try source.bytes(place)
      if edit.erasesDates {
        if old.array.contains(where: { $0 != 0 }) { splices.append(.erasing(place)) }
        continue
      }
      guard !edit.dates.isPartial, let captured, let new = captured.applying(edit.dates),
        let time = try time(in: old),
        let moved = time.adding(seconds: new.civil.secondsSince1970 - captured.civil.secondsSince1970)
      else { continue }
      let numbers = [moved.month, moved.day, moved.hour, moved.minute, moved.second].map { UInt8($0) }
      let bytes = UInt16(moved.year).bytes(.little) + numbers + [try old.u8(7)]
      if old.array != bytes { splices.append(Splice(place, bytes)) }
    }
    return splices
  }
}
