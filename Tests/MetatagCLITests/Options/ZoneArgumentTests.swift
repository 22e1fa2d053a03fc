import Foundation
import TestSupport
import Testing

/// Zones as people type them, with whole commands.
@Suite("Zones on the command line")
struct ZoneArgumentTests {
  private static let lake = Corpus.project.appending(path: "SampleImages/borealis-01-lake.jpg")

  @Test(
    "A zone may be an offset, a name in any case, a city, a pin, or an area with one zone.",
    arguments: [
      ("UTC+2", "+02:00"), ("GMT+05:30", "+05:30"), ("asia/tokyo", "+09:00"), ("Kyoto", "+09:00"), ("kyoto", "+09:00"),
      ("Japan", "+09:00"), ("India", "+05:30"), ("Sicily", "+02:00"), ("Germany", "+02:00"),
      ("Etc/GMT+2", "-02:00"), ("@cabin", "+09:00"), ("Z", "+00:00"), ("-12:00", "-12:00"),
    ])
  func reads(zone: String, offset: String) throws {
    let (tool, scratch) = (try Tool(), try Scratch())
    let photo = try scratch.copy(Self.lake).path
    try tool("place", "pin", "cabin", "35.01,135.76")
    let run = try tool("date", "zone", zone, photo)
    #expect(run.status == 0 && run.text.contains("→ 2024-05-18T10:14:20\(offset)"), "\(run.text) \(run.errors)")
  }

  @Test(
    "An unclear zone is refused with candidates, and nothing changes.",
    arguments: [
      ("JST", "abbreviations of time zones are not accepted. Did you mean Asia/Tokyo?"),
      ("IST", "Did you mean Asia/Kolkata, Europe/Dublin or Asia/Jerusalem?"),
      ("EST", "America/"),
      ("+15:00", "-12:00 to +14:00"), ("Asia/Tokio", "'Asia/Tokio' is not a time zone. Did you mean Asia/Tokyo?"),
      ("Springfield", "(America/Chicago)"),
      ("Russia", "Europe/Moscow"), ("Kentucky", "several time zones"),
      ("LAX", "'LAX' is not a time zone. Write for example Asia/Tokyo, +09:00 or Z."),
      ("@nowhere", "no pin"), ("UTC+25", "'UTC+25' is not an offset from UTC. Write for example +09:00."),
    ])
  func refuses(zone: String, words: String) throws {
    let (tool, scratch) = (try Tool(), try Scratch())
    let photo = try scratch.copy(Self.lake)
    let before = try Data(contentsOf: photo)
    for command in [["date", "zone", zone], ["geotag", "--from-photos", scratch.url.path, "--camera-zone", zone]] {
      let run = try tool.run(list: command + [photo.path])
      #expect(run.status == 64 && run.errors.contains(words), "\(run.errors)")
    }
    #expect(try Data(contentsOf: photo) == before)
  }

  @Test(
    "A guess at a place is not acted on: the code of an airport must be in capitals, and a town may need its country.",
    arguments: [
      ("Foo", "'Kornasoren Airfield, Indonesia' (Asia/Jayapura)"), ("nrt", "Narita International Airport, Japan"),
      ("lhr", "London Heathrow Airport"), ("vie", "Vienna"), ("jp", "'Japan' (Asia/Tokyo)"),
      ("Wiene", "'Wiene, Overijssel, The Netherlands' (Europe/Amsterdam)"),
    ])
  func guesses(zone: String, suggestion: String) throws {
    let (tool, scratch) = (try Tool(), try Scratch())
    let photo = try scratch.copy(Self.lake)
    for command in [["date", "zone", zone], ["geotag", "--from-photos", scratch.url.path, "--camera-zone", zone]] {
      let run = try tool.run(list: command + ["-n", photo.path])
      #expect(run.status == 64 && run.text.isEmpty && run.errors.contains(suggestion), "\(run.text) \(run.errors)")
    }
    #expect(try tool("date", "zone", "Kornasoren Airfield, Indonesia", "-n", photo.path).status == 0)
  }

  @Test("A name of several places in one zone means that zone, and the places are listed.")
  func oneZone() throws {
    let (tool, scratch) = (try Tool(), try Scratch())
    let photo = try scratch.copy(Self.lake).path
    let run = try tool("date", "zone", "Tokio", photo)
    #expect(run.status == 0 && run.text.contains("→ 2024-05-18T10:14:20+09:00"), "\(run.text) \(run.errors)")
    #expect(run.errors.contains("is Asia/Tokyo (Tokyo, Tokyo, Japan; Tokyo, Japan)"), "\(run.errors)")
  }

  @Test("A recorded zone stays, unless it may be replaced.")
  func keeps() throws {
    let (tool, scratch) = (try Tool(), try Scratch())
    let photo = try scratch.copy(Self.lake).path
    #expect(try tool("date", "zone", "+13:00", photo).status == 0)
    let kept = try tool("date", "zone", "Europe/Vienna", "--json", photo)
    #expect(kept.status == 1 && kept.text.contains("\"outcome\": \"skipped\""))
    #expect(kept.text.contains("zone already recorded (+13:00)"), "\(kept.text)")
    let replaced = try tool("date", "zone", "Europe/Vienna", "--overwrite", "replace", photo)
    #expect(replaced.status == 0 && replaced.text.contains("→ 2024-05-18T10:14:20+02:00"))
    let moved = try tool("date", "zone", "Asia/Tokyo", "--keep-instant", photo)
    #expect(moved.status == 0 && moved.text.contains("→ 2024-05-18T17:14:20+09:00"))
    #expect(try tool("date", "zone", "Z", "--keep-instant", "--overwrite", "replace", photo).status == 64)
  }
}
