import Foundation
import TestSupport
import Testing

/// Data that an erasure can't remove is reported in the photo's row; other data is gone.
@Suite("Notes on remaining locations and dates", .enabled(if: Oracle.has("exiftool"), "exiftool is missing"))
struct ErasureNotesTests {
  let (tool, scratch): (Tool, Scratch)

  init() throws { (tool, scratch) = (try Tool(), try Scratch()) }

  private func notes(of option: String, in photo: URL) throws -> [String] {
    let run = try tool("clear", option, "--raw", "in-place", "--jsonl", photo.path)
    let line = try #require(run.text.split(separator: "\n").first, "\(run.errors)")
    let row = try JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any]
    return row?["notes"] as? [String] ?? []
  }

  @Test(
    "Words in Ricoh's forms stay with a note, and are erased with everything.",
    .enabled(if: Corpus.isThere, "\(Corpus.absence)"))
  func ricoh() throws {
    let photo = try scratch.copy(Corpus.shared.appending(path: "corpus/jpeg-makernote/Ricoh2.jpg"))
    for option in ["--location", "--date"] {
      #expect(try notes(of: option, in: photo).contains { $0.contains("RMETA") })
      #expect(try Data(contentsOf: photo).range(of: Data("Roundabout".utf8)) != nil)
    }
    #expect(try tool("clear", "--all", photo.path).status == 0)
    #expect(try Data(contentsOf: photo).range(of: Data("Roundabout".utf8)) == nil)
  }

  @Test(
    "A maker note in a raw file's preview alone is reported like any other.",
    .enabled(if: Corpus.isThere, "\(Corpus.absence)"))
  func preview() throws {
    let photo = try scratch.copy(Corpus.shared.appending(path: "corpus/raw/Panasonic.rw2"))
    #expect(try notes(of: "--date", in: photo).count { $0.hasPrefix("its maker note stays") } == 1)
  }

  @Test(
    "IPTC dates in Nikon Capture's data are reported as such.",
    .enabled(if: Corpus.isThere, "\(Corpus.absence)"))
  func capture() throws {
    let photo = try scratch.copy(Corpus.shared.appending(path: "corpus/raw/Nikon.nef"))
    var bytes = try Data(contentsOf: photo)
    // Its second block of IPTC is Nikon Capture's: the city becomes a date.
    let city = try #require(bytes.range(of: Data([0x1C, 2, 90, 0, 8] + Array("Kingston".utf8)), options: .backwards))
    bytes.replaceSubrange(city, with: Data([0x1C, 2, 55, 0, 8] + Array("20110203".utf8)))
    try bytes.write(to: photo)
    #expect(try notes(of: "--date", in: photo).contains { $0.contains("IPTC dates of Nikon Capture") })
  }

  @Test(
    "All dates in IPTC are erased, also those of publication.",
    arguments: ["aurora-01-jetty.jpg", "borealis-06-ferns.tif"])
  func publication(name: String) throws {
    let photo = try scratch.copy(Corpus.project.appending(path: "SampleImages/\(name)"))
    let tags = [
      "ReleaseDate=2011:02:03", "ReleaseTime=04:05:06+00:00", "ExpirationDate=2012:03:04",
      "ExpirationTime=04:05:06+00:00", "ReferenceDate=2010:01:02", "DateSent=2009:01:02", "Headline=A day",
    ]
    _ = try Oracle.run("exiftool", ["-q", "-overwrite_original"] + tags.map { "-IPTC:\($0)" } + [photo.path])
    let old = try Data(contentsOf: photo)
    #expect(try tool("clear", "--date", photo.path).status == 0)
    let kept = ["-IPTC:Headline", "-IPTC:*Date*", "-IPTC:*Time*"]
    let left = try Oracle.run("exiftool", ["-s3"] + kept + [photo.path]).text
    #expect(left == "A day\n")
    var search = ByteSearch()
    search.days = [SIMD3(2011, 2, 3), SIMD3(2012, 3, 4), SIMD3(2010, 1, 2), SIMD3(2009, 1, 2)]
    #expect(try search.hits(in: photo) == [])
    #expect(try tool("undo").status == 0)
    #expect(try Data(contentsOf: photo) == old)
  }

  @Test("Zeros at the end of a TIFF are ignored, and other bytes refuse clearing.", arguments: [0, 1])
  func filled(last: UInt8) throws {
    let photo = try sample("borealis-06-ferns.tif", [])
    var bytes = try Data(contentsOf: photo)
    bytes += Data(count: 5 << 20) + [last]
    try bytes.write(to: photo)
    for option in ["--location", "--date"] {
      let run = try tool("clear", option, photo.path)
      #expect(run.status == (last == 0 ? 0 : 1), "\(run.text)\(run.errors)")
    }
    let left = try Oracle.run("exiftool", ["-GPSPosition", "-DateTimeOriginal", photo.path]).text
    #expect(left.isEmpty == (last == 0), "\(left)")
  }

  @Test(
    "The location in a raw file's thumbnail is erased, whatever the file's size.",
    .enabled(if: Corpus.isThere, "\(Corpus.absence)"), arguments: [0, 20 << 20])
  func thumbnail(size: Int) throws {
    let small = try sample("aurora-01-jetty.jpg", [])
    let photo = try scratch.copy(Corpus.shared.appending(path: "corpus/raw/CanonRaw.cr2"))
    let images = ["PreviewImage", "ThumbnailImage"].map { "-\($0)<=\(small.path)" }
    #expect(try Oracle.run("exiftool", ["-m", "-q", "-overwrite_original"] + images + [photo.path]).status == 0)
    if size > 0 { try LargeFile.enlarge(photo, to: size) }
    let old = try Data(contentsOf: photo)
    let run = try tool("clear", "--location", "--raw", "in-place", photo.path)
    #expect(run.status == 0 && run.text.contains("changed"), "\(run.text)\(run.errors)")
    var search = ByteSearch()
    search.places = [SIMD2(48.20857, 16.37214)]
    #expect(try search.hits(in: photo) == [])
    #expect(try tool("undo").status == 0)
    #expect(try Data(contentsOf: photo) == old)
  }

  // MARK: Forms of text

  /// A sample at 48.20857, 16.37214 on 18 May 2024 at 10:42:12.
  private func sample(_ name: String, _ tags: [String]) throws -> URL {
    try? FileManager.default.removeItem(at: scratch.url.appending(path: name))
    let photo = try scratch.copy(Corpus.project.appending(path: "SampleImages/\(name)"))
    let own = [
      "-GPSLatitude=48.20857", "-GPSLatitudeRef=N", "-GPSLongitude=16.37214", "-GPSLongitudeRef=E",
      "-DateTimeOriginal=2024:05:18 10:42:12",
    ]
    let run = try Oracle.run("exiftool", ["-m", "-q", "-overwrite_original"] + own + tags + [photo.path])
    #expect(run.status == 0, "\(run.errors)")
    return photo
  }

  @Test(
    "Text of 16-bit characters is searched too.",
    arguments: zip(
      ["aurora-01-jetty.jpg", "borealis-06-ferns.tif", "cirrus-02-meadow.heic", "cirrus-04-signpost.png"],
      ["XPComment", "XPTitle", "XPSubject", "XPKeywords"]))
  func wide(name: String, tag: String) throws {
    let placed = try sample(name, ["-\(tag)=48.20857 or so"])
    #expect(try notes(of: "--location", in: placed).contains { $0.contains("(48.20857)") })
    for day in ["2024:05:18", "2024-05-18", "18.05.2024"] {
      let dated = try sample(name, ["-\(tag)=on \(day)"])
      #expect(try notes(of: "--date", in: dated).contains { $0.contains("(\(day))") }, "\(day)")
    }
  }

  @Test(
    "The old location is reported in every form of text.",
    arguments: [
      ("N 48 12.514 E 16 22.328", "N 48 12.514"), ("48°12'30.9\"N 16°22'19.7\"E", "48°12'30.9\"N"),
      ("at 48° 12.514' N", "48° 12.514' N"), ("48 deg 12' 30.85\" N", "48 deg 12' 30.85\" N"),
      ("48,12.5142N", "48,12.5142N"),
    ], ["EXIF:ImageDescription", "XPComment", "XMP-dc:Description", "Comment", "EXIF:UserComment"])
  func placeSpelled(spelling: (text: String, recorded: String), tag: String) throws {
    let photo = try sample("aurora-01-jetty.jpg", ["-\(tag)=\(spelling.text)"])
    let notes = try notes(of: "--location", in: photo)
    // XML may write a quotation mark differently.
    let recorded = tag.hasPrefix("XMP") ? String(spelling.recorded.prefix { $0 != "'" }) : spelling.recorded
    #expect(notes.contains { $0.contains("(\(recorded)") && $0.contains("old location") }, "\(notes)")
  }

  @Test(
    "The old date is reported in every form of text.",
    arguments: [
      "18 May 2024", "18. May 2024", "18.05.2024", "5/18/2024", "May 18th, 2024", "May 18 10:42:12 2024",
      "2024_05_18", "2024 May 18", "1716028932", "1716028932000", "20240518",
    ])
  func daySpelled(text: String) throws {
    let photo = try sample("aurora-01-jetty.jpg", ["-EXIF:ImageDescription=IMG \(text) x"])
    let notes = try notes(of: "--date", in: photo)
    #expect(notes.contains { $0.contains("(\(text))") }, "\(notes)")
  }

  @Test("Numbers that only resemble the old location or date are not reported.")
  func others() throws {
    let text = "d 0.651822 0.337917, f 1.23456; 50 1.8 S; 2024 frames, 19 May 2024, 1716518132, S 18 55.0"
    let photo = try sample("aurora-01-jetty.jpg", ["-EXIF:ImageDescription=\(text)", "-XPComment=\(text)"])
    #expect(try notes(of: "--location", in: photo) == [])
    // Another day is reported as such.
    let recorded = try notes(of: "--date", in: photo)
    #expect(recorded.allSatisfy { $0.contains("looks like a date (19 May 2024)") }, "\(recorded)")
  }

  @Test(
    "A text that looks like a date is reported, also after a shift and without a date.",
    arguments: [
      ("aurora-01-jetty.jpg", "EXIF:UserComment", "2024:05:18 12:44:30", "2024:05:18"),
      ("aurora-01-jetty.jpg", "XMP-dc:Description", "IMG 2024:05:18", "2024:05:18"),
      ("aurora-01-jetty.jpg", "XPTitle", "2024-05-18", "2024-05-18"),
      ("aurora-01-jetty.jpg", "IPTC:Headline", "on May 18th, 2024", "May 18th, 2024"),
      ("aurora-01-jetty.jpg", "Comment", "18.5.2024 x", "18.5.2024"),
      ("borealis-06-ferns.tif", "EXIF:ImageDescription", "IMG_20240518_143120", "20240518_143120"),
      ("cirrus-02-meadow.heic", "EXIF:ImageDescription", "18 May 2024", "18 May 2024"),
      ("cirrus-03-falls.mov", "Keys:Title", "2024-05-18 trip", "2024-05-18"),
      ("cirrus-03-falls.mov", "UserData:Comment", "20240518_143120", "20240518_143120"),
    ])
  func lookalikes(name: String, tag: String, text: String, recorded: String) throws {
    let photo = try scratch.copy(Corpus.project.appending(path: "SampleImages/\(name)"))
    let date = name.hasSuffix("mov") ? "QuickTime:CreateDate" : "DateTimeOriginal"
    let tags = ["-ModifyDate=2024:06:01 10:42:12", "-\(date)=2024:05:18 10:42:12", "-\(tag)=\(text)"]
    #expect(try Oracle.run("exiftool", ["-m", "-q", "-overwrite_original"] + tags + [photo.path]).status == 0)
    #expect(try tool("date", "shift", "+3d", photo.path).status == 0)
    let notes = try notes(of: "--date", in: photo)
    #expect(notes.contains { $0.contains("looks like a date (\(recorded))") }, "\(notes)")
    let again = try tool("clear", "--date", photo.path)
    #expect(again.status == 0 && again.text.contains("(\(recorded))"), "\(again.text)")
  }

  @Test("Names, versions and numbers that aren't dates are not reported.")
  func noLookalikes() throws {
    let text = "v2.0.24 2024 05 18 frames; 1920/13/10 5 Mark 2020; 20240518 99; 2019-10-12345; a 2024:05 x 1.2.3.2024"
    let own = [
      "-Software=2.0.24", "-XMP-iptcExt:Event=T", "-EXIF:SerialNumber=20240518", "-ModifyDate=2024:05:19 00:00:00",
    ]
    let photo = try sample("aurora-01-jetty.jpg", ["-EXIF:ImageDescription=\(text)", "-XPComment=\(text)"] + own)
    #expect(try tool("date", "shift", "+3d", photo.path).status == 0)
    #expect(try notes(of: "--date", in: photo) == [])
  }

  @Test("Coordinates of any place are reported, also after other edits and without a location.")
  func chain() throws {
    let photo = try sample("aurora-01-jetty.jpg", ["-EXIF:ImageDescription=home at 48.20857, 16.37214"])
    let replaced = try tool("geotag", "--at=1,2", "--overwrite", "replace", photo.path)
    #expect(replaced.status == 0 && replaced.text.contains("old location (48.20857)"), "\(replaced.text)")
    let cleared = try tool("clear", "--location", photo.path)
    #expect(cleared.text.contains("looks like coordinates (48.20857, 16.37214)"), "\(cleared.text)")
    let again = try tool("clear", "--location", photo.path)
    #expect(again.text.contains("unchanged") && again.text.contains("(48.20857, 16.37214)"), "\(again.text)")
  }

  @Test("A PNG's modification time is erased with the dates, and texts with another date are reported.")
  func pngDates() throws {
    let tags = ["-PNG:ModifyDate=2019:01:02 03:04:05", "-PNG:Comment=scanned 2018-01-02"]
    let photo = try sample("cirrus-04-signpost.png", tags)
    #expect(try notes(of: "--date", in: photo).contains { $0.contains("'Comment'") })
    #expect(try Data(contentsOf: photo).range(of: Data("tIME".utf8)) == nil)
  }

  // MARK: Text in unknown data

  /// A photo at 46.39800, 14.07790, which unknown data names too.
  private func photo(_ name: String, hiding text: String) throws -> URL {
    let photo = try scratch.copy(Corpus.project.appending(path: "SampleImages/\(name)"))
    let place = ["-GPSLatitude=46.39800", "-GPSLatitudeRef=N", "-GPSLongitude=14.07790", "-GPSLongitudeRef=E"]
    let isMovie = name.hasSuffix("mov")
    let own = isMovie ? ["-Keys:GPSCoordinates=46.39800, 14.07790"] : place
    let comment = name.hasSuffix("jpg") ? ["-Comment=\(text)"] : []
    let packed = name.hasSuffix("png") ? ["-z", "-PNG:Description=" + String(repeating: text, count: 9)] : []
    let written = try Oracle.run("exiftool", ["-q", "-overwrite_original"] + own + comment + packed + [photo.path])
    #expect(written.status == 0, "\(written.errors)")
    var bytes = [UInt8](try Data(contentsOf: photo))
    let content = Array(text.utf8) + [UInt8](repeating: 0x20, count: text.utf8.count % 2)
    func word(_ number: Int, isBig: Bool) -> [UInt8] {
      let bytes = withUnsafeBytes(of: UInt32(number).littleEndian) { Array($0) }
      return isBig ? bytes.reversed() : bytes
    }
    if isMovie || name.hasSuffix("heic") {
      bytes += word(content.count + 8, isBig: true) + Array("abcd".utf8) + content
    } else if name.hasSuffix("webp") {
      bytes += Array("NOTE".utf8) + word(content.count, isBig: false) + content
      bytes.replaceSubrange(4..<8, with: word(bytes.count - 8, isBig: false))
    }
    try Data(bytes).write(to: photo)
    return photo
  }

  @Test(
    "A location as text in any data is reported when the location is erased.",
    arguments: [
      "aurora-01-jetty.jpg", "cirrus-04-signpost.png", "cirrus-05-rapids.webp", "cirrus-03-falls.mov",
      "cirrus-02-meadow.heic",
    ], [0, 20 << 20])
  func text(name: String, size: Int) throws {
    let photo = try photo(name, hiding: "+46.3980+014.0779/")
    if size > 0, !name.hasSuffix("png"), !name.hasSuffix("webp") { try LargeFile.enlarge(photo, to: size) }
    let old = try Data(contentsOf: photo)
    #expect(try notes(of: "--location", in: photo).contains { $0.contains("text with a coordinate") })
    var search = ByteSearch()
    search.places = [SIMD2(46.398, 14.0779)]
    // Only the text: no other form remains.
    let hits = try search.hits(in: photo)
    #expect(!hits.isEmpty && hits.allSatisfy { $0.contains("text ") }, "\(hits)")
    #expect(try tool("undo").status == 0)
    #expect(try Data(contentsOf: photo) == old)
  }

  @Test(
    "Too long XMP in a TIFF refuses clearing, and --all removes it.",
    arguments: ["--location", "--date"], [16 << 20, 16 << 20 + 1])
  func longPacket(option: String, count: Int) throws {
    let photo = try scratch.copy(Corpus.project.appending(path: "SampleImages/borealis-06-ferns.tif"))
    let head = """
      <?xpacket begin="" id="W5M0MpCehiHzreSzNTczkc9d"?><x:xmpmeta xmlns:x="adobe:ns:meta/"><rdf:RDF
      xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#"><rdf:Description rdf:about=""
      xmlns:exif="http://ns.adobe.com/exif/1.0/" xmlns:xmp="http://ns.adobe.com/xap/1.0/"
      exif:GPSLatitude="48,12.512N" exif:GPSLongitude="16,22.328E" xmp:CreateDate="2011-02-03T04:05:06"/></rdf:RDF>
      </x:xmpmeta>
      """
    let packet =
      head + String(repeating: " ", count: count - head.utf8.count - 19) + "<?xpacket end=\"w\"?>"
    var bytes = [UInt8](try Data(contentsOf: photo))
    // A new directory 0 at the end, with the packet.
    #expect(bytes.starts(with: [0x49, 0x49, 42, 0]))
    func number(_ at: Int, _ count: Int) -> Int { bytes[at..<at + count].reversed().reduce(0) { $0 << 8 + Int($1) } }
    func field(_ value: Int, _ count: Int) -> [UInt8] {
      (0..<count).map { UInt8(truncatingIfNeeded: value >> (8 * $0)) }
    }
    let directory = number(4, 4)
    var entries = (0..<number(directory, 2)).map { Array(bytes[directory + 2 + 12 * $0..<directory + 14 + 12 * $0]) }
    let next = Array(bytes[directory + 2 + 12 * entries.count..<directory + 6 + 12 * entries.count])
    let place = bytes.count + bytes.count % 2
    bytes += [UInt8](repeating: 0, count: bytes.count % 2) + Array(packet.utf8)
    entries = entries.filter { !$0.starts(with: field(700, 2)) }
    entries.append(field(700, 2) + field(1, 2) + field(packet.utf8.count, 4) + field(place, 4))
    entries.sort { (Int($0[1]) << 8 + Int($0[0])) < (Int($1[1]) << 8 + Int($1[0])) }
    bytes += [UInt8](repeating: 0, count: bytes.count % 2)
    let start = bytes.count
    bytes += field(entries.count, 2) + entries.flatMap(\.self) + next
    bytes.replaceSubrange(4..<8, with: field(start, 4))
    try Data(bytes).write(to: photo)
    let isRead = count <= 16 << 20
    var search = ByteSearch()
    if option == "--date" { search.days = [SIMD3(2011, 2, 3)] } else { search.places = [SIMD2(48.208533, 16.372133)] }
    #expect(try search.hits(in: photo).isEmpty == false)
    let clear = try tool("clear", option, photo.path)
    #expect(clear.status == (isRead ? 0 : 1), "\(clear.text)\(clear.errors)")
    if isRead {
      #expect(try search.hits(in: photo) == [])
      return
    }
    #expect(try Data(contentsOf: photo) == Data(bytes))
    #expect(try tool("clear", "--all", photo.path).status == 0)
    #expect(try search.hits(in: photo) == [])
  }
}
