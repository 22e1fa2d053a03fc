import Foundation
import Glibc
import TestSupport
import Testing

@Suite("Commands for the user's places")
struct UserPlacesCommandTests {
  let tool: Tool

  init() throws { tool = try Tool() }

  private func file(_ text: String, _ name: String) throws -> String {
    try tool.home.write(Array(text.utf8), as: name).path
  }

  @Test("import, sources, search, near, at and remove work together.")
  func whole() throws {
    let huts = try file("name,lat,lon,ele,category\nGipfelhütte,47.5,11.25,2100,hut\nParis,47.6,11.3,,\n", "huts.csv")
    let imported = try tool("place", "import", huts)
    #expect(imported.status == 0 && imported.text == "2 places imported as 'huts' (CSV)\n", "\(imported.errors)")
    let sources = try tool("place", "sources", "--json").text
    #expect(sources.contains("\"name\": \"huts\"") && sources.contains("\"count\": 2") && sources.contains(huts))
    #expect(try tool("place", "sources").text.contains("huts"))

    let found = try tool("place", "search", "--json", "gipfelhutte")
    for part in ["\"source\": \"huts\"", "\"kind\": \"hut\"", "\"altitude\": 2100", "\"country\": \""] {
      #expect(found.text.contains(part), "\(part): \(found.text)")
    }
    #expect(try tool("place", "search", "--limit", "1", "paris, huts").text.contains("own"))
    #expect(try tool("place", "near", "47.5,11.25", "--kind", "hut").text.contains("Gipfelhütte"))
    #expect(try tool("place", "at", "47.5001,11.25").text.hasPrefix("own   Gipfelhütte\n"))
    #expect(try tool("place", "at", "--json", "47.5001,11.25").text.contains("\"own\": {"))
    #expect(try tool("place", "at", "--json", "48,12").text.contains("\"own\": null"))

    #expect(try tool("place", "remove", "huts").text == "2 places of 'huts' removed\n")
    #expect(!(try tool("place", "search", "--json", "gipfelhütte").text.contains("huts")))
    #expect(try tool("place", "remove", "huts").status == 2)
  }

  @Test("update replaces an import by another file, or by the same one.")
  func update() throws {
    let old = try file("name,lat,lon\nOldhut,1,2\n", "huts.csv")
    let new = try file("name,lat,lon\nNewhut,1,2\nOldhut,1,2\n", "more.csv")
    #expect(try tool("place", "update", "huts", old).errors.contains("no import is named 'huts'"))
    #expect(try tool("place", "import", "--kind", "hut", old).status == 0)
    let updated = try tool("place", "update", "huts", new, "--json")
    #expect(updated.status == 0 && updated.text.contains("\"imported\": 2"), "\(updated.errors)")
    #expect(try tool("place", "search", "--json", "newhut").text.contains("\"kind\": \"hut\""))
    #expect(try tool("place", "update", "huts").text == "2 places imported as 'huts' (CSV)\n")
    #expect(try tool("place", "update", "huts", try file("name,lat,lon\n", "none.csv")).status == 2)
    #expect(try tool("place", "search", "newhut").text.contains("Newhut"))
  }

  @Test("A place that the gazetteer has is counted, and its licence is listed.")
  func known() throws {
    let dump =
      "1850147\tTokyo\tTokyo\tEdo\t35.6895\t139.69171\tP\tPPLC\tJP\t\t40\t\t\t\t9733276\t\t44\tAsia/Tokyo\t"
      + "2024-01-01\n"
    let imported = try tool("place", "import", try file(dump, "JP.txt"), "--json")
    #expect(imported.text.contains("\"known\": 1") && imported.text.contains("CC BY 4.0"), "\(imported.errors)")
    #expect(try tool("place", "sources").text.contains("JP: GeoNames (geonames.org), CC BY 4.0"))
    #expect(try tool("place", "sources", "--json").text.contains("\"attribution\": \"GeoNames"))
  }

  @Test("An inaccessible file of places is not taken for a missing one.")
  func closed() throws {
    #expect(try tool("place", "pin", "Kyoto", "3,4").status == 0)
    let folder = tool.home.url.appending(path: "data/metatag").path
    #expect(chmod(folder, 0o000) == 0)
    for command in [["pins"], ["sources"], ["unpin", "Kyoto"], ["search", "Kyoto"]] {
      let answer = try tool.bound(["place"] + command)
      #expect(answer.status == 2 && answer.text.isEmpty, "\(command)")
      #expect(answer.errors.contains("the file of your own places, \(folder)/"), "\(answer.errors)")
    }
    #expect(chmod(folder, 0o700) == 0)
  }

  @Test("A bad row prevents the import, unless bad rows are skipped.")
  func badRows() throws {
    let path = try file("name,lat,lon\nA,1,2\nB,95,2\n", "spoilt.csv")
    let refused = try tool("place", "import", path)
    #expect(refused.status == 2 && refused.errors.contains("row 3: latitude '95'"), "\(refused.errors)")
    #expect(try tool("place", "sources").text.isEmpty)
    let rest = try tool("place", "import", "--skip-bad-rows", "--source", "rest", "--json", path)
    #expect(rest.status == 0 && rest.errors.contains("row 3") && rest.text.contains("\"bad\": 1"))
    #expect(try tool("place", "sources").text.contains("rest"))
    #expect(try tool("place", "import", "/nowhere/at all.csv").status == 2)
  }

  @Test("A file without places is refused with the reason, and the earlier import stays.")
  func noPlaces() throws {
    let huts = try file("name,lat,lon\nA,1,2\n", "huts.csv")
    #expect(try tool("place", "import", huts).text == "1 place imported as 'huts' (CSV)\n")
    let track = "<gpx><trk><trkseg><trkpt lat='1' lon='2'/></trkseg></trk></gpx>"
    for (text, name, cause) in [
      ("name,lat,lon\n", "a.csv", "no entries"), (track, "b.gpx", "only tracks"),
      (
        #"{"type":"Feature","properties":{},"geometry":{"type":"LineString","coordinates":[[1,2],[3,4]]}}"#,
        "c.geojson", "only tracks"
      ),
      ("name,lat,lon\nA,95,2\n", "d.csv", "latitude '95'"),
    ] {
      for source in ["huts", "new"] {
        let answer = try tool("place", "import", "--skip-bad-rows", "--source", source, try file(text, name))
        #expect(answer.status == 2 && answer.errors.contains(cause), "\(answer.errors)")
      }
    }
    let sources = try tool("place", "sources", "--json").text
    #expect(sources.contains("\"count\": 1") && !sources.contains("new"))
    #expect(try tool("place", "search", "--kind", "own", "A").status == 0)
    #expect(try tool("place", "remove", "huts").text == "1 place of 'huts' removed\n")
  }

  @Test("An unreadable file is reported with the system's message.")
  func unreadable() throws {
    #expect(try tool("place", "import", "/nowhere/a.csv").errors.contains("No such file or directory"))
    #expect(try tool("place", "import", tool.home.url.path).errors.contains("Is a directory"))
  }

  @Test("An empty list has a message on standard error, and an empty JSON document.")
  func empty() throws {
    for command in [["place", "pins"], ["place", "sources"], ["place", "recent"], ["log"]] {
      let answer = try tool.run(list: command)
      #expect(answer.status == 0 && answer.text.isEmpty && answer.errors.split(separator: "\n").count == 1)
      #expect(try tool.run(list: command + ["--json"]).errors.isEmpty)
    }
  }

  @Test("Unknown values of a pin have no key.")
  func unknowns() throws {
    #expect(try tool("place", "pin", "sea", "1,2").status == 0)
    for command in [["place", "pins"], ["place", "search", "@sea"], ["place", "near", "1,2", "--kind", "own"]] {
      let text = try tool.run(list: command + ["--json"]).text
      #expect(text.contains("\"name\"") && !text.contains("country") && !text.contains("population"), "\(text)")
    }
    let airport = try tool("place", "search", "--json", "--kind", "airport", "--limit", "1", "NRT").text
    #expect(airport.contains("\"country\": \"JP\"") && !airport.contains("population"))
  }

  @Test("Importing another file under the same name reports what it replaces.")
  func otherFile() throws {
    for folder in ["x", "y"] {
      try FileManager.default.createDirectory(
        at: tool.home.url.appending(path: folder), withIntermediateDirectories: true)
    }
    let first = try file("name,lat,lon\nA,1,2\nB,1,3\n", "x/huts.csv")
    let second = try file("name,lat,lon\nC,3,4\n", "y/huts.csv")
    #expect(try tool("place", "import", first).errors.isEmpty)
    #expect(try tool("place", "import", first).errors.isEmpty)
    let other = try tool("place", "import", second)
    #expect(other.status == 0 && other.errors == "replaces 2 places of \(first)\n", "\(other.errors)")
  }

  @Test("A command reports which of the user's places it uses, and coordinates stay coordinates.")
  func recorded() throws {
    let path = try file("name,lat,lon,aliases\nHütte am See,47,8,Seehäusl\n\"48.1,11.5\",1,2,\n", "b.csv")
    #expect(try tool("place", "import", path).status == 0)
    for name in ["Hütte am See", "seehäusl"] {
      let pin = try tool("place", "pin", "x", name)
      #expect(pin.errors.hasPrefix("\(name) → your import 'b': Hütte am See, "), "\(pin.errors)")
      #expect(pin.errors.contains("(47.0, 8.0)"))
    }
    let pinned = try tool("place", "pin", "y", "x")
    #expect(pinned.errors.hasPrefix("x → your pin x, ") && pinned.text.contains("47.0, 8.0"))
    #expect(try tool("place", "pin", "z", "@X").errors.isEmpty)
    #expect(try tool("place", "pin", "w", "48.1N 11.5E").text.contains("48.1, 11.5"))
    #expect(try tool("place", "pin", "v", "geo:0,0?q=48.1,11.5").text.contains("48.1, 11.5"))
    // `48,85,2` may be 48.85, 2.
    let doubtful = try tool("place", "pin", "u", "47,10,100")
    #expect(doubtful.status == 2 && doubtful.errors.contains("decimal degrees and an altitude"))
  }

  @Test("An unknown map link is refused with the supported ones.")
  func links() throws {
    let run = try tool("place", "pin", "x", "https://example.org/?ll=37.617,55.755")
    #expect(run.status == 2 && run.errors.contains("Yandex"), "\(run.errors)")
    #expect(!run.errors.lowercased().contains("did you mean"))
  }

  @Test("A moved pin reports its old location, and one that differs only in signs is refused.")
  func replaced() throws {
    #expect(try tool("place", "pin", "home", "31.2,121.4").errors.isEmpty)
    let refused = try tool("place", "pin", "home!", "1,2")
    #expect(refused.status == 2 && refused.errors.contains("@home (31.2,121.4)"), "\(refused.errors)")
    let moved = try tool("place", "pin", "Home", "1,2")
    #expect(moved.status == 0 && moved.errors == "replaces @home (31.2,121.4)\n", "\(moved.errors)")
    #expect(try tool("place", "pin", "Home", "1,2").errors.isEmpty)
  }

  @Test("Pins are accepted wherever places and coordinates are.")
  func pins() throws {
    #expect(try tool("place", "pin", "home", "31.2,121.4").status == 0)
    #expect(try tool("place", "pin", "summit", "47.4211,10.9863,2962").status == 0)
    #expect(try tool("place", "pin", "hotel", "Kyoto").text.contains("@hotel  35.02107"))
    #expect(try tool("place", "pin", "x", "nowhere at all qqq").status == 2)
    #expect(try tool("place", "pins").text.split(separator: "\n").count == 4)
    #expect(try tool("place", "pins", "--json").text.contains("\"altitude\": 2962"))
    #expect(try tool("place", "search", "@home").text.contains("31.2"))
    #expect(try tool("place", "near", "@hotel", "--limit", "3").text.contains("hotel"))
    #expect(try tool("zone", "at", "@hotel").text == "Asia/Tokyo\n")
    #expect(try tool("place", "unpin", "home").status == 0)
    #expect(try tool("place", "unpin", "home").status == 2)
    #expect(try tool("place", "search", "@home").status == 1)
  }

  @Test(
    "A photo gets a pin's location and altitude, and named places are remembered by default.",
    .enabled(if: Corpus.isThere && Oracle.has("exiftool"), "\(Corpus.absence), or no exiftool"))
  func geotag() throws {
    let photo = try tool.home.copy(try #require(Corpus.files("corpus/jpeg-orientation").first)).path
    #expect(try tool("place", "pin", "summit", "47.4211,10.9863,2962").status == 0)
    for option in ["--place", "--at"] {
      let run = try tool("geotag", option, "@summit", "--overwrite", "replace", photo)
      #expect(run.status == 0, "\(run.errors)")
      let values = try Oracle.run("exiftool", ["-n", "-s3", "-GPSLatitude", "-GPSAltitude", photo]).text
      #expect(values.contains("47.4211") && values.contains("2962"), "\(values)")
      try tool("undo")
    }
    let trial = try tool("geotag", "--place", "Kyoto", "--dry-run", "--overwrite", "replace", photo)
    #expect(trial.errors.contains("Kyoto → Kyoto, Kyoto, Japan (35.02107, 135.75385)"))
    try tool("geotag", "--place", "Paris", "--no-recent", "--overwrite", "replace", photo)
    #expect(try tool("place", "recent").text.isEmpty)
    try tool("geotag", "--place", "Kyoto", "--overwrite", "replace", photo)
    #expect(try tool("place", "recent").text.contains("Kyoto"))
    #expect(try tool("place", "recent", "--clear").status == 0)
    #expect(try tool("place", "recent").text.isEmpty)
    #expect(try tool("geotag", "--place", "@nowhere", photo).errors.contains("place pins"))
  }

  @Test("A damaged import is reported and left out, but nothing is written without it.")
  func damagedImport() throws {
    let table = try tool.home.write(Array("name,lat,lon\nOur hut,47,11\n".utf8), as: "huts.csv").path
    try tool("place", "import", table)
    let folder = tool.home.url.appending(path: "data/metatag/imports")
    for file in try FileManager.default.contentsOfDirectory(atPath: folder.path) where file.hasSuffix(".places") {
      try Data("damaged".utf8).write(to: folder.appending(path: file))
    }
    let search = try Oracle.run(Tool.program, ["place", "search", "Kyoto"], environment: tool.environment())
    #expect(search.status == 0 && search.text.contains("Kyoto"))
    #expect(search.errors.contains("the import 'huts' is missing or damaged"))
    let sources = try Oracle.run(Tool.program, ["place", "sources", "--json"], environment: tool.environment())
    #expect(sources.status == 0 && sources.text.contains("\"damaged\": true"))
    #expect(search.errors.contains("place update") && search.errors.contains("place remove"))
    let write = try tool("geotag", "--place", "Kyoto", "none.jpg")
    #expect(write.status == 2 && write.errors.contains("the import 'huts'"))
    #expect(try tool("place", "remove", "huts").status == 0)
    #expect(try tool("place", "search", "our hut").status == 1)
  }

  @Test("A damaged file of places is an error with a remedy for every command.")
  func damaged() throws {
    let folder = tool.home.url.appending(path: "data/metatag")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    try Data(repeating: 0x41, count: 9_000).write(to: folder.appending(path: "places.sqlite"))
    for arguments in [["search", "kyoto"], ["sources"], ["pin", "home", "1,2"]] {
      let answer = try Oracle.run(Tool.program, ["place"] + arguments, environment: tool.environment())
      #expect(answer.status == 2 && answer.errors.contains("Move it away"), "\(arguments): \(answer.errors)")
    }
  }
}
