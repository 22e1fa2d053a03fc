import MetaTag

extension TrackOptions {
  /// The tracks as one. What was wrong with them is told, since photos may miss what was left out.
  func readTracks(_ console: Console) throws -> Track {
    try TrackOptions.read(track, console) { $0.keeping(within: limits).adding(weeks: addWeeks) }
  }

  /// The same for the tracks of another command.
  static func read(
    _ files: [PathArgument], _ console: Console, choosing: (Track) -> Track = { $0 }
  ) throws -> Track {
    var tracks: [Track] = []
    for argument in files {
      do throws(PhotoError) {
        let reading = try TrackReading(argument.path)
        tracks += reading.tracks.map(choosing)
        for passed in reading.passed {
          console.complain("\(passed.name.printable): left out: \("\(passed.reason)".printable)")
        }
      } catch {
        throw StartError("the track \(argument.path.printable): \("\(error)".printable)")
      }
    }
    for source in tracks.flatMap(\.sources) {
      let counts = tracks.count > 1 ? ["\(source.count) points (\(source.format))"] : []
      let rejected = source.rejected.sorted { $0.key.rawValue < $1.key.rawValue }
        .map { "\($0.value) \($0.key.phrase) left out" }
      for line in counts + rejected + source.warnings.map(\.sentence) {
        console.complain("\(source.name.printable): \(line.printable)")
      }
    }
    for conflict in TrackConflict.among(tracks) {
      let names = conflict.names.map(\.printable).joined(separator: " and ")
      console.complain(
        "\(names) are \(Int(conflict.metres.rounded())) m apart at \(conflict.instant.inUTC ?? ""): photos"
          + " taken then go where the fixes stand closest in time; leave one out if it isn't of this photographer")
    }
    let track = Track.merged(tracks)
    guard !track.isEmpty else { throw StartError("the track has no point with a time and a place: nothing to do") }
    return track
  }
}
