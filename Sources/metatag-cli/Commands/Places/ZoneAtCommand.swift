import ArgumentParser
import Foundation
import GeoIndex
import MetaTag

/// `metatag zone at`: shows the time zone at a location.
struct ZoneAtCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "at",
    abstract: "Show the time zone at a location.",
    discussion: """
      EXAMPLES:
        metatag zone at 35.0116,135.7681
        metatag zone at 48.8566,2.3522 --when 2026-07-14T12:00:00

      --when takes an instant (2026-07-14T10:00:00Z) or a local time, and adds the
      UTC offset at that time; two of them if clocks showed that time twice. If two
      governments disagree about the zone, the official one comes first.

      With --jsonl -, each line of standard input is a request such as
      {"latitude":35.0,"longitude":135.7,"when":"2026-07-14T12:00:00"}; one line is
      printed for each, in the same order.
      """)

  @Argument(
    help: ArgumentHelp("Coordinates (WGS 84), or a pin.", valueName: "lat,lon"), transform: Coordinate.argument)
  var coordinate: Coordinate?

  @Option(
    help: ArgumentHelp("Also show the UTC offset at this time.", valueName: "time"), transform: CaptureTime.argument)
  var when: CaptureTime?

  @Flag(help: "Print one JSON document.")
  var json = false

  @Option(help: ArgumentHelp("Answer requests from standard input, one JSON object per line.", valueName: "-"))
  var jsonl: String?

  func validate() throws { try PlaceAtCommand.check(coordinate, jsonl: jsonl) }

  func run() async throws {
    let console = Console(environment: ProcessInfo.processInfo.environment)
    let index = try Gazetteer.opened(console: console)
    guard let coordinate else { return try answer(index, console) }
    let zones = try index.zones(latitude: coordinate.latitude, longitude: coordinate.longitude)
    var offsets = LocalOffsets()
    if json {
      var writer = JSONWriter(.pretty)
      Self.write(zones, when, &offsets, to: &writer)
      writer.endLine()
      console.write(writer.take())
    } else {
      for zone in zones {
        let found = offsets(zone, when)
        console.print(([zone] + found).joined(separator: "  "))
        if let when, found.isEmpty {
          console.warn("\(when) never occurred in \(zone), where clocks jumped over it")
        }
      }
      if zones.isEmpty { console.warn("no time zone is known at \(coordinate)") }
    }
    try console.finish()
    if zones.isEmpty { throw ExitCode(1) }
  }

  private func answer(_ index: Gazetteer, _ console: Console) throws {
    var offsets = LocalOffsets()
    try RequestLines().answer(on: console) { line, bytes, writer in
      let usual = PositionRequest(plain: line, in: bytes)
      PositionRequest.answer(line, in: bytes, usual, to: &writer) { request in
        let when = try request.when.map(CaptureTime.init(parsing:)) ?? when
        return (zones: try index.zones(latitude: request.latitude, longitude: request.longitude), when: when)
      } write: { found, writer in
        Self.write(found.zones, found.when, &offsets, to: &writer)
      }
    }
  }

  private static func write(
    _ zones: [String], _ when: CaptureTime?, _ offsets: inout LocalOffsets, to writer: inout JSONWriter
  ) {
    writer.object { writer in
      writer.key("zones")
      writer.array { writer in zones.forEach { writer.value($0) } }
      guard when != nil else { return }
      writer.key("offsets")
      writer.array { writer in
        for zone in zones {
          writer.array { writer in offsets(zone, when).forEach { writer.value($0) } }
        }
      }
    }
  }
}

/// The UTC offsets of times in zones. A zone is parsed once, because that takes longer than to find it by its position.
private struct LocalOffsets {
  private var zones: [String: Zone?] = [:]

  /// Returns the possible UTC offsets of a local time: two if clocks showed it twice, none if they skipped it.
  mutating func callAsFunction(_ name: String, _ when: CaptureTime?) -> [String] {
    guard let when else { return [] }
    let known = zones[name] ?? (try? Zone(parsing: name))
    zones[name] = .some(known)
    guard let zone = known else { return [] }
    if let instant = when.instant { return ["\(zone.offset(at: instant))"] }
    return switch zone.offsets(forCivil: when.civil) {
    case .one(let offset): ["\(offset)"]
    case .ambiguous(let earlier, let later): ["\(earlier)", "\(later)"]
    case .nonexistent: []
    }
  }
}

/// `metatag zone`: looks up time zones, offline.
struct ZoneCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "zone",
    abstract: "Look up time zones, offline.",
    discussion: """
      EXAMPLES:
        metatag zone at 35.0116,135.7681
      """,
    subcommands: [ZoneAtCommand.self])
}
