import Foundation
import TestSupport
import Testing

@Suite("Named places")
struct NamedPlaceTests {
  private let (tool, scratch): (Tool, Scratch)
  private let photo: String

  init() throws {
    (tool, scratch) = (try Tool(), try Scratch())
    photo = try scratch.copy(Corpus.project.appending(path: "SampleImages/borealis-05-no-date.jpg")).path
  }

  @Test(
    "A search reports how well the name matches.",
    arguments: [
      ("Kyoto", "exact", 0), ("富士山", "exact", 0), ("museums in Kyoto", "exact", 0), ("Letten", "similar", 1),
      ("qqqqxyzzy", "none", 1), ("Galata", "similar", 0),
    ])
  func kinds(name: String, kind: String, status: Int) throws {
    let answer = try tool("place", "search", "--json", name)
    #expect(Int(answer.status) == status)
    let json = try JSONSerialization.jsonObject(with: answer.output) as? [String: Any]
    #expect(json?["matchKind"] as? String == kind)
    let table = try tool("place", "search", name)
    #expect(Int(table.status) == status)
    #expect(table.errors.contains("No match. Similar names:") == (name == "Letten"), "\(table.errors)")
    #expect(table.errors.contains("Several places may be meant.") == (name == "Galata"), "\(table.errors)")
  }

  @Test("A condition may contain a place by name or pin.")
  func conditions() throws {
    #expect(try tool("geotag", "--at=35.0037,135.7751", photo).status == 0)
    #expect(try tool("place", "pin", "home", "35.01,135.77").status == 0)
    for (condition, isMet) in [
      (#"place("Kyoto")"#, true), (#"place("Japan")"#, true), (#"place("Osaka")"#, false), ("within(@home, 2km)", true),
      ("within(@home, 200m)", false), (#"within("Kyoto", 20km)"#, true),
    ] {
      let shown = try tool("show", "--where", condition, photo)
      #expect(shown.status == 0 && shown.text.contains(photo) == isMet, "\(condition): \(shown.text)\(shown.errors)")
    }
  }

  @Test(
    "A condition with an unclear name lists the candidates.",
    arguments: [(#"place("Springfield")"#, "Illinois"), (#"within("White House", 5km)"#, "Tennessee")])
  func unclear(condition: String, candidate: String) throws {
    let answer = try tool("show", "--where", condition, photo)
    #expect(answer.status == 64 && answer.errors.contains(candidate), "\(answer.errors)")
  }

  @Test(
    "The written names are those of the named place, not of a part of it.",
    .enabled(if: Oracle.has("exiftool"), "exiftool is missing"),
    arguments: [
      ("Paris", "-, Paris, Île-de-France, France"), ("Asakusa, Tokyo", "Asakusa, Tokyo, Tokyo, Japan"),
      ("IST", "Istanbul Airport, Istanbul, Istanbul, Turkey"), ("48.85341,2.3488", "Paris 04"),
    ])
  func ownNames(name: String, names: String) throws {
    func written() throws -> String {
      let tags = ["Sub-location", "City", "State", "Country"].map { "$XMP:\($0 == "Sub-location" ? "Location" : $0)" }
      return try Oracle.run("exiftool", ["-f", "-p", tags.joined(separator: ", "), photo]).text
    }
    #expect(try tool("geotag", "--place", name, "--names", photo).status == 0)
    let found = try written()
    #expect(found.hasPrefix(names), "\(found)")
    let again = try tool("geotag", "--place", name, "--names", photo)
    #expect(!again.text.contains("that differ"), "\(again.text)")
  }

  @Test("An island that is only a point is refused with its coordinates, and a station is accepted.")
  func island() throws {
    let run = try tool("geotag", "--place", "Tahiti, French Polynesia", "--names", photo)
    #expect(run.status == 2 && run.errors.contains("'-17.53333,-149.56667', a point in Tahiti"), "\(run.errors)")
    #expect(try tool("geotag", "--place", "-17.53333,-149.56667", "--dry-run", photo).status == 0)
    #expect(try tool("geotag", "--place", "Vostok, Antarctica", "--dry-run", photo).status == 0)
  }

  @Test(
    "An unknown or unclear place as a zone's center is a usage error.",
    arguments: [("Springfield", 5), ("Qwxzzz", 0)])
  func zoneAround(name: String, count: Int) throws {
    let run = try tool("clear", "--location", "--zone-around", "\(name):5km", photo)
    #expect(run.status == 64, "\(run.errors)")
    #expect(run.errors.split(separator: "\n").count { $0.contains("  '\(name)") } == count, "\(run.errors)")
    for blank in ["", "   "] { #expect(try tool("geotag", "--place", blank, photo).status == 64) }
  }

  @Test("A candidate is listed with the name by which it was found.")
  func names() throws {
    let hash = try sha256(URL(filePath: photo))
    let answer = try tool("geotag", "--place", "White House", "-y", photo)
    #expect(answer.status == 2)
    #expect(answer.errors.contains("Morocco' (33.58831,-7.61138), also called White House"), "\(answer.errors)")
    #expect(answer.errors.contains("White House, Tennessee, United States' (36.47032,-86.65138)\n"))
    #expect(try sha256(URL(filePath: photo)) == hash)
  }

  @Test(
    "On a terminal a candidate is chosen by number, or none.", arguments: [("3", true), ("", false), ("99", false)])
  func choice(answer: String, isChosen: Bool) throws {
    let hash = try sha256(URL(filePath: photo))
    let terminal = try Terminal(
      Tool.program, ["geotag", "--place", "White House", "--no-recent", photo], environment: tool.environment())
    try terminal.wait(for: "to cancel: ")
    try terminal.type(answer + "\n")
    let end = try terminal.end()
    #expect((end.status == 0) == isChosen)
    #expect(try (sha256(URL(filePath: photo)) == hash) != isChosen)
  }
}
