import Foundation
import MetaTag
import SystemPackage
import TestSupport
import Testing

/// Photos of one moment, by clocks that were right or 20 minutes slow.
struct ClockCase: Sendable, CustomTestStringConvertible {
  enum Kind: String, Sendable, CaseIterable {
    case right
    case wrong
    case wrongWithOffset = "wrong, its zone recorded"
    case movie = "movie of a wrong clock"
    case raw = "raw file with sidecar of a wrong clock"
    case live = "Live Photo of a wrong clock"
  }

  let kind: Kind
  /// The command's words. FILE is the photo, DIR its folder, NEXT one of the same clock a day later.
  let words: String
  /// Whether the photo has a location, with the GPS time of a track.
  var isPlaced = false
  /// Whether the command is meant to correct the dates.
  var corrects = false

  var testDescription: String { "\(kind.rawValue): \(words)" }

  /// The true time, in seconds since 1970.
  static let truth = 1_716_021_260.0

  /// Writes the photo into a folder. Returns its main file.
  ///
  /// - Parameter day: The day on which it was taken, at the same time of day.
  func make(in scratch: Scratch, day: Int = 18) throws -> URL {
    let samples = Corpus.project.appending(path: "SampleImages")
    let shown = kind == .right ? "2024:05:\(day) 10:34:20" : "2024:05:\(day) 10:14:20"
    var tags = ["-DateTimeOriginal=\(shown)", "-CreateDate=\(shown)", "-IFD0:ModifyDate=", "-OffsetTime=", "-GPS:all="]
    let isZoned = [.wrongWithOffset, .live].contains(kind)
    let zone = isZoned ? "+02:00" : ""
    tags += ["-OffsetTimeOriginal=\(zone)", "-OffsetTimeDigitized=\(zone)"]
    if isPlaced {
      tags += [
        "-GPSLatitude=46.3588367", "-GPSLatitudeRef=N", "-GPSLongitude=14.0814023", "-GPSLongitudeRef=E",
        "-GPSDateStamp=2024:05:18", "-GPSTimeStamp=08:34:20", "-GPSProcessingMethod=GPS, interpolated",
      ]
    }
    func written(_ sample: String, _ name: String, _ tags: [String]) throws -> URL {
      let file = try scratch.write(try Data(contentsOf: samples.appending(path: sample)), as: name)
      let answer = try Oracle.run("exiftool", ["-q", "-m", "-overwrite_original"] + tags + [file.path])
      try #require(answer.status == 0, "\(answer.errors)")
      return file
    }
    let name = "IMG_202405\(day)_103420"
    let headers = [
      "-QuickTime:CreateDate=2024:05:\(day) 08:14:20", "-TrackCreateDate=2024:05:\(day) 08:14:20",
      "-MediaCreateDate=2024:05:\(day) 08:14:20", "-Keys:CreationDate=2024:05:\(day) 10:14:20+02:00",
    ]
    let places = isPlaced ? ["-Keys:GPSCoordinates=46.3588367 14.0814023 481"] : []
    switch kind {
    case .right, .wrong, .wrongWithOffset: return try written("borealis-01-lake.jpg", "\(name).jpg", tags)
    case .movie: return try written("cirrus-01-boat.mov", "\(name).mov", headers + places)
    case .live:
      _ = try written("cirrus-01-boat.mov", "\(name).mov", headers + places)
      return try written("cirrus-01-boat.heic", "\(name).heic", tags)
    case .raw:
      let place =
        isPlaced
        ? """
         exif:GPSLatitude="46,21.530202N" exif:GPSLongitude="14,4.884138E" exif:GPSTimeStamp="2024-05-18T08:34:20Z"
         exif:GPSProcessingMethod="GPS, interpolated"
        """ : ""
      let xmp = """
        <x:xmpmeta xmlns:x="adobe:ns:meta/"><rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#">
        <rdf:Description rdf:about="" xmlns:exif="http://ns.adobe.com/exif/1.0/"
         exif:DateTimeOriginal="2024-05-\(day)T10:14:20"\(place)/></rdf:RDF></x:xmpmeta>
        """
      try scratch.write(xmp.utf8, as: "\(name).xmp")
      // exiftool doesn't write such a small one.
      let bytes = try Data(contentsOf: samples.appending(path: "raw/delta-02.cr2"))
      let text = (String(data: bytes, encoding: .isoLatin1) ?? "").replacing("2024:05:\(day) 15:03:20", with: shown)
      return try scratch.write(text.unicodeScalars.map { UInt8($0.value) }, as: "\(name).cr2")
    }
  }

  /// Each instant that a file records, by its tag, in seconds since 1970.
  static func instants(in folder: URL) throws -> [String: Double] {
    var found: [String: Double] = [:]
    func note(_ key: String, _ text: String) { found[key] = seconds(text).map { $0 } ?? found[key] }
    for (path, tags) in try exiftool(["-time:all", "-ext", "*"], folder) {
      let name = URL(filePath: path).lastPathComponent
      let text = { (tag: String) in tags[tag] as? String }
      for (date, zone) in [("DateTimeOriginal", "OffsetTimeOriginal"), ("CreateDate", "OffsetTimeDigitized")] {
        guard let date = text("ExifIFD:\(date)"), let offset = text("ExifIFD:\(zone)") else { continue }
        note("\(name) \(zone)", date + offset)
      }
      if let date = text("IFD0:ModifyDate"), let offset = text("ExifIFD:OffsetTime") {
        note("\(name) OffsetTime", date + offset)
      }
      if let day = text("GPS:GPSDateStamp"), let time = text("GPS:GPSTimeStamp") {
        note("\(name) GPS", "\(day) \(time)+00:00")
      }
      for (tag, value) in tags {
        guard let value = value as? String else { continue }
        let isHeader = tag.hasPrefix("QuickTime:") || tag.hasPrefix("Track")
        if isHeader, tag.hasSuffix("CreateDate") { note("\(name) \(tag)", value + "+00:00") }
        let isZoned = ["XMP", "Keys", "UserData"].contains { tag.hasPrefix($0) } && !tag.hasSuffix("ModifyDate")
        if isZoned { note("\(name) \(tag)", value) }
      }
    }
    return found
  }

  /// Nil for a text that isn't an instant.
  private static func seconds(_ text: String) -> Double? {
    guard
      let match = text.prefixMatch(
        of: /(\d{4}):(\d\d):(\d\d) (\d\d):(\d\d):(\d\d)(?:\.\d+)?(Z|[+-]\d\d:\d\d)$/)
    else { return nil }
    let iso = "\(match.1)-\(match.2)-\(match.3)T\(match.4):\(match.5):\(match.6)\(match.7)"
    return try? Date(iso, strategy: .iso8601).timeIntervalSince1970
  }
}

@Suite(
  "True instants in all written times", .enabled(if: Oracle.has("exiftool"), "exiftool is missing"))
struct ClockMatrixTests {
  private static let track = "--track DAY --camera-zone Europe/Ljubljana"

  static let cases = ClockCase.Kind.allCases.flatMap { kind in
    let isRight = kind == .right
    let offset = isRight ? "" : " --offset +20m"
    let geotags = [
      "geotag \(track)\(offset) FILE", "geotag \(track)\(offset) --no-record-offset FILE",
      "geotag \(track)\(offset) --names FILE",
      "geotag \(track) --sync FILE=2024-05-18T08:34:20Z FILE",
      "geotag \(track) --sync FILE=2024-05-18T08:34:20Z --sync NEXT=2024-05-19T08:34:30Z FILE",
      "geotag \(track)\(offset) --plan DIR/plan.json FILE && apply DIR/plan.json",
      "geotag --track DAY --sync FILE=2024-05-18T08:34:20Z FILE",
    ]
    // One photo alone can't prove its clock, so auto reads its time as it is, which is true only of a right clock.
    let fixes =
      isRight
      ? ["geotag \(track) --offset auto FILE"]
      : [
        "geotag \(track) --offset +20m --fix-dates FILE",
        "geotag \(track) --sync FILE=2024-05-18T08:34:20Z --fix-dates FILE",
        "geotag \(track) --sync FILE=2024-05-18T08:34:20Z --sync NEXT=2024-05-19T08:34:30Z --fix-dates FILE",
        "geotag \(track) --offset +20m --fix-dates --plan DIR/plan.json FILE && apply DIR/plan.json",
      ]
    let dates = [
      "date zone Europe/Ljubljana FILE", "date zone Asia/Tokyo --keep-instant FILE", "date from-name FILE",
      "date from-name --overwrite replace FILE", "date from-gps FILE",
      "date from-track --track DAY --overwrite replace FILE", "date copy --from exif FILE",
      "date copy --from xmp FILE", "date repair --apply FILE", "import-csv DIR/table.csv FILE",
      "takeout DIR", "geotag --track DAY\(offset) FILE",
    ]
    let truths =
      [
        "date set 2024-05-18T10:34:20+02:00 FILE", "date sequence --start 2024-05-18T10:34:20+02:00 FILE",
        "date from-gps --overwrite replace FILE", "import-csv DIR/table.csv --overwrite replace FILE",
      ] + (isRight ? [] : ["date shift +20m FILE", "geotag \(track) --offset +20m --fix-dates FILE"])
    return geotags.map { ClockCase(kind: kind, words: $0) }
      + fixes.map { ClockCase(kind: kind, words: $0, corrects: !isRight) }
      + dates.map { ClockCase(kind: kind, words: $0, isPlaced: true) }
      + truths.map { ClockCase(kind: kind, words: $0, isPlaced: true, corrects: true) }
  }

  @Test("Every written instant is the true one, or the photo is skipped.", arguments: cases)
  func truth(_ photo: ClockCase) throws {
    let (tool, scratch) = (try Tool(), try Scratch())
    let file = try photo.make(in: scratch)
    let name = file.lastPathComponent
    let later = try Scratch()
    let next = photo.words.contains("NEXT") ? try photo.make(in: later, day: 19).path : ""
    try scratch.write(
      "path,DateTimeOriginal,OffsetTimeOriginal\n\(name),2024:05:18 10:34:20,+02:00\n".utf8, as: "table.csv")
    try scratch.write(
      #"{"title":"\#(name)","photoTakenTime":{"timestamp":"\#(Int(ClockCase.truth))"}}"#.utf8, as: "\(name).json")
    let before = try ClockCase.instants(in: scratch.url)
    var isLeft = false
    for command in photo.words.components(separatedBy: " && ") {
      let words = command.split(separator: " ").map {
        $0.replacing("FILE", with: file.path).replacing("NEXT", with: next).replacing("DIR", with: scratch.url.path)
          .replacing("DAY", with: Corpus.project.appending(path: "SampleImages/day.gpx").path)
      }
      let answer = try tool.run(list: words.map { String($0) })
      #expect([0, 1].contains(answer.status), "\(answer.text) \(answer.errors)")
      isLeft = isLeft || answer.status == 1
    }
    let after = try ClockCase.instants(in: scratch.url)
    for (tag, instant) in after {
      // An instant of a slow clock may stay, unless the command is meant to correct it.
      let mayStay = (!photo.corrects || isLeft) && before[tag] == instant
      // A track gives the time at a place to the minute.
      let tolerance = photo.words.contains("from-track") ? 90.0 : 1.5
      #expect(abs(instant - ClockCase.truth) <= tolerance || mayStay, "\(tag): \(instant - ClockCase.truth) s off")
    }
    if photo.corrects, !photo.isPlaced || photo.words.contains("shift") { #expect(!isLeft && !after.isEmpty) }
  }

  @Test(
    "A clock estimated from located photos writes no false instant.",
    arguments: [ClockCase.Kind.right, .wrong, .wrongWithOffset], [false, true])
  func auto(_ kind: ClockCase.Kind, isFixing: Bool) throws {
    let (tool, scratch, others) = (try Tool(), try Scratch(), try Scratch())
    let file = try ClockCase(kind: kind, words: "").make(in: scratch)
    let day = Corpus.project.appending(path: "SampleImages/day.gpx").path
    let error = kind == .right ? 0 : 1_200
    let zone = kind == .wrongWithOffset ? "+02:00" : ""
    let track = try #require(try TrackReading(FilePath(day)).tracks.first)
    // Where the receiver went fastest, a location defines the time best.
    let points = track.segments.flatMap(\.points).enumerated().filter { $0.offset % 18 == 9 }.map(\.element)
    for (number, point) in points.enumerated() {
      let sample = Corpus.project.appending(path: "SampleImages/borealis-01-lake.jpg")
      let other = try others.write(try Data(contentsOf: sample), as: "IMG_\(1_000 + number).JPG")
      let shown = try #require(CivilTime(secondsSince1970: point.instant.seconds + 7_200 - Int64(error)))
      let date = "\(shown)".replacing("-", with: ":").replacing("T", with: " ")
      let answer = try Oracle.run(
        "exiftool",
        [
          "-q", "-m", "-overwrite_original", "-DateTimeOriginal=\(date)", "-CreateDate=\(date)", "-IFD0:ModifyDate=",
          "-OffsetTime=", "-OffsetTimeOriginal=\(zone)", "-OffsetTimeDigitized=\(zone)", "-GPS:all=",
          "-GPSLatitude=\(point.coordinate.latitude)", "-GPSLatitudeRef=N",
          "-GPSLongitude=\(point.coordinate.longitude)", "-GPSLongitudeRef=E", other.path,
        ])
      try #require(answer.status == 0, "\(answer.errors)")
    }
    let before = try ClockCase.instants(in: scratch.url)
    let run = try tool.run(
      list: ["geotag", "--track", day, "--offset", "auto"] + (isFixing ? ["--fix-dates"] : [])
        + [file.path, others.url.path])
    #expect(run.errors.contains(kind == .right ? "the clock was" : "slow"), "\(run.errors)")
    let after = try ClockCase.instants(in: scratch.url)
    #expect(after.keys.contains { $0.hasSuffix("GPS") }, "\(run.text)\(run.errors)")
    for (tag, instant) in after {
      let mayStay = !isFixing && before[tag] == instant
      // An estimate is precise to some seconds.
      #expect(abs(instant - ClockCase.truth) <= 15 || mayStay, "\(tag): \(instant - ClockCase.truth) s off")
    }
    let isZoned = after.keys.contains { $0.hasSuffix("OffsetTimeOriginal") }
    #expect(isZoned == (isFixing || kind != .wrong))
  }

  @Test(
    "--fix-dates shifts only the first time, and one undo reverts it all.",
    arguments: ClockCase.Kind.allCases.dropFirst())
  func once(_ kind: ClockCase.Kind) throws {
    let (tool, scratch) = (try Tool(), try Scratch())
    let file = try ClockCase(kind: kind, words: "").make(in: scratch)
    let names = try FileManager.default.contentsOfDirectory(atPath: scratch.url.path)
    let content = { try names.map { try Data(contentsOf: scratch.url.appending(path: $0)) } }
    let old = try content()
    let day = Corpus.project.appending(path: "SampleImages/day.gpx").path
    let words = [
      "geotag", "--track", day, "--camera-zone", "Europe/Ljubljana", "--offset", "+20m", "--fix-dates", file.path,
    ]
    #expect(try tool.run(list: words).status == 0)
    let new = try content()
    #expect(new != old)
    let again = try tool.run(list: words)
    #expect(try content() == new, "\(again.text)")
    try tool("undo")
    #expect(try content() == old)
  }

  @Test("The command in the summary corrects the dates.", arguments: [ClockCase.Kind.wrong, .live, .raw])
  func command(_ kind: ClockCase.Kind) throws {
    let (tool, scratch) = (try Tool(), try Scratch())
    let file = try ClockCase(kind: kind, words: "").make(in: scratch)
    let day = Corpus.project.appending(path: "SampleImages/day.gpx").path
    let answer = try tool(
      "geotag", "--json", "--track", day, "--camera-zone", "Europe/Ljubljana", "--offset", "+20m", file.path)
    let report = try JSONSerialization.jsonObject(with: answer.output) as? [String: Any] ?? [:]
    let camera = try #require((report["cameras"] as? [[String: Any]])?.first)
    #expect(camera["correction"] as? [String: Double] == ["least": 1_200, "greatest": 1_200])
    let words = try #require(camera["command"] as? String).split(separator: " ").map { String($0) }
    #expect(words == ["metatag", "date", "shift", "+20m", file.path])
    #expect(try tool.run(list: Array(words.dropFirst())).status == 0)
    for (tag, instant) in try ClockCase.instants(in: scratch.url) {
      #expect(abs(instant - ClockCase.truth) <= 1.5, "\(tag): \(instant - ClockCase.truth) s off")
    }
  }

  @Test("A correction below 2 s counts as none.", arguments: [("+1s", true), ("-1.9s", true), ("+2s", false)])
  func small(offset: String, isRight: Bool) throws {
    let (tool, scratch) = (try Tool(), try Scratch())
    let file = try ClockCase(kind: .right, words: "").make(in: scratch)
    let day = Corpus.project.appending(path: "SampleImages/day.gpx").path
    let words = ["geotag", "--track", day, "--camera-zone", "Europe/Ljubljana", "--offset", offset, file.path]
    #expect(try tool.run(list: words).status == 0)
    let found = try ClockCase.instants(in: scratch.url)
    #expect(found.keys.contains { $0.hasSuffix("OffsetTimeOriginal") } == isRight)
  }

  @Test("--fix-dates without a correction is refused.", arguments: [["--at", "1,2"], ["--track", "DAY"]])
  func refused(_ words: [String]) throws {
    let scratch = try Scratch()
    let file = try ClockCase(kind: .wrong, words: "").make(in: scratch)
    let day = Corpus.project.appending(path: "SampleImages/day.gpx").path
    let old = try Data(contentsOf: file)
    let answer = try Tool().run(list: ["geotag"] + words.map { $0 == "DAY" ? day : $0 } + ["--fix-dates", file.path])
    #expect(answer.status == 64 && answer.errors.contains("--fix-dates"))
    #expect(try Data(contentsOf: file) == old)
  }

  @Test("A false instant of an older version is found, exported as it is, and repaired.")
  func older() throws {
    let (tool, scratch) = (try Tool(), try Scratch())
    let file = try ClockCase(kind: .wrongWithOffset, words: "", isPlaced: true).make(in: scratch)
    let check = try tool("date", "check", file.path)
    #expect(check.status == 1 && check.text.contains("metatag date shift +20m \(file.path)"), "\(check.text)")
    #expect(try tool("export", "gpx", file.path).text.contains("<time>2024-05-18T08:34:20Z</time>"))
    #expect(try tool("date", "repair", "--apply", file.path).status == 0)
    #expect(try tool("date", "check", file.path).status == 0)
    #expect(try ClockCase.instants(in: scratch.url).values.allSatisfy { abs($0 - ClockCase.truth) <= 1.5 })
  }
}
