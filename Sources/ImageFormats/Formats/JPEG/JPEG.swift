/// JPEG (ISO/IEC 10918) as cameras write it: EXIF and XMP in APP1, IPTC in APP13, multi-picture format in APP2.
package struct JPEGContainer: Container {
  package let types: [ImageType] = [.jpeg]
  package let addableBlocks: Set<Namespace> = [.exif, .xmp, .iptc]

  package func type(of head: Bytes) -> ImageType? { head.has([0xFF, 0xD8, 0xFF]) ? .jpeg : nil }

  package func layout(of source: any ByteSource) throws(FileError) -> Layout {
    let segments = try JPEGSegments(of: source)
    var layout = Layout()
    if let exif = segments[.exif] { layout.add(.exif, at: JPEGContainer.block(in: exif)) }
    layout.add(.xmp, at: segments.all.lazy.filter { $0.kind == .xmp }.map(JPEGContainer.packet(in:)))
    do throws(FileError) {
      let photoshop = try JPEGPhotoshop(segments, source)
      if let iptc = photoshop?.iptc { layout.add(.iptc, at: iptc) }
      if photoshop?.isSplit ?? false {
        layout.notes.append(Note(.unreadBlock, "IPTC data is split across segments; not read or edited"))
        layout.blocks.append(
          .unread("its split IPTC data", at: segments[.photoshop]?.range.lowerBound ?? 0))
      }
      if photoshop?.resources.holdsOthers ?? false {
        layout.blocks.append(
          .unread("EXIF or XMP in its Photoshop resources", at: segments[.photoshop]?.range.lowerBound ?? 0))
      }
      if photoshop?.resources.hasFurtherIPTC ?? false {
        layout.notes.append(Note(.unreadBlock, "has a second block of IPTC, which is not read or edited"))
        layout.blocks.append(.additionalIPTC(at: segments[.photoshop]?.range.lowerBound ?? 0))
      }
    } catch {
      layout.notes.append(Note(.unreadBlock, "its Photoshop data is not read or edited: \(error)"))
      layout.blocks.append(.unreadPhotoshop(at: error.offset ?? 0))
    }
    layout.pixelSize = segments.frame.flatMap { PixelSize(width: Int($0.width), height: Int($0.height)) }
    if segments.scan < source.count { layout.imageData = [segments.scan..<source.count] }
    layout.add(.phoneData, at: min(segments.scan, source.count)..<source.count)
    let others = segments.all.filter { $0.kind == .exif }.dropFirst()
    if !others.isEmpty {
      layout.blocks += others.map { Block(.exif, JPEGContainer.block(in: $0), access: .erasable) }
      layout.notes.append(
        Note(.unreadBlock, "has a second Exif segment, which is not read, and edited only to erase a location"))
    }
    let unknown = segments.all.filter { $0.kind == .unknownXMP }
    if !unknown.isEmpty {
      layout.notes.append(Note(.unreadBlock, "has XMP with a non-standard header, which is not read or edited"))
    }
    let extended = segments.all.filter { $0.kind == .extendedXMP }
    layout.add(unreadXMP: (extended + unknown).map(\.payload), remedy: .clearAll)
    layout.blocks += JPEGThermal(segments, source).blocks
    if let first = extended.first {
      layout.blocks.append(.unread("its extended XMP", at: first.range.lowerBound, mayHold: .date, .kept))
    }
    if let ricoh = segments[.ricoh] {
      // The owner's choices from lists and scanned codes: any word may be a place name.
      layout.blocks.append(.unread("Ricoh metadata (RMETA)", at: ricoh.range.lowerBound, .kept))
    }
    // A manifest continues in further segments; only the first has its name.
    if segments[.contentCredentials] != nil {
      layout.add(manifests: segments.all.filter { $0.marker == 0xEB }.map(\.payload))
    }
    if segments[.multiPicture] != nil { layout.notes.append(.furtherImages) }
    return layout
  }

  package func patch(_ changes: BlockChanges, layout: Layout, source: any ByteSource) throws(FileError) -> Patch {
    let segments = try JPEGSegments(of: source)
    if changes.erasesAll { return try erased(changes.exif, segments, source) }
    var splices: [Splice] = []
    if !changes.exif.isEmpty { splices += try exifSplices(changes.exif, segments, source) }
    if changes.exif.removesGPS || changes.erasesPlaces {
      splices += try additionalEXIFSplices(Array(segments.all.filter { $0.kind == .exif }.dropFirst()), source)
    }
    if let packet = changes.xmp { splices += try xmpSplices(packet, segments[.xmp], segments, source) }
    let additional = segments.all.filter { $0.kind == .xmp }.dropFirst()
    for (index, segment) in additional.enumerated() {
      if let packet = changes.additionalXMP[index] { splices += try xmpSplices(packet, segment, segments, source) }
    }
    if let records = changes.iptc { splices += try iptcSplices(records, segments, source) }
    splices += try JPEGOffsets(segments, source, splices).corrections()
    // Only when erasing: the check would cost every JPEG a read at its end.
    for packet in changes.mustReadAll ? CanonVRD.packets(of: source) : [] {
      let bytes = try source.bytes(packet)
      guard
        changes.erasesPlaces && XMPProperty.mayContainPlace(in: bytes)
          || changes.erasesDates && XMPPacket.mayContainDate(in: bytes)
      else { continue }
      throw FileError(
        .notErasable, "has XMP in its Canon VRD trailer, which may contain \(changes.erased)",
        at: packet.lowerBound, remedy: .clearAll)
    }
    if changes.erasesDates {
      try requireUndated(segments.all.filter { $0.kind == .exif }.dropFirst(), source)
      for range in layout.imageData { try EmbeddedMovie.requireNoDates(in: range, of: source) }
    }
    var erasures = changes.stamps
    if changes.erasesDates, let end = layout.imageData.last {
      // The data that a phone records after the picture.
      erasures += try SamsungTime.erasures(in: end, of: source)
    }
    if changes.mustReadAll {
      for range in layout.imageData {
        erasures += try JPEGFurtherImages.erasures(in: range, of: source, by: changes.erasing)
      }
    }
    guard changes.erasesPlaces else {
      return try Patch(
        splices + erasures, to: source.count, imageData: layout.imageData.excluding(erasures.map(\.range)))
    }
    if let texts = try JPEGTrailer.texts(of: source) {
      throw FileError(
        .notErasable, "has text in its \(texts.name) trailer that may contain a location", at: texts.offset,
        remedy: .clearAll)
    }
    splices += try JPEGThermal(segments, source).erasures + goProErasures(segments, source)
    for range in layout.imageData {
      erasures += try EmbeddedMovie.erasures(in: range, of: source) + SamsungCountry.erasures(in: range, of: source)
    }
    return try Patch(
      splices + erasures, to: source.count, imageData: layout.imageData.excluding(erasures.map(\.range)))
  }

  /// Returns erasures for the telemetry that GoPro's cameras also put into pictures (APP6).
  private func goProErasures(_ segments: JPEGSegments, _ source: any ByteSource) throws(FileError) -> [Splice] {
    let name = Array("GoPro\0".utf8)
    var splices: [Splice] = []
    for segment in segments.all where segment.marker == 0xE6 && segment.payload.count > name.count {
      guard try source.prefix(at: segment.payload.lowerBound, count: name.count).has(name) else { continue }
      let telemetry = segment.payload.lowerBound + name.count..<segment.payload.upperBound
      splices += try GPMFPlaces.erasures(in: telemetry, of: source)
    }
    return splices
  }

  package static func packet(in segment: JPEGSegment) -> Range<Int> {
    segment.payload.lowerBound + JPEGSegment.xmpHeader.count..<segment.payload.upperBound
  }

  private func xmpSplices(
    _ packet: [UInt8], _ segment: JPEGSegment?, _ segments: JPEGSegments, _ source: any ByteSource
  ) throws(FileError) -> [Splice] {
    guard let segment else {
      let start = segments[.exif]?.range.upperBound ?? JPEGContainer.headEnd(segments)
      return [Splice(start..<start, try JPEGSegment.bytes(0xE1, JPEGSegment.xmpHeader + packet))]
    }
    let old = JPEGContainer.packet(in: segment)
    if try source.bytes(old).array == packet { return [] }
    var splices = [Splice(old, packet)]
    if packet.count != old.count {
      let length = segment.range.lowerBound + 2
      splices.append(
        Splice(length..<length + 2, try JPEGSegment.length(JPEGSegment.xmpHeader.count + packet.count)))
    }
    return splices
  }

  /// Returns the splices for IIM data in Photoshop's resources; new resources are added after the XMP.
  private func iptcSplices(
    _ records: [UInt8], _ segments: JPEGSegments, _ source: any ByteSource
  ) throws(FileError) -> [Splice] {
    if let photoshop = try JPEGPhotoshop(segments, source) { return try photoshop.splices(replacingIPTC: records) }
    let start = (segments[.xmp] ?? segments[.exif])?.range.upperBound ?? JPEGContainer.headEnd(segments)
    let payload = JPEGSegment.photoshopHeader + (try PhotoshopResources.resource(holding: records))
    return [Splice(start..<start, try JPEGSegment.bytes(0xED, payload))]
  }
}
