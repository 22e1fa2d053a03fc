/// HEIF (ISO/IEC 23008-12) as phones and cameras write it: HEIC and AVIF. EXIF and XMP are items next to the pictures,
/// in boxes of the ISO base media file format. Coded pictures are never touched: new metadata goes into free space or
/// to the end of the file, and the table of item locations is updated.
package struct HEIFContainer: Container {
  package let types: [ImageType] = [.heic, .heif, .avif]

  private static let heicBrands: Set<FourCC> = ["heic", "heix", "heim", "heis", "hevc", "hevx", "hevm", "hevs"]
  private static let avifBrands: Set<FourCC> = ["avif", "avis"]
  private static let heifBrands: Set<FourCC> = ["mif1", "mif2", "mif3", "msf1", "miaf"]

  package init() {}

  package func type(of head: Bytes) -> ImageType? {
    guard head.has(FourCC("ftyp").bytes, at: 4), let size = try? head.u32(0, .big), size >= 16 else { return nil }
    let major = (try? head.u32(8, .big)).map { FourCC(rawValue: $0) }
    let compatible = stride(from: 16, to: min(Int(size), head.count) - 3, by: 4)
      .compactMap { (try? head.u32($0, .big)).map { FourCC(rawValue: $0) } }
    func type(of brand: FourCC) -> ImageType? {
      if HEIFContainer.avifBrands.contains(brand) { return .avif }
      return HEIFContainer.heicBrands.contains(brand) ? .heic : nil
    }
    guard let major else { return nil }
    if let type = type(of: major) { return type }
    guard HEIFContainer.heifBrands.contains(major) || compatible.contains(where: HEIFContainer.heifBrands.contains)
    else { return nil }
    return compatible.lazy.compactMap(type(of:)).first ?? .heif
  }

  package func layout(of source: any ByteSource) throws(FileError) -> Layout {
    let file = try HEIFFile(source)
    var layout = Layout()
    guard let meta = file.meta else {
      layout.notes.append(Note(.unreadBlock, file.absence.description))
      layout.imageData = file.boxes.filter { $0.type != "ftyp" }.map(\.range)
      return layout
    }
    let picture = try HEIFPicture(meta, in: file)
    layout.add(.exif, at: picture.exif.compactMap(\.tiff))
    layout.add(.xmp, at: picture.xmp.map(\.range))
    layout.add(unreadXMP: picture.otherXMP)
    if let iptc = picture.iptc { layout.add(.iptc, at: iptc.range) }
    layout.orientation = meta.orientation
    layout.imageData = picture.protected.merged()
    layout.notes = picture.notes
    if let other = picture.otherExif.first(where: { $0.tiff != nil }) {
      layout.notes.append(
        Note(.unreadBlock, "metadata of its additional pictures is not read, and changed only to erase locations"))
      layout.blocks.append(
        .unread("metadata of its additional pictures", at: other.range.lowerBound, mayHold: .date, .erasable))
    }
    if picture.isCut { layout.notes.append(Note(.truncatedFile, "file is truncated")) }
    if !file.rest.isEmpty { layout.add(trailer: file.rest.lowerBound, of: source) }
    for box in file.boxes where try MovieBox.holdsXMP(box, source) { layout.add(unreadXMP: [box.payload]) }
    if let box = file.boxes.first(where: { $0.type == "udta" }) {
      layout.blocks.append(
        .unread(
          "user data next to its picture", at: box.range.lowerBound, .opaque(remedy: .removeFirst)))
    }
    layout.add(manifests: try manifests(of: file))
    if let data = file.boxes.first(where: { $0.type == "sefd" }) { layout.add(.phoneData, at: data.payload) }
    if let moov = file.boxes.first(where: { $0.type == "moov" }) {
      layout.blocks.append(Block(.sequence, moov.range, access: .kept))
      do throws(FileError) {
        let movie = try MovieBox(in: try MovieFile(of: source), of: source)
        if let damage = movie.damage { throw damage }
        layout.add(.headers(movie.data.headers), at: moov.range)
      } catch {
        layout.blocks.append(
          .unread(
            "an image sequence that can't be read", at: moov.range.lowerBound, mayHold: .date,
            .opaque(remedy: .clearDateOfCopy)))
      }
    }
    return layout
  }

  package func patch(_ changes: BlockChanges, layout: Layout, source: any ByteSource) throws(FileError) -> Patch {
    let file = try HEIFFile(source)
    guard let meta = file.meta else { throw file.absence }
    let picture = try HEIFPicture(meta, in: file)
    try requireEditable(picture, file, meta, for: changes)
    let phoneTimes = changes.erasesDates ? try erasuresOfPhoneTimes(in: file) : []
    if changes.erasesAll { return try erased(changes.exif, file, meta, picture) }
    var draft = HEIFDraft(file, meta, picture, changing: changes.blockCount)
    draft.erase(phoneTimes + changes.stamps)
    draft.overwrite(changes.quickTime.times)
    try editEXIF(of: picture, meta, changes, &draft)
    try editXMP(of: picture, meta, changes, &draft)
    if let records = changes.iptc, let block = picture.iptc { try draft.put(records, in: block, erasing: true) }
    if changes.erasesPlaces { try eraseFurtherPlaces(of: picture, file, &draft) }
    if changes.mustReadAll { try draft.eraseRemains(by: changes.erasing) }
    return try draft.patch()
  }

  /// Throws if the file is damaged, or if it has data that can't be read and may hold what `changes` erase.
  private func requireEditable(
    _ picture: HEIFPicture, _ file: HEIFFile, _ meta: HEIFMeta, for changes: BlockChanges
  ) throws(FileError) {
    guard !picture.isCut else {
      throw FileError(.truncated, "file is truncated", at: file.source.count)
    }
    if let overlap = picture.overlap {
      throw FileError(
        .itemStorage, "two of its metadata items overlap, so neither can be changed alone",
        at: overlap.lowerBound)
    }
    if let damage = file.trackDamage, changes.mustReadAll {
      throw FileError(
        .notErasable, "\(damage.description); they may contain \(changes.erased) that can't be erased",
        at: damage.offset)
    }
    if let unreadable = picture.unreadable, changes.mustReadAll {
      throw FileError(
        .notErasable,
        "has \(unreadable) that is compressed, encrypted or fragmented, and may contain \(changes.erased) that can't be erased",
        at: meta.box.range.lowerBound)
    }
  }

  private func editEXIF(
    of picture: HEIFPicture, _ meta: HEIFMeta, _ changes: BlockChanges, _ draft: inout HEIFDraft
  ) throws(FileError) {
    // Changes are keyed by the index of the readable block.
    let readable = picture.exif.filter { $0.tiff != nil }
    for (index, block) in readable.enumerated() {
      try draft.edit(block, changes.exif(at: index))
    }
    guard readable.isEmpty else { return }
    if let block = picture.exif.first {
      try draft.edit(block, changes.exif)
    } else if picture.notes.isEmpty {
      try draft.addExif(changes.exif)
    } else if !changes.exif.isEmpty {
      throw unreadable(picture, meta)
    }
  }

  private func editXMP(
    of picture: HEIFPicture, _ meta: HEIFMeta, _ changes: BlockChanges, _ draft: inout HEIFDraft
  ) throws(FileError) {
    for (index, block) in picture.xmp.enumerated() {
      let packet = changes.xmp(at: index)
      if let packet { try draft.put(packet, in: block, erasing: true) }
    }
    guard let packet = changes.xmp, picture.xmp.isEmpty else { return }
    guard picture.notes.isEmpty else { throw unreadable(picture, meta) }
    draft.add(packet, .xmp)
  }

  /// The error if metadata can't be added because the picture's items can't be read.
  private func unreadable(_ picture: HEIFPicture, _ meta: HEIFMeta) -> FileError {
    FileError(.itemStorage, picture.notes.map(\.description).joined(separator: "; "), at: meta.box.range.lowerBound)
  }

  /// Erases places in other pictures' EXIF, and in what a phone records after the picture.
  private func eraseFurtherPlaces(
    of picture: HEIFPicture, _ file: HEIFFile, _ draft: inout HEIFDraft
  ) throws(FileError) {
    var removal = TIFFChanges()
    removal.removesGPS = true
    for block in picture.otherExif where block.tiff != nil { try draft.edit(block, removal) }
    for box in phoneBoxes(of: file) {
      draft.erase(
        try EmbeddedMovie.erasures(in: box.payload, of: file.source)
          + SamsungCountry.erasures(in: box.payload, of: file.source))
    }
  }

  /// Returns the splices that erase times in what a phone records after the picture.
  private func erasuresOfPhoneTimes(in file: HEIFFile) throws(FileError) -> [Splice] {
    var splices: [Splice] = []
    for box in phoneBoxes(of: file) {
      try EmbeddedMovie.requireNoDates(in: box.payload, of: file.source)
      splices += try SamsungTime.erasures(in: box.payload, of: file.source)
    }
    return splices
  }

  /// The boxes with an embedded movie and with the data that a Samsung phone records after the picture.
  private func phoneBoxes(of file: HEIFFile) -> [Box] { file.boxes.filter { ["mpvd", "sefd"].contains($0.type) } }

  package func additionalPictures(_ layout: Layout, source: any ByteSource) throws(FileError) -> [Range<Int>] {
    var movies: [Range<Int>] = []
    for box in phoneBoxes(of: try HEIFFile(source)) {
      movies += try EmbeddedMovie.movies(in: box.payload, of: source)
    }
    return movies
  }

  package func codedPicture(_ layout: Layout, source: any ByteSource) throws(FileError) -> CodedPicture? {
    let pixels = try HEIFPixels(HEIFFile(source))
    guard let coding = pixels.coding else {
      throw FileError(
        .noDecoder, "no decoder for its picture is installed (\(pixels.codingName))")
    }
    return CodedPicture(
      bytes: try pixels.readable(), item: pixels.item, thumbnail: pixels.thumbnail, coding: coding, size: pixels.size,
      isUpright: true, hasFullChroma: pixels.hasFullChroma, primaries: pixels.colour.primaries,
      transfer: pixels.colour.transfer, profile: pixels.colour.profile ?? [], losses: try pixels.losses())
  }

  /// Finds C2PA manifests: `uuid` boxes of this kind (C2PA 2.1, A.5.3).
  package func manifests(of file: HEIFFile) throws(FileError) -> [Range<Int>] {
    let kind: [UInt8] = [
      0xD8, 0xFE, 0xC3, 0xD6, 0x1B, 0x0E, 0x48, 0x3C, 0x92, 0x97, 0x58, 0x28, 0x87, 0x7E, 0xC4, 0x81,
    ]
    var found: [Range<Int>] = []
    for box in file.boxes where box.type == "uuid" && box.payload.count >= kind.count {
      if try file.source.bytes(at: box.payload.lowerBound, count: kind.count).has(kind) { found.append(box.payload) }
    }
    return found
  }
}

extension BlockChanges {
  /// The number of blocks of a HEIF file that change.
  fileprivate var blockCount: Int {
    (exif.isEmpty ? 0 : 1) + additionalEXIF.count + (xmp == nil ? 0 : 1) + additionalXMP.count + (iptc == nil ? 0 : 1)
  }
}
