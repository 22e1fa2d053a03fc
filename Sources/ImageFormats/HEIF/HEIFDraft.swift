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
      throw FileError(.refused, "its last box is longer than the file", at: file.rest.lowerBound)
    }
    if let damage = file.trackDamage { throw damage }
    guard file.metas.reduce(0, { $0 + $1.locations.rows.count }) * protected.count < HEIFDraft.mostComparisons else {
      throw FileError(.tooLarge, "has more items than an edit can follow", at: meta.locations.box.range.lowerBound)
    }
    let kinds = payloads.filter(\.rows.isEmpty).map(\.kind)
    let new = kinds.isEmpty ? nil : try HEIFNewItems(kinds, in: meta, describing: picture.described)
    var draft = self
    let content = payloads.flatMap(\.bytes)
    let room = try HEIFRoom(for: content, in: file, meta, growth: new?.growth ?? 0)
    // The offsets are still unknown, but the lengths of the splices are final: enough to see what moves where.
    var shape = Shift(room.splices + (try new?.splices(kinds.map { _ in (0, 0) }) ?? []))
    let home = shape.position(room.home.range.lowerBound) - (room.home.range.isEmpty ? room.home.growth : 0)
    shape.moved = room.moved.map { ($0.range, home) }
    if let motion = try HEIFMotion(of: file) {
      try draft.correct(motion, movedBy: shape.position(motion.start) - motion.start)
    }
    var tables: [Splice] = []
    var offset = home + room.lead
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
    let filled = Splice(room.home.range, draft.filling(room, changed))
    let staying = changed.filter { room.moved?.range.overlaps($0.range) != true }
    let all = staying + room.splices.map { $0 == room.home ? filled : $0 }
    let patch = try Patch(all, to: file.source.count, imageData: protected)
    try prove(patch, shape, places)
    return patch
  }

  /// Returns the bytes of the new space: the final payloads, and the box that made way, with its own `changes`.
  private func filling(_ room: HEIFRoom, _ changes: [Splice]) -> [UInt8] {
    let content = payloads.flatMap(\.bytes)
    var lead = Array(room.home.bytes[..<room.lead])
    if let moved = room.moved?.range {
      for splice in changes where moved.overlaps(splice.range) {
        let start = splice.range.lowerBound - moved.lowerBound
        lead.replaceSubrange(start..<start + splice.range.count, with: splice.bytes)
      }
    }
    return lead + content + room.home.bytes[(room.lead + content.count)...]
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
        .imageDataAtRisk, "the planned change would lose track of an image", at: meta.box.range.lowerBound)
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
