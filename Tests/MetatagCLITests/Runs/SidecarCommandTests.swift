import Foundation
import TestSupport
import Testing

/// Raw files and sidecars with whole commands.
@Suite("Sidecars on the command line", .enabled(if: Corpus.isThere && Oracle.has("exiftool"), "\(Corpus.absence)"))
struct SidecarCommandTests {
  private let tool: Tool
  private let photos: Scratch
  private var folder: String { photos.url.path }

  init() throws { (tool, photos) = (try Tool(), try Scratch()) }

  /// A real DNG with a location and a date.
  private static let dng = Result {
    let scratch = try Scratch()
    let copy = try scratch.copy(Corpus.shared.appending(path: "corpus/raw/DNG.dng"))
    let tags = [
      "-DateTimeOriginal=2024:05:18 10:00:00", "-GPSLatitude=34", "-GPSLatitudeRef=N", "-GPSLongitude=84",
      "-GPSLongitudeRef=W", "-Model=Borealis",
    ]
    #expect(try Oracle.run("exiftool", ["-q", "-overwrite_original"] + tags + [copy.path]).status == 0)
    return try Data(contentsOf: copy)
  }

  @discardableResult
  private func raw(_ name: String = "IMG_1.DNG") throws -> URL { try photos.write(try Self.dng.get(), as: name) }

  @discardableResult
  private func sidecar(_ name: String, _ attributes: String) throws -> URL {
    let text = """
      <?xpacket begin="\u{FEFF}" id="W5M0MpCehiHzreSzNTczkc9d"?>
      <x:xmpmeta xmlns:x="adobe:ns:meta/"><rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#">
      <rdf:Description rdf:about="" xmlns:crs="http://ns.adobe.com/camera-raw-settings/1.0/"
        xmlns:exif="http://ns.adobe.com/exif/1.0/" xmlns:xmp="http://ns.adobe.com/xap/1.0/"
        crs:Exposure2012="+0.35"   xmp:Rating="4" \(attributes)/>
      </rdf:RDF></x:xmpmeta>
      <?xpacket end="w"?>
      """
    return try photos.write(text.utf8, as: name)
  }

  @Test(
    "A program's XMP in a read-only raw file is shown, compared, and refuses clearing.",
    arguments: ["CanonRaw.crw", "Minolta.mrw"])
  func foreignXMP(name: String) throws {
    let file = try photos.copy(Corpus.shared.appending(path: "corpus/raw/" + name))
    let tags = [
      "-XMP:GPSLatitude=48.2082", "-XMP:GPSLongitude=16.3738", "-XMP:City=Vienna",
      "-XMP:DateTimeOriginal=2001:02:03T04:05:06",
    ]
    #expect(try Oracle.run("exiftool", ["-q", "-overwrite_original"] + tags + [file.path]).status == 0)
    let bytes = try Data(contentsOf: file)
    let show = try tool("show", "--json", file.path)
    #expect(show.text.contains("48.2082") && show.text.contains("Vienna"), "\(show.text)")
    #expect(try tool("date", "check", file.path).text.contains("2001-02-03"))
    for option in ["sidecar", "in-place"] {
      let clear = try tool("clear", "--location", "--raw", option, file.path)
      #expect(
        clear.status == 1 && clear.text.contains("the file itself contains the metadata to remove"), "\(clear.text)")
    }
    #expect(try tool("geotag", "--at", "1,2", file.path).text.contains("already has a location"))
    #expect(try Data(contentsOf: file) == bytes)
  }

  @Test("--strict accepts sidecars that --raw or --sidecar requested.")
  func strict() throws {
    try raw()
    for (at, options) in [("1,2", []), ("3,4", ["--sidecar", "always"])] {
      let answer = try tool.run(
        list: ["geotag", "--at", at, "--overwrite", "replace", "--strict"] + options + [folder + "/IMG_1.DNG"])
      #expect(answer.status == 0 && answer.text.contains("sidecar"), "\(answer.text)")
    }
  }

  private var files: [String: Data] {
    get throws {
      let names = try FileManager.default.contentsOfDirectory(atPath: folder)
      return try Dictionary(
        uniqueKeysWithValues: names.map { ($0, try Data(contentsOf: photos.url.appending(path: $0))) })
    }
  }

  private func tag(_ name: String, _ file: String) throws -> String {
    try Oracle.run("exiftool", ["-s3", "-n", "-\(name)", folder + "/" + file]).text
      .trimmingCharacters(in: .whitespacesAndNewlines)
  }

  private func rows(_ answer: Oracle.Answer) throws -> [[String: Any]] { try WorkflowTests.rows(answer) }

  private func shown(_ file: String) throws -> [String: Any] {
    let answer = try tool("show", "--jsonl", folder + "/" + file)
    return try JSONSerialization.jsonObject(with: answer.output) as? [String: Any] ?? [:]
  }

  private static let photoshop = #"xmlns:photoshop="http://ns.adobe.com/photoshop/1.0/" photoshop:DateCreated"#

  @Test(
    "A text that isn't a date or another day in a sidecar stays, and the shift reports it.",
    arguments: ["1885/1890", "circa 1885", "1885-00-00", "1885-06-15"])
  func loose(text: String) throws {
    try raw()
    try sidecar("IMG_1.xmp", #"\#(Self.photoshop)="\#(text)""#)
    for (change, value, time) in [
      ("shift", "+1h", "2024:05:18 11:00:00"), ("zone", "+09:00", "2024:05:18 11:00:00+09:00"),
    ] {
      let run = try tool("date", change, value, "--json", folder + "/IMG_1.DNG")
      #expect(run.status == 0, "\(run.text)\(run.errors)")
      #expect(try files["IMG_1.xmp"]?.range(of: Data(#"photoshop:DateCreated="\#(text)""#.utf8)) != nil)
      #expect(try tag("XMP-exif:DateTimeOriginal", "IMG_1.xmp") == time)
      if text != "1885-06-15" { #expect(run.text.contains("keeps '\(text)'"), "\(run.text)") }
    }
    try sidecar("IMG_1.xmp", #"\#(Self.photoshop)="\#(text)" exif:DateTimeOriginal="\#(text)""#)
    let old = try files
    let run = try tool("date", "shift", "+1h", folder + "/IMG_1.DNG")
    let reason = text == "1885-06-15" ? "only the day is recorded, 1885-06-15" : "Use 'metatag date set'."
    #expect(run.status == 1 && run.text.contains(reason), "\(run.text)\(run.errors)")
    #expect(try files == old)
  }

  @Test(
    "A digitized date in a sidecar without a capture date moves by the same time and stays one.",
    arguments: ["exif:DateTimeDigitized", "xmp:CreateDate"])
  func digitized(name: String) throws {
    try raw()
    for (change, value, time, digitized) in [
      ("shift", "+1h", "2024:05:18 11:00:00", "2020:01:02 11:11:12"),
      ("zone", "+09:00", "2024:05:18 10:00:00+09:00", "2020:01:02 10:11:12+09:00"),
    ] {
      try sidecar("IMG_1.xmp", #"xmlns:xmp="http://ns.adobe.com/xap/1.0/" \#(name)="2020-01-02T10:11:12""#)
      let overwrite = change == "zone" ? ["--overwrite", "replace"] : []
      let run = try tool.run(list: ["date", change, value, "--json"] + overwrite + [folder + "/IMG_1.DNG"])
      #expect(run.status == 0, "\(run.text)\(run.errors)")
      #expect(try tag("XMP-exif:DateTimeOriginal", "IMG_1.xmp") == time)
      #expect(
        try tag("XMP-" + name.replacing("DateTimeDigitized", with: "DateTimeDigitized"), "IMG_1.xmp") == digitized)
    }
  }

  @Test("A text that isn't a date in a JPEG's sidecar is found, kept by repair, and replaced by set.")
  func looseBeside() throws {
    let sample = Corpus.project.appending(path: "SampleImages/aurora-01-jetty.jpg")
    let photo = try photos.write(try Data(contentsOf: sample), as: "a.jpg")
    try sidecar("a.jpg.xmp", #"\#(Self.photoshop)="1885/1890""#)
    let check = try tool("date", "check", photo.path)
    #expect(check.status == 1 && check.text.contains("malformed: a.jpg.xmp photoshop:DateCreated"), "\(check.text)")
    #expect(try tool("date", "repair", "--apply", photo.path).text.contains("is '1885/1890'"))
    let set = try tool("date", "set", "2023-01-02T03:04:05", "--json", photo.path)
    #expect(set.status == 0 && set.text.contains("1885/1890"), "\(set.text)")
    #expect(try tag("XMP-photoshop:DateCreated", "a.jpg.xmp").hasPrefix("2023:01:02 03:04:05"))
  }

  @Test("A raw file keeps every byte, its new sidecar has the change, and undo removes it.")
  func byDefault() throws {
    let before = try raw().path
    let old = try files
    let run = try tool("geotag", "--at", "47.5,8.25", "--overwrite", "replace", "--json", before)
    #expect(run.status == 0, "\(run.text)\(run.errors)")
    let row = try #require(try rows(run).first)
    #expect(row["outcome"] as? String == "changed" && row["reason"] as? String == "in its new sidecar IMG_1.DNG.xmp")
    let companion = try #require((row["companions"] as? [[String: Any]])?.first)
    #expect(companion["role"] as? String == "sidecar" && companion["created"] as? Bool == true)
    #expect(companion["path"] as? String == before + ".xmp")
    let schema = try JSONSchema(Corpus.project.appending(path: "Documentation/report.schema.json"))
    #expect(try schema.errors(in: row) == [])
    #expect(try files["IMG_1.DNG"] == old["IMG_1.DNG"])
    #expect(try tag("GPSLatitude", "IMG_1.DNG.xmp") == "47.5")
    // The sidecar is trusted, and the file's location is reported.
    let shown = try shown("IMG_1.DNG")
    #expect((shown["location"] as? [String: Any])?["latitude"] as? Double == 47.5)
    let copies = (shown["sources"] as? [String: Any])?["locations"] as? [[String: Any]] ?? []
    #expect(copies.map { $0["namespace"] as? String } == ["sidecar", "exif"])
    #expect((shown["notes"] as? [String])?.contains { $0.contains("GPSLatitude (exif) has another location") } == true)
    let again = try tool("geotag", "--at", "47.5,8.25", "--overwrite", "replace", before)
    #expect(again.text.contains("unchanged: nothing to do"), "\(again.text)")
    #expect(try tool("undo").status == 0)
    #expect(try files == old)
  }

  @Test("Every readable real raw file gets a sidecar and stays unchanged.")
  func corpus() throws {
    // Two of them are JPEGs with a raw file's extension.
    for file in Corpus.files("corpus/raw") where try Data(contentsOf: file).prefix(2) != Data([0xFF, 0xD8]) {
      try photos.copy(file)
    }
    let old = try files
    let run = try tool("geotag", "--at", "47.5,8.25", "--overwrite", "replace", "--json", folder)
    let made = try rows(run).filter { $0["outcome"] as? String == "changed" }
    #expect(made.count >= 5, "\(run.text)")
    let new = try files
    for (name, bytes) in old { #expect(new[name] == bytes, "\(name)") }
    for row in made {
      let path = try #require(row["path"] as? String)
      #expect(try Oracle.run("exiftool", ["-s3", "-n", "-GPSLatitude", path + ".xmp"]).text == "47.5\n", "\(path)")
    }
    #expect(try tool("undo", "-q").status == 0)
    #expect(try files == old)
  }

  @Test("An existing sidecar of any name is used, and only the requested value changes in it.")
  func existing() throws {
    for name in ["IMG_1.xmp", "IMG_1.DNG.XMP"] {
      try raw()
      let file = try sidecar(name, "exif:DateTimeOriginal=\"2020-12-29T14:24:45\"")
      let before = try files
      let run = try tool("date", "shift", "+1h", folder)
      #expect(run.status == 0 && run.text.contains("in its sidecar \(name)"), "\(run.text)")
      let text = String(decoding: try Data(contentsOf: file), as: UTF8.self)
      #expect(text.contains("crs:Exposure2012=\"+0.35\"   xmp:Rating=\"4\""), "\(text)")
      #expect(text.contains("exif:DateTimeOriginal=\"2020-12-29T15:24:45\""), "\(text)")
      #expect(try files["IMG_1.DNG"] == before["IMG_1.DNG"] && files.count == 2)
      #expect(try tool("undo").status == 0)
      #expect(try files == before)
      try FileManager.default.removeItem(at: file)
    }
  }

  @Test("Two sidecars of one photo are refused, and one of two photos is reported and not used.")
  func ambiguous() throws {
    try raw()
    try sidecar("IMG_1.xmp", "")
    try sidecar("IMG_1.DNG.xmp", "")
    let before = try files
    let two = try tool("geotag", "--at", "1,2", "--overwrite", "replace", folder)
    let words = "skipped: has two sidecars, IMG_1.DNG.xmp and IMG_1.xmp"
    #expect(two.status == 1 && two.text.contains(words), "\(two.text)")
    #expect(try files == before)
    #expect((try shown("IMG_1.DNG")["notes"] as? [String])?.contains { $0.contains("two sidecars") } == true)
    try FileManager.default.removeItem(at: photos.url.appending(path: "IMG_1.DNG.xmp"))
    try raw("IMG_1.CR2")
    let whose = try tool("geotag", "--at", "1,2", "--overwrite", "replace", "--json", folder)
    #expect(whose.status == 0)
    #expect(try files["IMG_1.xmp"] == before["IMG_1.xmp"])
    for row in try rows(whose) {
      #expect((row["notes"] as? [String])?.contains { $0.hasPrefix("IMG_1.xmp could belong to several") } == true)
    }
  }

  @Test("A link to another photo's sidecar is not used, and the sidecar stays that photo's.")
  func linked() throws {
    try raw()
    try raw("IMG_2.DNG")
    try sidecar("IMG_1.xmp", "")
    let link = photos.url.appending(path: "IMG_2.xmp").path
    try FileManager.default.createSymbolicLink(atPath: link, withDestinationPath: "IMG_1.xmp")
    let own = folder + "/IMG_2.DNG"
    let before = try files
    #expect(try tool("date", "shift", "+1h", own).status == 0)
    #expect(try files["IMG_1.xmp"] == before["IMG_1.xmp"])
    let run = try tool("date", "shift", "+1h", "--json", folder)
    #expect(run.status == 0, "\(run.text)")
    let notes = try rows(run).map {
      ($0["notes"] as? [String])?.contains { $0.contains("link to the sidecar") } ?? false
    }
    #expect(notes == [false, true])
    #expect(try tag("DateTimeOriginal", "IMG_1.xmp").contains("11:"))
    #expect(try tag("DateTimeOriginal", "IMG_2.DNG.xmp").contains("12:"))
  }

  @Test("A sidecar can't remove a raw file's values, and can remove its own.")
  func clear() throws {
    try raw()
    let before = try files
    let run = try tool("clear", "--location", folder)
    #expect(run.status == 1 && run.text.contains("--raw in-place"), "\(run.text)")
    #expect(try files == before)
    let inPlace = try tool("clear", "--location", "--raw", "in-place", folder)
    #expect(inPlace.status == 0, "\(inPlace.text)")
    #expect(try tag("GPSLatitude", "IMG_1.DNG") == "" && files.count == 1)
    #expect(try tool("geotag", "--at", "1,2", folder).status == 0)
    #expect(try tag("GPSLatitude", "IMG_1.DNG.xmp") == "1")
    let cleared = try files["IMG_1.DNG"]
    #expect(try tool("clear", "--location", folder).status == 0)
    #expect(try files["IMG_1.DNG"] == cleared)
    #expect(try tag("GPSLatitude", "IMG_1.DNG.xmp") == "")
    for words in [["--date"], ["--all"]] {
      let run = try tool.run(list: ["clear"] + words + [folder])
      #expect(run.status == 1 && run.text.contains("--raw in-place"), "\(run.text)")
    }
    for _ in 1...3 { #expect(try tool("undo").status == 0) }
    #expect(try files == before)
  }

  @Test("Values that fit neither the file nor a sidecar get no advice to edit in place.")
  func noRoomForBoth() throws {
    try photos.write(try Data(contentsOf: Corpus.shared.appending(path: "corpus/raw/CanonRaw.cr3")), as: "c.cr3")
    let tag = ["--set", "Exif.Photo.UserComment=Gruesse"]
    let run = try tool.run(list: ["set", "--raw", "in-place", "--artist", "Zoe"] + tag + [folder])
    #expect(
      run.status == 1 && run.text.contains("doesn't fit its slot, and a sidecar can't hold Exif.Photo.UserComment"),
      "\(run.text)")
    #expect(!run.text.contains("--raw in-place"))
    #expect(try tool.run(list: ["set", "--raw", "in-place"] + tag + [folder]).status == 0)
    #expect(try tool("set", "--raw", "in-place", "--artist", "Zoe", folder).status == 0)
  }

  @Test("A raw file's dates, names and fields are written to its sidecar from what it records.")
  func stated() throws {
    try raw()
    let date = try shown("IMG_1.DNG")["taken"] as? String
    #expect(try tool("date", "shift", "+1d", folder).status == 0)
    let shifted = try #require(try shown("IMG_1.DNG")["taken"] as? String)
    #expect(date?.prefix(10) == "2024-05-18" && shifted.prefix(10) == "2024-05-19")
    #expect(shifted.dropFirst(10) == date?.dropFirst(10))
    #expect(try tool("date", "shift", "+1d", folder).status == 0)
    #expect((try shown("IMG_1.DNG")["taken"] as? String)?.prefix(10) == "2024-05-20")
    #expect(try tool("set", "--artist", "Ada", "--lens-model", "Helios", "--aperture", "2", folder).status == 0)
    #expect(try tag("XMP-dc:Creator", "IMG_1.DNG.xmp") == "Ada" && tag("XMP-exif:FNumber", "IMG_1.DNG.xmp") == "2")
    #expect(try shown("IMG_1.DNG")["lensModel"] as? String == "Helios")
    let exif = try tool("set", "--set", "Exif.Photo.SubjectDistance=10/3", folder)
    #expect(exif.status == 1 && exif.text.contains("a sidecar can't hold Exif.Photo.SubjectDistance"), "\(exif.text)")
    let none = try tool("set", "--model", "", folder)
    #expect(none.status == 1 && none.text.contains("--raw in-place"), "\(none.text)")
  }

  @Test(
    "Every command trusts a sidecar's partial date, and the file's time is reported."
  )
  func year() throws {
    try raw()
    let before = try files
    for (date, isContradicted) in [
      ("1975", true), ("2024-05", false), ("1975-06-12", true), ("2024-05-18", false),
    ] {
      #expect(try tool("date", "set", date, folder).status == 0)
      #expect(try files["IMG_1.DNG"] == before["IMG_1.DNG"])
      #expect(try tag("XMP-photoshop:DateCreated", "IMG_1.DNG.xmp") == date.replacing("-", with: ":"))
      let shown = try shown("IMG_1.DNG")
      #expect(shown["taken"] as? String == date)
      let copies = (shown["sources"] as? [String: Any])?["taken"] as? [[String: Any]] ?? []
      let namespaces = copies.compactMap { $0["namespace"] as? String }
      #expect(namespaces.first == "sidecar" && namespaces.contains("exif"))
      let notes = (shown["notes"] as? [String])?.joined() ?? ""
      #expect(notes.contains("DateTimeOriginal (exif) has another time: 2024-05-18") == isContradicted)
      let check = try tool("date", "check", folder).text
      #expect(check.contains("DateTimeOriginal (exif) is 2024-05-18") == isContradicted, "\(check)")
      let year = date.prefix(4)
      #expect(try tool("show", "--where", "taken == \(year)", "--jsonl", folder).text.contains("IMG_1"))
      let earlier = try tool("show", "--where", "taken < 2024-05-18T12:00", "--jsonl", folder).text
      #expect(earlier.contains("IMG_1") == isContradicted)
      #expect(try tool("date", "set", date, folder).text.contains("unchanged"))
      #expect(try tool("date", "zone", "+01:00", folder).text.contains("is recorded, \(date)"))
      #expect(try tool("undo").status == 0)
      #expect(try files == before)
    }
    // In place, both have it.
    #expect(try tool("date", "set", "1975", folder).status == 0)
    #expect(try tool("date", "set", "1980-02-03T04:05:06", "--raw", "in-place", folder).status == 0)
    #expect((try shown("IMG_1.DNG")["taken"] as? String)?.hasPrefix("1980-02-03T04:05:06") == true)
    #expect(try tag("XMP-photoshop:DateCreated", "IMG_1.DNG.xmp").hasPrefix("1980:02:03 04:05:06"))
  }

  @Test("A day set in a sidecar that has only Adobe's date is trusted.")
  func dayBeside() throws {
    try raw()
    try sidecar("IMG_1.DNG.xmp", #"\#(Self.photoshop)="2021-09-05T12:00:00""#)
    #expect(try tool("date", "set", "2024-05-18", folder).status == 0)
    #expect(try shown("IMG_1.DNG")["taken"] as? String == "2024-05-18")
    #expect(try tool("date", "set", "2024-05-18", folder).text.contains("unchanged"))
  }

  @Test("Dates in EXIF's form, as from darktable, are read, moved and written in XMP's form.")
  func exifForm() throws {
    try raw()
    try sidecar("IMG_1.DNG.xmp", "exif:DateTimeOriginal=\"2021:09:05 12:00:00\"")
    let before = try files
    #expect(try shown("IMG_1.DNG")["taken"] as? String == "2021-09-05T12:00:00")
    let check = try tool("date", "check", folder).text
    #expect(check.contains("irregular: exif:DateTimeOriginal (sidecar) is 2021:09:05 12:00:00"), "\(check)")
    #expect(try tool("date", "shift", "+1h", folder).status == 0)
    let text = String(decoding: try #require(files["IMG_1.DNG.xmp"]), as: UTF8.self)
    #expect(text.contains("exif:DateTimeOriginal=\"2021-09-05T13:00:00\""), "\(text)")
    #expect(try tool("undo").status == 0)
    #expect(try files == before)
  }

  @Test("A raw file's new sidecar doesn't hide the JPEG of its name from --retry-failed.")
  func retry() throws {
    let raw = try raw()
    let sample = try Data(contentsOf: Corpus.project.appending(path: "SampleImages/aurora-01-jetty.jpg"))
    let jpeg = try photos.write(sample, as: "IMG_1.JPG")
    try sidecar("IMG_1.xmp", #"exif:DateTimeOriginal="2021-09-05T12:00:00+02:00""#)
    let change = ["date", "shift", "+1h", "--separately"]
    #expect(try tool.run(list: change + [raw.path]).status == 0)
    let written = try #require(try files["IMG_1.xmp"])
    let again = try tool.run(list: change + ["--retry-failed", "1", "--json", folder])
    #expect(again.status == 0 && again.errors.contains("1 of 2 files were done by or since run 1"), "\(again.errors)")
    #expect(try rows(again).compactMap { $0["path"] as? String } == [jpeg.path])
    #expect(try files["IMG_1.JPG"] != sample && files["IMG_1.xmp"] == written)
  }

  @Test("sync-mtime uses a raw file's sidecar, and skips the file if there are doubts.")
  func modified() throws {
    let file = try raw()
    try sidecar("IMG_1.DNG.xmp", "exif:DateTimeOriginal=\"2021-09-05T12:00:00+02:00\"")
    func modified() throws -> Date? {
      try FileManager.default.attributesOfItem(atPath: file.path)[.modificationDate] as? Date
    }
    let old = try modified()
    for words in [[], ["--separately"]] {
      #expect(try tool.run(list: ["date", "sync-mtime"] + words + [folder]).status == 0)
      #expect(try modified()?.timeIntervalSince1970 == 1_630_836_000)
      #expect(try tool("undo").status == 0)
      #expect(try modified() == old)
    }
    #expect(try tool("date", "set", "1975", folder).status == 0)
    #expect(try tool("date", "sync-mtime", folder).text.contains("only the year is recorded, 1975"))
    try sidecar("IMG_1.xmp", "")
    #expect(try tool("date", "sync-mtime", folder).text.contains("has two sidecars"))
    try FileManager.default.removeItem(at: photos.url.appending(path: "IMG_1.xmp"))
    try photos.write("<x:xmpmeta xmlns:x='adobe:ns:meta/'>".utf8, as: "IMG_1.DNG.xmp")
    let broken = try tool("date", "sync-mtime", folder)
    #expect(broken.status == 1 && broken.text.contains("its sidecar IMG_1.DNG.xmp: "), "\(broken.text)")
    #expect(try modified() == old)
  }

  @Test("A changed photo updates only what its sidecar has, and one undo reverts both.")
  func following() throws {
    let jpeg = try photos.copy(Corpus.project.appending(path: "SampleImages/borealis-02-lunch.jpg"))
    let name = jpeg.lastPathComponent + ".xmp"
    try sidecar(name, "exif:GPSLatitude=\"10,0N\" exif:GPSLongitude=\"20,0E\"")
    let before = try files
    #expect(try tool("geotag", "--at", "47.5,8.25", "--overwrite", "replace", jpeg.path).status == 0)
    #expect(try tag("GPSLatitude", jpeg.lastPathComponent) == "47.5" && tag("GPSLatitude", name) == "47.5")
    #expect(try tag("Exposure2012", name) == "0.35" || tag("Exposure2012", name) == "+0.35")
    #expect(try tool("undo").status == 0)
    #expect(try files == before)
    #expect(try tool("date", "shift", "+1h", jpeg.path).status == 0)
    #expect(try files[name] == before[name])
    #expect(try tool("undo").status == 0)
    #expect(try tool("clear", "--location", jpeg.path).status == 0)
    #expect(try tag("GPSLatitude", name) == "" && tag("GPSLatitude", jpeg.lastPathComponent) == "")
    #expect(try tool("undo").status == 0)
    #expect(try files == before)
    // An unreadable sidecar keeps the photo as it is.
    try photos.write("<x:xmpmeta xmlns:x='adobe:ns:meta/'>".utf8, as: name)
    let broken = try tool("geotag", "--at", "1,2", "--overwrite", "replace", jpeg.path)
    #expect(broken.status == 1 && broken.text.contains("its sidecar \(name): "), "\(broken.text)")
    #expect(try files[jpeg.lastPathComponent] == before[jpeg.lastPathComponent])
  }

  @Test("A sidecar fills a photo's missing values for every command.")
  func filling() throws {
    let jpeg = try photos.copy(Corpus.project.appending(path: "SampleImages/borealis-02-lunch.jpg"))
    #expect(try tool("clear", "--location", jpeg.path).status == 0)
    try sidecar("borealis-02-lunch.xmp", "exif:GPSLatitude=\"10,0N\" exif:GPSLongitude=\"20,0E\"")
    let shown = try shown("borealis-02-lunch.jpg")
    #expect((shown["location"] as? [String: Any])?["latitude"] as? Double == 10)
    #expect(try tool("show", "--where", "location && latitude > 9", "--jsonl", jpeg.path).text.contains("lunch"))
    #expect(try tool("export", "csv", jpeg.path).text.contains("10.0"))
    let kept = try tool("geotag", "--at", "1,2", jpeg.path)
    #expect(kept.text.contains("unchanged: already has a location"), "\(kept.text)")
  }

  @Test("--sidecar always changes no photo, never adds no sidecar, and base names are Adobe's.")
  func policies() throws {
    let jpeg = try photos.copy(Corpus.project.appending(path: "SampleImages/borealis-02-lunch.jpg"))
    try raw()
    let before = try files
    #expect(try tool("date", "shift", "+1h", "--sidecar", "always", "--sidecar-name", "base", folder).status == 0)
    #expect(try Set(files.keys).subtracting(before.keys) == ["borealis-02-lunch.xmp", "IMG_1.xmp"])
    #expect(try files.filter { before[$0.key] != nil } == before)
    #expect(try tool("undo").status == 0)
    let never = try tool("date", "shift", "+1h", "--sidecar", "never", folder)
    #expect(never.status == 1 && never.text.contains("Use --raw in-place to change the file itself"), "\(never.text)")
    #expect(try files["IMG_1.DNG"] == before["IMG_1.DNG"] && files.count == 2)
    #expect(try files[jpeg.lastPathComponent] != before[jpeg.lastPathComponent])
    #expect(try tool("undo").status == 0)
    let inPlace = try tool("date", "shift", "+1h", "--raw", "in-place", "--sidecar", "never", folder)
    #expect(inPlace.status == 0, "\(inPlace.text)")
    #expect(try files.count == 2 && files["IMG_1.DNG"] != before["IMG_1.DNG"])
    #expect(try tool("undo").status == 0)
    // A name that another photo has too would be ambiguous.
    try raw("IMG_1.CR2")
    #expect(try tool("date", "shift", "+1h", "--sidecar-name", "base", folder + "/IMG_1.CR2").status == 0)
    #expect(try files["IMG_1.CR2.xmp"] != nil)
  }

  @Test("A photo that isn't raw overrules its new sidecar, and a note says so.")
  func overruled() throws {
    let jpeg = try photos.copy(Corpus.project.appending(path: "SampleImages/borealis-02-lunch.jpg"))
    let sets = ["geotag", "--at", "1,2", "--overwrite", "replace", "--sidecar", "always"]
    func note(_ command: [String]) throws -> Bool {
      let answer = try tool.run(list: command + [jpeg.path])
      #expect(answer.status == 0, "\(answer.text)")
      return answer.text.contains("itself records another")
    }
    #expect(try !note(sets + ["--dry-run"]))
    #expect(try tool("geotag", "--at", "10,20", jpeg.path).status == 0)
    for command in [sets + ["--dry-run"], sets, sets + ["--json"], ["date", "shift", "+1h", "--sidecar", "always"]] {
      #expect(try note(command), "\(command)")
    }
    #expect(try tool("undo").status == 0)
    #expect(try tool("undo").status == 0)
    #expect(try !note(["geotag", "--at", "1,2", "--overwrite", "replace"]))
  }

  @Test("A file that can't be changed in place gets a sidecar, and one note says so.")
  func sidecarOnly() throws {
    for name in ["delta-05.raf", "delta-07.x3f"] {
      try photos.copy(Corpus.project.appending(path: "SampleImages/raw/\(name)"))
    }
    let before = try files
    let run = try tool("geotag", "--at", "47.5,8.25", "--overwrite", "replace", "--raw", "in-place", folder)
    #expect(run.status == 0, "\(run.text)")
    #expect(run.text.split(separator: "\n").count { $0.contains("can't be changed in place") } == 1, "\(run.text)")
    #expect(try files.filter { before[$0.key] != nil } == before)
    for name in before.keys { #expect(try tag("GPSLatitude", name + ".xmp") == "47.5") }
    let never = try tool(
      "geotag", "--at", "1,2", "--overwrite", "replace", "--raw", "in-place", "--sidecar", "never", folder)
    #expect(never.status == 0, "what is there is used: \(never.text)")
    for _ in 1...2 { #expect(try tool("undo").status == 0) }
    #expect(try files == before)
    let none = try tool("geotag", "--at", "1,2", "--raw", "in-place", "--sidecar", "never", folder)
    #expect(none.status == 1 && none.text.contains("none may be created"), "\(none.text)")
  }

  @Test("Presets aren't photos, and a named sidecar is changed alone or with its photo.")
  func presets() throws {
    try sidecar("Preset.xmp", "exif:DateTimeOriginal=\"2020-01-01T00:00:00\"")
    let before = try files
    let walk = try tool("date", "shift", "+1h", folder)
    #expect(walk.text.contains("0 files"), "\(walk.text)")
    #expect(try files == before)
    #expect(try tool("date", "shift", "+1h", folder + "/Preset.xmp").status == 0)
    #expect(try tag("DateTimeOriginal", "Preset.xmp") == "2020:01:01 01:00:00")
    try raw()
    #expect(try tool("date", "shift", "+1h", folder).status == 0)
    let row = try rows(try tool("date", "shift", "+1h", "--json", folder + "/IMG_1.DNG.xmp"))
    #expect(row.count == 1 && row[0]["path"] as? String == folder + "/IMG_1.DNG")
  }

  @Test("A plan names new sidecars, writes the same files, and is refused if a sidecar appeared.")
  func plans() throws {
    try raw()
    try photos.copy(Corpus.project.appending(path: "SampleImages/borealis-02-lunch.jpg"))
    try sidecar("borealis-02-lunch.xmp", "exif:DateTimeOriginal=\"2020-12-29T14:24:45\"")
    let before = try files
    #expect(try tool("date", "shift", "+1h", folder).status == 0)
    let direct = try files
    #expect(try tool("undo").status == 0)
    let plans = try Scratch()
    let plan = plans.url.appending(path: "plan.jsonl").path
    #expect(try tool("date", "shift", "+1h", "--plan", plan, folder).status == 0)
    #expect(try files == before)
    let applied = try tool("apply", plan)
    #expect(applied.status == 0, "\(applied.text)\(applied.errors)")
    #expect(try files == direct)
    #expect(try tool("undo").status == 0)
    #expect(try files == before)
    try sidecar("IMG_1.xmp", "")
    let late = try tool("apply", plan, "--json")
    let failed = try rows(late).filter { $0["outcome"] as? String == "failed" }
    #expect(failed.count == 1)
    #expect((failed.first?["reason"] as? String)?.contains("has a sidecar, IMG_1.xmp, that did not exist") == true)
    #expect(try files["IMG_1.DNG.xmp"] == nil)
  }

  @Test("A photo that gets its right extension renames its sidecar too.")
  func renamed() throws {
    let jpeg = Corpus.project.appending(path: "SampleImages/borealis-02-lunch.jpg")
    try photos.write(try Data(contentsOf: jpeg), as: "IMG_1.HEIC")
    try sidecar("IMG_1.HEIC.xmp", "")
    try photos.write(try Data(contentsOf: jpeg), as: "IMG_2.HEIC")
    try sidecar("IMG_2.xmp", "")
    let before = try files
    #expect(try tool("fix-extension", folder).status == 0)
    #expect(try Set(files.keys) == ["IMG_1.JPG", "IMG_1.JPG.xmp", "IMG_2.JPG", "IMG_2.xmp"])
    #expect(try tool("undo").status == 0)
    #expect(try files == before)
  }

  @Test("A JPEG, its raw file and sidecar are one photo: one row, all or none, one undo.")
  func group() throws {
    try photos.copy(Corpus.project.appending(path: "SampleImages/borealis-02-lunch.jpg"))
    try FileManager.default.moveItem(
      at: photos.url.appending(path: "borealis-02-lunch.jpg"), to: photos.url.appending(path: "IMG_1.JPG"))
    try raw()
    let tags = ["-q", "-overwrite_original", "-DateTimeOriginal=2024:05:18 10:00:00", "-Model=Borealis"]
    #expect(try Oracle.run("exiftool", tags + [folder + "/IMG_1.JPG"]).status == 0)
    let before = try files
    let run = try tool("geotag", "--at", "47.5,8.25", "--overwrite", "replace", "--json", folder + "/IMG_1.DNG")
    #expect(run.status == 0, "\(run.text)\(run.errors)")
    let row = try rows(run)
    #expect(row.count == 1 && row[0]["path"] as? String == folder + "/IMG_1.JPG")
    let roles = (row[0]["companions"] as? [[String: Any]])?.map { $0["role"] as? String ?? "" }
    #expect(roles == ["raw", "sidecar"])
    for file in ["IMG_1.JPG", "IMG_1.DNG.xmp"] { #expect(try tag("GPSLatitude", file) == "47.5") }
    #expect(try files["IMG_1.DNG"] == before["IMG_1.DNG"])
    #expect(try tool("date", "shift", "+1y", folder).status == 0)
    #expect(try tag("DateTimeOriginal", "IMG_1.JPG") == "2025:05:18 10:00:00")
    #expect(try tag("DateTimeOriginal", "IMG_1.DNG.xmp").hasPrefix("2025:05:18 10:00:00"))
    // The raw file's date is a year off now, but they are still one photo.
    #expect(try rows(try tool("date", "shift", "-1y", "--json", folder)).count == 1)
    for _ in 1...3 { #expect(try tool("undo").status == 0) }
    #expect(try files == before)
    // A change that fails for one file is made to none.
    try photos.write("<x:xmpmeta xmlns:x='adobe:ns:meta/'>".utf8, as: "IMG_1.DNG.xmp")
    let broken = try tool("date", "shift", "+1h", folder)
    #expect(broken.status == 1)
    #expect(try files["IMG_1.JPG"] == before["IMG_1.JPG"])
    try FileManager.default.removeItem(at: photos.url.appending(path: "IMG_1.DNG.xmp"))
    let cleared = try tool("clear", "--location", folder)
    #expect(cleared.status == 1 && cleared.text.contains("its companion IMG_1.DNG: "), "\(cleared.text)")
    #expect(try files == before)
    let apart = try tool("date", "shift", "+1h", "--separately", "--json", folder)
    #expect(try rows(apart).count == 2)
  }

  private static let place = "exif:GPSLatitude=\"48,51.5N\" exif:GPSLongitude=\"2,17.6E\""

  @Test(
    "A possible sidecar is reported, also for an unchanged photo, and refuses erasing.",
    arguments: [
      (["I.JPG", "I.PNG"], "I.xmp", "could belong to several photos with this name"),
      (["IMG_1.DNG"], "IMG_1_01.DNG.xmp", "could be its sidecar under another name"),
      (["IMG_1.DNG"], "img_1.dng.XMP", "could be its sidecar under another name"),
    ])
  func strays(names: [String], stray: String, doubt: String) throws {
    for name in names {
      let own = "SampleImages/" + (name.hasSuffix("PNG") ? "cirrus-04-signpost.png" : "borealis-02-lunch.jpg")
      try photos.write(
        name.hasSuffix("DNG") ? try Self.dng.get() : try Data(contentsOf: Corpus.project.appending(path: own)), as: name
      )
    }
    let plain = names.filter { !$0.hasSuffix("DNG") }.map { folder + "/" + $0 }
    if !plain.isEmpty {
      #expect(try Oracle.run("exiftool", ["-q", "-all=", "-overwrite_original"] + plain).status == 0)
    }
    try sidecar(stray, Self.place)
    let before = try files
    let cleared = try tool("clear", "--location", "--raw", "in-place", folder)
    #expect(cleared.status == 1 && cleared.text.contains("Name \(stray) itself"), "\(cleared.text)")
    #expect(try files == before)
    let unchanged = try tool("set", "--artist", "", "--raw", "in-place", folder)
    #expect(unchanged.text.contains("\(stray) \(doubt)"), "\(unchanged.text)")
    let both = try tool("clear", "--location", "--raw", "in-place", folder, folder + "/" + stray)
    #expect(both.status == 0, "\(both.text)\(both.errors)")
    #expect(try tag("GPSLatitude", stray).isEmpty && (try tag("Rating", stray)) == "4")
    #expect(try tool("undo").status == 0)
    if unchanged.text.contains("1 changed") { #expect(try tool("undo").status == 0) }
    #expect(try files == before)
  }

  @Test("A link's new sidecar is next to the link, and a protected raw file gets one.")
  func links() throws {
    let store = try Scratch()
    let target = try store.write(try Self.dng.get(), as: "abc123.DNG")
    try FileManager.default.setAttributes([.posixPermissions: 0o444], ofItemAtPath: target.path)
    try FileManager.default.createSymbolicLink(
      atPath: folder + "/IMG_1.DNG", withDestinationPath: target.path)
    let run = try tool("geotag", "--at", "47.5,8.25", "--overwrite", "replace", folder)
    #expect(run.status == 0, "\(run.text)")
    #expect(try FileManager.default.contentsOfDirectory(atPath: store.url.path) == ["abc123.DNG"])
    let mode = try FileManager.default.attributesOfItem(atPath: folder + "/IMG_1.DNG.xmp")[.posixPermissions]
    #expect(mode as? Int == 0o644)
    #expect(try tool("geotag", "--at", "1,2", "--overwrite", "replace", folder).status == 0)
    #expect(try tag("GPSLatitude", "IMG_1.DNG.xmp") == "1")
    for _ in 1...2 { #expect(try tool("undo").status == 0) }
    #expect(try FileManager.default.contentsOfDirectory(atPath: folder) == ["IMG_1.DNG"])
  }

  @Test("Values without room in a CR3 go into a sidecar, with a note.")
  func noRoom() throws {
    let file = try photos.copy(Corpus.shared.appending(path: "corpus/raw/CanonRaw.cr3")).lastPathComponent
    let before = try files
    let run = try tool("set", "--artist", "Ada", "--raw", "in-place", folder)
    #expect(run.status == 0 && run.text.contains("has no room for the change"), "\(run.text)\(run.errors)")
    #expect(try files[file] == before[file] && files.keys.contains(file + ".xmp"))
    #expect(try tool("undo").status == 0)
    #expect(try files == before)
    let never = try tool("set", "--artist", "Ada", "--raw", "in-place", "--sidecar", "never", folder)
    #expect(never.status == 1, "\(never.text)")
  }

  @Test("A hidden file has a sidecar too, and macOS's companion files are ignored.")
  func hidden() throws {
    try raw(".IMG_1.DNG")
    try photos.write([0], as: "._IMG_1.DNG.xmp")
    for hour in [11, 12] {
      let run = try tool.run(list: ["date", "shift", "+1h", folder + "/.IMG_1.DNG"])
      #expect(run.status == 0, "\(run.text) \(run.errors)")
      #expect(try shown(".IMG_1.DNG")["taken"] as? String == "2024-05-18T\(hour):00:00")
    }
    #expect(try Set(files.keys) == ["._IMG_1.DNG.xmp", ".IMG_1.DNG", ".IMG_1.DNG.xmp"])
  }
}
