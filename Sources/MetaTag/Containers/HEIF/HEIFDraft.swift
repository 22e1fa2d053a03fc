/// An edit of a HEIF file in the making: what its metadata items will hold. Its patch finds room for what outgrows its
/// place and corrects every pointer to what moves.
struct HEIFDraft {
  let file: HEIFFile
  let meta: HEIFMeta
  let picture: HEIFPicture
  /// Every item that changes gets a new place: then the table of places alone commits the edit of a big file.
  let movesAll: Bool
  private var splices: [Splice] = []
  private var payloads: [Payload] = []
  /// What is no image data although it lies in a movie or in another box beside the picture.
  private var erased: [Range<Int>] = []

  /// Comparisons of places with image data beyond which a file was made to exhaust its readers.
  private static let mostComparisons = 1 << 26

  /// An item's bytes that need a new place.
  private struct Payload {
    /// Nil: a new item.
    let row: ItemLocations.Row?
    var kind = HEIFNewItems.Kind.exif
    var bytes: [UInt8]
  }

  init(_ file: HEIFFile, _ meta: HEIFMeta, _ picture: HEIFPicture, changing blockCount: Int) {
    (self.file, self.meta, self.picture) = (file, meta, picture)
    movesAll = file.isBig && blockCount > 1
  }

  /// How EXIF is edited in the item that holds it; nil when it gets a new place.
  func habit(_ references: TIFFReferences) -> TIFFEditor.Habit? {
    if movesAll { return nil }
    return file.isBig && !references.hasScatteredPlaces ? .appending : .reusingSlots
  }

  /// Overwrites bytes of metadata; no length changes.
  mutating func overwrite(_ new: [Splice]) { splices += new }

  /// Overwrites what stands in boxes beside the pictures: places that a movie tells, or all of it.
  mutating func erase(_ places: [Splice]) {
    splices += places
    erased += places.map(\.range)
  }

  /// Gives an item new bytes. `erasing`: its old place is filled with zeros when it leaves it.
  mutating func put(_ bytes: [UInt8], in block: HEIFPicture.Block, erasing: Bool) throws(PhotoError) {
    let isSame = try file.source.bytes(block.range).array == bytes
    guard !isSame else { return }
    let isMovable = block.row.extents.count == 1 && block.row.extents.first?.length.range.isEmpty == false
    if bytes.count <= block.range.count, !(file.isBig && isMovable) {
      let zeros = [UInt8](repeating: 0, count: block.range.count - bytes.count)
      splices.append(Splice(block.range, bytes + zeros))
      if !zeros.isEmpty, let length = block.row.extents.first?.length, !length.range.isEmpty {
        splices.append(try length.splice(bytes.count))
      }
      return
    }
    payloads.append(Payload(row: block.row, bytes: bytes))
    if erasing { splices.append(.erasing(block.range)) }
  }

  /// Adds an item that describes the picture.
  mutating func add(_ bytes: [UInt8], _ kind: HEIFNewItems.Kind) {
    payloads.append(Payload(row: nil, kind: kind, bytes: bytes))
  }

  /// The whole edit, proved: every other item has the bytes it had.
  func patch() throws(PhotoError) -> Patch {
    let protected = picture.protected.merged().excluding(erased)
    guard !payloads.isEmpty else { return try Patch(splices, to: file.source.count, imageData: protected) }
    guard file.rest.isEmpty || !protected.contains(where: { $0.overlaps(file.rest) }) else {
      throw PhotoError(.refused, "its last box is longer than the file", at: file.rest.lowerBound)
    }
    guard meta.locations.rows.count * protected.count < HEIFDraft.mostComparisons else {
      throw PhotoError(.tooLarge, "has more items than an edit can follow", at: meta.locations.box.range.lowerBound)
    }
    let added = payloads.filter { $0.row == nil }.map(\.kind)
    let new = added.isEmpty ? nil : try HEIFNewItems(added, in: meta, describing: picture.described)
    var draft = self
    let content = payloads.flatMap(\.bytes)
    let room = try HEIFRoom(for: content, in: file, meta, growth: new?.growth ?? 0)
    // With offsets still unknown the splices have the lengths that they will have: enough to see what moves where.
    let shape = Shift(room.splices + (try new?.splices(added.map { _ in (0, 0) }) ?? []))
    let start =
      shape.position(room.home.range.lowerBound) - (room.home.range.isEmpty ? room.home.growth : 0) + room.lead
    if let motion = try HEIFMotion(of: file) {
      try draft.correct(motion, movedBy: shape.position(motion.start) - motion.start)
    }
    var tables: [Splice] = []
    var offset = start
    var places: [(offset: Int, length: Int)] = []
    for payload in draft.payloads {
      if let row = payload.row {
        tables += try row.splices(offset: offset, length: payload.bytes.count)
      } else {
        places.append((offset, payload.bytes.count))
      }
      offset += payload.bytes.count
    }
    if let new { tables += try new.splices(places) }
    let replaced = Set(payloads.compactMap { $0.row?.id })
    for row in meta.locations.rows where row.construction.value == 0 && !replaced.contains(row.id) {
      let distances = (file.ranges(of: row) ?? []).map { shape.position($0.lowerBound) - $0.lowerBound }
      tables += try row.splices(movedBy: distances)
    }
    let home = Splice(room.home.range, draft.filling(room))
    let all = draft.splices + tables + room.splices.map { $0 == room.home ? home : $0 }
    let patch = try Patch(all, to: file.source.count, imageData: protected)
    try prove(patch, shape, except: replaced)
    return patch
  }

  /// The room's bytes with the payloads as they became last.
  private func filling(_ room: HEIFRoom) -> [UInt8] {
    let content = payloads.flatMap(\.bytes)
    return room.home.bytes[..<room.lead] + content + room.home.bytes[(room.lead + content.count)...]
  }

  private mutating func correct(_ motion: HEIFMotion, movedBy distance: Int) throws(PhotoError) {
    guard distance != 0 else { return }
    if let splice = try motion.correction(movedBy: distance) { splices.append(splice) }
    guard let xmp = picture.xmp.first else { return }
    if let index = payloads.firstIndex(where: { $0.row?.id == xmp.item.id }) {
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

  /// Reads the planned file's tables and compares: items lie where the splices take their bytes, tracks have not moved.
  private func prove(_ patch: Patch, _ shift: Shift, except replaced: Set<Int>) throws(PhotoError) {
    let new = try HEIFFile(file.source.patched(by: patch))
    let rows = Dictionary((new.meta?.locations.rows ?? []).map { ($0.id, $0) }) { first, _ in first }
    let media = file.boxes.filter { $0.type == "mdat" }.map(\.payload.lowerBound)
    var isSame = !file.hasTracks || media.allSatisfy { shift.position($0) == $0 }
    for row in meta.locations.rows where !replaced.contains(row.id) {
      let ranges = file.ranges(of: row)?.map { range in
        let start = shift.position(range.lowerBound)
        return start..<start + range.count
      }
      isSame = isSame && rows[row.id].flatMap(new.ranges) == ranges
    }
    guard isSame else {
      throw PhotoError(.refused, "the planned change would lose track of an image", at: meta.box.range.lowerBound)
    }
  }
}

/// Where bytes of the old file stand after splices.
private struct Shift {
  private let steps: [(end: Int, growth: Int)]

  init(_ splices: [Splice]) {
    steps = splices.map { ($0.range.upperBound, $0.growth) }.filter { $0.1 != 0 }
  }

  /// What stands at `old`, and is not itself replaced. Insertions there come before it.
  func position(_ old: Int) -> Int { old + steps.reduce(0) { $0 + ($1.end <= old ? $1.growth : 0) } }
}
