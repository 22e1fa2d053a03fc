import Foundation
import TestSupport
import Testing

/// Erased or replaced values no longer occur in any byte of the file, whatever its format, size and earlier edits; and
/// undo restores every byte.
@Suite("Erased bytes", .enabled(if: Oracle.has("exiftool"), "exiftool is missing"))
struct ErasedBytesTests {
  let (tool, scratch): (Tool, Scratch)

  init() throws { (tool, scratch) = (try Tool(), try Scratch()) }

  // MARK: Chains of commands

  /// Commands in sequence, the last of which erases or replaces.
  struct Chain: CustomTestStringConvertible, Sendable {
    let steps: [Step]
    var testDescription: String { steps.map(\.rawValue).joined(separator: ", ") }
  }

  enum Step: String, Sendable {
    case sydney = "geotag Sydney"
    case wellington = "replace by Wellington with names"
    case shift = "date shift"
    case location = "clear location"
    case coarse = "coarsen"
    case date = "clear date"
    case both = "clear both"

    /// The location that it sets, without signs.
    var place: SIMD2<Double>? {
      switch self {
      case .sydney: SIMD2(33.856780, 151.215310)
      case .wellington: SIMD2(41.288953, 174.777211)
      default: nil
      }
    }

    var arguments: [String] {
      switch self {
      case .sydney: ["geotag", "--at", "-33.856780,151.215310", "--overwrite", "replace"]
      case .wellington: ["geotag", "--at", "-41.288953,174.777211", "--overwrite", "replace", "--names"]
      case .shift: ["date", "shift", "+1d1h23m"]
      case .location: ["clear", "--location"]
      case .coarse: ["clear", "--location", "--coarsen", "10km"]
      case .date: ["clear", "--date"]
      case .both: ["clear", "--location", "--date"]
      }
    }

    var erasesDate: Bool { self == .date || self == .both }
    var isReplacement: Bool { self == .sydney || self == .wellington }
  }

  static let chains: [Chain] = [
    [.location], [.coarse], [.date], [.sydney], [.wellington, .sydney], [.sydney, .wellington, .location],
    [.sydney, .wellington, .coarse], [.shift, .date], [.shift, .sydney, .shift, .both],
    [.wellington, .shift, .location, .date],
    [.location, .sydney, .shift, .both],
  ]
  .map(Chain.init)

  // MARK: Files of every format and size

  static let samples = [
    "aurora-01-jetty.jpg", "aurora-07-church.avif", "borealis-06-ferns.tif", "borealis-07-swans.mp4",
    "borealis-08-ducks.3gp", "borealis-09-moss.jxl", "cirrus-02-meadow.heic", "cirrus-03-falls.mov",
    "cirrus-04-signpost.png", "cirrus-05-rapids.webp", "cirrus-06-ducks.gif",
  ]
  /// The size at which commits change between copying and writing in place: 16 MiB.
  static let threshold = 16 << 20

  /// Writes every sample with a location and a place name into `folder`, small and on both sides of the threshold.
  private func samples(in folder: URL) throws {
    for name in Self.samples {
      let photo = try scratch.copy(Corpus.project.appending(path: "SampleImages/\(name)"))
      if name.hasSuffix("gif") || name.hasSuffix("jxl") {
        let at = try tool("geotag", "--at", "48.208533,16.372139", "--overwrite", "replace", photo.path)
        #expect(at.status == 0, "\(at.text)\(at.errors)")
      } else {
        try plant(photo)
      }
      for (size, shape) in [
        (0, LargeFile.Shape.padded), (Self.threshold - 8, .padded), (Self.threshold + 512, .padded),
        (Self.threshold - 8, .moovLast), (Self.threshold + 512, .moovLast),
      ] {
        if shape == .moovLast, !["mov", "mp4", "3gp"].contains(photo.pathExtension) { continue }
        let name = "\(size)-\(shape.rawValue)-\(photo.lastPathComponent)"
        let copy = folder.appending(path: name)
        try FileManager.default.copyItem(at: photo, to: copy)
        if size > 0 { try LargeFile.enlarge(copy, to: size, shape) }
      }
    }
  }

  /// Adds values in EXIF, XMP, IPTC and QuickTime.
  private func plant(_ photo: URL) throws {
    let isMovie = ["mov", "mp4", "3gp"].contains(photo.pathExtension)
    let exif = ["-GPSLatitude=48.208533", "-GPSLatitudeRef=N", "-GPSLongitude=16.372139", "-GPSLongitudeRef=E"]
    let xmp = ["-XMP-exif:GPSLatitude=48.208533", "-XMP-exif:GPSLongitude=16.372139", "-XMP-photoshop:City=Vienna"]
    let iptc = ["jpg", "tif"].contains(photo.pathExtension) ? ["-IPTC:City=Vienna"] : []
    let keys = ["-Keys:GPSCoordinates=48.208533, 16.372139", "-UserData:GPSCoordinates=48.208533, 16.372139"]
    let history = ["-XMP-xmpMM:HistoryWhen=2024:05:18 10:00:00Z"]
    let all = xmp + history + iptc + (isMovie ? keys : exif)
    let written = try Oracle.run("exiftool", ["-q", "-m", "-overwrite_original"] + all + [photo.path])
    #expect(written.status == 0, "\(photo.lastPathComponent) \(written.errors)")
  }

  /// exiftool's locations and dates.
  struct Told {
    var places: Set<SIMD2<Double>> = []
    var days: Set<SIMD3<Int>> = []
    var instants: Set<Int64> = []
  }

  /// By the last part of their names, of the small files. Large ones are equal, and take minutes.
  private func recorded(in folder: URL) throws -> [String: Told] {
    let small = try FileManager.default.contentsOfDirectory(atPath: folder.path).filter { $0.hasPrefix("0-") }
    let options = ["-j", "-q", "-q", "-a", "-G1", "-n", "-ee"]
    let answer = try Oracle.run("exiftool", options + small.map { folder.appending(path: $0).path })
    let rows = try JSONSerialization.jsonObject(with: answer.output) as? [[String: any Sendable]] ?? []
    var recorded: [String: Told] = [:]
    for row in rows {
      guard let path = row["SourceFile"] as? String else { continue }
      recorded[Self.kind(path)] = Told(
        row.filter { key, _ in !["System", "File", "ExifTool", "ICC"].contains(where: key.hasPrefix) })
    }
    return recorded
  }

  /// `a.mov` of `0-padded-a.mov`.
  private static func kind(_ path: String) -> String {
    URL(filePath: path).lastPathComponent.split(separator: "-", maxSplits: 2).last.map(String.init) ?? path
  }

  // MARK: The test

  private func check(_ chain: Chain, in folder: URL, atLeast share: Double) throws {
    let old = try hashes(in: folder)
    var recorded = try recorded(in: folder)
    var rows: [String: Row] = [:]
    for (index, step) in chain.steps.enumerated() {
      let own = step == .shift ? [] : ["--raw", "in-place"]
      let run = try tool.run(
        list: step.arguments + own + ["--separately", "--jsonl", "--recursive", folder.path])
      #expect([0, 1].contains(run.status), "\(run.errors)")
      rows = try Row.all(in: run)
      guard index < chain.steps.count - 1 else { continue }
      if let place = step.place {
        for path in recorded.keys { recorded[path]?.places.insert(place) }
      } else {
        for (path, more) in try self.recorded(in: folder) { recorded[path, default: Told()].merge(more) }
      }
    }
    let step = chain.steps.last ?? .location
    let now = step == .coarse || step.isReplacement ? try self.recorded(in: folder) : [:]
    var erased = 0
    // A new sidecar leaves the file as it is, and the row says so.
    for (path, row) in rows where row.outcome == "changed" && !row.isBeside {
      guard let facts = recorded[Self.kind(path)] else { continue }
      erased += 1
      let search = search(for: facts, after: step, now[Self.kind(path)] ?? Told())
      let hits = try search.hits(in: URL(filePath: path)).filter { !row.announces($0) }
      #expect(hits.isEmpty, "\(chain.testDescription) \(path): \(hits.prefix(5))")
    }
    #expect(Double(erased) >= share * Double(old.count), "\(erased) of \(old.count)")
    for _ in chain.steps { _ = try tool("undo") }
    #expect(try hashes(in: folder) == old, "\(chain.testDescription)")
  }

  private func search(for facts: Told, after step: Step, _ now: Told) -> ByteSearch {
    var search = ByteSearch()
    if step != .date {
      let kept = now.places
      search.places = facts.places.filter { place in
        // A location that stays on purpose, coarse or new, isn't the old one.
        !kept.contains { abs($0.x - place.x) < 1e-3 || abs($0.y - place.y) < 1e-3 }
      }
      if !step.isReplacement { search.texts = ["Vienna", "Wellington"] }
    }
    if step.erasesDate {
      search.days = Array(facts.days)
      search.instants = Array(facts.instants)
    }
    return search
  }

  @Test("No erased value remains in any byte, in any format and size, also after other edits.", arguments: chains)
  func samples(chain: Chain) throws {
    let folder = scratch.url.appending(path: "photos")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    try samples(in: folder)
    try check(chain, in: folder, atLeast: 0.9)
  }

  @Test(
    "No erased value remains in real files, as they are and enlarged by 20 MB.",
    .enabled(if: Corpus.isThere, "\(Corpus.absence)"),
    arguments: [[.location], [.coarse], [.shift, .date], [.sydney, .shift, .wellington, .both]].map(Chain.init),
    ["mov", "tiff", "raw", "png", "avif"])
  func real(chain: Chain, folder name: String) throws { try real(chain, name) }

  @Test(
    "No erased value remains in real files that have only EXIF and XMP.",
    .enabled(if: Corpus.isThere, "\(Corpus.absence)"),
    arguments: [[.location], [.sydney, .shift, .wellington, .both]].map(Chain.init),
    ["webp", "jxl"])
  func plain(chain: Chain, folder name: String) throws { try real(chain, name) }

  private func real(_ chain: Chain, _ name: String) throws {
    let folder = scratch.url.appending(path: "photos")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    for file in Corpus.files("corpus/\(name)") {
      for size in [0, 20 << 20] {
        let copy = folder.appending(path: "\(size)-padded-\(file.lastPathComponent)")
        try FileManager.default.copyItem(at: file, to: copy)
        try FileManager.default.setAttributes([.posixPermissions: 0o644], ofItemAtPath: copy.path)
        guard size > 0 else { continue }
        if (try? LargeFile.enlarge(copy, to: size)) == nil { try FileManager.default.removeItem(at: copy) }
      }
      let movie = folder.appending(path: "\(20 << 20)-last-\(file.lastPathComponent)")
      guard name == "mov" else { continue }
      try FileManager.default.copyItem(at: file, to: movie)
      if (try? LargeFile.enlarge(movie, to: 20 << 20, .moovLast)) == nil {
        try FileManager.default.removeItem(at: movie)
      }
    }
    try check(chain, in: folder, atLeast: 0)
  }

  private func hashes(in folder: URL) throws -> [String: String] {
    let files = try FileManager.default.contentsOfDirectory(atPath: folder.path).sorted()
    let text = try Oracle.run("sha256sum", files.map { folder.appending(path: $0).path }).text
    return Dictionary(uniqueKeysWithValues: zip(files, text.split(separator: "\n").map { String($0.prefix(64)) }))
  }
}

/// A row of the report.
private struct Row {
  let outcome: String
  let isBeside: Bool
  let notes: String

  static func all(in run: Oracle.Answer) throws -> [String: Row] {
    var rows: [String: Row] = [:]
    for line in run.text.split(separator: "\n") {
      guard let row = try JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any],
        let path = row["path"] as? String, let outcome = row["outcome"] as? String
      else { continue }
      let notes = ["notes", "warnings"].flatMap { row[$0] as? [String] ?? [] }
      let isBeside = (row["reason"] as? String)?.contains("sidecar") ?? false
      rows[path] = Row(outcome: outcome, isBeside: isBeside, notes: notes.joined(separator: "\n"))
    }
    return rows
  }

  /// Whether the row reports a hit that stays in names, text or makers' data.
  func announces(_ hit: String) -> Bool {
    let isText = notes.contains("keeps a text with a coordinate") && hit.contains("text ")
    let isName = ["", ".", "/"].contains { separator in
      hit.split(separator: " ").last.map { notes.contains("(\($0))") && $0.contains(separator) } ?? false
    }
    let isMakers = notes.contains("maker note stays") || notes.contains("thermal data stays")
    let isOwnPlace = notes.contains("keeps its own location") || notes.contains("additional pictures")
    let isDate = !hit.contains("rationals") && !hit.contains("pair") && !hit.contains("text ")
    return isText || isName || isMakers && isDate || isOwnPlace && !isDate
  }
}

extension ErasedBytesTests.Told {
  /// By the names and values of exiftool's tags.
  fileprivate init(_ tags: [String: any Sendable]) {
    var (latitudes, longitudes): ([Double], [Double]) = ([], [])
    for (key, value) in tags {
      let name = key.split(separator: ":").last.map(String.init) ?? key
      if let number = value as? Double {
        if name.hasSuffix("Latitude") { latitudes.append(abs(number)) }
        if name.hasSuffix("Longitude") { longitudes.append(abs(number)) }
      }
      if ["GPSCoordinates", "GPSPosition", "LocationInformation"].contains(where: name.hasPrefix) {
        let numbers = "\(value)".matches(of: /\d+\.\d+/).compactMap { Double($0.output) }
        if numbers.count >= 2 {
          latitudes.append(numbers[0])
          longitudes.append(numbers[1])
        }
      }
      guard ["Date", "Time", "Created", "When"].contains(where: name.contains) else { continue }
      for match in "\(value)".matches(of: /(\d{4})[:\-](\d\d)[:\-](\d\d)(?:[ T](\d\d):(\d\d):(\d\d))?/) {
        guard let year = Int(match.1), let month = Int(match.2), let day = Int(match.3), (1901...2099).contains(year),
          (1...12).contains(month), (1...31).contains(day)
        else { continue }
        days.insert(SIMD3(year, month, day))
        guard year >= 1975, let hour = match.4.flatMap({ Int($0) }), let minute = match.5.flatMap({ Int($0) }),
          let second = match.6.flatMap({ Int($0) })
        else { continue }
        var time = DateComponents(year: year, month: month, day: day, hour: hour, minute: minute, second: second)
        time.timeZone = TimeZone(identifier: "UTC")
        if let date = Calendar(identifier: .gregorian).date(from: time) {
          instants.insert(Int64(date.timeIntervalSince1970))
        }
      }
    }
    for latitude in Set(latitudes) where latitude > 0.001 && latitude.rounded() != latitude {
      for longitude in Set(longitudes) where longitude > 0.001 && longitude.rounded() != longitude {
        places.insert(SIMD2(latitude, longitude))
      }
    }
  }

  fileprivate mutating func merge(_ other: Self) {
    places.formUnion(other.places)
    days.formUnion(other.days)
    instants.formUnion(other.instants)
  }
}

/// Data that earlier versions and other programs left in unused space.
@Suite("Remains in unused space")
struct UnusedSpaceTests {
  let (tool, scratch): (Tool, Scratch)

  init() throws { (tool, scratch) = (try Tool(), try Scratch()) }

  private func sample(_ name: String) throws -> URL {
    try scratch.copy(Corpus.project.appending(path: "SampleImages/\(name)"))
  }

  private func box(_ type: String, _ payload: [UInt8]) -> [UInt8] {
    withUnsafeBytes(of: UInt32(payload.count + 8).bigEndian) { Array($0) } + Array(type.utf8) + payload
  }

  private let packet = Array(
    """
    <x:xmpmeta xmlns:x="adobe:ns:meta/"><exif:GPSLatitude>48,12.512N</exif:GPSLatitude>
    <exif:GPSLongitude>16,22.328E</exif:GPSLongitude><xmp:CreateDate>2011-02-03T04:05:06</xmp:CreateDate></x:xmpmeta>
    """.utf8)
  private var search: ByteSearch {
    var search = ByteSearch()
    search.places = [SIMD2(48.208533, 16.372133)]
    search.days = [SIMD3(2011, 2, 3)]
    return search
  }

  @Test(
    "An old packet in a free box is erased with the location or the dates, and undo restores it.",
    arguments: ["cirrus-03-falls.mov", "borealis-07-swans.mp4", "cirrus-02-meadow.heic", "aurora-07-church.avif"],
    ["--location", "--date"])
  func freeBox(name: String, option: String) throws {
    let photo = try sample(name)
    try (try Data(contentsOf: photo) + box("free", packet)).write(to: photo)
    let hash = try sha256(photo)
    #expect(try search.hits(in: photo).count >= 3)
    let clear = try tool("clear", option, photo.path)
    #expect(clear.status == 0 && !clear.text.contains("unchanged"), "\(clear.text)\(clear.errors)")
    #expect(try search.hits(in: photo) == [])
    #expect(try tool("undo").status == 0)
    #expect(try sha256(photo) == hash)
  }

  @Test(
    "Old EXIF in a free box is erased, and too much of it refuses clearing.",
    arguments: [(3, 0), (256, 0), (300, 1)] as [(Int, Int32)])
  func deadEXIF(count: Int, status: Int32) throws {
    let photo = try sample("cirrus-02-meadow.heic")
    let head: [UInt8] = [0x49, 0x49, 42, 0, 8, 0, 0, 0, 1, 0, 0x32, 1, 2, 0, 20, 0, 0, 0, 26, 0, 0, 0, 0, 0, 0, 0]
    let block = head + Array("2011:02:03 04:05:06\0".utf8) + [0, 0]
    try (try Data(contentsOf: photo) + box("free", (0..<count).flatMap { _ in block })).write(to: photo)
    let old = try Data(contentsOf: photo)
    let clear = try tool("clear", "--date", photo.path)
    #expect(clear.status == status, "\(clear.text)\(clear.errors)")
    #expect(try search.hits(in: photo).count == (status == 0 ? 0 : count))
    guard status == 0 else { return }
    #expect(try tool("undo").status == 0)
    #expect(try Data(contentsOf: photo) == old)
  }

  @Test("An old moov in a free box loses its times with the dates.")
  func deadMoov() throws {
    let photo = try sample("borealis-07-swans.mp4")
    #expect(try tool("clear", "--date", photo.path).status == 0)
    // 3,798,874,080 seconds since 1904.
    let header = box("mvhd", [0, 0, 0, 0, 0xE2, 0x6E, 0x1F, 0xE0] + [UInt8](repeating: 0, count: 92))
    try (try Data(contentsOf: photo) + box("free", header)).write(to: photo)
    var search = ByteSearch()
    search.instants = [0xE26E_1FE0 - 2_082_844_800]
    #expect(try search.hits(in: photo).count == 1)
    #expect(try tool("clear", "--date", photo.path).status == 0)
    #expect(try search.hits(in: photo) == [])
  }

  @Test(
    "Unused XMP and IPTC in a TIFF is erased, also if it is longer than one read.",
    arguments: [("--location", 0), ("--date", 0), ("--location", 2_101_248)])
  func deadValues(option: String, padding: Int) throws {
    let photo = try sample("borealis-06-ferns.tif")
    let filling = [UInt8](repeating: 0x20, count: padding)
    // Its markers are far from its values.
    let (start, end) = (packet.prefix(36), packet.suffix(12))
    let packet = start + filling + packet.dropFirst(36).dropLast(12) + filling + end
    // A value in use follows them, so they are in a gap, not in a trailer.
    let iptc: [UInt8] = [0x1C, 2, 55, 0, 8] + Array("20110203".utf8) + [0x1C, 2, 90, 0, 6] + Array("Vienna".utf8)
    try (try Data(contentsOf: photo) + [0, 0] + packet + [0] + iptc + [0]).write(to: photo)
    try LargeFile.enlarge(photo, to: 17 << 20)
    var search = search
    search.texts = ["Vienna"]
    #expect(try search.hits(in: photo).count >= 4)
    let clear = try tool("clear", option, photo.path)
    #expect(clear.status == 0, "\(clear.text)\(clear.errors)")
    #expect(try search.hits(in: photo) == [])
  }

  @Test("Editing a large movie leaves no location or date of its old moov.")
  func movedMoov() throws {
    let photo = try sample("cirrus-03-falls.mov")
    try LargeFile.enlarge(photo, to: 17 << 20, .moovLast)
    let hash = try sha256(photo)
    #expect(try tool("geotag", "--at", "-33.856780,151.215310", "--overwrite", "replace", photo.path).status == 0)
    var search = ByteSearch()
    search.places = [SIMD2(46.398, 14.0779)]
    search.texts = ["Cirrus"]
    // Only the new moov names the camera.
    let hits = try search.hits(in: photo)
    #expect(hits.allSatisfy { $0.hasSuffix("Cirrus") } && hits.count == 1, "\(hits)")
    #expect(try tool("undo").status == 0)
    #expect(try sha256(photo) == hash)
  }

  @Test("Only its owner can read a plan.")
  func plan() throws {
    let photo = try sample("aurora-01-jetty.jpg")
    let plan = scratch.url.appending(path: "p.plan")
    #expect(try tool("geotag", "--at", "48.2,16.37", "--plan", plan.path, photo.path).status == 0)
    let mode = try FileManager.default.attributesOfItem(atPath: plan.path)[.posixPermissions] as? Int
    #expect(mode == 0o600)
  }

  @Test(
    "FLIR's second location is replaced like the first, and an unknown record refuses clearing.",
    .enabled(if: Corpus.isThere, "\(Corpus.absence)"))
  func thermal() throws {
    let photo = try scratch.copy(Corpus.shared.appending(path: "corpus/jpeg-makernote/FLIR_iPhone_device.jpg"))
    let old = try Data(contentsOf: photo)
    var search = ByteSearch()
    search.places = [SIMD2(34.0754261592891, 118.254268165533)]
    let replaced = try tool("geotag", "--at", "48.2,16.37", "--overwrite", "replace", photo.path)
    #expect(replaced.text.contains("FLIR thermal data keeps its own location"), "\(replaced.text)")
    #expect(try tool("clear", "--location", photo.path).status == 0)
    #expect(try search.hits(in: photo) == [])
    for _ in 0..<2 { #expect(try tool("undo").status == 0) }
    #expect(try Data(contentsOf: photo) == old)
    // The last but one in the list of records, which have 32 bytes each after a head of 64.
    let head = try #require(old.range(of: Data("FFF\0".utf8))).lowerBound
    let type = head + 64 + 32 * 7 + 1
    #expect(old[type] == 0x2E)
    var unknown = old
    unknown[type] = 0x7E
    try unknown.write(to: photo)
    let clear = try tool("clear", "--location", photo.path)
    #expect(clear.status == 1 && clear.text.contains("thermal data"), "\(clear.text)")
    #expect(try Data(contentsOf: photo) == unknown)
  }

  @Test(
    "A camera's note that a DNG keeps is reported when dates are erased.",
    .enabled(if: Corpus.isThere, "\(Corpus.absence)"))
  func privateNote() throws {
    let name = "nikon_z_9_high_efficiency_compressed_dx_cropped_max_overexposed.dng"
    let photo = try scratch.copy(Corpus.shared.appending(path: "corpus/raw/\(name)"))
    let clear = try tool("clear", "--date", "--raw", "in-place", photo.path)
    #expect(clear.text.contains("maker note stays"), "\(clear.text)\(clear.errors)")
  }
}
