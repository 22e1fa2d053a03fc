import ArgumentParser
import Foundation
import GeoIndex
import MetaTag
import SystemPackage
import Testing

@testable import metatag_cli

struct CommandLineTests {
  func parse<Command: ParsableCommand>(_ words: String, as type: Command.Type) throws -> Command {
    let words = words.split(separator: " ").map { Argv.disguised(Array($0.utf8)) }
    return try #require(try MetatagCommand.parseAsRoot(words) as? Command)
  }

  /// The output of `metatag` for `words`, and its exit status.
  func answer(_ words: [String]) async throws -> (output: String, errors: String, status: Int32) {
    let captured = try Captured()
    let code = await MetatagCommand.run(words.map { Argv.disguised(Array($0.utf8)) }, console: captured.console)
    return try (captured.output, captured.errors, code.rawValue)
  }

  @Test(
    "Negative values need no --.",
    arguments: [
      ("date shift -1h a.jpg -n", CalendarShift(TimeShift(seconds: -3_600))),
      ("date shift +1h23m -n a.jpg", CalendarShift(TimeShift(seconds: 4_980))),
      ("date shift -1y2mo -n a.jpg", CalendarShift(months: -14)),
    ])
  func shift(_ words: String, _ shift: CalendarShift) throws {
    let command = try parse(words, as: DateShiftCommand.self)
    #expect(command.shift == shift)
    #expect(command.input.files.map(\.path) == ["a.jpg"])
    #expect(command.edit.dryRun)
  }

  @Test("A southern latitude is a value, not an option.")
  func south() throws {
    let place = Coordinate(latitude: -33.8568, longitude: 151.2153)
    #expect(try parse("place at -33.8568,151.2153", as: PlaceAtCommand.self).coordinate == place)
    #expect(try parse("geotag --at -33.8568,151.2153 a.jpg", as: GeotagCommand.self).given.at?.coordinate == place)
    #expect(try parse("geotag a.jpg --at=-33.8568,151.2153", as: GeotagCommand.self).given.at?.coordinate == place)
  }

  @Test("--sync is split at its last =, and an invalid time or photo is a usage error.")
  func sync() throws {
    let command = try parse("geotag --track a.gpx --sync a=b.jpg=2024-05-01T10:00:00Z c.jpg", as: GeotagCommand.self)
    #expect(command.reference.clock.sync.map(\.photo) == ["a=b.jpg"])
    #expect(command.reference.clock.sync.map(\.shown) == [.time(try CaptureTime(parsing: "2024-05-01T10:00:00Z"))])
    for word in ["a.jpg", "=2024-05-01T10:00:00Z", "a.jpg=", "a.jpg=2024-05-01", "a.jpg=2024:05:01T25:00:00"] {
      #expect(throws: (any Error).self) {
        try parse("geotag --track a.gpx --sync \(word) c.jpg", as: GeotagCommand.self)
      }
    }
  }

  @Test(
    "A --sync value that begins with a year is a time, and any other is a place.",
    arguments: ["48.8584,2.2945", "-33.85,151.2", "@home", "Kyoto", "1770", "24 de Mayo"])
  func syncPlace(_ place: String) throws {
    #expect(try SyncReference.argument("a.jpg=\(place)").shown == .place(place))
  }

  @Test("--offset accepts a span with its unit, or auto.")
  func offset() throws {
    let command = try parse("geotag --track a.gpx --offset auto c.jpg", as: GeotagCommand.self)
    #expect(command.reference.clock.offset == .auto)
    // Without a unit, and hours or minutes.
    for span in ["90", "1:20", "-1:20"] {
      #expect(throws: (any Error).self) {
        try parse("geotag --track a.gpx --offset=\(span) c.jpg", as: GeotagCommand.self)
      }
    }
    #expect(throws: Never.self) { try parse("geotag --track a.gpx --offset=0:01:20 c.jpg", as: GeotagCommand.self) }
    #expect(throws: (any Error).self) { try parse("geotag --offset auto c.jpg", as: GeotagCommand.self) }
  }

  @Test("geotag's zones and spans may be negative, and several tracks stay in order.")
  func geotag() throws {
    let command = try parse(
      "geotag --track a.gpx --track b.gpx --offset -1h23m --camera-zone -03:00 --overwrite replace -r day -2.jpg",
      as: GeotagCommand.self)
    #expect(command.reference.sources.track.map(\.path) == ["a.gpx", "b.gpx"])
    #expect(command.reference.clock.offset == .span(TimeShift(seconds: -4_980)))
    #expect(command.reference.clock.cameraZone?.description == "-03:00")
    #expect(command.overwrite == .replace)
    #expect(command.input.recursive)
    #expect(command.input.files.map(\.path) == ["day", "-2.jpg"])
  }

  @Test(
    "Wrong usage exits with 64 and a message.",
    arguments: [
      ("date shift 90 a.jpg", "unit"), ("date shift -90 a.jpg", "'-90'"), ("geotag a.jpg", "exactly one of"),
      ("geotag --at 1,2 --place Kyoto a.jpg", "exactly one of"), ("geotag --at 1,2 --offset 1h a.jpg", "--track"),
      ("show", "<files>"), ("takeout", "<folder>"), ("import-csv", "<table>"),
      ("export gpx --thumbnail-size 9 a.jpg", "kmz"),
      ("geotag --track a.gpx --max-gap -1h a.jpg", "negative"), ("show --json --csv a.jpg", "can't be used together"),
      ("show --jobs 0 a.jpg", "1 to 1024"), ("show --language de a.jpg", "--names"),
      ("show --all --names a.jpg", "--json"), ("show --names --thumbnail b.jpg a.jpg", "--names"),
      ("show -0 a.jpg", "--files-from"), ("clear a.jpg", "--location"), ("date zone +25:00 a.jpg", "+25:00"),
      ("date from-track a.jpg", "--track"),
      ("date from-track --track a.gpx --max-distance 50 a.jpg", "unit"),
      ("place import a.csv --kind coordinate", "coordinate"), ("place pin home", "<place>"),
      ("place near @nowhere-at-all", "no pin"), ("geotag --at @nowhere-at-all a.jpg", "no pin"),
      ("geotag --track a.gpx --max-accuracy 50 a.jpg", "50m"),
      ("geotag --track a.gpx --max-dop -1 a.jpg", "at least 0"),
      ("geotag --at 1,2 --max-dop 6 a.jpg", "--track"), ("geotag --at 1,2 --overwrite if-better a.jpg", "--track"),
      ("name --overwrite if-better a.jpg", "if-better"), ("geotag --at 1,2 --add-weeks 1024 a.jpg", "--track"),
      ("frobnicate", "Unknown command 'frobnicate'.\n"), ("shwo .", "Unknown command 'shwo'. Did you mean 'show'?"),
      ("date shfit +1h .", "Unknown command 'shfit'. Did you mean 'shift'?"),
      ("date shift +1h --dry .", "Unknown option '--dry'. Did you mean '--dry-run'?"),
      ("geotag --trak day.gpx .", "Unknown option '--trak'. Did you mean '--track'?"),
      ("set --orientation 1 x.jpg", "Unknown option '--orientation'."),
      ("clear --gps x.jpg", "Unknown option '--gps'."),
      ("convert --format jpeg x.jpg", "Unknown option '--format'."),
      ("date shift +1h --yse .", "Unknown option '--yse'.\n"),
      ("set --titel --artist x.jpg", "Unknown option '--titel'. Did you mean '--title'?"),
      ("geotag a.jpg", "--track-of"), ("clear --location --coarsen -1km a.jpg", "can't be negative"),
      ("geotag --at 1,2 --plan - a.jpg", "--plan requires a file"),
      ("geotag --at 1,2 a.jpg --at 1,3", "--at is given twice"),
      ("geotag --at 1,2 --at=1,3 a.jpg", "--at is given twice"),
      ("set --artist x --artist y a.jpg", "--artist is given twice"),
      ("set --title=x --title y a.jpg", "--title is given twice"),
      ("place search --limit 1 --limit 2 kyoto", "--limit is given twice"),
      ("convert --to jpeg -o a -rn --output b x", "-o or --output is given twice"),
      ("convert --to jpeg --quality 9 --jpeg-quality 8 x", "is given twice"),
      ("show --thumbnail-size 40 x.jpg", "--thumbnail"), ("place search --kind foo x", "capital, city"),
      ("place near 1,2 --kind foo", "capital, city"), ("place import a.csv --kind foo", "capital, city"),
      ("geotag --place @nowhere-at-all a.jpg", "no pin is named '@nowhere-at-all'"),
      ("clear --location --zone-around @nowhere-at-all:1km a.jpg", "no pin is named '@nowhere-at-all'"),
      (
        "show --where within(Kyoto,20km) a.jpg",
        "column 8: the place's name 'Kyoto' has no quotes. Write for example within(\"Kyoto\", 20km)."
      ),
      ("show --where location&taken a.jpg", "column 9: unexpected '&'. Write &&."),
      ("show --where camera==X a.jpg", "column 9: the text 'X' has no quotes. Write text in quotes: \"X\"."),
      ("date shift 90 a.jpg", "'90' has a number without a unit. Write for example 90s or +1h30m."),
      ("date shift 1q a.jpg", "'q' is not a unit of a time span. Use y, mo, d, h, m or s."),
      ("geotag --track a.gpx --offset 1:30 a.jpg", "'1:30' may be hours or minutes. Write for example 1h20m or 1m20s."),
      ("geotag --track a.gpx --sync b.jpg=2024-05 a.jpg", "Write for example 2024-05-23T18:38:41."),
      ("date set 2024-5 a.jpg", "is not a year, month or day. Write for example 1975, 1975-06 or 1975-06-12."),
      ("date from-name --pattern x_* a.jpg", "'x_*' has no day. Write for example scan_{YYYY}-{MM}-{DD}_*."),
      ("zone at 1,2 --when noon", "'noon' is not a date with a time of day. Write for example 2024-05-23T18:38:41."),
      ("set --iso x a.jpg", "'x' is not a whole number. Write for example 400."),
      ("set --keywords , a.jpg", "',' has no keyword. An empty value removes the field."),
      ("set --set Exif.Photo.ISOSpeedRatings=x a.jpg", "'x' is not a whole number. Write for example 400."),
      ("set --set Exif.Photo.LensModell=x a.jpg", "can be set by name. Did you mean Exif.Photo.LensModel?"),
      ("date set 0000-01-01T00:00 a.jpg", "year 0"),
      ("help geotg", "Unknown command 'geotg'. Did you mean 'geotag'?"),
      ("help date shft", "Unknown command 'shft'. Did you mean 'shift'?"),
    ])
  func usage(_ words: String, _ part: String) async throws {
    let answer = try await answer(words.split(separator: " ").map(String.init))
    #expect(answer.status == 64)
    #expect(answer.errors.contains(part))
    #expect(answer.output.isEmpty)
    #expect(!answer.errors.unicodeScalars.contains { $0.value >= 0x10FE00 })
  }

  /// Options that may be given several times and add up.
  static let repeatable: Set = [
    "--add-keyword", "--despite-run", "--facts", "--from-photos", "--guide-camera", "--in", "--keep", "--keywords",
    "--remove",
    "--set", "--sync", "--track", "--track-of", "--where", "--zone-around",
  ]

  @Test("Every option of every command adds up or may be given only once.")
  func repeated() throws {
    for (words, command) in Self.commands() {
      let help = try #require(CommandHelp(of: command))
      for option in help.arguments ?? [] where option.takesValue {
        let names = option.words
        let (first, last) = (try #require(names.first), try #require(names.last))
        let isList =
          Self.repeatable.contains(last) && !(last == "--in" && words.last == "undo")
          || last == "--kind" && ["search", "near"].contains(words.last)
        #expect(option.isRepeating == isList, "\(words) \(names)")
        for line in [[first, "a", last, "b"], ["\(first)=a", "x", last, first], [first, "--", "-r", last, "--x"]] {
          let found = RepeatedOption(in: words + line, of: command)
          #expect((found == nil) == (isList || line.contains("--")), "\(words + line)")
        }
        // A value that looks like the option isn't one, nor is anything after --.
        #expect(RepeatedOption(in: words + [first, "a", "--", last], of: command) == nil)
        #expect(RepeatedOption(in: words + [first, last], of: command) == nil)
      }
    }
  }

  @Test("Lists that are given twice add up.")
  func lists() throws {
    let clear = try parse("clear --all --keep date --keep orientation a.jpg", as: ClearCommand.self)
    #expect(Set(clear.keep.joined()) == [.date, .orientation])
    #expect((try clear.planner(Console()) as? ErasePlanner)?.erasure.keepsDate == true)
    let set = try parse("set --keywords sea --keywords boats,sea a.jpg", as: SetCommand.self)
    #expect(try set.fields.planner().fields[.keywords] == .set(.list(["sea", "boats"])))
    #expect(try parse("place search --in JP --in KR,FR x", as: PlaceSearchCommand.self).countries == ["JP", "KR,FR"])
    let search = try parse("place search --kind City --kind airport,own x", as: PlaceSearchCommand.self)
    #expect(Set(search.kind.joined()) == [.city, .airport, .own])
    let command = try parse("show --where taken --where !location a.jpg", as: ShowCommand.self)
    #expect(command.condition.conditions.count == 2)
    #expect(try Condition(all: command.condition.conditions) == Condition(parsing: "taken && !location"))
  }

  @Test(
    "Help begins with examples.",
    arguments: [
      "geotag", "show", "date", "date shift", "date set", "date zone", "clear", "place", "place search", "place at",
      "place near", "place pick", "place import", "place sources", "place remove", "place pin", "place pins",
      "place unpin", "place prepare",
      "place recent", "undo", "apply", "log", "export", "import-csv", "date from-track", "date from-name",
      "takeout", "date from-json", "date check", "date repair",
    ])
  func help(_ command: String) async throws {
    let answer = try await answer(["help"] + command.split(separator: " ").map(String.init))
    #expect(answer.status == 0)
    let examples = try #require(answer.output.range(of: "EXAMPLES:\n  metatag \(command)"))
    let usage = try #require(answer.output.range(of: "USAGE:"))
    #expect(examples.lowerBound < usage.lowerBound)
  }

  /// Every command with its words.
  static func commands(
    _ command: any ParsableCommand.Type = MetatagCommand.self, _ words: [String] = []
  ) -> [(words: [String], command: any ParsableCommand.Type)] {
    [(words, command)]
      + command.configuration.subcommands.flatMap { commands($0, words + [$0.configuration.commandName ?? ""]) }
  }

  @Test("No line of help is wider than a terminal or wrapped twice.")
  func widths() throws {
    for (words, command) in Self.commands() {
      let help = command.helpMessage(includeHidden: true, columns: 80).split(separator: "\n")
      #expect(help.filter { $0.count > 80 } == [], "\(words)")
      for paragraph in command.configuration.discussion.split(separator: "\n\n") {
        let lines = paragraph.split(separator: "\n")
        // The manual is 78 columns wide.
        #expect(lines.count == 1 || lines.allSatisfy { $0.count <= 78 }, "\(words) \(paragraph)")
      }
    }
  }

  @Test("The help of geotag is short: it leaves out shared options and says how to list them.")
  func sharedOptions() async throws {
    let help = try await answer(["geotag", "--help"]).output
    #expect(help.split(separator: "\n", omittingEmptySubsequences: false).count <= 110)
    for option in ["--jsonl", "--verify", "--jobs", "--sidecar"] { #expect(!help.contains("\n  \(option)")) }
    for option in ["--track ", "--at ", "-n, --dry-run", "-r, --recursive"] { #expect(help.contains("\n  \(option)")) }
    #expect(help.contains("'metatag geotag --help-hidden'"))
    let all = try await answer(["geotag", "--help-hidden"]).output
    for option in ["--jsonl", "--verify", "--jobs", "--sidecar"] { #expect(all.contains("\n  \(option)")) }
    #expect(!all.contains("'metatag geotag --help-hidden'"))
    #expect(try await !answer(["place", "near", "--help"]).output.contains("--help-hidden"))
    #expect(try await answer(["help", "date", "set"]).output.contains("'metatag date set --help-hidden'"))
  }

  @Test("apply has no options of planning, because the plan keeps its own.")
  func apply() async throws {
    for option in ["--plan x", "--separately", "--fix-extension", "--raw in-place", "--sidecar always"] {
      let word = option.prefix { $0 != " " }
      #expect(!ApplyCommand.helpMessage().contains("\n  \(word)"))
      let answer = try await answer(["apply", "plan.jsonl"] + option.split(separator: " ").map(String.init))
      #expect(answer.status == 64 && answer.errors.contains("Unknown option '\(word)'"), "\(answer.errors)")
    }
    #expect(ApplyCommand.helpMessage().contains("\n  -n, --dry-run"))
  }

  @Test("The version and completions come from the parser.", arguments: ["bash", "zsh", "fish"])
  func completions(_ shell: String) async throws {
    #expect(try await answer(["--version"]).output == MetatagCommand.configuration.version + "\n")
    let script = try await answer(["--generate-completion-script", shell]).output
    #expect(script.contains("geotag"))
    // Also options that help leaves out.
    #expect(script.contains("keep-mtime"))
  }

  @Test(
    "Lists of names are read by line or by NUL.",
    arguments: [
      (
        Array("a.jpg\nb c.jpg\r\n\n-1.jpg".utf8), false,
        [Array("a.jpg".utf8), Array("b c.jpg".utf8), Array("-1.jpg".utf8)]
      ),
      ([0xEF, 0xBB, 0xBF] + Array("a.jpg\nb.jpg".utf8), false, [Array("a.jpg".utf8), Array("b.jpg".utf8)]),
      (Array("a\nb\0".utf8) + [0xFF, 0], true, [Array("a\nb".utf8), [0xFF]]), ([], true, []),
    ] as [([UInt8], Bool, [[UInt8]])])
  func lists(_ list: [UInt8], _ isNull: Bool, _ names: [[UInt8]]) {
    #expect(InputOptions.names(in: list, separatedByNull: isNull).map(\.rawBytes) == names)
  }

  @Test("A missing list is an error before the command starts.")
  func missingList() throws {
    let command = try parse("show --files-from /nowhere/list", as: ShowCommand.self)
    #expect(throws: SetupError.self) { try command.input.photos(console: Console()) }
  }
}
