/// The replacement of a byte range of the old file by new bytes.
public struct Splice: Hashable, Sendable {
  /// The positions in the old file. The range is empty for an insertion, and lies at the file's end for an append.
  public let range: Range<Int>
  /// The replacement bytes. If there are as many as in `range`, no other byte moves.
  public let bytes: [UInt8]
  /// The file that refers to this range.
  package let use: Use

  /// The file, old or new, that refers to a range. A range that only one of them refers to may be changed while the
  /// other is in force.
  package enum Use: Int, Sendable {
    case both
    /// Nothing in the new file refers to the range: old content that is erased.
    case old
    /// Nothing in the old file refers to the range: free space.
    case new
    /// Readers find appended bytes by scanning, without a reference to them. They must not be there before the rest of the
    /// change is.
    case scanned

    /// The use as seen in the opposite direction, from the new file to the old.
    package var inverse: Use {
      switch self {
      case .both: .both
      case .old: .new
      case .new: .old
      case .scanned: .scanned
      }
    }
  }

  /// Replaces `range` of the old file by `bytes`.
  public init(_ range: Range<Int>, _ bytes: [UInt8]) { self.init(range, bytes, usedBy: .both) }

  package init(_ range: Range<Int>, _ bytes: [UInt8], usedBy use: Use) {
    self.range = range
    self.bytes = bytes
    self.use = use
  }

  /// Returns a splice that overwrites with zeros what nothing in the new file refers to.
  package static func erasing(_ range: Range<Int>) -> Splice {
    Splice(range, [UInt8](repeating: 0, count: range.count), usedBy: .old)
  }

  /// The number of bytes by which the file grows; negative if it shrinks.
  package var growth: Int { bytes.count - range.count }
}

/// A complete change to a file, as a value: ordered splices that do not overlap and do not cut into image data.
///
/// A dry run shows it, `Rewriter` commits it, and the journal keeps its inverse.
public struct Patch: Hashable, Sendable {
  /// The length in bytes of the file to which it applies.
  public let oldCount: Int
  /// The splices in file order, not overlapping.
  public let splices: [Splice]
  /// The length of the file afterwards, in bytes.
  public let newCount: Int

  /// Creates a patch from splices that lie within the file, do not overlap, and leave every byte of `imageData`
  /// unchanged.
  ///
  /// Insertions at either edge of image data are allowed. Splices may be given in any order; the caller should omit
  /// those that change neither length nor content. Adjacent insertions keep the order in which they are given.
  ///
  /// - Throws: `FileError.Kind.refused` with the first offending offset.
  public init(_ splices: [Splice], to oldCount: Int, imageData: [Range<Int>]) throws(FileError) {
    let sorted = splices.enumerated()
      .sorted { ($0.element.range.lowerBound, $0.offset) < ($1.element.range.lowerBound, $1.offset) }
      .map(\.element)
    let images = RangeIndex(imageData)
    var end = 0
    for splice in sorted {
      guard splice.range.lowerBound >= end, splice.range.upperBound <= oldCount else {
        throw FileError(
          .imageDataAtRisk, "the planned changes overlap or extend beyond the file", at: splice.range.lowerBound)
      }
      end = splice.range.upperBound
      guard images.count(cutBy: splice.range) == 0 else {
        throw FileError(.imageDataAtRisk, "the planned change would overwrite image data", at: splice.range.lowerBound)
      }
    }
    self.init(unchecked: sorted, oldCount: oldCount)
  }

  private init(unchecked splices: [Splice], oldCount: Int) {
    self.splices = splices
    self.oldCount = oldCount
    newCount = oldCount + splices.reduce(0) { $0 + $1.growth }
  }

  /// Whether the file stays as it is.
  public var isEmpty: Bool { splices.isEmpty }

  /// The ranges of the new bytes of each splice in the new file, in order.
  package var newRanges: [Range<Int>] {
    var moved = 0
    return splices.map { splice in
      let start = splice.range.lowerBound + moved
      moved += splice.growth
      return start..<start + splice.bytes.count
    }
  }

  /// Returns the patch that turns the new file back into the old one.
  package func inverse(of old: some ByteSource) throws(FileError) -> Patch {
    var inverted: [Splice] = []
    for (splice, range) in zip(splices, newRanges) {
      inverted.append(Splice(range, try old.bytes(splice.range).array, usedBy: splice.use.inverse))
    }
    return Patch(unchecked: inverted, oldCount: newCount)
  }

  /// Returns the whole new content, in memory: for tests and for small blocks.
  package func applied(to old: some ByteSource) throws(FileError) -> [UInt8] {
    guard old.count == oldCount else {
      throw FileError(.changedDuringRun, "the file has \(old.count) bytes, but the change was planned for \(oldCount)")
    }
    var new: [UInt8] = []
    new.reserveCapacity(newCount)
    var at = 0
    for splice in splices {
      new += try old.bytes(at..<splice.range.lowerBound).array
      new += splice.bytes
      at = splice.range.upperBound
    }
    new += try old.bytes(at..<oldCount).array
    return new
  }

  /// The number of bytes that every disk writes completely or not at all.
  package static let smallestSector = 512

  /// Returns the aligned sector of `count` bytes whose overwriting commits this patch when it is written in place.
  /// Every splice must either append at the old end, or overwrite bytes without changing the length, inside this sector
  /// or in ranges that only one of the two files uses. Returns nil if the patch doesn't qualify.
  package func commitSector(of count: Int = Patch.smallestSector) -> Range<Int>? {
    let inside = splices.filter { $0.range.lowerBound < oldCount }
    let deciding = inside.filter { $0.use == .both }
    guard let first = deciding.first, inside.allSatisfy({ $0.growth == 0 && !$0.range.isEmpty }) else { return nil }
    let start = first.range.lowerBound / count * count
    guard deciding.allSatisfy({ $0.range.upperBound <= start + count }) else { return nil }
    return start..<start + count
  }
}

/// The content that a file will have once a patch is applied, without writing it.
@usableFromInline package struct PatchedSource<Old: ByteSource>: ByteSource {
  @usableFromInline package let old: Old
  @usableFromInline package let patch: Patch
  @usableFromInline let pieces: [Piece]

  @inlinable package init(old: Old, patch: Patch) {
    (self.old, self.patch, pieces) = (old, patch, patch.pieces)
  }

  @inlinable package var count: Int { patch.newCount }

  @inlinable package func bytes(_ range: Range<Int>) throws(FileError) -> Bytes {
    guard range.lowerBound >= 0, range.upperBound <= count else {
      throw FileError.endsTooSoon(needing: range.count, at: min(range.lowerBound, count))
    }
    var bytes: [UInt8] = []
    bytes.reserveCapacity(range.count)
    // A patch may have thousands of pieces. Bisection finds the first one that ends behind the start.
    var (index, end) = (0, pieces.count)
    while index < end {
      let middle = (index + end) / 2
      if pieces[middle].position.upperBound <= range.lowerBound { index = middle + 1 } else { end = middle }
    }
    for piece in pieces[index...] {
      guard piece.position.lowerBound < range.upperBound else { break }
      let part = piece.position.clamped(to: range)
      let within = part.lowerBound - piece.position.lowerBound..<part.upperBound - piece.position.lowerBound
      switch piece.content {
      case .kept(let range):
        let kept = try old.bytes(range.lowerBound + within.lowerBound..<range.lowerBound + within.upperBound)
        kept.withUnsafeBytes { bytes += $0 }
      case .new(let new): bytes += new[within]
      }
    }
    return Bytes(bytes, base: range.lowerBound)
  }
}

/// A part of the file that a patch produces.
@usableFromInline package struct Piece: Sendable {
  /// The origin of a part's bytes.
  @usableFromInline package enum Content: Sendable {
    /// Bytes copied from these positions of the old file.
    case kept(Range<Int>)
    case new([UInt8])
  }

  /// The range in the new file.
  @usableFromInline package let position: Range<Int>
  @usableFromInline package let content: Content
}

extension Patch {
  /// The parts of the new file, from its first byte to its last.
  @usableFromInline package var pieces: [Piece] {
    var pieces: [Piece] = []
    var at = 0
    func append(_ content: Piece.Content, _ count: Int) {
      guard count > 0 else { return }
      let start = pieces.last?.position.upperBound ?? 0
      pieces.append(Piece(position: start..<start + count, content: content))
    }
    for splice in splices {
      append(.kept(at..<splice.range.lowerBound), splice.range.lowerBound - at)
      append(.new(splice.bytes), splice.bytes.count)
      at = splice.range.upperBound
    }
    append(.kept(at..<oldCount), oldCount - at)
    return pieces
  }
}

extension ByteSource {
  /// Returns these bytes as they will be after `patch`.
  package func patched(by patch: Patch) -> any ByteSource { PatchedSource(old: self, patch: patch) }

  /// Returns the SHA-256 of `ranges`, concatenated, holding at most 1 MiB in memory.
  package func digest(_ ranges: [Range<Int>]) throws(FileError) -> [UInt8] {
    var hash = try SHA256()
    for range in ranges {
      var at = range.lowerBound
      while at < range.upperBound {
        let end = min(at + 1 << 20, range.upperBound)
        try bytes(at..<end).withUnsafeBytes { hash.update($0) }
        at = end
      }
    }
    return hash.finish()
  }

  /// Returns the SHA-256 of all bytes.
  package func digest() throws(FileError) -> [UInt8] { try digest([0..<count]) }
}

extension ByteSource {
  private var windowCount: Int { 1 << 20 }
  /// The largest number of bytes that are zeroed: no file has more metadata, and all of it is held in memory.
  private var mostZeroed: Int { 64 << 20 }
  private var mostZeroings: Int { 1 << 18 }
  /// The number of zeros that ends a splice. Cameras pad the samples of their telemetry.
  private var leastGap: Int { 256 }

  /// Returns splices that zero every nonzero byte in `ranges`, to which nothing in the new file refers.
  ///
  /// - Throws: `.refused` if that is more than any metadata.
  package func zeroing(_ ranges: [Range<Int>]) throws(FileError) -> [Splice] {
    var splices: [Splice] = []
    var left = mostZeroed
    for range in ranges {
      for start in stride(from: range.lowerBound, to: range.upperBound, by: windowCount) {
        let window = try bytes(start..<Swift.min(start + windowCount, range.upperBound)).array
        for run in window.runs(separatedBy: leastGap) {
          left -= run.count
          guard left >= 0, splices.count < mostZeroings else {
            throw FileError(
              .tooMuchToErase, "has more than \(mostZeroed >> 20) MB to erase, the most that can be undone",
              at: start + run.lowerBound)
          }
          splices.append(.erasing(start + run.lowerBound..<start + run.upperBound))
        }
      }
    }
    return splices
  }
}

extension [UInt8] {
  /// Returns the runs of nonzero bytes; shorter gaps of zeros than `gap` belong to a run.
  fileprivate func runs(separatedBy gap: Int) -> [Range<Int>] {
    withUnsafeBytes { bytes in
      var runs: [Range<Int>] = []
      var (start, end) = (-1, 0)
      for (at, byte) in bytes.enumerated() where byte != 0 {
        if start >= 0, at - end >= gap {
          runs.append(start..<end)
          start = at
        } else if start < 0 {
          start = at
        }
        end = at + 1
      }
      if start >= 0 { runs.append(start..<end) }
      return runs
    }
  }
}
