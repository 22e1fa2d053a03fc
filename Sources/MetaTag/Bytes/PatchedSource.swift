/// What a file will hold once a patch is committed, read without writing anything: for dry runs, and to prove a change
/// before it is made.
struct PatchedSource: ByteSource {
  private let old: any ByteSource
  private let patch: Patch
  private let newRanges: [Range<Int>]

  init(_ patch: Patch, over old: any ByteSource) {
    self.old = old
    self.patch = patch
    newRanges = patch.newRanges
  }

  var count: Int { patch.newCount }

  func bytes(_ range: Range<Int>) throws(PhotoError) -> Bytes {
    guard range.lowerBound >= 0, range.upperBound <= count else {
      throw PhotoError(
        .truncated, "\(range.count) bytes wanted past the end of the file", at: max(0, min(range.lowerBound, count)))
    }
    var result: [UInt8] = []
    result.reserveCapacity(range.count)
    var at = range.lowerBound  // in the new file
    var moved = 0  // new position − old position, before the splice at hand
    for (splice, new) in zip(patch.splices, newRanges) {
      if at < new.lowerBound, at < range.upperBound {
        let end = min(new.lowerBound, range.upperBound)
        result += try old.bytes(at - moved..<end - moved).array
        at = end
      }
      let overlap = range.clamped(to: new)
      if !overlap.isEmpty {
        result += splice.bytes[overlap.lowerBound - new.lowerBound..<overlap.upperBound - new.lowerBound]
        at = overlap.upperBound
      }
      moved += splice.growth
    }
    if at < range.upperBound { result += try old.bytes(at - moved..<range.upperBound - moved).array }
    return Bytes(result, base: range.lowerBound)
  }
}
