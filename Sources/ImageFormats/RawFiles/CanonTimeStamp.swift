/// The capture time in a CR3's timed metadata (CTMD): records in a track of their own. ExifTool describes the first
/// kind as year (16 bits), month, day, hour, minute, second and hundredths, little-endian.
package enum CanonTimeStamp {
  private static let kind: UInt16 = 1
  /// The length of size, kind and undocumented fields.
  private static let headCount = 12
  private static let timeCount = 8
  private static let mostRecords = 4_096
  private static let longestSamples = 16 << 20

  /// Returns the positions of the times in tracks whose samples share no bytes with other tracks.
  package static func places(
    in movie: MovieBox, of file: MovieFile, _ source: any ByteSource
  ) throws(FileError) -> [Range<Int>] {
    let samples = MovieSamples(source)
    var places: [Range<Int>] = []
    for track in movie.tracks where try isTimed(track, source) {
      let chunks = try samples.exact(of: track).sorted { $0.lowerBound < $1.lowerBound }
      let others = movie.tracks.filter { $0.box != track.box }
      try samples.require(chunks, apartFrom: others, in: file)
      for chunk in chunks { places += try times(in: chunk, source) }
    }
    return places
  }

  private static func isTimed(_ track: MovieTrack, _ source: any ByteSource) throws(FileError) -> Bool {
    guard let descriptions = track.descriptions else { return false }
    return try source.prefix(at: descriptions.payload.lowerBound, count: 16).has(FourCC("CTMD").bytes, at: 12)
  }

  private static func times(in chunk: Range<Int>, _ source: any ByteSource) throws(FileError) -> [Range<Int>] {
    guard chunk.count <= longestSamples else {
      throw FileError(.tooLarge, "has more timed metadata than any photo", at: chunk.lowerBound)
    }
    var places: [Range<Int>] = []
    var at = chunk.lowerBound
    for _ in 0..<mostRecords where at + headCount <= chunk.upperBound {
      let head = try source.bytes(at: at, count: headCount)
      let size = Int(try head.u32(0, .little))
      guard size >= headCount, size <= chunk.upperBound - at else { break }
      if try head.u16(4, .little) == kind, size >= headCount + 2 + timeCount {
        places.append(at + headCount + 2..<at + headCount + 2 + timeCount)
      }
      at += size
    }
    return places
  }

  /// Returns the time; nil if it is invalid.
  package static func time(in stamp: Bytes) throws(FileError) -> CivilTime? {
    CivilTime(
      year: Int(try stamp.u16(0, .little)), month: Int(try stamp.u8(2)), day: Int(try stamp.u8(3)),
      hour: Int(try stamp.u8(4)), minute: Int(try stamp.u8(5)), second: Int(try stamp.u8(6)))
  }

  /// Returns zeros if dates are erased; otherwise the time moved with the photo's.
  package static func splices(
    _ places: [Range<Int>], after edit: MetadataEdit, from captured: CaptureTime?, in source: any ByteSource
  ) throws(FileError) -> [Splice] {
    var splices: [Splice] = []
    for place in places {
      let old = try source.bytes(place)
      if edit.erasesDates {
        if old.array.contains(where: { $0 != 0 }) { splices.append(.erasing(place)) }
        continue
      }
      guard !edit.dates.isPartial, let captured, let new = captured.applying(edit.dates),
        let time = try time(in: old),
        let moved = time.adding(seconds: new.civil.secondsSince1970 - captured.civil.secondsSince1970)
      else { continue }
      let numbers = [moved.month, moved.day, moved.hour, moved.minute, moved.second].map { UInt8($0) }
      let bytes = UInt16(moved.year).bytes(.little) + numbers + [try old.u8(7)]
      if old.array != bytes { splices.append(Splice(place, bytes)) }
    }
    return splices
  }
}
