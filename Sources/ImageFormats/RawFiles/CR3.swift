/// Canon RAW version 3: ISO base media boxes, with each EXIF directory in a TIFF structure of its own, in a slot of
/// fixed length. Nothing ever moves: an edit that doesn't fit its slot is refused, so the offsets in `CTBO` stay right.
/// In each slot, the directory is right after the header: LibRaw rejects a file otherwise.
struct CR3Container: Container {
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
      throw FileError(.malformed, "has no CMT1 box, where Canon keeps IFD0", at: file.moov.range.lowerBound)
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
          .opaque(remedy: Block.clearingCopy)))
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

  func removesAll(from layout: Layout) -> Bool { false }

  func thumbnails(_ layout: Layout, source: any ByteSource) -> [Bytes] { [] }

  func additionalPictures(_ layout: Layout, source: any ByteSource) throws(FileError) -> [Range<Int>] {
    layout.previews
  }

  func patch(_ changes: BlockChanges, layout: Layout, source: any ByteSource) throws(FileError) -> Patch {
    var splices: [Splice] = []
    for ifd in IFD.allCases {
      let tags = changes.exif.standingAlone(ifd)
      guard let slot = layout.exifDirectories[ifd] else {
        guard changes.exif.tags[ifd] == nil else {
          throw FileError(.unsupported, "has no slot for tags of the \(ifd) directory", at: 0)
        }
        continue
      }
      if !tags.isEmpty { splices += try self.splices(tags, in: try TIFFBlock(source, slot)) }
    }
    if let packet = changes.xmp {
      guard let old = layout.xmp else { throw FileError(.unsupported, "has no slot for an XMP packet", at: 0) }
      guard packet.count <= old.count else {
        throw FileError(.tooLarge, "the XMP packet would outgrow its slot", at: old.lowerBound)
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
    let tooLarge = FileError(.tooLarge, "the tags would outgrow their slot", at: block.range.lowerBound)
    let lead = TIFFEditor.lead(of: block, after: changes, isBehindHeader: true)
    guard lead.upperBound <= block.count else { throw tooLarge }
    let place = min(max(used + used % 2, lead.upperBound), block.count)
    let edit = try TIFFEditor.edit(
      block, changes, references: references, appendingAt: place, strategy: .leadingWithIFD0)
    guard edit.appended.count <= block.count - place else { throw tooLarge }
    let appended = edit.appended.isEmpty ? [] : [Splice(place..<place + edit.appended.count, edit.appended)]
    return (edit.overwrites + appended).map { $0.moved(by: block.range.lowerBound) }
  }
}
