/// These bytes of the old file become those bytes.
public struct Splice: Hashable, Sendable {
  /// Positions in the old file. Empty for an insertion; at the file's end for an append.
  public let range: Range<Int>
  /// What stands there afterwards; as many bytes as `range` when nothing moves.
  public let bytes: [UInt8]
  /// Which file refers to this place.
  package let use: Use

  /// Which of the two files, the old and the new, has a use for what stands in a place. What only one of them uses may
  /// change while the other is in force.
  package enum Use: Int, Sendable {
    case both
    /// Nothing in the new file refers to it: an old position that is erased.
    case old
    /// Nothing in the old file refers to it: empty room.
    case new

    /// The same, seen from the new file.
    package var inverse: Use {
      switch self {
      case .both: .both
      case .old: .new
      case .new: .old
      }
    }
  }

  /// `range` of the old file becomes `bytes`.
  public init(_ range: Range<Int>, _ bytes: [UInt8]) { self.init(range, bytes, usedBy: .both) }

  package init(_ range: Range<Int>, _ bytes: [UInt8], usedBy use: Use) {
    self.range = range
    self.bytes = bytes
    self.use = use
  }

  /// Zeros over what nothing in the new file refers to.
  package static func erasing(_ range: Range<Int>) -> Splice {
    Splice(range, [UInt8](repeating: 0, count: range.count), usedBy: .old)
  }

  /// How much longer the file becomes.
  package var growth: Int { bytes.count - range.count }
}

/// A whole change to a file, as a value: ordered splices that do not overlap and do not cut into image data.
///
/// A dry run shows it, `Rewriter` commits it, the journal keeps its inverse.
public struct Patch: Hashable, Sendable {
  /// Length of the file it applies to, in bytes.
  public let oldCount: Int
  /// In file order, not overlapping.
  public let splices: [Splice]

  /// Checks that the splices lie in the file, do not overlap, and leave every byte of `imageData` as it is.
  ///
  /// Inserting at either edge of image data is fine. Splices may be given in any order; those that change nothing in
  /// length and content should be left out by the caller. Adjacent insertions keep the order in which they are given.
  /// - Throws: `FileError.Kind.refused` naming the first offending offset.
  public init(_ splices: [Splice], to oldCount: Int, imageData: [Range<Int>]) throws(FileError) {
    let sorted = splices.enumerated()
      .sorted { ($0.element.range.lowerBound, $0.offset) < ($1.element.range.lowerBound, $1.offset) }
      .map(\.element)
    let images = RangeIndex(imageData)
    var end = 0
    for splice in sorted {
      guard splice.range.lowerBound >= end, splice.range.upperBound <= oldCount else {
        throw FileError(.refused, "the planned changes overlap or leave the file", at: splice.range.lowerBound)
      }
      end = splice.range.upperBound
      guard images.count(cutBy: splice.range) == 0 else {
        throw FileError(.refused, "the planned change would cut into image data", at: splice.range.lowerBound)
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
  /// Length of the file afterwards.
  public var newCount: Int { oldCount + splices.reduce(0) { $0 + $1.growth } }

  /// Where the new bytes of each splice stand in the new file, in order.
  package var newRanges: [Range<Int>] {
    var moved = 0
    return splices.map { splice in
      let start = splice.range.lowerBound + moved
      moved += splice.growth
      return start..<start + splice.bytes.count
    }
  }

  /// The patch that turns the new file back into the old one.
  package func inverse(of old: some ByteSource) throws(FileError) -> Patch {
    var inverted: [Splice] = []
    for (splice, range) in zip(splices, newRanges) {
      inverted.append(Splice(range, try old.bytes(splice.range).array, usedBy: splice.use.inverse))
    }
    return Patch(unchecked: inverted, oldCount: newCount)
  }

  /// The whole new content, in memory: for tests and for small blocks.
  package func applied(to old: some ByteSource) throws(FileError) -> [UInt8] {
    guard old.count == oldCount else {
      throw FileError(.conflict, "the file has \(old.count) bytes, the change was planned for \(oldCount)")
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

  /// What every disk writes whole or not at all, in bytes.
  package static let smallestSector = 512

  /// The aligned sector of `count` bytes whose overwriting commits this patch when it is written in place: every splice
  /// either appends at the old end or overwrites, same length, inside this one sector or what only one of the two files
  /// uses. Nil when it doesn't qualify.
  package func commitSector(of count: Int = Patch.smallestSector) -> Range<Int>? {
    let inside = splices.filter { $0.range.lowerBound < oldCount }
    let deciding = inside.filter { $0.use == .both }
    guard let first = deciding.first, inside.allSatisfy({ $0.growth == 0 && !$0.range.isEmpty }) else { return nil }
    let start = first.range.lowerBound / count * count
    guard deciding.allSatisfy({ $0.range.upperBound <= start + count }) else { return nil }
    return start..<start + count
  }
}
