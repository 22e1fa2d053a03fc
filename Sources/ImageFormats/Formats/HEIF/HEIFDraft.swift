/// An edit of a HEIF file in progress: the new contents of its metadata items. `patch()` finds space for content that
/// outgrows its place and corrects every pointer to moved data.
struct HEIFDraft {
  let file: HEIFFile
  let meta: HEIFMeta
  let picture: HEIFPicture
  /// Whether every changed item moves, so that in a big file the table of locations alone commits the edit.
  let movesAll: Bool
  private(set) var splices: [Splice] = []
  private var payloads: [Payload] = []
  /// The new lengths of items that shrank in place.
  private var shortened: [ItemLocations.Row: Int] = [:]
  /// Erased ranges in a movie or another box next to the picture; they don't count as image data.
  private var erased: [Range<Int>] = []

  /// The limit of comparisons with image data. Only a file made to exhaust its readers needs more.
  private static let mostComparisons = 1 << 26

  /// An item's bytes that need a new place.
  private struct Payload {
    /// The table rows of the item; empty for a new item.
    let rows: [ItemLocations.Row]
    var kind = HEIFNewItems.Kind.exif
    var bytes: [UInt8]
  }

  init(_ file: HEIFFile, _ meta: HEIFMeta, _ picture: HEIFPicture, changing blockCount: Int) {
    (self.file, self.meta, self.picture) = (file, meta, picture)
    movesAll = file.isBig && blockCount > 1
  }

  /// Returns how EXIF is edited within its item; nil when the item moves.
  func strategy(_ references: TIFFReferences) -> TIFFEditor.PlacementStrategy? {
    if movesAll { return nil }
    return file.isBig && !references.hasScatteredPlaces ? .appending : .growingIFD0
  }

  /// Overwrites bytes of metadata; no length changes.
  mutating func overwrite(_ new: [Splice]) { splices += new }

  /// Overwrites data in boxes next to the pictures: places that a movie records, or everything.
  mutating func erase(_ places: [Splice]) {
    splices += places
    erased += places.map(\.range)
  }

  /// Gives an item new bytes. With `erasing`, its old place is filled with zeros if the item moves.
  mutating func put(_ bytes: [UInt8], in block: HEIFPicture.Block, erasing: Bool) throws(FileError) {
    let isSame = try file.source.bytes(block.range).array == bytes
    guard !isSame else { return }
    let isMovable = block.rows.allSatisfy { $0.extents.count == 1 && $0.extents.first?.length.range.isEmpty == false }
    if bytes.count <= block.range.count, !(file.isBig && isMovable) {
      let zeros = [UInt8](repeating: 0, count: block.range.count - bytes.count)
      splices.append(Splice(block.range, bytes + zeros))
      for row in block.rows {
        guard let length = row.extents.first?.length, !zeros.isEmpty, !length.range.isEmpty else { continue }
        splices.append(try length.splice(bytes.count))
        shortened[row] = bytes.count
      }
      return
    }
    payloads.append(Payload(rows: block.rows, bytes: bytes))
    if erasing { splices.append(.erasing(block.range)) }
  }

  /// Adds an item that describes the picture.
  mutating func add(_ bytes: [UInt8], _ kind: HEIFNewItems.Kind) {
    payloads.append(Payload(rows: [], kind: kind, bytes: bytes))
  }

  /// Returns the whole edit after proving that every other item keeps its bytes.
  func patch() throws(FileError) -> Patch {
    let protected = picture.protected.merged().excluding(erased)
    guard !payloads.isEmpty else { return try Patch(splices, to: file.source.count, imageData: protected) }
    guard file.rest.isEmpty || !protected.contains(where: { $0.overlaps(file.rest) }) else {
      throw FileError(.incompleteFile, "its last box extends beyond the end of the file", at: file.rest.lowerBound)
    }
    if let damage = file.trackDamage { throw damage }
    guard file.metas.reduce(0, { $0 + $1.locations.rows.count }) * protected.count < HEIFDraft.mostComparisons else {
      throw FileError(.tooLarge, "has too many items to edit", at: meta.locations.box.range.lowerBound)
    }
    let kinds = payloads.filter(\.rows.isEmpty).map(\.kind)
    let new = kinds.isEmpty ? nil : try HEIFNewItems(kinds, in: meta, describing: picture.described)
    var draft = self
    let content = payloads.flatMap(\.bytes)
    let space = try HEIFSpace(for: content, in: file, meta, growth: new?.growth ?? 0)
    // The offsets are still unknown, but the lengths of the splices are final: enough to see what moves where.
    var shape = Shift(space.splices + (try new?.splices(kinds.map { _ in (0, 0) }) ?? []))
    let home = shape.position(space.home.range.lowerBound) - (space.home.range.isEmpty ? space.home.growth : 0)
    shape.moved = space.moved.map { ($0.range, home) }
    if let motion = try HEIFMotion(of: file) {
      try draft.correct(motion, movedBy: shape.position(motion.start) - motion.start)
    }
    var tables: [Splice] = []
    var offset = home + space.headerLength
    var added: [(offset: Int, length: Int)] = []
    var places: [ItemLocations.Row: Range<Int>] = [:]
    for payload in draft.payloads {
      for row in payload.rows {
        tables += try row.splices(offset: offset, length: payload.bytes.count)
        places[row] = offset..<offset + payload.bytes.count
      }
      if payload.rows.isEmpty { added.append((offset, payload.bytes.count)) }
      offset += payload.bytes.count
    }
    if let new { tables += try new.splices(added) }
    for owner in file.metas {
      for row in owner.locations.rows where row.construction.value == 0 && places[row] == nil {
        let distances = (file.ranges(of: row, in: owner) ?? []).map { shape.position($0.lowerBound) - $0.lowerBound }
        tables += try row.splices(movedBy: distances)
      }
    }
    let changed = draft.splices + tables
    let filled = Splice(space.home.range, draft.filling(space, changed))
    let staying = changed.filter { space.moved?.range.overlaps($0.range) != true }
    let all = staying + space.splices.map { $0 == space.home ? filled : $0 }
    let patch = try Patch(all, to: file.source.count, imageData: protected)
    try prove(patch, shape, places)
    return patch
  }

  /// Returns the bytes of the new space: the final payloads, and the box that made way, with its own `changes`.
  private func filling(_ space: HEIFSpace, _ changes: [Splice]) -> [UInt8] {
    let content = payloads.flatMap(\.bytes)
    var prefix = Array(space.home.bytes[..<space.headerLength])
    if let moved = space.moved?.range {
      for splice in changes where moved.overlaps(splice.range) {
        let start = splice.range.lowerBound - moved.lowerBound
        prefix.replaceSubrange(start..<start + splice.range.count, with: splice.bytes)
      }
    }
    return prefix + content + space.home.bytes[(space.headerLength + content.count)...]
  }

  private mutating func correct(_ motion: HEIFMotion, movedBy distance: Int) throws(FileError) {
    guard distance != 0 else { return }
    if let splice = try motion.correction(movedBy: distance) { splices.append(splice) }
    guard let xmp = picture.xmp.first else { return }
    if let index = payloads.firstIndex(where: { $0.rows == xmp.rows }) {
      let packet = Bytes(payloads[index].bytes)
      if let splice = try motion.correction(in: packet, movedBy: distance) {
        payloads[index].bytes.replaceSubrange(splice.range, with: splice.bytes)
      }
    } else if let index = splices.firstIndex(where: { $0.range == xmp.range }) {
      if let splice = try motion.correction(in: Bytes(splices[index].bytes), movedBy: distance) {
        var bytes = splices[index].bytes
        bytes.replaceSubrange(splice.range, with: splice.bytes)
        splices[index] = Splice(xmp.range, bytes)
      }
    } else if let splice = try motion.correction(in: try file.source.bytes(xmp.range), movedBy: distance) {
      splices.append(splice.moved(by: xmp.range.lowerBound))
    }
  }

  /// Reads the tables of the planned file and checks that items are at the positions that the splices give them, items
  /// in `places` at those ranges, items in `shortened` with those lengths, and that tracks have not moved.
  private func prove(
    _ patch: Patch, _ shift: Shift, _ places: [ItemLocations.Row: Range<Int>]
  ) throws(FileError) {
    let new = try HEIFFile(file.source.patched(by: patch))
    let media = file.boxes.filter { $0.type == "mdat" }.map(\.payload.lowerBound)
    var isSame = !file.hasTracks || media.allSatisfy { shift.position($0) == $0 }
    isSame = isSame && new.trackDamage == nil && new.metas.count == file.metas.count
    for (oldMeta, newMeta) in zip(file.metas, new.metas) {
      let (oldRows, newRows) = (oldMeta.locations.rows, newMeta.locations.rows)
      isSame = isSame && newRows.prefix(oldRows.count).map(\.id) == oldRows.map(\.id)
      for (old, new) in zip(oldRows, newRows.map { new.ranges(of: $0, in: newMeta) }) {
        let moved = file.ranges(of: old, in: oldMeta)?.map { range in
          let start = shift.position(range.lowerBound)
          return start..<start + (shortened[old] ?? range.count)
        }
        isSame = isSame && new == (places[old].map { [$0] } ?? moved)
      }
    }
    guard isSame else {
      throw FileError(
        .imageDataAtRisk, "the planned change would leave an image item with a wrong location",
        at: meta.box.range.lowerBound)
    }
  }
}

/// The mapping of old positions to positions after the splices.
private struct Shift {
  private let steps: [(end: Int, growth: Int)]
  /// The range that moved, and its new start.
  var moved: (range: Range<Int>, start: Int)?

  init(_ splices: [Splice]) {
    steps = splices.map { ($0.range.upperBound, $0.growth) }.filter { $0.1 != 0 }
  }

  /// Returns the new position of data at `old` that isn't itself replaced. Insertions at `old` come before it.
  func position(_ old: Int) -> Int {
    if let moved, moved.range.contains(old) { return moved.start + old - moved.range.lowerBound }
    return old + steps.reduce(0) { $0 + ($1.end <= old ? $1.growth : 0) }
  }
}

/// EXIF in HEIF: a TIFF structure in an item, after a few bytes that record its offset (ISO/IEC 23008-12, A.2.1).
extension HEIFDraft {
  /// The zeros to leave after EXIF that moved, as space for the next edit.
  private static let spareCount = 1_024

  /// Puts `changes` into an Exif item.
  mutating func edit(_ block: HEIFPicture.Block, _ changes: TIFFChanges) throws(FileError) {
    guard !changes.isEmpty else { return }
    guard let range = block.tiff else {
      guard block.range.isEmpty else {
        throw FileError(.malformed, "its Exif item has no TIFF header", at: block.range.lowerBound)
      }
      if let bytes = try HEIFDraft.newExif(changes) { try put(bytes, in: block, erasing: false) }
      return
    }
    let tiff = try TIFFBlock(file.source, range)
    let references = try TIFFReferences(of: tiff)
    let changes = changes.completed(for: tiff)
    let place = try tiff.tail(references, for: changes)
    // Values to erase are overwritten in place, including the thumbnail's.
    let strategy = changes.erasesDates && !movesAll ? .growingIFD0 : strategy(references)
    let edit = try TIFFEditor.edit(
      tiff, changes, references: references, appendingAt: place,
      strategy: strategy ?? .growingIFD0)
    let end = place + edit.appended.count
    if strategy != nil, edit.appended.isEmpty || end <= range.count {
      let appended: [Splice] = edit.appended.isEmpty ? [] : [Splice(place..<end, edit.appended, usedBy: .new)]
      overwrite((edit.overwrites + appended).map { $0.moved(by: range.lowerBound) })
      return
    }
    let spare = [UInt8](repeating: 0, count: HEIFDraft.spareCount)
    let content = try edit.applied(to: tiff, appendingAt: place) + spare
    let prefix = try file.source.bytes(block.range.lowerBound..<range.lowerBound)
    let suffix = try file.source.bytes(range.upperBound..<block.range.upperBound).array
    try put(
      HEIFDraft.exifPrefix(prefix, to: content.count, from: range.count) + content + suffix, in: block, erasing: true)
  }

  /// Adds an Exif item, if `changes` set anything.
  mutating func addExif(_ changes: TIFFChanges) throws(FileError) {
    if let bytes = try HEIFDraft.newExif(changes) { add(bytes, .exif) }
  }

  /// Returns the bytes before the TIFF structure, adjusted. Xiaomi has a JPEG segment there; its length changes with
  /// the same counting rule as before.
  private static func exifPrefix(_ bytes: Bytes, to count: Int, from old: Int) throws(FileError) -> [UInt8] {
    var prefix = bytes.array
    let segment = prefix.count - 10
    guard segment >= 0, bytes.has([0xFF, 0xE1], at: segment) else { return prefix }
    guard let length = (Int(try bytes.u16(segment + 2, .big)) - old + count).bigEndian(count: 2) else {
      throw FileError(
        .tooLarge, "the EXIF block would exceed 64 KB, the limit of its APP1 segment", at: bytes.base)
    }
    prefix.replaceSubrange(segment + 2..<segment + 4, with: length)
    return prefix
  }

  /// Returns EXIF without any tag.
  static func emptyExif(_ order: Bytes.Order) -> [UInt8] {
    let head: [UInt8] = order == .big ? [0x4D, 0x4D, 0, 42, 0, 0, 0, 8] : [0x49, 0x49, 42, 0, 8, 0, 0, 0]
    return [0, 0, 0, 6] + Array("Exif\0\0".utf8) + head + [0, 0, 0, 0, 0, 0]
  }

  /// Returns the bytes of a new item; nil when `changes` set nothing.
  static func newExif(
    _ changes: TIFFChanges, _ order: Bytes.Order = .big, spare: Int = spareCount
  ) throws(FileError) -> [UInt8]? {
    guard let block = try changes.newBlock(order) else { return nil }
    return [0, 0, 0, 6] + Array("Exif\0\0".utf8) + block + [UInt8](repeating: 0, count: spare)
  }
}

/// The records of a motion photo's movie position (Samsung, Google). All must stay correct when the file grows.
struct HEIFMotion: Sendable {
  /// The box that holds the movie.
  private let box: Box
  /// Samsung's absolute offset of the movie, in its trailer.
  let pointer: Range<Int>?

  /// The number of last bytes that contain Samsung's trailer.
  private static let trailerCount = 65_536

  init?(of file: HEIFFile) throws(FileError) {
    guard let movie = file.boxes.first(where: { $0.type == "mpvd" }) else { return nil }
    box = movie
    var pointer: Range<Int>?
    let mark = Array("MotionPhoto_Datampv2".utf8)
    for holder in file.boxes where holder.type == "sefd" || holder.type == "mpvd" {
      let start = max(holder.payload.lowerBound, holder.payload.upperBound - HEIFMotion.trailerCount)
      let trailer = try file.source.bytes(start..<holder.payload.upperBound)
      guard let found = trailer.firstIndex(of: mark), let offset = try? trailer.u32(found + mark.count, .big),
        Int(offset) == movie.payload.lowerBound
      else { continue }
      pointer = start + found + mark.count..<start + found + mark.count + 4
    }
    self.pointer = pointer
  }

  /// The start of the box.
  var start: Int { box.range.lowerBound }

  /// Returns the splice that corrects Samsung's pointer after the movie has moved.
  func correction(movedBy distance: Int) throws(FileError) -> Splice? {
    guard let pointer, distance != 0 else { return nil }
    guard let bytes = (box.payload.lowerBound + distance).bigEndian(count: pointer.count) else {
      throw FileError(.tooLarge, "its movie would be beyond 4 GiB, the limit of its offset", at: pointer.lowerBound)
    }
    return Splice(pointer, bytes)
  }

  /// Returns the splice that corrects the XMP packet: the still picture's length (`Container:Item`, semantic Primary)
  /// is the start of the movie.
  func correction(in packet: Bytes, movedBy distance: Int) throws(FileError) -> Splice? {
    guard distance != 0 else { return nil }
    let (old, new) = (Array(String(start).utf8), Array(String(start + distance).utf8))
    for opening in ["Length=\"", "Length='", "Length>"] {
      var at = 0
      while let found = packet.firstIndex(of: Array(opening.utf8) + old, from: at) {
        let digits = found + opening.utf8.count..<found + opening.utf8.count + old.count
        at = digits.upperBound
        if let next = try? packet.u8(at), (0x30...0x39).contains(next) { continue }
        guard new.count == old.count else {
          throw FileError(
            .fixedPositions, "its XMP has no room for the new length of the still image",
            at: packet.base + digits.lowerBound
          )
        }
        return Splice(digits, new)
      }
    }
    return nil
  }
}
