@testable import ImageFormats
import SystemPackage
import Testing

@testable import MetaTag

@Suite("Movies")
struct MovieTests {
  private typealias Sample = MovieSample

  static let location = QuickTime.Key.location
  static let iPhone = MovieSample.keys([
    (location, "+35.7143+139.7963+007.400/"), (QuickTime.Key.accuracy, "9.66"), (QuickTime.Key.make, "Apple"),
    (QuickTime.Key.date, "2024-05-01T19:05:00+0900"), ("com.apple.quicktime.content.identifier", "71DCA213"),
  ])

  static let samples: [(String, Bytes)] = [
    ("moov last", Sample.movie()), ("a free box behind", Sample.movie(tail: Box.bytes("free", [1, 2, 3]))),
    ("moov first", Sample.streaming()), ("moov first, user data", Sample.streaming(extra: Sample.userData([]))),
    ("room behind", Sample.streaming(between: Box.bytes("free", [UInt8](repeating: 3, count: 900)))),
    ("little room", Sample.streaming(between: Box.bytes("free", []) + Box.bytes("skip", [1]))),
    ("media data without size", Sample.streaming(isOpen: true)), ("64-bit times", Sample.movie(isWide: true)),
    ("keys", Sample.movie(extra: iPhone)),
    ("user data closed by zeros", Sample.movie(extra: Sample.userData([0, 0, 0, 0]))),
    ("3GPP location", Sample.streaming(extra: Sample.userData(Sample.loci(1, 2, 3)))),
    ("keys in ISO form", Sample.movie(extra: Sample.keys([(location, "+01.0000+002.0000/")], isFull: true))),
    (
      "FFmpeg's keys", Sample.movie(extra: Sample.keys([("location", "+01.0000+002.0000/"), ("location-eng", "Bled")]))
    ),
    ("another list", Sample.movie(extra: Box.bytes("meta", Box.bytes("hdlr", [UInt8](repeating: 0, count: 25))))),
  ]

  @Test(
    "A movie's location that can't be read is reported, and blanks are ignored.",
    arguments: ["48.2,16.3", "+95.0+000.0/", " "])
  func malformedPosition(text: String) throws {
    let movie = Sample.movie(extra: Sample.userData(Sample.text("©xyz", text)))
    let metadata = try ImageSource(movie, path: "a.mov").metadata()
    let isReported = text != " "
    #expect(metadata.notes.contains { $0.code == .unreadablePosition } == isReported)
    #expect(metadata.locations.isEmpty && (metadata.malformedPlace != nil) == isReported)
  }

  @Test("A location with an unlikely altitude is read.")
  func unlikelyAltitude() throws {
    let movie = Sample.movie(extra: Sample.userData(Sample.text("©xyz", "+52.5000+013.4000-20000.000/")))
    let location = try ImageSource(movie, path: "a.mov").metadata().location
    #expect(location?.coordinate.latitude == 52.5 && location?.altitude == -20_000)
  }

  @Test("A location and a date are written wherever moov is, and no media data moves.", arguments: samples)
  func editing(name: String, movie: Bytes) throws {
    var edit = try MetadataEdit.place()
    let time = CaptureTime(
      try #require(CivilTime(year: 2024, month: 5, day: 23, hour: 18)), offset: UTCOffset("+09:00"))
    edit.dates = .set(time)
    let new = try Sample.edited(movie, edit)
    #expect(try Sample.chunks(new) == Sample.chunks(movie))
    #expect(try Sample.chunks(new).allSatisfy { $0.starts(with: "frames".utf8) || !$0.isEmpty })
    let metadata = try Sample.open(new).metadata()
    #expect(metadata.captureTime == time)
    #expect(metadata.locations.count >= 2 || name == "another list")
    let box = try MovieBox(in: MovieFile(of: new), of: new)
    let reader = QuickTime(box.data, new)
    #expect(box.data.headers.allSatisfy { reader.seconds($0.creation) == time.instant?.seconds })
    let second = try Sample.edited(new, try .place(-33.85681, 151.21531))
    let cleared = try Sample.edited(second, .removal)
    for text in ["+47.606", "-33.856", "+35.714", "+01.0000+002"] {
      #expect(cleared.firstIndex(of: Array(text.utf8)) == nil, "\(text) is still there")
    }
    #expect(try Sample.chunks(cleared) == Sample.chunks(movie))
  }

  @Test("A location of the same length is written in place, and identifiers stay.")
  func sameLength() throws {
    let extra = Self.iPhone + Sample.userData(Sample.text("©xyz", "+35.7143+139.7963+007.400/"))
    let movie = Sample.movie(extra: extra)
    var edit = MetadataEdit()
    edit.location = .set(Location(try .at(35.71432, 139.79631), altitude: 8.2))
    edit.keepsCompanions = true
    let new = try Sample.edited(movie, edit)
    #expect(new.count == movie.count)
    #expect(new.firstIndex(of: Array("71DCA213".utf8)) == movie.firstIndex(of: Array("71DCA213".utf8)))
    #expect(try Sample.open(new).metadata().location?.horizontalError == 9.66)
  }

  @Test("A key named location counts if its value is one, and a place name is removed with it.")
  func plainKeys() throws {
    let movie = Sample.movie(extra: Sample.keys([("location", "+01.0000+002.0000/"), ("location-eng", "Lake Bled")]))
    #expect(try Sample.open(movie).metadata().locations.map(\.tag) == ["location"])
    let new = try Sample.edited(movie, try .place())
    #expect(new.firstIndex(of: Array("Lake Bled".utf8)) != nil && new.firstIndex(of: Array("+01.0".utf8)) == nil)
    #expect(try Sample.edited(new, .removal).firstIndex(of: Array("Lake Bled".utf8)) == nil)
  }

  @Test("A location's uncertainty is removed with it.")
  func companions() throws {
    let metadata = try Sample.open(Sample.edited(Sample.movie(extra: Self.iPhone), try .place())).metadata()
    #expect(metadata.location?.horizontalError == nil)
    #expect(metadata.location?.altitude == nil)
  }

  @Test("The movie header's time is UTC only from known writers, and counts only without other dates.")
  func zoneRule() throws {
    let android = Sample.keys([("com.android.version", "14")])
    for (extra, expected) in [
      ([], "2024-05-01T10:05:00"), (android, "2024-05-01T10:05:00+00:00"), (Self.iPhone, "2024-05-01T19:05:00+09:00"),
      (Sample.userData(Sample.text("©day", "2024-05-01T12:05:00+0200")), "2024-05-01T12:05:00+02:00"),
      (Sample.userData(Sample.text("©day", "2024")), "2024-05-01T10:05:00"),
    ] as [([UInt8], String)] {
      let times = try Sample.open(Sample.movie(extra: extra)).metadata().captureTimes
      #expect(times.map { "\($0.value)" } == [expected])
    }
    #expect(try Sample.open(Sample.movie(seconds: 0)).metadata().captureTimes.isEmpty)
    #expect(try Sample.open(Sample.movie(seconds: 1_000_000)).metadata().captureTimes.isEmpty)
  }

  @Test("A shift moves text dates and all headers by the same time.")
  func shift() throws {
    for isWide in [false, true] {
      let movie = Sample.movie(extra: Self.iPhone, isWide: isWide)
      let new = try Sample.edited(movie, .dates(.adjust(TimeShift(seconds: -4_980), offset: .keep)))
      #expect(new.count == movie.count)
      let box = try MovieBox(in: MovieFile(of: new), of: new)
      let expected = Int64(Sample.seconds) - QuickTime.epoch - 4_980
      #expect(box.data.headers.count == 5)
      #expect(box.data.headers.allSatisfy { QuickTime(box.data, new).seconds($0.creation) == expected })
    }
  }

  @Test("Recording a zone keeps a known instant, and defines an unknown one.")
  func zones() throws {
    let offset = try #require(UTCOffset("+02:00"))
    for (extra, shift, instant) in [
      (Self.iPhone, -7 * 3_600, 0), (Self.iPhone, 0, 7 * 3_600), ([], 0, -2 * 3_600),
      (Sample.keys([("com.android.version", "14")]), 7_200, 0),
    ] as [([UInt8], Int64, Int64)] {
      let new = try Sample.edited(
        Sample.movie(extra: extra), .dates(.adjust(TimeShift(seconds: shift), offset: .set(offset))))
      let box = try MovieBox(in: MovieFile(of: new), of: new)
      let expected = Int64(Sample.seconds) - QuickTime.epoch + instant
      #expect(box.data.headers.allSatisfy { QuickTime(box.data, new).seconds($0.creation) == expected })
      #expect(try Sample.open(new).metadata().captureTime?.offset == offset)
      #expect(try Sample.open(new).metadata().captureTime?.instant?.seconds == expected)
    }
  }

  @Test("A location in several languages is replaced by one.")
  func languages() throws {
    let text = Array("+35.7143+139.7963/".utf8)
    let entry = [0, UInt8(text.count), 0x15, 0xC7] + text
    let movie = Sample.movie(extra: Sample.userData(Box.bytes("©xyz", entry + entry)))
    let new = try Sample.edited(movie, try .place(35.7144, 139.7964))
    #expect(new.firstIndex(of: text) == nil)
  }

  @Test("A free box that contains media data is not used as room.")
  func mediaInFree() throws {
    let count = Sample.brand.count + Sample.moov(media: 0).count
    let moov = Sample.moov(media: count + 8)
    let movie = Bytes(Sample.brand + moov + Box.bytes("free", Sample.media + [UInt8](repeating: 1, count: 900)))
    let new = try Sample.edited(movie, try .place())
    #expect(try Sample.chunks(new) == Sample.chunks(movie))
  }

  @Test("XMP in user data and in its own box follows edits.")
  func packets() throws {
    let packet = Array(
      """
      <?xpacket begin="" id="W5M0MpCehiHzreSzNTczkc9d"?><x:xmpmeta xmlns:x="adobe:ns:meta/"><rdf:RDF \
      xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#"><rdf:Description \
      xmlns:exif="http://ns.adobe.com/exif/1.0/" exif:GPSLatitude="1,0N" exif:GPSLongitude="2,0E" \
      exif:DateTimeOriginal="2024-05-01T19:05:00+09:00"/></rdf:RDF></x:xmpmeta><?xpacket end="w"?>
      """.utf8)
    let id: [UInt8] = [0xBE, 0x7A, 0xCF, 0xCB, 0x97, 0xA9, 0x42, 0xE8, 0x9C, 0x71, 0x99, 0x94, 0x91, 0xE3, 0xAF, 0xAC]
    let uuid = Box.bytes("uuid", id + packet)
    for movie in [
      Sample.movie(extra: Sample.userData(Box.bytes("XMP_", packet))), Sample.movie(tail: uuid),
      Sample.streaming(between: uuid),
    ] {
      var edit = try MetadataEdit.place()
      edit.dates = .adjust(TimeShift(seconds: 3_600), offset: .keep)
      let new = try Sample.edited(movie, edit)
      let metadata = try Sample.open(new).metadata()
      #expect(metadata.locations.map(\.namespace) == [.quickTime, .quickTime, .xmp])
      #expect(metadata.captureTime.map { "\($0)" } == "2024-05-01T20:05:00+09:00")
      #expect(try Sample.chunks(new) == Sample.chunks(movie))
      let cleared = try Sample.edited(new, .removal)
      #expect(cleared.firstIndex(of: Array("GPSL".utf8)) == nil)
    }
  }

  @Test(
    "The type is defined by brands, or by boxes if there are none.",
    arguments: [
      ("ftypqt  ", .mov), ("ftypmp42", .mp4), ("ftypisom", .mp4), ("ftypM4V ", .m4v), ("ftyp3gp5", .threeGP),
      ("ftyp3g2a", .threeGP),
      ("ftypheic", nil), ("ftypavif", nil), ("ftypcrx ", nil), ("ftypM4A ", nil), ("moovabcd", .mov),
      ("wideabcd", .mov), ("abcdmdat", nil),
    ] as [(String, ImageType?)])
  func types(head: String, expected: ImageType?) {
    let bytes = Bytes([0, 0, 0, 16] + Array(head.utf8) + [0, 0, 0, 0] + [UInt8](repeating: 0, count: 16))
    #expect(MovieContainer().type(of: bytes) == expected)
  }
}
