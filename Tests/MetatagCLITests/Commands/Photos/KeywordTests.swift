import Foundation
import TestSupport
import Testing

@Suite(
  "Titles and keywords", .enabled(if: Oracle.has("exiftool") && Oracle.has("exiv2"), "exiftool or exiv2 is missing"))
struct KeywordTests {
  let (tool, scratch): (Tool, Scratch)

  init() throws { (tool, scratch) = (try Tool(), try Scratch()) }

  private func sample(_ name: String) throws -> URL {
    try scratch.copy(Corpus.project.appending(path: "SampleImages/\(name)"))
  }

  private func tags(_ photo: URL) throws -> [String: any Sendable] {
    try #require(try exiftool(["-sep", "|"], scratch.url)[photo.path])
  }

  /// One of every format that has an XMP packet, with and without one.
  private static let formats = ["jpg", "tif", "heic", "avif", "png", "webp", "jxl", "gif"]

  @Test("Titles and keywords create missing XMP, change nothing else, and can be undone.")
  func everyFormat() throws {
    let all = try FileManager.default.contentsOfDirectory(
      atPath: Corpus.project.appending(path: "SampleImages").path)
    let names = all.filter { name in Self.formats.contains { name.hasSuffix("." + $0) } }.sorted()
    #expect(Set(names.compactMap { $0.split(separator: ".").last }).count == Self.formats.count)
    for name in names {
      let photo = try sample(name)
      let (hash, before) = (try sha256(photo), try tags(photo))
      let options = ["--title", "Zoë's <jetty>", "--keywords", "sea, Boote & Züge,sea"]
      let set = try tool.run(list: ["set"] + options + ["--jsonl", photo.path])
      #expect(set.status == 0, "\(name) \(set.text) \(set.errors)")
      #expect(set.text.contains("\"keywords\":[\"sea\",\"Boote & Züge\"]"), "\(set.text)")
      let after = try tags(photo)
      #expect(after["XMP-dc:Title"] as? String == "Zoë's <jetty>", "\(name)")
      #expect(after["XMP-dc:Subject"] as? String == "sea|Boote & Züge", "\(name)")
      let ours = [
        "File:", "System:", "XMP-dc:", "XMP-x:", "IPTC:", "Photoshop:", "Offset", "MediaDataSize", "StripOff",
        "WebP_Flags",
      ]
      for key in Set(before.keys).union(after.keys) where !ours.contains(where: key.contains) {
        #expect("\(before[key] ?? "none")" == "\(after[key] ?? "none")", "\(name) \(key)")
      }
      if !["heic", "avif", "jxl", "gif"].contains(photo.pathExtension) {
        let exiv2 = try Oracle.run("exiv2", ["-q", "-K", "Xmp.dc.subject", "-Pv", photo.path])
        #expect(exiv2.text.contains("sea, Boote & Züge"), "\(name) \(exiv2.text)")
      }
      let changed = try sha256(photo)
      #expect(try tool.run(list: ["set"] + options + [photo.path]).text.contains("unchanged"), "\(name)")
      #expect(try sha256(photo) == changed)
      #expect(try tool("undo").status == 0)
      #expect(try sha256(photo) == hash, "\(name)")
    }
  }

  @Test("Existing copies in IPTC and Windows tags follow; adding keeps others, an empty list removes all.")
  func copies() throws {
    let photo = try sample("aurora-01-jetty.jpg")
    let prepared = try Oracle.run(
      "exiftool",
      [
        "-overwrite_original", "-q", "-IPTC:Keywords=old", "-IPTC:ObjectName=name", "-XPTitle=x",
        "-XPKeywords=old;older",
        "-XMP-lr:HierarchicalSubject=Places|Wien", photo.path,
      ])
    #expect(prepared.status == 0)
    let hash = try sha256(photo)
    let add = try tool("set", "--add-keyword", "new, with comma", "--title", "Überfahrt", "--jsonl", photo.path)
    #expect(add.status == 0 && add.text.contains("lr:hierarchicalSubject still has 'Places|Wien'"), "\(add.text)")
    var after = try tags(photo)
    #expect(after["XMP-dc:Subject"] as? String == "old|older|new, with comma")
    #expect(after["IPTC:Keywords"] as? String == "old|older|new, with comma")
    #expect(after["IFD0:XPKeywords"] as? String == "old;older;new, with comma")
    #expect(after["IFD0:XPTitle"] as? String == "Überfahrt")
    #expect(after["IPTC:ObjectName"] as? String == "Überfahrt")
    #expect(after["XMP-lr:HierarchicalSubject"] as? String == "Places|Wien")
    #expect(try tool("set", "--add-keyword", "old", photo.path).text.contains("unchanged"))
    let shown = try tool("show", "--json", photo.path).text
    #expect(shown.contains("\"title\":") && shown.contains("\"new, with comma\""), "\(shown)")
    #expect(try tool("set", "--keywords", "", "--title", "", photo.path).status == 0)
    after = try tags(photo)
    for key in [
      "XMP-dc:Subject", "XMP-dc:Title", "IPTC:Keywords", "IPTC:ObjectName", "IFD0:XPTitle", "IFD0:XPKeywords",
    ] {
      #expect(after[key] == nil, "\(key)")
    }
    #expect(try tool("undo").status == 0)
    #expect(try tool("undo").status == 0)
    #expect(try sha256(photo) == hash)
  }

  @Test("A plan contains titles and keywords, and applying it gives the same bytes as the command.")
  func plan() throws {
    for options in [
      ["--title", "A", "--keywords", "b,c"], ["--add-keyword", "d"], ["--title", "", "--keywords", ""],
    ] {
      let photo = try sample("aurora-01-jetty.jpg")
      let file = scratch.url.appending(path: UUID().uuidString)
      #expect(try tool.run(list: ["set", "--plan", file.path] + options + [photo.path]).status == 0)
      let changed = try sha256(photo)
      let written = try String(contentsOf: file, encoding: .utf8)
      if options.last != "" {
        #expect(try tool("apply", file.path).status == 0, "\(written)")
        let applied = try sha256(photo)
        #expect(applied != changed)
        #expect(try tool("undo").status == 0)
        #expect(try tool.run(list: ["set"] + options + [photo.path]).status == 0)
        #expect(try sha256(photo) == applied, "\(written)")
      }
      try FileManager.default.removeItem(at: photo)
    }
  }

  @Test("Movies accept keywords and no titles.")
  func movies() throws {
    let movie = try sample("cirrus-01-boat.mov")
    let hash = try sha256(movie)
    #expect(try tool("set", "--title", "x", movie.path).text.contains("is a movie"))
    #expect(try sha256(movie) == hash)
    #expect(try tool("set", "--keywords", "x,y", movie.path).status == 0)
    #expect(try tags(movie)["XMP-dc:Subject"] as? String == "x|y")
    #expect(try tool("undo").status == 0)
    #expect(try sha256(movie) == hash)
  }

  @Test("Albums of Google Takeout become additional keywords, by title or by folder name.")
  func albums() throws {
    let json = { (title: String, url: String) in
      Data(#"{"title":"\#(title)","url":"https://x/\#(url)","photoTakenTime":{"timestamp":"1700000000"}}"#.utf8)
    }
    let photo = try Data(contentsOf: Corpus.project.appending(path: "SampleImages/aurora-01-jetty.jpg"))
    let names = ["Photos from 2023", "Paris(1)", "Wien"]
    var files: [String: URL] = [:]
    for name in names {
      let folder = scratch.url.appending(path: "Takeout/\(name)")
      try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
      let file = folder.appending(path: "a.jpg")
      try photo.write(to: file)
      try json("a.jpg", name == "Wien" ? "other" : "same").write(to: folder.appending(path: "a.jpg.json"))
      files[name] = file
    }
    try Data(#"{"title": "Paris & Rom"}"#.utf8).write(to: scratch.url.appending(path: "Takeout/Paris(1)/metadata.json"))
    let alone = try #require(files["Wien"])
    #expect(try tool("set", "--keywords", "mine", alone.path).status == 0)
    let hashes = try files.mapValues(sha256)
    let root = scratch.url.appending(path: "Takeout").path
    #expect(try tool("takeout", root).text.contains("3 unchanged"))
    #expect(try tool("takeout", "--albums", "keywords", root).status == 0)
    let wanted = ["Photos from 2023": "Paris & Rom", "Paris(1)": "Paris & Rom", "Wien": "mine|Wien"]
    for (name, file) in files { #expect(try tags(file)["XMP-dc:Subject"] as? String == wanted[name], "\(name)") }
    #expect(try tool("takeout", "--albums", "keywords", root).text.contains("3 unchanged"))
    #expect(try tool("undo").status == 0)
    #expect(try files.mapValues(sha256) == hashes)
  }
}
