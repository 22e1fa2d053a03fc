/// Checks of the headers of movies and of pictures in boxes.
extension DateCheck {
  /// Returns findings about the headers of the movie and of its tracks.
  func header(_ believed: Sourced<CaptureTime>) -> [DateFinding] {
    guard let header = facts.headerTime, believed.tag != "mvhd", let taken = believed.value.instant else {
      return trackHeaders
    }
    let later = header.civil.secondsSince1970 - taken.seconds
    // A later header is the time of an export.
    guard later < -Self.longestMovie || later.isOfOtherZone else { return trackHeaders }
    return [
      DateFinding(
        .movieHeader, .init(value: "\(CaptureTime(header.civil, offset: .utc))", source: "quicktime", tag: "mvhd"),
        against: .init(believed), seconds: later)
    ] + trackHeaders
  }

  /// Findings about track headers that contradict the movie's header. A movie that was cut has later ones, within the
  /// day.
  private var trackHeaders: [DateFinding] {
    guard let movie = facts.headerTime else { return [] }
    let known = Sourced(CaptureTime(movie.civil, offset: .utc), .quickTime, tag: "mvhd")
    return facts.trackTimes.compactMap { track in
      let later = track.value.civil.secondsSince1970 - movie.civil.secondsSince1970
      guard abs(later) > Self.widestZones else { return nil }
      let copy = Sourced(CaptureTime(track.value.civil, offset: .utc), .quickTime, tag: track.tag)
      return DateFinding(.movieHeader, .init(copy), against: .init(known), seconds: later)
    }
  }

  /// Returns findings about the headers of a picture in boxes. They are in UTC or show the camera's clock; later than
  /// any zone allows, they show when the picture was encoded. They are compared with the file's own date, not with its
  /// sidecar's.
  func pictureHeaders(_ first: Sourced<CaptureTime>) -> [DateFinding] {
    let believed = metadata.captureTimes.first { $0.namespace != .sidecar } ?? first
    return facts.pictureTimes.compactMap { copy in
      let later = copy.value.civil.secondsSince1970 - believed.value.civil.secondsSince1970
      let shown = [0] + (believed.value.offset.map { [Int64(-$0.seconds)] } ?? [])
      let (zone, rest) = later.nearestQuarterHour
      let isOfSomeZone =
        believed.value.offset == nil && Self.zones.contains(-zone) && abs(rest) <= Self.shutterSeconds
      if shown.contains(where: { abs(later - $0) <= Self.shutterSeconds }) || isOfSomeZone { return nil }
      guard later <= Self.widestZones else { return nil }
      return DateFinding(.pictureHeader, .init(copy), against: .init(believed), seconds: later)
    }
  }
}
