import ArgumentParser
import MetaTag
import SystemPackage

/// The track for one camera's photos: `X-T4=alice.gpx`.
struct OwnTrack: Hashable, Sendable {
  let camera: CameraName
  let file: FilePath

  /// The first `=` is the separator: file names may contain more.
  static func argument(_ word: String) throws -> OwnTrack {
    let parts = Argv.bytes(of: word).split(separator: UInt8(ascii: "="), maxSplits: 1)
    guard parts.count == 2 else {
      throw ValidationError("a camera and its track are wanted: X-T4=alice.gpx")
    }
    return OwnTrack(camera: CameraName(try Argv.text(of: parts[0])), file: FilePath(rawBytes: parts[1]))
  }
}

extension TrackOptions {
  /// Returns one track for each camera that has its own, and one for all others, if there is one. Problems are
  /// reported, because photos may be skipped for them.
  func readTracks(_ console: Console, _ zone: @escaping TrackZone) throws -> [(camera: CameraName?, track: Track)] {
    var files: [(camera: CameraName?, files: [FilePath])] =
      sources.track.isEmpty ? [] : [(nil, sources.track.map(\.path))]
    for own in sources.trackOf {
      if let index = files.firstIndex(where: { $0.camera == own.camera }) {
        files[index].files.append(own.file)
      } else {
        files.append((own.camera, [own.file]))
      }
    }
    return try files.map { camera, files in
      let track = try TrackOptions.read(files, console, zone, bridging: matching.maxGap) {
        $0.keeping(within: matching.limits).adding(weeks: matching.addWeeks)
      }
      return (camera, track)
    }
  }

  /// Reads tracks for any command.
  static func read(
    _ files: [FilePath], _ console: Console, _ zone: @escaping TrackZone, bridging longest: TimeShift?,
    choosing: (Track) -> Track = { $0.keeping(within: FixLimits()) }
  ) throws -> Track {
    var tracks: [Track] = []
    for file in files {
      do throws(FileError) {
        let reading = try TrackReading(file, zone: zone)
        tracks += reading.tracks.map(choosing)
        for passed in reading.passed {
          console.warn("\(passed.name.printable): left out: \(passed.reason.words.printable)")
        }
      } catch {
        throw SetupError("the track \(file.printable): \(error.words.printable)")
      }
    }
    for source in tracks.flatMap(\.sources) {
      let isCut = source.warnings.contains { if case .brokenOff = $0 { true } else { false } }
      let counts = tracks.count > 1 || isCut ? ["\(source.count) points (\(source.format))"] : []
      let rejected = source.rejected.sorted { $0.key.rawValue < $1.key.rawValue }
        .map { "\($0.key.phrase(of: $0.value)) left out" }
      let warnings = source.warnings.map { joined($0.description, $0.remedy) }
      for line in counts + rejected + warnings {
        console.warn("\(source.name.printable): \(line.printable)")
      }
    }
    announce(
      TrackConflict.among(tracks, bridging: longest?.timeInterval ?? MatchRules().maxGap), console,
      remedy: "leave one out, or say with --track-of who held which camera")
    let track = Track.merged(tracks)
    guard !track.isEmpty else { throw SetupError("the track has no point with a time and a place: nothing to do") }
    return track
  }

  /// Reports tracks that contradict each other.
  static func announce(
    _ found: (conflicts: [TrackConflict], isComplete: Bool), _ console: Console, remedy: String
  ) {
    if !found.isComplete {
      console.warn(
        "not all tracks were compared with each other, as too many were recorded at the same time or contradict each"
          + " other: where others do, photos go where the fixes stand closest in time")
    }
    for conflict in found.conflicts {
      let names = conflict.names.map(\.printable).joined(separator: " and ")
      let are = conflict.names.count == 1 ? "has two segments that are" : "are"
      console.warn(
        "\(names) \(are) \(Int(conflict.metres.rounded())) m apart at \(conflict.instant.inUTC ?? ""): photos"
          + " taken then go where the fixes stand closest in time; \(remedy)")
    }
  }
}
