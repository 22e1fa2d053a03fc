import Glibc

/// A patch that can be written into the file itself and still leave it whole-old or whole-new at every instant: it
/// overwrites bytes inside one sector, the commit point, which a disk writes whole or not at all; before that it
/// adds bytes at the end and fills what the old file has no use for; after that it cuts bytes off the end and erases
/// what the new file has no use for.
package struct InPlaceEdit: Sendable {
  /// Written before the commit point, where nothing in the old file refers to.
  let prepared: [Splice]
  /// What comes after the old end; before the commit point, too.
  let tail: [UInt8]
  /// The overwritten bytes, all in one sector, none longer or shorter.
  let overwrites: [Splice]
  /// Written after the commit point, where nothing in the new file refers to.
  let erased: [Splice]
  let oldCount: Int
  let newCount: Int

  /// Nil when the patch doesn't qualify for a disk with such sectors: a power of two, 512 bytes at least.
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

  /// Where the file stands between old and new.
  package enum Progress {
    case old
    case new
    /// The sector is torn: some of its bytes are old, others new.
    case torn
    /// Someone else wrote into it.
    case foreign
  }

  /// How far this edit, which `inverse` takes back, got in `file`.
  func progress(in file: FileSource, inverse: InPlaceEdit) throws(FileError) -> Progress {
    guard (min(oldCount, newCount)...max(oldCount, newCount)).contains(file.count) else { return .foreign }
    // Appended so far: ours, or not written yet.
    let end = try file.prefix(at: min(oldCount, newCount), count: .max).array
    guard zip(end, tail.isEmpty ? inverse.tail : tail).allSatisfy({ $0 == $1 || $0 == 0 }) else { return .foreign }
    guard let prepared = try InPlaceEdit.state(of: file, old: inverse.erased, new: prepared),
      let decided = try InPlaceEdit.state(of: file, old: inverse.overwrites, new: overwrites),
      let erased = try InPlaceEdit.state(of: file, old: inverse.prepared, new: erased)
    else { return .foreign }
    // What was written where only one of the two looks is made good by whichever way it goes on from here.
    if decided.isOld { return prepared.isOld && erased.isOld ? .old : .torn }
    return decided.isNew && prepared.isNew ? .new : .torn
  }

  /// Whether the bytes of splices are all old, or all new; nil when some are neither.
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

  /// Does it, or what is left of it to do. When it throws, `inverse` takes it back.
  func apply(to descriptor: CInt) throws(FileError) {
    try prepare(descriptor)
    if prepares { try descriptor.synchronize() }
    try decide(descriptor)
    try descriptor.synchronize()
    try finish(descriptor)
    if finishes { try descriptor.synchronize() }
  }

  /// Whether anything is written before the commit point, and has to be on the disk first.
  var prepares: Bool { !prepared.isEmpty || !tail.isEmpty }

  /// Whether anything is written after the commit point, which has to be on the disk first.
  var finishes: Bool { !erased.isEmpty || newCount < oldCount }

  /// Before the commit point.
  func prepare(_ descriptor: CInt) throws(FileError) {
    for splice in prepared { try descriptor.write(splice.bytes, at: splice.range.lowerBound) }
    if !tail.isEmpty { try descriptor.write(tail, at: oldCount) }
  }

  /// The commit point: one write, so that the disk is asked once; and none when all of it stands there already.
  func decide(_ descriptor: CInt) throws(FileError) {
    guard let first = overwrites.first, let last = overwrites.last else { return }
    let range = first.range.lowerBound..<last.range.upperBound
    var bytes = [UInt8](repeating: 0, count: range.count)
    guard pread(descriptor, &bytes, bytes.count, off_t(range.lowerBound)) == bytes.count else {
      throw FileError(errno: errno, doing: "read it", at: range.lowerBound)
    }
    let before = bytes
    for splice in overwrites {
      let start = splice.range.lowerBound - range.lowerBound
      bytes.replaceSubrange(start..<start + splice.bytes.count, with: splice.bytes)
    }
    guard bytes != before else { return }
    try descriptor.write(bytes, at: range.lowerBound)
  }

  /// After the commit point.
  func finish(_ descriptor: CInt) throws(FileError) {
    for splice in erased { try descriptor.write(splice.bytes, at: splice.range.lowerBound) }
    guard try FileIdentity(of: descriptor).size > newCount else { return }
    guard ftruncate(descriptor, off_t(newCount)) == 0 else { throw FileError(errno: errno, doing: "shorten it") }
  }

  /// Makes the file again what it was before, `old`, its time too, unless it is, or someone else wrote into it.
  ///
  /// - Parameter noted: The time of last change that writing had left, where it is known: if the file has its bytes again
  ///   and still that time, only its old one is missing.
  func takeBack(
    at place: DirectoryEntry, inverse: InPlaceEdit, to old: FileIdentity, noted: FileTime? = nil
  ) throws(FileError) {
    let file = try place.open()
    let progress = try progress(in: file, inverse: inverse)
    if progress == .foreign { return }
    let isBack = progress == .old && file.count == old.size
    if isBack, noted != FileTime(file.status.st_mtim) || noted == old.modified { return }
    let descriptor = try place.folder.open(place.name, O_RDWR)
    defer { close(descriptor) }
    if !isBack { try inverse.apply(to: descriptor) }
    do throws(FileError) { try Attributes.setTimes(descriptor, accessed: nil, modified: old.modified) } catch {
      // Of someone else's file the bytes are all that we may give back. Of ours, an undo goes by the time, too.
      if file.status.isOurs { throw error }
    }
  }
}
