/// The fixes of receivers, from one or several files.
public struct Track: Sendable {
  /// Fixes recorded without a break, in order of time; no two at the same time.
  public struct Segment: Hashable, Sendable {
    /// The fixes, at least one.
    public let points: [TrackPoint]
    /// The time of the first fix.
    public let start: Instant
    /// The time of the last fix.
    public let end: Instant
    /// The times of every 128th fix, so that a search among millions reads few of them.
    private let marks: [Int64]
    private static let step = 128

    /// Creates a segment; nil without points. The points must be in strict order of time.
    init?(_ points: [TrackPoint]) {
      guard let first = points.first, let last = points.last else { return nil }
      self.points = points
      start = first.instant
      end = last.instant
      marks = stride(from: 0, to: points.count, by: Segment.step).map { points[$0].microseconds }
    }

    /// Compares two segments by their contents only, so that the order in which files are named doesn't affect results.
    func precedes(_ other: Segment) -> Bool {
      if (start, end) != (other.start, other.end) { return (start, end) < (other.start, other.end) }
      return points.lexicographicallyPrecedes(other.points) { $0.rank < $1.rank }
    }

    /// Returns the number of fixes not later than `time`, in microseconds since 1970. Receivers record evenly, so
    /// interpolation finds a good starting point; every other read among millions of fixes waits for memory.
    func countNotLater(than time: Int64) -> Int {
      guard let earliest = marks.first, earliest <= time else { return 0 }
      let last = points[points.count - 1].microseconds
      guard time < last else { return points.count }
      let mark = (0..<marks.count).partitionPoint(
        near: Segment.share(time, earliest, last, of: points.count - 1) / Segment.step
      ) {
        marks[$0] <= time
      }
      let first = (mark - 1) * Segment.step
      let count = min(Segment.step, points.count - first)
      let next = mark < marks.count ? marks[mark] : last
      let guess = first + Segment.share(time, marks[mark - 1], next, of: count) + 1
      return points.withUnsafeBufferPointer { points in
        // The fix at `first` is not later.
        (first + 1..<first + count).partitionPoint(near: guess) { points[$0].microseconds <= time }
      }
    }

    /// Returns which of `count` even steps from `start` to `end` leads to `time`, which is between them.
    private static func share(_ time: Int64, _ start: Int64, _ end: Int64, of count: Int) -> Int {
      Int((Double(time) - Double(start)) / (Double(end) - Double(start)) * Double(count))
    }
  }

  /// The segments, in order of their first fixes, then of their contents. They overlap if two receivers ran at once.
  public let segments: [Segment]
  /// The sources of the track, in the given order.
  public let sources: [TrackSource]
  /// For every segment, the index of the one up to it that ends last, so that a search can stop early.
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

  /// Creates a track of fixes that aren't from a file, segment by segment. Between two segments nothing is known.
  ///
  /// - Parameters:
  ///   - segments: The fixes of each segment.
  ///   - name: The name in the report.
  public init(_ segments: [[TrackPoint]], name: String) {
    var builder = TrackBuilder()
    for points in segments {
      points.forEach { builder.add($0) }
      builder.endSegment()
    }
    self = builder.track(name: name, format: "fixes")
  }

  /// Reads the content of a track file, gzipped or not, in UTF-8 or UTF-16.
  ///
  /// - Parameters:
  ///   - name: The name in the report, usually the file's name.
  ///   - zone: Returns the time zone of a place, for formats whose times are local.
  /// - Throws: `FileError` when it is of no known format, or broken before its first fix.
  package init(bytes: [UInt8], name: String, zone: TrackZone? = nil) throws(FileError) {
    try self.init(SourceStream(Bytes(bytes)), name: name, zone: zone)
  }

  /// Returns the name of the format that a file with these bytes has, if it is not compressed.
  package static func format(of bytes: [UInt8]) -> String? {
    guard let input = try? InputWindow(SourceStream(Bytes(bytes)), inflates: false), !input.head.isEmpty else {
      return nil
    }
    return trackFormats.first { $0.recognizes(Array(input.head)) }?.name
  }

  init(_ stream: any ByteStream, name: String, zone: TrackZone? = nil) throws(FileError) {
    let input = try InputWindow(stream)
    let head = Array(input.head)
    guard !head.isEmpty else { throw FileError(.notTrack, "the file is empty", at: 0) }
    guard let format = trackFormats.first(where: { $0.recognizes(head) }) else {
      let names = trackFormats.map(\.name).joined(separator: ", ")
      throw FileError(.notTrack, "is not a track file of a known format (\(names))", at: 0)
    }
    var builder = TrackBuilder(name: name, zone: zone)
    try format.read(input, into: &builder)
    self = builder.track(name: name, format: format.name)
  }

  /// Returns all segments of `tracks` as one track. Where segments overlap, a search uses the one whose fixes are
  /// closest in time, then the one that comes first.
  public static func merged(_ tracks: [Track]) -> Track {
    Track(tracks.flatMap(\.segments), sources: tracks.flatMap(\.sources))
  }

  /// The number of fixes.
  public var count: Int { segments.reduce(0) { $0 + $1.points.count } }
  /// Whether the track has no fix.
  public var isEmpty: Bool { segments.isEmpty }
  /// The time of the first fix.
  public var start: Instant? { segments.first?.start }
  /// The time of the last fix.
  public var end: Instant? { latestEnding.last.map { segments[$0].end } }

  /// The number of segments that begin before an earlier one has ended.
  public var overlapCount: Int {
    zip(segments.dropFirst(), latestEnding).count { $0.start <= segments[$1].end }
  }
}

/// The precision required of a fix. A fix that doesn't record its precision is accepted, except at 0, 0, which
/// receivers write without a fix.
public struct FixLimits: Hashable, Sendable {
  /// The greatest dilution of precision (PDOP if the file has it, otherwise HDOP); nil, the default, accepts any.
  public var dilution: Double?
  /// The greatest radius of uncertainty in metres; nil, the default, accepts any.
  public var accuracy: Double?

  /// Creates limits that accept any precision.
  public init() {}

  func rejection(of point: TrackPoint) -> TrackSource.Rejection? {
    if point.coordinate.isNoFix { return .noFix }
    if let dilution, let value = point.dilutionOfPrecision, value > dilution { return .diluted }
    if let accuracy, let value = point.accuracy, value > accuracy { return .inaccurate }
    return nil
  }
}

extension Track {
  /// Returns the track without the fixes that are less precise than `limits`; they are counted by reason. The track
  /// must be of one file or of none. A segment remains one segment: the pause where fixes are missing is a gap like any
  /// other.
  public func keeping(within limits: FixLimits) -> Track {
    // Don't copy millions of points if all of them are kept.
    guard segments.contains(where: { $0.points.contains { limits.rejection(of: $0) != nil } }) else { return self }
    var rejected: [TrackSource.Rejection: Int] = [:]
    let kept = segments.compactMap { segment in
      Segment(
        segment.points.filter { point in
          guard let reason = limits.rejection(of: point) else { return true }
          rejected[reason, default: 0] += 1
          return false
        })
    }
    let lost = rejected.values.reduce(0, +)
    return Track(
      kept,
      sources: sources.map { source in
        TrackSource(
          name: source.name, format: source.format, count: source.count - lost,
          rejected: source.rejected.merging(rejected) { $0 + $1 }, warnings: source.warnings)
      })
  }

  /// Returns the same fixes `weeks` weeks later, to correct a receiver whose GPS week counter has rolled over.
  public func adding(weeks: Int) -> Track {
    guard weeks != 0 else { return self }
    let shift = TimeShift(weeks: weeks)
    return Track(segments.compactMap { Segment($0.points.map { $0.moved(by: shift) }) }, sources: sources)
  }
}

extension TimeShift {
  init(weeks: Int) { self.init(seconds: Int64(weeks) * 604_800) }
}

/// A function that returns the time zone of a place; nil if it isn't known.
public typealias TrackZone = (Coordinate) -> Zone?
