import Foundation
import TestSupport
import Testing

@Suite("Places and zones on the command line")
struct PlaceBatchTests {
  let tool: Tool

  init() throws { tool = try Tool() }

  private func json(_ data: some DataProtocol) throws -> [String: Any] {
    try #require(try JSONSerialization.jsonObject(with: Data(data)) as? [String: Any])
  }

  /// The answers to lines of requests.
  private func answers(_ command: String..., to lines: [String]) throws -> [[String: Any]] {
    let input = Data((lines.joined(separator: "\n") + "\n").utf8)
    let answer = try Oracle.run(
      Tool.program, command + ["--jsonl", "-"], environment: tool.environment(), input: input)
    #expect(answer.status == 0)
    return try answer.output.split(separator: 0x0A).map { try json($0) }
  }

  @Test("place at prints country, town and zone, as text and JSON.")
  func placeAt() throws {
    let text = try tool("place", "at", "35.0211,135.7538")
    #expect(text.status == 0)
    #expect(text.text.contains("Kyoto") && text.text.contains("JP") && text.text.contains("Asia/Tokyo"))
    let place = try json(try tool("place", "at", "--json", "35.0211,135.7538").output)
    #expect(place["country"] as? String == "JP" && place["zones"] as? [String] == ["Asia/Tokyo"])
    #expect((place["city"] as? [String: Any])?["name"] as? String == "Kyoto")
    #expect(try tool("place", "at", "--", "-40,-130").text == "South Pacific Ocean\nzone  Etc/GMT+9\n")
  }

  @Test("place near lists kinds by distance, and exits with 1 without results.")
  func placeNear() throws {
    let near = ["place", "near", "35.772,140.393"]
    func run(_ words: String...) throws -> Oracle.Answer {
      try Oracle.run(Tool.program, near + words, environment: tool.environment())
    }
    let results = try #require(
      try json(try run("--radius", "50km", "--kind", "airport,city", "--limit", "0", "--json").output)["results"]
        as? [[String: Any]])
    let distances = results.compactMap { $0["distance"] as? Double }
    #expect(distances.count == results.count && distances == distances.sorted())
    #expect(Set(results.compactMap { $0["kind"] as? String }) == ["airport", "city"])
    #expect(try run("--kind", "airport").text.contains("Narita"))
    #expect(try run("--radius", "1m", "--kind", "museums").status == 1)
    #expect(try run("--kind", "nonsense").status == 64)
  }

  @Test(
    "zone at prints the zone, and the offset at a time there.",
    arguments: [
      ("2026-07-14T12:00:00", "Europe/Paris  +02:00\n"), ("2026-01-14T12:00:00Z", "Europe/Paris  +01:00\n"),
      // A time that occurred twice, and one that never occurred.
      ("2026-10-25T02:30:00", "Europe/Paris  +02:00  +01:00\n"), ("2026-03-29T02:30:00", "Europe/Paris\n"),
    ])
  func zoneAt(when: String, line: String) throws {
    #expect(try tool("zone", "at", "48.8566,2.3522").text == "Europe/Paris\n")
    #expect(try tool("zone", "at", "48.8566,2.3522", "--when", when).text == line)
  }

  @Test("A batch answers line by line in order, and a bad line gets an error.")
  func batches() throws {
    let places = try answers(
      "place", "at",
      to: [
        #"{"latitude":35.02,"longitude":135.75}"#, "nonsense", #"{"latitude":95,"longitude":0}"#, "",
        #"{"latitude":48.86,"longitude":2.35}"#,
      ])
    #expect(places.map { $0["country"] as? String } == ["JP", nil, nil, nil, "FR"])
    #expect(places.map { $0["error"] != nil } == [false, true, true, true, false])
    let zones = try answers(
      "zone", "at",
      to: [
        #"{"latitude":48.86,"longitude":2.35,"when":"2026-07-14T12:00:00"}"#,
        #"{"latitude":48.86,"longitude":2.35,"when":"noon"}"#, #"{"latitude":35.02,"longitude":135.75}"#,
      ])
    #expect(zones.map { $0["zones"] as? [String] } == [["Europe/Paris"], nil, ["Asia/Tokyo"]])
    #expect(zones[0]["offsets"] as? [[String]] == [["+02:00"]] && zones[1]["error"] != nil)
    let found = try answers("place", "search", to: [#"{"query":"kyoto","limit":1}"#, "{}", #"{"query":"München"}"#])
    let names = found.map { ($0["results"] as? [[String: Any]])?.first?["name"] as? String }
    #expect(names == ["Kyoto", nil, "Munich"] && found[1]["error"] != nil)
  }

  @Test(
    "A wrong request is an error that names the fault.",
    arguments: [
      ("place search", #"{"query":"x","limit":"3"}"#, "\"limit\" takes a whole number"),
      ("place search", #"{"query":"x","limit":1.5}"#, "\"limit\" takes a whole number"),
      ("place search", #"{"query":"x","offset":1e300}"#, "\"offset\" takes a whole number"),
      ("place search", #"{"query":"x","kinds":["town"]}"#, "unknown kind 'town' in \"kinds\"; kinds are capital, city"),
      ("place search", #"{"query":" ","limit":1}"#, "\"query\" is empty"),
      ("place search", #"{"query":"x","in":"JP"}"#, "\"in\" takes a list"),
      ("place search", #"{"query":"x","in":[1]}"#, "\"in\" takes text"),
      ("place search", #"{"limit":3}"#, "\"query\" is missing"),
      ("zone at", #"{"latitude":1,"longitude":2,"when":1234}"#, "\"when\" takes text"),
      ("zone at", #"{"latitude":1,"longitude":1e308}"#, "\"longitude\" is out of range"),
      ("place at", #"{"latitude":1,"longitude":null}"#, "\"longitude\" takes a number"),
      ("place at", "nonsense", "an object with"),
      ("place search", #"{"query":"x","foo":1}"#, "unknown member \"foo\""),
      ("zone at", #"{"latitude":1,"longitude":2,"When":"2024-01-01"}"#, "unknown member \"When\""),
    ])
  func wrong(command: String, line: String, part: String) throws {
    let words = command.split(separator: " ").map(String.init)
    let answer = try answers(words[0], words[1], to: [line])[0]
    let error = try #require(answer["error"] as? String)
    #expect(error.contains(part), "\(error)")
    let code =
      part.contains("unknown member")
      ? "unknownMember"
      : ["takes a", "takes text", "missing", "an object"].contains { part.contains($0) }
        ? "malformedRequest" : "invalidMember"
    #expect(answer["code"] as? String == code, "\(answer)")
  }

  @Test("Swapped coordinates get a suggestion wherever a place may be named.")
  func swapped() throws {
    let text = "121.4737,31.2304"
    let search = try tool("place", "search", text)
    #expect(search.status == 1 && search.errors.contains("did you mean 31.2304,121.4737?"), "\(search.errors)")
    let geotag = try tool("geotag", "--place", text, "none.jpg")
    #expect(geotag.status == 2 && geotag.errors.contains("did you mean 31.2304,121.4737?"), "\(geotag.errors)")
    let lines = try answers("place", "search", to: [#"{"query":"\#(text)"}"#, #"{"query":"\#(text)","prefix":true}"#])
    #expect((lines[0]["error"] as? String)?.contains("did you mean 31.2304,121.4737?") == true)
    #expect(lines[1]["error"] == nil)
    // Text is still being typed.
    #expect(try answers("place", "search", to: [#"{"query":"","prefix":true}"#])[0]["error"] == nil)
  }

  @Test("A place known only outside the area after the comma is reported.")
  func elsewhere() throws {
    let run = try tool("geotag", "--place", "Camden, London", "none.jpg")
    #expect(run.status == 2)
    #expect(run.errors.contains("there is no 'Camden' in 'London'; did you mean:"), "\(run.errors)")
  }

  @Test("Areas are answered if they are wanted, and a search takes groups of kinds and says what was typed.")
  func features() throws {
    let places = try answers(
      "place", "at",
      to: [
        #"{"latitude":47.6,"longitude":-87.6,"areas":true}"#, #"{"latitude":47.6,"longitude":-87.6}"#,
        #"{"latitude":47.6,"longitude":-87.6,"areas":1}"#,
      ])
    let areas = try #require(places[0]["areas"] as? [[String: Any]])
    #expect(areas.contains { $0["name"] as? String == "Lake Superior" && $0["kind"] as? String == "lake" })
    #expect(places[1]["areas"] == nil && places[2]["code"] as? String == "malformedRequest")

    let found = try answers(
      "place", "search",
      to: [
        #"{"query":"ontario","kinds":["nature"],"limit":1}"#,
        #"{"query":"louvre","kinds":["museums"],"prefix":true,"limit":1}"#, #"{"query":"x","kinds":["natur"]}"#,
      ])
    func first(_ answer: [String: Any]) -> [String: Any]? { (answer["results"] as? [[String: Any]])?.first }
    #expect(first(found[0])?["name"] as? String == "Lake Ontario")
    #expect((first(found[0])?["radius"] as? Double ?? 0) > 10_000)
    #expect(first(found[1])?["name"] as? String == "Louvre")
    #expect(first(found[1])?["matchedRange"] as? [Int] == [0, 6])
    #expect(found[2]["code"] as? String == "invalidMember")
  }

  @Test("A longitude may be whole turns away.")
  func turns() throws {
    for longitude in ["-73.99", "286.01", "-793.99", "3526.01"] {
      let found = try answers("place", "at", to: [#"{"latitude":40.73,"longitude":\#(longitude)}"#])
      #expect(found[0]["country"] as? String == "US", "\(longitude)")
    }
  }

  @Test("A blank line is answered, and a limit of 0 means all.")
  func blankLines() throws {
    for command in [("place", "search"), ("place", "at"), ("zone", "at")] {
      let blank = try answers(command.0, command.1, to: ["", " \t", "\r"])
      #expect(blank.count == 3 && blank.allSatisfy { $0["error"] != nil })
    }
    let all = try answers("place", "search", to: [#"{"query":"Springfield","limit":0}"#])
    #expect((all[0]["results"] as? [Any])?.count ?? 0 > 30)
  }

  @Test("A country is a name or code, and an unknown one is an error.")
  func countries() throws {
    for country in ["GB", "uk", "United Kingdom", "Japan, UK"] {
      let found = try tool("place", "search", "--json", "--limit", "1", "--in", country, "Boston")
      let first = (try json(found.output)["results"] as? [[String: Any]])?.first
      #expect(first?["country"] as? String == "GB" && first?["admin1"] as? String == "England")
    }
    let wrong = try tool("place", "search", "--in", "XX", "Boston")
    #expect(wrong.status != 0 && wrong.errors.contains("no country is named 'XX'"))
    let request = try answers("place", "search", to: [#"{"query":"Boston","in":["Atlantis"]}"#])
    #expect((request[0]["error"] as? String)?.contains("Atlantis") == true)
  }

  @Test("A line of more than 1 MB gets an error, and the next ones are answered.")
  func longLine() throws {
    let usual = #"{"latitude":35,"longitude":135.7,"when":"2026-01-01T12:00:00"}"#
    // A blank in a request counts.
    func line(_ length: Int) -> String { usual + String(repeating: " ", count: length - usual.utf8.count) }
    let limit = 1 << 20
    for lines in [
      [line(limit), line(limit + 1), usual, line(3 << 20), line(limit), line(limit + 1)],
      [usual, line(limit + (1 << 17)), line(limit - 1), "", usual],
    ] {
      let found = try answers("zone", "at", to: lines)
      #expect(found.map { $0["zones"] != nil } == lines.map { $0.utf8.count <= limit && !$0.isEmpty })
      #expect(found.allSatisfy { $0["zones"] != nil || $0["code"] as? String == "malformedRequest" })
    }
  }

  @Test("Lines are answered however they arrive, and also a last one without a line break.")
  func pieces() throws {
    let lines = (0..<6_000).map { number in
      let position = #""latitude":\#(Double(number % 170) - 85),"longitude":\#(Double(number) / 16)"#
      return number % 1_000 == 999 ? "x" : "{\(position)}" + (number % 3 == 0 ? "\r" : "")
    }
    func run(_ input: Data) throws -> [UInt8] {
      Array(
        try Oracle.run(Tool.program, ["place", "at", "--jsonl", "-"], environment: tool.environment(), input: input)
          .output)
    }
    let whole = try run(Data(lines.joined(separator: "\n").utf8))
    #expect(whole.count { $0 == 0x0A } == lines.count)
    var parts: [UInt8] = []
    for start in stride(from: 0, to: lines.count, by: 700) {
      let part = lines[start..<min(start + 700, lines.count)].map { $0 + "\n" }
      parts += try run(Data(part.joined().utf8))
    }
    #expect(whole == parts)
  }

  @Test("Own places are named, also those that are added while requests are answered.")
  func ownPlaces() throws {
    try tool("place", "pin", "far", "--", "-40,-130")
    try tool("place", "unpin", "far")
    let process = Process()
    process.executableURL = URL(filePath: Tool.program)
    process.arguments = ["place", "at", "--jsonl", "-"]
    process.environment = ProcessInfo.processInfo.environment.merging(tool.environment()) { $1 }
    let (input, output) = (Pipe(), Pipe())
    (process.standardInput, process.standardOutput) = (input, output)
    try process.run()
    func own() throws -> String? {
      try input.fileHandleForWriting.write(contentsOf: Data(#"{"latitude":35,"longitude":135.7}"#.utf8 + [0x0A]))
      let answer = try json(output.fileHandleForReading.availableData)
      return (answer["own"] as? [String: Any])?["name"] as? String
    }
    #expect(try own() == nil)
    try tool("place", "pin", "here", "35,135.7")
    #expect(try own() == "here")
    try tool("place", "unpin", "here")
    #expect(try own() == nil)
    try input.fileHandleForWriting.close()
    process.waitUntilExit()
  }

  @Test(
    "A language without names is replaced, and the answer says so.",
    arguments: [
      ("de", "München", false), ("de_AT.UTF-8", "München", false), ("de@euro", "München", true),
      ("de.UTF-8", "München", true), ("en@shaw", "Munich", true), ("be@latin", "Мюнхен", true), ("nqo", "Munich", true),
      ("brx", "Munich", true), ("gsw", "Munich", true), ("C", "Munich", true), ("", "Munich", true),
      ("@-_.", "Munich", true),
      (String(repeating: "de-", count: 40_000), "Munich", true),
    ])
  func languages(language: String, name: String, isFallback: Bool) throws {
    let answer = try answers("place", "search", to: [#"{"query":"München","limit":1,"language":"\#(language)"}"#])[0]
    #expect((answer["results"] as? [[String: Any]])?.first?["name"] as? String == name)
    #expect(answer["languageFallback"] as? Bool == (isFallback ? true : nil))
    guard language.utf8.count < 1_000 else { return }
    let run = try tool("place", "search", "--limit", "1", "--json", "--language", language, "München")
    #expect(run.status == 0 && (run.errors.count { $0 == "\n" } == (isFallback ? 1 : 0)), "\(run.errors)")
    #expect(try json(run.output)["languageFallback"] as? Bool == (isFallback ? true : nil))
  }

  @Test(
    "A language without names is refused where names are written.",
    arguments: [["name"], ["geotag", "--place", "Kyoto"], ["geotag", "--at", "35,135", "--names"]])
  func writtenLanguages(command: [String]) throws {
    let run = try tool.run(list: command + ["--language", "nqo", "none.jpg"])
    #expect(run.status != 0 && run.errors.contains("no names in the language 'nqo'"), "\(run.errors)")
  }

  @Test(
    "A batch ends when its reader goes away.",
    arguments: [
      "place search --jsonl - {\"query\":\"kyoto\",\"limit\":1}",
      "place at --jsonl - {\"latitude\":35,\"longitude\":135.7}",
      "zone at --jsonl - {\"latitude\":35,\"longitude\":135.7}",
    ])
  func closed(words: String) throws {
    let words = words.split(separator: " ").map(String.init)
    let script = "set -o pipefail; yes \"$1\" 2>/dev/null | { timeout 300 \"${@:2}\"; echo $? >&2; } | head -n 1"
    let answer = try Oracle.run(
      "bash", ["-c", script, "bash", words.last ?? "", Tool.program] + words.dropLast(), environment: tool.environment()
    )
    #expect(answer.errors == "0\n" && answer.output.count { $0 == 0x0A } == 1, "\(answer.errors)")
  }

  @Test(
    "A batch answers each request before the next one arrives.",
    arguments: [
      ("place", "at", #"{"latitude":35.02,"longitude":135.75}"#), ("zone", "at", #"{"latitude":35,"longitude":135}"#),
      ("place", "search", #"{"query":"kyoto"}"#),
    ])
  func streaming(command: String, verb: String, request: String) throws {
    let process = Process()
    process.executableURL = URL(filePath: Tool.program)
    process.arguments = [command, verb, "--jsonl", "-"]
    process.environment = ProcessInfo.processInfo.environment.merging(tool.environment()) { $1 }
    let (input, output) = (Pipe(), Pipe())
    (process.standardInput, process.standardOutput) = (input, output)
    try process.run()
    for _ in 0..<3 {
      try input.fileHandleForWriting.write(contentsOf: Data("\(request)\n".utf8))
      var line = Data()
      // This waits forever if the answer waits for the next request.
      while line.last != 0x0A {
        let more = output.fileHandleForReading.availableData
        try #require(!more.isEmpty)
        line += more
      }
      #expect(try json(line)["error"] == nil)
    }
    try input.fileHandleForWriting.close()
    process.waitUntilExit()
    #expect(process.terminationStatus == 0)
  }
}
