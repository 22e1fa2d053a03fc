import MetaTag

/// Writes a location into photos, prints what they record then, and takes it back.
///
///     place-photo STATE-FOLDER 35.0116,135.7681 PHOTO...
@main struct PlacePhoto {
  static func main() async {
    let words = CommandLine.arguments.dropFirst()
    guard words.count >= 3, let coordinate = coordinate(words[2]) else {
      return print("usage: place-photo STATE-FOLDER LATITUDE,LONGITUDE PHOTO...")
    }
    do {
      let journal = try Journal(directory: FilePath(words[1]))
      // An interrupted run is finished or taken back before another one begins.
      _ = try journal.recover()
      let photos = await Photo.pairing(
        Walk.photos(in: words.dropFirst(2).map { FilePath($0) }, recursively: true), jobs: 2)
      let run = try await place(photos, at: coordinate, journal)
      for photo in photos { show(photo.input.path) }
      try undo(run, journal)
    } catch {
      print(error)
    }
  }

  /// Edits the photos as one run, which `undo` can take back.
  static func place(_ photos: [Photo], at coordinate: Coordinate, _ journal: Journal) async throws -> RunID {
    let run = try journal.beginRun(arguments: CommandLine.arguments, at: .now, version: "1")
    await Batch(run, in: journal).run(photos, planner: PlacePlanner(Location(coordinate))) { outcome in
      switch outcome.status {
      case .changed: print("\(outcome.path): changed")
      case .substituted(let copy): print("\(outcome.path): changed as \(copy.path)")
      case .unchanged(let reason): print("\(outcome.path): unchanged: \(reason)")
      case .skipped(let reason): print("\(outcome.path): skipped: \(reason)")
      case .failed(let error): print("\(outcome.path): failed: \(error)")
      case .notRun: print("\(outcome.path): not run")
      }
    }
    try journal.finishRun(run)
    return run
  }

  /// Prints what a photo records.
  static func show(_ path: FilePath) {
    do {
      let metadata = try ImageSource(path).metadata()
      let location = metadata.location.map { "\($0.coordinate.latitude),\($0.coordinate.longitude)" } ?? "no location"
      print("\(path): \(metadata.captureTime.map { "\($0)" } ?? "no date"), \(location)")
    } catch {
      print("\(path): \(error)")
    }
  }

  /// Gives every file that the run changed its old bytes back.
  static func undo(_ run: RunID, _ journal: Journal) throws {
    let undo = try journal.beginRun(arguments: CommandLine.arguments, at: .now, version: "1", undoing: run)
    try Undo(run, as: undo, in: journal)({ operation, outcome in print("\(operation.path): \(outcome)") })
    try journal.finishRun(undo)
  }

  static func coordinate(_ text: String) -> Coordinate? {
    let numbers = text.split(separator: ",").compactMap { Double($0) }
    return numbers.count == 2 ? Coordinate(latitude: numbers[0], longitude: numbers[1]) : nil
  }
}
