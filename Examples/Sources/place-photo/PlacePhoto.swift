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
      let editor = PhotoEditor(journal: FilePath(words[1]))
      let run = try await place(words.dropFirst(2).map { FilePath($0) }, at: coordinate, editor)
      for (operation, outcome) in try await editor.undo(run) { print("\(operation.path): \(outcome)") }
    } catch {
      print(error)
    }
  }

  /// Edits the photos as one run, which the editor can undo. Prints each photo when its change is on the disk.
  static func place(
    _ paths: [FilePath], at coordinate: Coordinate, _ editor: PhotoEditor
  ) async throws -> RunID {
    var edit = MetadataEdit()
    edit.location = .set(Location(coordinate))
    var run = RunID(0)
    for try await event in editor.events(applying: edit, to: paths) {
      switch event {
      case .started(let id, let count):
        run = id
        print("run \(id): \(count) photos")
      case .committed(let outcome): show(outcome)
      default: break
      }
    }
    return run
  }

  /// Prints the outcome of a photo, and what the photo records now.
  static func show(_ outcome: Outcome) {
    switch outcome.status {
    case .changed: print("\(outcome.path): changed")
    case .substituted(let copy): print("\(outcome.path): changed as \(copy.path)")
    case .unchanged(let reason): print("\(outcome.path): unchanged: \(reason)")
    case .skipped(let reason): print("\(outcome.path): skipped: \(reason)")
    case .failed(let error): print("\(outcome.path): failed: \(error)")
    case .notRun: print("\(outcome.path): not run")
    @unknown default: print("\(outcome.path): done")
    }
    do {
      let metadata = try ImageSource(outcome.path).metadata()
      let location = metadata.location.map { "\($0.coordinate.latitude),\($0.coordinate.longitude)" } ?? "no location"
      print("\(outcome.path): \(metadata.captureTime.map { "\($0)" } ?? "no date"), \(location)")
    } catch {
      print("\(outcome.path): \(error)")
    }
  }

  static func coordinate(_ text: String) -> Coordinate? {
    let numbers = text.split(separator: ",").compactMap { Double($0) }
    return numbers.count == 2 ? Coordinate(latitude: numbers[0], longitude: numbers[1]) : nil
  }
}
