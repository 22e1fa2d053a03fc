@testable import ImageFormats
import SystemPackage
import Testing

@testable import MetaTag

@Suite("PNG")
struct PNGTests {
  static let exif = Sample.tiff(ifd0: [0x010F: .ascii("Maker")], exif: Sample.cameraDates)
  static let place = Sample.place(
    [Rational(47, 1), Rational(36, 1), Rational(0, 1)], "N", [Rational(1, 1), Rational(2, 1), Rational(3, 1)], "W")
  static let located = Sample.tiff(.big, ifd0: [0x010F: .ascii("Maker")], exif: Sample.cameraDates, gps: place)
  /// An XMP packet with the location and time of `located`.
  static let packet = XMPSample.packet(
    """
    exif:GPSLatitude="47,36.0N" exif:GPSLongitude="1,2.05W" photoshop:City="Oldtown" \
    exif:DateTimeOriginal="2024-05-23T18:38:41.601+09:00"
    """)
  /// A packet without a location or a time.
  static let title = XMPSample.packet("photoshop:Headline=\"A lake\"")

  /// Every form in which a PNG file stores metadata.
  static let samples: [(String, PNGSample)] =
    (try? [
      ("bare", PNGSample(trailer: Array("trailer".utf8))),
      ("EXIF", PNGSample(before: [PNGSample.exif(exif)])),
      (
        "EXIF behind the image",
        PNGSample(behind: [PNGSample.exif(located), PNGSample.chunk("tIME", [7, 232, 1, 2, 3, 4, 5])])
      ),
      ("EXIF in an old profile", PNGSample(before: [PNGSample.profile("exif", Array("Exif\0\0".utf8) + located)])),
      ("EXIF in a text behind", PNGSample(behind: [PNGSample.profile("APP1", located, in: "tEXt")])),
      ("EXIF twice", PNGSample(before: [PNGSample.profile("exif", located, in: "tEXt"), PNGSample.exif(located)])),
      ("XMP", PNGSample(before: [PNGSample.xmp(title)])),
      (
        "XMP, compressed",
        PNGSample(before: [PNGSample.exif(located)], behind: [PNGSample.xmp(packet, isCompressed: true)])
      ),
      (
        "XMP in an old profile",
        PNGSample(before: [PNGSample.exif(located), PNGSample.profile("xmp", packet, in: "iTXt")])
      ),
      ("animated", PNGSample(before: [PNGSample.chunk("gAMA", [0, 0, 1, 1])], isAnimated: true)),
    ]) ?? []

  private static func image(_ bytes: Bytes) throws -> ImageSource { try ImageSource(bytes, path: "made.png") }

  private static func edited(_ sample: PNGSample, _ edit: MetadataEdit) throws -> Bytes {
    let bytes = try sample.bytes
    return Bytes(try image(bytes).patch(for: edit).applied(to: bytes))
  }

  private static func types(_ bytes: Bytes) throws -> [String] { try PNGFile(bytes).chunks.map { $0.type.description } }

  @Test("The samples exist.")
  func made() { #expect(Self.samples.count == 10) }

  @Test("An edited file has one eXIf before the image data, and every checksum is right.", arguments: samples.indices)
  func order(index: Int) throws {
    let new = try Self.edited(Self.samples[index].1, try .place())
    let file = try PNGFile(new)
    let exif = file.chunks.filter { $0.type == "eXIf" }
    #expect(exif.count == 1 && exif[0].range.upperBound <= file.home)
    for chunk in file.chunks { #expect(try file.isSound(chunk)) }
  }

  @Test("An old profile becomes eXIf, or is kept up to date next to an existing one.")
  func profiles() throws {
    let alone = try Self.edited(Self.samples[3].1, try .place())
    #expect(try Self.types(alone) == ["IHDR", "eXIf", "IEND"])
    let beside = try Self.edited(Self.samples[5].1, try .place())
    #expect(try Self.types(beside) == ["IHDR", "tEXt", "eXIf", "IEND"])
    let locations = try Self.image(beside).metadata().locations
    #expect(locations.count == 2 && Set(locations.map(\.value.coordinate.latitude)).count == 1)
  }

  /// A city and a date.
  private static let iptc: [UInt8] =
    [0x1C, 2, 0x37, 0, 8] + Array("20240523".utf8) + [0x1C, 2, 0x3C, 0, 11] + Array("183841+0900".utf8)
    + [0x1C, 2, 0x5A, 0, 7] + Array("Oldtown".utf8)

  @Test("A location and dates are erased from eXIf and old profiles together.")
  func erasedFromAll() throws {
    let resources = try PhotoshopResources.resource(holding: Self.iptc)
    let sample = PNGSample(before: [
      try PNGSample.profile("8bim", resources), try PNGSample.exif(Self.located),
      try PNGSample.profile("exif", Self.located), try PNGSample.profile("iptc", Self.iptc),
    ])
    var dates = MetadataEdit()
    dates.erasesDates = true
    for edit in [MetadataEdit.removal, dates] {
      let photo = try OpenFile(try sample.bytes.array, path: "made.png")
      #expect(photo.metadata.placeNames.count == 2 && photo.metadata.captureTimes.count == 4)
      let change = try #require(try FileEdit(of: photo, by: edit))
      #expect(change.metadata.placeNames.isEmpty == edit.erasesPlaces)
      #expect(change.metadata.captureTimes.isEmpty == edit.erasesDates)
      for block in try PNGBlocks(PNGFile(change.after.file)).iptc {
        let (city, day) = (Array("Oldtown".utf8), Array("20240523".utf8))
        #expect((Bytes(block.bytes).firstIndex(of: city) == nil) == edit.erasesPlaces)
        #expect((Bytes(block.bytes).firstIndex(of: day) == nil) == edit.erasesDates)
      }
    }
  }

  @Test("Every IPTC profile follows a shifted date.")
  func additionalIPTC() throws {
    let resources = try PhotoshopResources.resource(holding: Self.iptc)
    let sample = PNGSample(before: [
      try PNGSample.profile("8bim", resources), try PNGSample.profile("iptc", Self.iptc),
    ])
    let new = try Self.edited(sample, .dates(.adjust(TimeShift(seconds: 60), offset: .keep)))
    #expect(try Self.image(new).metadata().captureTimes.map(\.value.civil.minute) == [39, 39])
  }

  @Test("A compressed packet is written uncompressed in its place, or before the image data.")
  func packets() throws {
    var edit = MetadataEdit()
    edit.dates = .adjust(TimeShift(seconds: 60), offset: .keep)
    let new = try Self.edited(Self.samples[7].1, edit)
    #expect(try Self.types(new) == ["IHDR", "eXIf", "iTXt", "IEND"])
    let blocks = try PNGBlocks(PNGFile(new))
    #expect(blocks.xmp.first?.place != nil)
  }

  @Test("Chunks about the file rather than the photo stay.")
  func others() throws {
    let sample = try PNGSample(
      before: [PNGSample.chunk("tEXt", Array("Creation Time\0yesterday".utf8))],
      behind: [PNGSample.chunk("tIME", [7, 232, 1, 2, 3, 4, 5])], trailer: [1, 2, 3])
    let new = try Self.edited(sample, try .place())
    #expect(try Self.types(new) == ["IHDR", "tEXt", "eXIf", "tIME", "IEND"])
    #expect(new.array.suffix(3) == [1, 2, 3])
    #expect(try Self.image(new).metadata().notes.contains { $0.sentence.contains("Creation Time") })
  }

  @Test("ImageMagick's location texts are removed with the location.")
  func texts() throws {
    let sample = try PNGSample(
      before: [
        PNGSample.exif(Self.located), PNGSample.chunk("tEXt", Array("exif:GPSLatitude\047/1, 36/1, 0/1".utf8)),
        PNGSample.chunk("tEXt", Array("exif:Make\0Maker".utf8)),
        PNGSample.chunk("tEXt", Array("photoshop:City\0Oldtown".utf8)),
        PNGSample.chunk("tEXt", Array("xmp:GPSLongitude\01,2.05W".utf8)),
      ])
    #expect(try Self.types(Self.edited(sample, .removal)) == ["IHDR", "eXIf", "tEXt", "IEND"])
  }

  @Test("The date of a location is erased with the dates, and its coordinates stay.")
  func datesOfPlaces() throws {
    var dates = MetadataEdit()
    dates.erasesDates = true
    let texts = ["exif:GPSLatitude\047/1", "exif:GPSDateStamp\02024:05:18", "exif:DateTime\02024:05:18 10:00:00"]
    let tiff = Sample.tiff(exif: Sample.cameraDates, gps: [0x1D: .ascii("2024:05:18")])
    let sample = try PNGSample(
      before: [PNGSample.exif(tiff)] + texts.map { try PNGSample.chunk("tEXt", Array($0.utf8)) })
    #expect(try Self.types(Self.edited(sample, dates)) == ["IHDR", "eXIf", "tEXt", "IEND"])
    #expect(try Self.edited(sample, dates).firstIndex(of: Array("exif:GPSLatitude".utf8)) != nil)
    #expect(try sample.bytes.firstIndex(of: Array("2024:05:18".utf8)) != nil)
    #expect(try Self.edited(sample, dates).firstIndex(of: Array("2024:05:18".utf8)) == nil)
  }

  @Test("A chunk that can't be unpacked refuses removal of the location.")
  func sealed() throws {
    let damaged = try PNGSample.chunk("zTXt", Array("Raw profile type exif\0\0not compressed".utf8))
    let sample = PNGSample(before: [try PNGSample.exif(Self.located), damaged])
    let error = #expect(throws: FileError.self) { try Self.edited(sample, .removal) }
    #expect(error?.kind == .refused)
    #expect(try Self.image(try sample.bytes).metadata().notes.contains { $0.sentence.contains("zTXt") })
  }

  @Test("A compressed text with a date refuses erasing dates, and any other is kept.")
  func packedTexts() throws {
    for (text, isRefused) in [
      ("by 19 or 2024:5 people", false), ("made 2024-05-23", true), ("23/05/2024", true), ("Thu, 23 May 2024", true),
      ("May 23, 2024", true),
      ("5 September 2024", true), ("September 5, 2024", true), ("Copyright 2012, 2013", false),
    ] {
      let packed = try PNGSample.chunk("zTXt", Array("Licence\0\0".utf8) + (try Zlib.packed(Array(text.utf8))))
      let sample = PNGSample(before: [try PNGSample.exif(Sample.tiff(exif: Sample.cameraDates)), packed])
      var edit = MetadataEdit()
      edit.erasesDates = true
      if isRefused {
        let error = #expect(throws: FileError.self) { try Self.edited(sample, edit) }
        #expect(error?.description.contains("'Licence'") == true && error?.remedy == .clearAll)
      } else {
        #expect(try Self.image(Self.edited(sample, edit)).metadata().captureTime == nil)
      }
    }
  }

  @Test("A profile that unpacks to more than metadata needs is not unpacked.")
  func bomb() throws {
    let zeros = [UInt8](repeating: 0, count: 40 << 20)
    let chunk = try PNGSample.chunk("zTXt", Array("Raw profile type exif\0\0".utf8) + (try Zlib.packed(zeros)))
    let image = try Self.image(try PNGSample(before: [chunk]).bytes)
    #expect(image.metadata().notes.contains { $0.sentence.contains("exceeds 16 MB") })
  }

  @Test("A file that is damaged or not PNG is an error with an offset.")
  func broken() throws {
    let bytes = try PNGSample(before: [PNGSample.exif(Self.exif)]).bytes.array
    let (head, rest) = (bytes.prefix(33), bytes.dropFirst(33))
    let noLetters: [UInt8] = head + [0, 0, 0, 1, 1, 2, 3, 4] + rest
    let tooLong: [UInt8] = head + [0xFF, 0xFF, 0xFF, 0xFF] + Array("eXIf".utf8)
    let cases: [([UInt8], FileError.Kind)] = [
      (bytes.dropLast(4), .truncated), (Array(bytes.prefix(20)), .malformed), (noLetters, .malformed),
      (tooLong, .malformed),
    ]
    for (new, kind) in cases {
      let error = #expect(throws: FileError.self) {
        try Self.image(Bytes(new)).patch(for: try .place())
      }
      #expect(error?.kind == kind && error?.offset != nil)
    }
  }
}
