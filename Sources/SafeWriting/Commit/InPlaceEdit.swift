import Glibc

/// A patch that can be written into the file itself and still leaves it whole-old or whole-new at every instant. It
/// overwrites bytes inside one sector, the commit point, which a disk writes completely or not at all. Before that it
/// appends bytes at the end and fills areas that the old file doesn't use; after that it truncates the end and erases
/// areas that the new file doesn't use.
package struct InPlaceEdit: Sendable {
  /// The bytes written before the commit point, to areas that nothing in the old file refers to.
  let prepared: [Splice]
  /// The bytes appended after the old end, also before the commit point.
  let tail: [UInt8]
  /// The overwritten bytes, all in one sector and of unchanged length.
  let overwrites: [Splice]
  /// The bytes written after the commit point, to areas that nothing in the new file refers to.
  let erased: [Splice]
  let oldCount: Int
  let newCount: Int

  /// Returns nil if the patch doesn't qualify for a disk with sectors of this size: a power of two, at least 512 bytes.
  init?(_ patch: Patch, sector: Int = Patch.smallestSector) {
    var rest = patch.splices[...]
    var end = patch.oldCount
    while let last = rest.last, last.bytes.isEmpty, last.range.upperBound == end, !last.range.isEmpty {
      end = last.range.lowerBound
      rest.removeLast()
    }
    let kept = try? Patch(Array(rest), to: patch.oldCount, imageData: [])
    guard let kept, kept.commitSector(of: sector) != nil else { return nil }
    let inside = rest.filter { $0.range.lowerBound < patch.oldCount }
    prepared = inside.filter { $0.use == .new }
    overwrites = inside.filter { $0.use == .both }
    erased = inside.filter { $0.use == .old }
    tail = rest.filter { $0.range.lowerBound == patch.oldCount }.flatMap(\.bytes)
    guard tail.isEmpty || end == patch.oldCount else { return nil }
    oldCount = patch.oldCount
    newCount = patch.newCount
  }

  /// The progress of an edit in a file.
  package enum Progress {
    case old
    case new
    /// The sector is torn: some of its bytes are old, others new.
    case torn
    /// Another program wrote to the file.
    case foreign
  }

  /// Returns how far this edit, which `inverse` takes back, has progressed in `file`.
  func progress(in file: FileSource, inverse: InPlaceEdit) throws(FileError) -> Progress {
    guard (min(oldCount, newCount)...max(oldCount, newCount)).contains(file.count) else { return .foreign }
    // The part that has been appended so far must be ours, or not written yet (zero).
    let end = try file.prefix(at: min(oldCount, newCount), count: .max).array
    guard zip(end, tail.isEmpty ? inverse.tail : tail).allSatisfy({ $0 == $1 || $0 == 0 }) else { return .foreign }
    guard let prepared = try InPlaceEdit.state(of: file, old: inverse.erased, new: prepared),
      let decided = try InPlaceEdit.state(of: file, old: inverse.overwrites, new: overwrites),
      let erased = try InPlaceEdit.state(of: file, old: inverse.prepared, new: erased)
    else { return .foreign }
    // Areas that only one of the two files uses are written again, whichever way the edit continues.
    if decided.isOld { return prepared.isOld && erased.isOld ? .old : .torn }
    return decided.isNew && prepared.isNew ? .new : .torn
  }

  /// Returns whether the bytes of the splices are all old, or all new; nil if some are neither.
  private static func state(
    of file: FileSource, old: [Splice], new: [Splice]
  ) throws(FileError) -> (isOld: Bool, isNew: Bool)? {
    var state = (isOld: true, isNew: true)
    for (new, old) in zip(new, old) {
      for (now, (old, new)) in zip(try file.bytes(new.range).array, zip(old.bytes, new.bytes)) {
        guard now == old || now == new else { return nil }
        if now != old { state.isOld = false }
        if now != new { state.isNew = false }
      }
    }
    return state
  }

  /// Performs the edit, or the rest of it. If it throws, `inverse` takes the edit back.
  func apply(to descriptor: borrowing Descriptor) throws(FileError) {
    try prepare(descriptor)
    if prepares { try descriptor.synchronize() }
    try decide(descriptor)
    try descriptor.synchronize()
    try finish(descriptor)
    if finishes { try descriptor.synchronize() }
  }

  /// Whether anything is written before the commit point, and must be on disk first.
  var prepares: Bool { !prepared.isEmpty || !tail.isEmpty }

  /// Whether anything is written after the commit point, which must be on disk first.
  var finishes: Bool { !erased.isEmpty || newCount < oldCount }

  /// Writes what comes before the commit point.
  func prepare(_ descriptor: borrowing Descriptor) throws(FileError) {
    for splice in prepared { try descriptor.write(splice.bytes, at: splice.range.lowerBound) }
    if !tail.isEmpty { try descriptor.write(tail, at: oldCount) }
  }

  /// Writes the commit point, in a single write; no write if the bytes are already there.
  func decide(_ descriptor: borrowing Descriptor) throws(FileError) {
    guard let first = overwrites.first, let last = overwrites.last else { return }
    let range = first.range.lowerBound..<last.range.upperBound
    let before = try descriptor.read(range).array
    var bytes = before
    for splice in overwrites {
      let start = splice.range.lowerBound - range.lowerBound
      bytes.replaceSubrange(start..<start + splice.bytes.count, with: splice.bytes)
    }
    guard bytes != before else { return }
    try descriptor.write(bytes, at: range.lowerBound)
  }

  /// Writes what comes after the commit point.
  func finish(_ descriptor: borrowing Descriptor) throws(FileError) {
    for splice in erased { try descriptor.write(splice.bytes, at: splice.range.lowerBound) }
    guard try FileIdentity(of: descriptor).size > newCount else { return }
    guard descriptor.system.ftruncate(descriptor.rawValue, newCount) == 0 else {
      throw FileError(errno: errno, doing: "shorten it")
    }
  }

  /// Restores the file as it was before, `old`, including its modification time, unless it already is, or another
  /// program wrote to it.
  ///
  /// - Parameter isOurs: Whether the file may have this modification time because we wrote to it. If it has its old bytes
  ///   and such a time, only its old time has to be restored.
  func takeBack(
    at place: DirectoryEntry, inverse: InPlaceEdit, to old: FileIdentity, isOurs: (FileTime) -> Bool
  ) throws(FileError) {
    let file = try place.open()
    let progress = try progress(in: file, inverse: inverse)
    if progress == .foreign { return }
    let (isBack, time) = (progress == .old && file.count == old.size, FileTime(file.status.st_mtim))
    if isBack, time == old.modified || !isOurs(time) { return }
    let descriptor = try place.folder.open(place.name, O_RDWR)
    if !isBack { try inverse.apply(to: descriptor) }
    do throws(FileError) { try Attributes.setTimes(descriptor, accessed: nil, modified: old.modified) } catch {
      // In another user's file we can restore only the bytes. In our own, the time must be restored too, because an
      // undo checks it.
      if file.status.isOurs { throw error }
    }
    // The journal may record next that the file is as it was, and its times are part of that.
    try descriptor.synchronizeAll()
  }
}
