import Foundation
import TestSupport
import Testing

/// Random dates, shifted, set and zoned by metatag and by exiftool on copies of the same files: all tags must agree.
///
/// exiftool gets only edits that it does right: shifts of days and less on EXIF, XMP and QuickTime, and values that are
/// set. It shifts the two halves of IPTC's date separately, so IPTC's new date comes from the EXIF that it wrote.
@Suite("Comparison with exiftool", .enabled(if: Oracle.has("exiftool"), "exiftool is missing"))
struct DateDifferentialTests {
  /// Rounds of 16 files, each by one of three changes; `make differential` has more.
  static let rounds =
    ProcessInfo.processInfo.environment["METATAG_DIFFERENTIAL"].flatMap(Int.init).map { max(3, $0 / 4) } ?? 3

  static let samples = [
    "aurora-02-island.jpg", "cirrus-02-meadow.heic", "borealis-06-ferns.tif", "cirrus-03-falls.mov",
  ]

  /// Tags that only describe the file, or repeat another.
  static let ignored = [
    "SourceFile", "ExifTool:", "System:", "File:FileSize", "Composite:", "ExifByteOrder", "IPTCDigest",
    // Raised if an offset is new, as EXIF 2.31 requires; exiftool keeps the older version.
    "ExifIFD:ExifVersion",
    // exiftool rewrites files, so the positions of pictures don't count.
    "MediaDataOffset", "MediaDataSize", "StripOffsets",
  ]

  static let headerCopy = "Keys:CreationTime"

  private enum Change: Int {
    case shift, set, zone
  }

  private let tool: Tool

  init() throws { tool = try Tool() }

  @Test("Shifted, set and zoned dates equal exiftool's in every namespace, and nothing else changes.")
  func agree() throws {
    var generator = SeededGenerator(seed: 2_024)
    for round in 0..<Self.rounds {
      let (ours, theirs) = (try Scratch(), try Scratch())
      try makePhotos(in: ours.url, &generator)
      for file in try files(ours.url) { try theirs.copy(file) }
      let before = try dump(ours.url)
      let change = Change(rawValue: round % 3) ?? .shift
      let (arguments, commands, back) = words(change, &generator)
      let run = try metatag(arguments, ours.url)
      #expect(run.status == 0, "\(run.text)\(run.errors)")
      try edit(commands.map { $0 + [theirs.url.path] })
      let (mine, peers) = (try dump(ours.url), try dump(theirs.url))
      #expect(mine.count == 16)
      for (name, tags) in mine {
        let peer = peers[name] ?? [:]
        let keys = Set(tags.keys).union(peer.keys).subtracting([Self.headerCopy])
        for key in keys where !Self.ignored.contains(where: key.contains) {
          #expect(tags[key] == peer[key], "round \(round), \(arguments), \(name): \(key)")
        }
        expectAgreement(name, tags)
        try expectFollowing(name, before[name] ?? [:], tags, isSet: change == .set)
      }
      if let back {
        #expect(try metatag(back, ours.url).status == 0)
      } else {
        #expect(try tool("undo").status == 0)
      }
      let restored = try dump(ours.url)
      for (name, tags) in before {
        for (key, value) in tags where !Self.ignored.contains(where: key.contains) {
          #expect(restored[name]?[key] == value, "round \(round), \(back ?? ["undo"]), \(name): \(key)")
        }
      }
    }
  }

  /// The arguments for metatag and exiftool, and those that revert them.
  private func words(
    _ change: Change, _ generator: inout SeededGenerator
  ) -> (metatag: [String], exiftool: [[String]], back: [String]?) {
    let twoDigits = { (number: Int) in (number < 10 ? "0" : "") + "\(number)" }
    let (hour, minute) = (Int.random(in: 0..<24, using: &generator), Int.random(in: 0..<60, using: &generator))
    let (day, second) = (Int.random(in: 1...28, using: &generator), Int.random(in: 0..<60, using: &generator))
    switch change {
    case .shift:
      let sign = Bool.random(using: &generator) ? "+" : "-"
      let days = Int.random(in: 0..<800, using: &generator)
      let span = "0:0:\(days) \(hour):\(minute):\(second)"
      let (images, movies) = (
        ["ExifIFD:DateTimeOriginal", "ExifIFD:CreateDate"], Self.headerTags + ["Keys:CreationDate"]
      )
      let text = "\(days)d\(hour)h\(minute)m\(second)s"
      return (
        ["shift", sign + text],
        [
          Self.images + images.map { "-\($0)\(sign)=\(span)" }, Self.images + Self.copies,
          Self.movies + movies.map { "-\($0)\(sign)=\(span)" },
        ],
        ["shift", (sign == "+" ? "-" : "+") + text]
      )
    case .set:
      let date = "\(Int.random(in: 1980...2037, using: &generator)):\(twoDigits(day % 12 + 1)):\(twoDigits(day))"
      let time = "\(twoDigits(hour)):\(twoDigits(minute)):\(twoDigits(second))"
      // The movie's offset stays; its headers are that time in UTC.
      let exif = ["DateTimeOriginal", "CreateDate"].map { "-ExifIFD:\($0)=\(date) \(time)" }
      let fractions = ["-ExifIFD:SubSecTimeOriginal=", "-ExifIFD:SubSecTimeDigitized="]
      let movie =
        ["-Keys:CreationDate<\(date) \(time)${Keys:CreationDate;s/.*([-+]..:..)$/$1/}"]
        + Self.headerTags.map { "-\($0)=\(date) \(time)" }
      return (
        ["set", date.replacing(":", with: "-") + "T" + time],
        [
          Self.images + exif + fractions, Self.images + Self.copies, Self.movies + movie, Self.movies + Self.toUTC,
        ], nil
      )
    case .zone:
      let isNegative = Bool.random(using: &generator)
      let hours = Int.random(in: isNegative ? 1...11 : 0...13, using: &generator)
      let zone = (isNegative ? "-" : "+") + twoDigits(hours) + ":" + ["00", "30", "45"][minute % 3]
      let exif = ["-ExifIFD:OffsetTimeOriginal=\(zone)", "-ExifIFD:OffsetTimeDigitized=\(zone)"]
      // The local time stays, so that the headers become that time at the new offset.
      let clock = Self.headerTags.map { "-\($0)<${Keys:CreationDate;s/[-+]..:..$//}" }
      let movie = ["-Keys:CreationDate<${Keys:CreationDate;s/[-+]..:..$//}\(zone)"]
      return (
        ["zone", zone, "--overwrite", "replace"],
        [Self.images + exif, Self.images + Self.copies, Self.movies + clock + movie, Self.movies + Self.toUTC], nil
      )
    }
  }

  /// XMP and IPTC repeat EXIF, with its fraction and offset; IPTC, which must have an offset, has +00:00 without one.
  static let copies = ["-XMP-photoshop:DateCreated", "-XMP-xmp:CreateDate", "-IPTC:DateCreated", "-IPTC:TimeCreated"]
    .flatMap { ["\($0)<ExifIFD:DateTimeOriginal", "\($0)<Composite:SubSecDateTimeOriginal"] }

  static let images = ["--ext", "mov"]
  static let movies = ["-ext", "mov"]
  static let headerTags = ["QuickTime:CreateDate", "QuickTime:TrackCreateDate", "QuickTime:MediaCreateDate"]

  /// From local time to UTC, by each movie's offset.
  static let toUTC = headerTags.flatMap { tag in
    [
      "-\(tag)-<${Keys:CreationDate;$_ = /\\+(..:..)$/ ? $1 : undef}",
      "-\(tag)+<${Keys:CreationDate;$_ = /-(..:..)$/ ? $1 : undef}",
    ]
  }

  /// Four of each format, each with a random date in all its namespaces.
  private func makePhotos(in folder: URL, _ generator: inout SeededGenerator) throws {
    var commands: [[String]] = []
    for copy in 0..<4 {
      for (index, sample) in Self.samples.enumerated() {
        let photo = folder.appending(path: "\(copy)-\(sample)")
        try FileManager.default.copyItem(at: Corpus.project.appending(path: "SampleImages/\(sample)"), to: photo)
        try FileManager.default.setAttributes([.posixPermissions: 0o644], ofItemAtPath: photo.path)
        let date = Date(timeIntervalSince1970: .random(in: 700_000_000...1_900_000_000, using: &generator))
        let text = date.formatted(.iso8601).prefix(19).replacing("-", with: ":").replacing("T", with: " ")
        let zone = ["+00:00", "+09:00", "-03:30", "+05:45"][Int.random(in: 0..<4, using: &generator)]
        let (hasZone, hasFraction) = (Bool.random(using: &generator), Bool.random(using: &generator))
        let exif = ["-ExifIFD:DateTimeOriginal=\(text)", "-ExifIFD:CreateDate=\(text)"]
        let beside = ["Original", "Digitized"].flatMap { name in
          [
            "-ExifIFD:SubSecTime\(name)=" + (hasFraction ? "37" : ""),
            "-ExifIFD:OffsetTime\(name)=" + (hasZone ? zone : ""),
          ]
        }
        let movie = ["-Keys:CreationDate=\(text)\(zone)"] + Self.headerTags.map { "-\($0)=\(text)" }
        for command in index == 3 ? [movie, Self.toUTC] : [exif + beside, Self.copies] {
          commands.append(command + [photo.path])
        }
      }
    }
    try edit(commands)
  }

  /// Expects the same time in EXIF, XMP and IPTC.
  private func expectAgreement(_ name: String, _ tags: [String: String]) {
    guard let exif = tags["ExifIFD:DateTimeOriginal"] else { return }
    for key in ["XMP-photoshop:DateCreated", "XMP-xmp:CreateDate", "ExifIFD:CreateDate"] {
      #expect(tags[key].map { String($0.prefix(19)) } == exif, "\(name): \(key)")
    }
    guard let day = tags["IPTC:DateCreated"], let time = tags["IPTC:TimeCreated"] else { return }
    #expect("\(day) \(time.prefix(8))" == exif, "\(name): IPTC")
  }

  /// Expects that FFmpeg's copy of the header, which exiftool can't write, equals the header or moves as far.
  private func expectFollowing(
    _ name: String, _ before: [String: String], _ after: [String: String], isSet: Bool
  ) throws {
    guard let copies = [before[Self.headerCopy], after[Self.headerCopy]] as? [String] else { return }
    let headers = try [before, after].map { try #require($0["QuickTime:CreateDate"], "\(name)") }
    let (copied, said) = (try copies.map(seconds), try headers.map(seconds))
    #expect(isSet ? copied[1] == said[1] : copied[1] - copied[0] == said[1] - said[0], "\(name): \(copies), \(headers)")
  }

  private func seconds(_ text: String) throws -> Double {
    let numbers = text.split { !$0.isNumber }
    let date = numbers.prefix(3).joined(separator: "-") + "T" + numbers.dropFirst(3).joined(separator: ":") + "Z"
    return try Date(date, strategy: .iso8601).timeIntervalSince1970
  }

  private func files(_ folder: URL) throws -> [URL] {
    try FileManager.default.contentsOfDirectory(at: folder, includingPropertiesForKeys: nil)
  }

  private func metatag(_ words: [String], _ folder: URL) throws -> Oracle.Answer {
    try Oracle.run(Tool.program, ["date"] + words + [folder.path], environment: tool.environment())
  }

  /// Runs one exiftool for all commands, each with its files at its end.
  private func edit(_ commands: [[String]]) throws {
    let lines = commands.map { (["-q", "-q", "-m", "-overwrite_original"] + $0).joined(separator: "\n") }
    let answer = try Oracle.run(
      "exiftool", ["-@", "-"], environment: ["TZ": "UTC"],
      input: Data((lines.joined(separator: "\n-execute\n") + "\n").utf8))
    #expect(!answer.errors.contains("Error"), "\(answer.errors)")
  }

  /// Every tag as text, by file name.
  private func dump(_ folder: URL) throws -> [String: [String: String]] {
    try exiftool([], folder).reduce(into: [:]) { rows, row in
      rows[URL(filePath: row.key).lastPathComponent] = row.value.mapValues { "\($0)" }
    }
  }
}
