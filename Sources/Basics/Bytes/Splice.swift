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

    /// The use as seen in the opposite direction, from the new file to the old.
    package var inverse: Use {
      switch self {
      case .both: .both
      case .old: .new
      case .new: .old
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
        throw FileError(.imageDataAtRisk, "the planned changes overlap or leave the file", at: splice.range.lowerBound)
      }
      end = splice.range.upperBound
      guard images.count(cutBy: splice.range) == 0 else {
        throw FileError(.imageDataAtRisk, "the planned change would cut into image data", at: splice.range.lowerBound)
      }
    }
    self.oldCount = oldCount
    self.splices = sorted
  }

  private init(unchecked splices: [Splice], oldCount: Int) {
    self.splices = splices
    self.oldCount = oldCount
  }

  /// Whether the file stays as it is.
  public var isEmpty: Bool { splices.isEmpty }
  /// The length of the file afterwards, in bytes.
  public var newCount: Int { oldCount + splices.reduce(0) { $0 + $1.growth } }

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
      throw FileError(.changedDuringRun, "the file has \(old.count) bytes, the change was planned for \(oldCount)")
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
