/// A track as bytes that are read much faster than a file of any format: for many processes with the same tracks. The
/// bytes are for the same version of the program, and for machines that store numbers alike.
package enum StoredTrack {
  /// The number of bytes of a fix.
  package static let pointSize = MemoryLayout<TrackPoint>.stride

  /// Returns the numbers of fixes of the track's segments.
  package static func counts(of track: Track) -> [Int] { track.segments.map(\.points.count) }

  /// Calls `body` with the bytes of each segment.
  package static func eachSegment(of track: Track, _ body: (UnsafeRawBufferPointer) throws -> Void) rethrows {
    for segment in track.segments { try segment.points.withUnsafeBytes(body) }
  }

  /// Reads a track.
  /// - Parameters:
  ///   - counts: The numbers of fixes of its segments.
  ///   - read: Fills a buffer with the next bytes.
  /// - Throws: `FileError` if the bytes are not those of a track, or an error of `read`.
  package static func track(
    _ counts: [Int], _ read: (UnsafeMutableRawBufferPointer) throws -> Void
  ) throws -> Track {
    let damage = FileError(.malformed, "its tracks are damaged")
    let segments = try counts.map { count in
      guard count > 0 else { throw damage }
      let points = try [TrackPoint](unsafeUninitializedCapacity: count) { buffer, initialized in
        try read(UnsafeMutableRawBufferPointer(buffer))
        initialized = count
      }
      guard points.areOfTrack, let segment = Track.Segment(points) else { throw damage }
      return segment
    }
    return Track(segments, sources: [])
  }
}

extension [TrackPoint] {
  /// Whether the fixes are on the Earth, and in strict order of time.
  fileprivate var areOfTrack: Bool {
    var last: Int64?
    return allSatisfy { point in
      defer { last = point.microseconds }
      let place = point.coordinate
      return (-90...90).contains(place.latitude) && (-180...180).contains(place.longitude)
        && last.map { $0 < point.microseconds } ?? true
    }
  }
}
