import ArgumentParser
import GeoIndex
import MetaTag

/// The option `--where`.
struct ConditionOption: ParsableArguments {
  @Option(
    name: .customLong("where"),
    help: ArgumentHelp(
      "Only photos that match: '!location && taken < 2024'. See CONDITIONS.md. Repeatable: all must match.",
      valueName: "condition"),
    transform: Condition.argument)
  var conditions: [Condition] = []

  /// The conditions as one; nil if none is given.
  var condition: Condition? { conditions.isEmpty ? nil : Condition(all: conditions) }

  /// A catalog for the photos of a run with these conditions.
  var catalog: PhotoCatalog { PhotoCatalog(for: condition) }

  /// Returns the photos that match, and reports how many don't.
  /// - Parameter catalog: The run's catalog; nil if nothing else asks about the photos before they are changed.
  func photos(
    among photos: [Photo], jobs: JobsOption, console: Console, _ catalog: PhotoCatalog? = nil
  ) async -> [Photo] {
    guard let condition, !photos.isEmpty else { return photos }
    let met = await condition.photos(among: photos, jobs: jobs.count, catalog)
    report(met.photos.count - met.unread, unread: met.unread, of: photos, console)
    return met.photos
  }

  /// Reports how many photos match, and how many can't be read.
  func report(_ met: Int, unread: Int, of photos: [Photo], _ console: Console) {
    guard met < photos.count else { return }
    let all = photos.count == 1 ? "1 photo" : "\(photos.count) photos"
    let some = met == 0 ? "none of \(all) matches" : "\(met) of \(all) \(met == 1 ? "matches" : "match")"
    console.warn("\(some) --where\(unread == 0 ? "" : "; \(unread) can't be read")")
  }

  /// Returns the photos that match among files that are only read, each with its sidecar.
  func reading(_ inputs: [Walk.Input], jobs: JobsOption, console: Console) async -> [Photo] {
    await photos(among: Photo.reading(inputs), jobs: jobs, console: console)
  }
}

extension Condition {
  static func argument(_ word: String) throws -> Condition {
    try ArgumentError.inWords {
      try Condition(parsing: try Argv.text(of: word)) { name throws(ParseError) in try ConditionPlace(named: name) }
    }
  }
}

extension ConditionPlace {
  /// Creates the place or pin that a name means, without asking.
  fileprivate init(named name: String) throws(ParseError) {
    let index: Gazetteer
    let resolution: PlaceResolution
    let namer: PlaceNamer
    do {
      index = try Gazetteer.opened(console: Console())
      (resolution, namer) = (try index.resolve(name), try index.namer())
    } catch {
      throw ParseError(error.words)
    }
    switch resolution {
    case .one(let place):
      self.init(name: name, center: place.isArea ? nil : place.coordinate) { location in
        let position = location.coordinate
        // Fails only for coordinates that aren't on Earth.
        return
          (try? namer.isIn(
            place, latitude: position.latitude, longitude: position.longitude, error: location.horizontalError))
          ?? false
      }
    case .ambiguous(let places):
      throw ParseError(
        "'\(name.printable)' is ambiguous. Use one of these:"
          + places.map { "\n  \"\($0.isArea ? $0.lineWithPosition : $0.line)\"" }.joined())
    case .none: throw ParseError(Gazetteer.unknown(name))
    }
  }
}
