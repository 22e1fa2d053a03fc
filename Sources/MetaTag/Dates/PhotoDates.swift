import Glibc
import SystemPackage

/// The dates of a photo, in its metadata and elsewhere.
package struct PhotoDates: Sendable {
  /// The photo's metadata; for a raw file, including its sidecar's.
  package let metadata: Metadata
  /// Dates known from the photo's file.
  package let facts: DateFacts
  /// Descriptions of sources that may contain dates but aren't read, and so not compared.
  package let notCompared: [String]

  /// Reads a photo, and its sidecar if it has one.
  ///
  /// - Parameters:
  ///   - now: The current time: a file name with a later day is not taken for a date. Nil accepts any.
  ///   - history: What earlier runs knew of its files.
  ///   - zone: Returns the time zone of a place; called only if a date without an offset shows the time of its position
  ///     in no zone.
  /// - Throws: `FileError` when the photo can't be read.
  package init(
    _ photo: Photo, now: Instant? = nil, history: DateFacts.History = .init(),
    zone: (Coordinate) -> Zone? = { _ in nil }
  ) throws(FileError) {
    if let failure = photo.input.failure { throw failure }
    let path = photo.input.path
    let file = try FileSource(path)
    let image = try ImageSource(file, path: path)
    var metadata = image.metadata()
    var facts = DateFacts()
    facts.fileName = path.lastComponent?.string ?? ""
    (facts.now, facts.clock) = (now, history.clocks[path])
    let modified = file.status.st_mtim
    facts.modified = Instant(seconds: Int64(modified.tv_sec), nanoseconds: Int32(modified.tv_nsec))
    facts.headerTime = image.movieHeaderTime
    facts.trackTimes = image.trackHeaderTimes
    facts.pictureTimes = image.pictureTimes
    facts.statedTimes = image.layout.blocks.compactMap { block in
      guard case .programTime(let keyword, let text) = block.content else { return nil }
      return CaptureTime(lenient: text).map { DateFacts.StatedTime(keyword: keyword, time: $0) }
    }
    if let own = photo.sidecar(of: path), let sidecar = try? OpenFile(sidecarAt: own) {
      let isRaw = image.type.isRaw
      facts.sidecar = DateFacts.Sidecar(
        name: own.lastComponent?.string ?? "", metadata: sidecar.metadata, isBelieved: isRaw,
        isCorrected: isRaw && history.corrected.contains(own))
      if isRaw {
        metadata = metadata.joined(with: sidecar.metadata, isRaw: true)
        facts.clock = facts.clock ?? history.clocks[own]
      }
    }
    if metadata.fixOfNoZone(recorded: facts.clock) != nil {
      facts.zone = facts.clock?.zone ?? metadata.location.flatMap { zone($0.coordinate) }
    }
    (self.metadata, self.facts) = (metadata, facts)
    notCompared = image.unreadDates
  }

  /// All contradictions between the dates.
  package var findings: [DateFinding] { DateCheck(metadata, facts).findings }
}

extension ImageSource {
  /// The time in a movie's header; UTC by the standard.
  fileprivate var movieHeaderTime: CaptureTime? { layout.quickTime.flatMap { QuickTime($0, source).headerTime } }

  /// The times in the headers of tracks and their media.
  fileprivate var trackHeaderTimes: [Sourced<CaptureTime>] {
    layout.quickTime.map { times(in: $0.headers.dropFirst()) } ?? []
  }

  /// The times in the headers of a picture, and in Canon's timed metadata.
  fileprivate var pictureTimes: [Sourced<CaptureTime>] {
    let timed = layout.ranges(of: .canonTime).compactMap { place in
      (try? source.bytes(place)).flatMap { try? CanonTimeStamp.time(in: $0) }
    }
    return times(in: layout.headers[...]) + timed.map { Sourced(CaptureTime($0), .quickTime, tag: "CTMD") }
  }

  private func times(in headers: ArraySlice<QuickTimeHeader>) -> [Sourced<CaptureTime>] {
    let movie = QuickTime(QuickTimeData(), source)
    return headers.compactMap { header in
      movie.seconds(header.creation).flatMap { CivilTime(secondsSince1970: $0) }
        .map { Sourced(CaptureTime($0), .quickTime, tag: header.box) }
    }
  }
}
