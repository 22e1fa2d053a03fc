/// The positions of a file's metadata and image data.
package struct Layout: Sendable {
  /// The format, if only the whole structure shows it; nil if the file's head is enough.
  package var type: ImageType?
  /// The size of the main image, if the structure records it.
  package var pixelSize: PixelSize?
  /// The container's own rotation of the picture, as an EXIF orientation, in formats where it overrides EXIF.
  package var orientation: Int?
  /// The bytes of pixels, trailers and other images, in file order. No splice may cut into them.
  package var imageData: [Range<Int>] = []
  /// The metadata. Among blocks with the same content, the first describes the picture; the others are further copies.
  package var blocks: [Block] = []
  /// Messages for the user: a broken structure, a second Exif block.
  package var notes: [Note] = []
  /// Whether nothing in the file can be changed. Stored, because every block that is added depends on it.
  package private(set) var isReadOnly = false

  package init() {}

  /// Creates the layout of a file in which nothing can be changed.
  package init(readOnly type: ImageType, in source: any ByteSource) {
    self.type = type
    imageData = [0..<source.count]
    blocks = [Block(.wholeFile, 0..<source.count, access: .readOnly)]
    isReadOnly = true
  }
}

extension Layout {
  /// Adds blocks that are read, and edited unless the file is read-only.
  package mutating func add(_ content: Block.Content, at ranges: some Sequence<Range<Int>>) {
    for range in ranges { add(content, at: range) }
  }

  /// Adds a picture that may be anywhere in the file, so that nothing in it can be changed.
  mutating func add(unlocatedPictureIn range: Range<Int>) {
    blocks.append(Block(.unlocatedPicture, range, access: .readOnly))
    isReadOnly = true
  }

  /// Adds a block that is read, and edited unless the file is read-only.
  package mutating func add(_ content: Block.Content, at range: Range<Int>) {
    blocks.append(Block(content, range, access: isReadOnly ? .readOnly : .editable))
  }

  /// Adds the bytes after the end of the file's own structure.
  mutating func add(trailer start: Int, of source: any ByteSource) {
    blocks.append(Block(.trailer, start..<max(start, source.count), access: .opaque(remedy: .clearAll)))
  }

  /// Adds C2PA manifests.
  mutating func add(manifests ranges: some Sequence<Range<Int>>) {
    blocks += ranges.map { Block(.manifest, $0, access: .opaque(remedy: .clearAll)) }
  }

  /// Adds XMP that isn't read.
  mutating func add(unreadXMP ranges: some Sequence<Range<Int>>, remedy: Remedy = .removeFirst) {
    blocks += ranges.map { Block(.xmp, $0, access: .opaque(remedy: remedy)) }
  }

  /// Adds a block that the file holds packed.
  /// - Parameter part: The part of the unpacked bytes that is the block itself; nil for all of them.
  package mutating func add(
    _ content: Block.Content, unpacked bytes: [UInt8], part: Range<Int>? = nil, of source: any ByteSource
  ) {
    let start = source.count + blocks.reduce(0) { $0 + $1.unpacked.count }
    let part = part ?? 0..<bytes.count
    add(content, at: start + part.lowerBound..<start + part.upperBound)
    blocks[blocks.count - 1].unpacked = bytes
  }

  /// Returns the file followed by its unpacked data: a source in which all blocks can be read.
  package func readable(_ source: any ByteSource) -> any ByteSource {
    let unpacked = blocks.flatMap(\.unpacked)
    return unpacked.isEmpty ? source : UnpackedSource(file: source, unpacked: unpacked)
  }
}

extension Layout {
  /// Returns the ranges of the blocks that are read and have this content.
  package func ranges(of content: Block.Content) -> [Range<Int>] {
    ranges { $0.isRead && $0.content == content }
  }

  private func ranges(where isWanted: (Block) -> Bool) -> [Range<Int>] {
    var ranges: [Range<Int>] = []
    // By index: an iterator would copy each block.
    for index in blocks.indices where isWanted(blocks[index]) { ranges.append(blocks[index].range) }
    return ranges
  }

  private func contains(where isWanted: (Block) -> Bool) -> Bool { blocks.indices.contains { isWanted(blocks[$0]) } }

  /// Returns the range of the first block that is read and has this content.
  private func first(_ content: Block.Content) -> Range<Int>? {
    blocks.indices.first { blocks[$0].isRead && blocks[$0].content == content }.map { blocks[$0].range }
  }

  /// Returns the ranges of all such blocks but the first.
  private func additional(_ content: Block.Content) -> [Range<Int>] {
    var ranges = ranges(of: content)
    if !ranges.isEmpty { ranges.removeFirst() }
    return ranges
  }

  /// The EXIF block that describes the picture.
  package var exif: Range<Int>? { first(.exif) }
  /// Further EXIF blocks that describe the same picture (the other eye of a stereo pair). They change in the same way
  /// as the first.
  package var additionalEXIF: [Range<Int>] { additional(.exif) }
  /// The XMP packet that describes the picture.
  package var xmp: Range<Int>? { first(.xmp) }
  /// Further packets that describe the same picture.
  package var additionalXMP: [Range<Int>] { additional(.xmp) }
  /// The IPTC datasets that describe the picture.
  package var iptc: Range<Int>? { first(.iptc) }
  /// Further datasets that describe the same picture.
  package var additionalIPTC: [Range<Int>] { additional(.iptc) }

  /// Directories that each have a TIFF structure of their own (CR3).
  package var exifDirectories: [IFD: Range<Int>] {
    var found: [IFD: Range<Int>] = [:]
    for index in blocks.indices {
      if case .exifDirectory(let ifd) = blocks[index].content { found[ifd] = blocks[index].range }
    }
    return found
  }

  /// A movie's QuickTime metadata.
  package var quickTime: QuickTimeData? {
    for index in blocks.indices { if case .quickTime(let data) = blocks[index].content { return data } }
    return nil
  }

  /// Box headers that record times, in pictures.
  package var headers: [QuickTimeHeader] {
    blocks.indices.flatMap { index -> [QuickTimeHeader] in
      guard case .headers(let headers) = blocks[index].content else { return [] }
      return headers
    }
  }

  /// Embedded JPEG files that show the file's picture.
  package var previews: [Range<Int>] { ranges(of: .preview) }

  /// XMP that is neither read nor edited: further packets, and the parts of an extended packet.
  package var unreadXMP: [Range<Int>] { ranges { $0.content == .xmp && !$0.isRead } }

  /// C2PA manifests.
  package var manifests: [Range<Int>] { ranges { $0.content == .manifest } }

  /// Whether the file is a raw file of which only the whole structure shows the type.
  package var isRaw: Bool { type?.isRaw ?? false }

  /// Whether the file can reproduce the JPEG it was made from, bit by bit.
  package var rebuildsJPEG: Bool { contains { $0.content == .reconstruction } }

  /// EXIF that isn't read, and from which what is to be erased is erased: further segments of a JPEG.
  package var unreadEXIF: [Range<Int>] { ranges { $0.content == .exif && !$0.isRead } }

  /// Returns the blocks that no edit changes and that may hold one of `facts`.
  package func unedited(holding facts: Block.Facts) -> [Block] {
    blocks.filter { !$0.mayHold.isDisjoint(with: facts) && $0.access != .kept }
  }

  /// Returns the names of the blocks that may hold one of `facts` in an undocumented form, and that stay when these are
  /// erased.
  package func kept(holding facts: Block.Facts) -> [String] {
    blocks.filter { !$0.mayHold.isDisjoint(with: facts) && $0.access == .kept }.map(\.name)
  }
}

extension Layout {
  /// Returns the EXIF directories, wherever they are; nil if the file has no EXIF.
  package func exifBlock(of source: any ByteSource) throws(FileError) -> TIFFBlock? {
    if let exif { return try TIFFBlock(source, exif) }
    let directories = exifDirectories
    return directories.isEmpty ? nil : try TIFFBlock(source, directories: directories)
  }

  /// Returns the EXIF blocks that can be read.
  package func exifBlocks(of source: any ByteSource) -> [TIFFBlock] {
    ([try? exifBlock(of: source)] + additionalEXIF.map { try? TIFFBlock(source, $0) }).compactMap(\.self)
  }

  /// Returns the byte order of the file's EXIF. A new block keeps it.
  func exifOrder(of source: any ByteSource) -> Bytes.Order {
    (try? exifBlock(of: readable(source)))?.order ?? .big
  }
}

extension ImageProperties {
  /// Creates properties with the type and the size of a layout.
  init(_ type: ImageType, _ layout: Layout) {
    self.init(type)
    pixelSize = layout.pixelSize
    orientation = layout.orientation
  }
}
