public import SystemPackage

/// Where receivers were, and when: the fixes of one or several files.
public struct Track: Sendable {
  /// Fixes recorded without a break, in order of time; no two at the same time.
  public struct Segment: Hashable, Sendable {
    /// At least one.
    public let points: [TrackPoint]
    /// Time of the first fix.
    public let start: Instant
    /// Time of the last fix.
    public let end: Instant
    /// Times of every 128th fix, so that a search among millions looks at few of them.
    private let marks: [Int64]
    private static let step = 128

    /// Nil without points. They must be in strict order of time.
    init?(_ points: [TrackPoint]) {
      guard let first = points.first, let last = points.last else { return nil }
      self.points = points
      start = first.instant
      end = last.instant
      marks = stride(from: 0, to: points.count, by: Segment.step).map { points[$0].microseconds }
    }

    /// An order by nothing but content, so that the order in which files are named changes no result.
    func precedes(_ other: Segment) -> Bool {
      if (start, end) != (other.start, other.end) { return (start, end) < (other.start, other.end) }
      return points.lexicographicallyPrecedes(other.points) { $0.rank < $1.rank }
    }

    /// How many fixes are not later than `time`, in microseconds since 1970.
    func countNotLater(than time: Int64) -> Int {
      let mark = marks.partitionPoint { $0 <= time }
      guard mark > 0 else { return 0 }
      let first = (mark - 1) * Segment.step
      return points.withUnsafeBufferPointer { points in
        // The fix at `first` is not later.
        var (low, high) = (first + 1, min(first + Segment.step, points.count))
        while low < high {
          let middle = low + (high - low) / 2
          if points[middle].microseconds <= time { low = middle + 1 } else { high = middle }
        }
        return low
      }
    }
  }

  /// In order of their first fixes, then of what is in them. They overlap when two receivers ran at once.
  public let segments: [Segment]
  /// What was read, in the order given.
  public let sources: [TrackSource]
  /// Of every segment, the one among those up to it that ends last: lets a search stop early.
  let latestEnding: [Int]

  init(_ segments: [Segment], sources: [TrackSource]) {
    self.segments = segments.sorted { $0.precedes($1) }
    self.sources = sources
    var latestEnding: [Int] = []
    latestEnding.reserveCapacity(segments.count)
    for (index, segment) in self.segments.enumerated() {
      let latest = latestEnding.last ?? index
      latestEnding.append(segment.end > self.segments[latest].end ? index : latest)
    }
    self.latestEnding = latestEnding
  }

  /// Reads the content of a track file, gzipped or not, in UTF-8 or UTF-16.
  ///
  /// - Parameter name: What to call it in the report, usually the file's name.
  /// - Throws: `PhotoError` when it is of no known format, or broken before its first fix.
  public init(bytes: [UInt8], name: String) throws(PhotoError) {
    try self.init(SourceStream(Bytes(bytes)), name: name)
  }

  init(_ stream: any ByteStream, name: String) throws(PhotoError) {
    let input = try TrackInput(stream)
    let head = Array(input.head)
    guard let format = trackFormats.first(where: { $0.recognizes(head) }) else {
      let names = trackFormats.map(\.name).joined(separator: ", ")
      throw PhotoError(.unsupported, "is not a track file of a known format (\(names))", at: 0)
    }
    var builder = TrackBuilder()
    try format.read(input, into: &builder)
    self = builder.track(name: name, format: format.name)
  }

  /// Reads a track file, or all that is in a zip archive or a folder, as one track.
  /// - Throws: `PhotoError` when it can't be read, is of no known format, or is broken before its first fix.
  public static func read(_ path: FilePath) throws(PhotoError) -> Track { merged(try TrackReading(path).tracks) }

  /// All segments of `tracks` as one track. Where segments overlap, a search takes the one whose fixes stand closest
  /// in time, then the one that comes first.
  public static func merged(_ tracks: [Track]) -> Track {
    Track(tracks.flatMap(\.segments), sources: tracks.flatMap(\.sources))
  }

  /// Count of fixes.
  public var count: Int { segments.reduce(0) { $0 + $1.points.count } }
  /// Whether there is no fix.
  public var isEmpty: Bool { segments.isEmpty }
  /// Time of the first fix.
  public var start: Instant? { segments.first?.start }
  /// Time of the last fix.
  public var end: Instant? { latestEnding.last.map { segments[$0].end } }

  /// How many segments begin before an earlier one has ended.
  public var overlapCount: Int {
    zip(segments.dropFirst(), latestEnding).count { $0.start <= segments[$1].end }
  }
}
