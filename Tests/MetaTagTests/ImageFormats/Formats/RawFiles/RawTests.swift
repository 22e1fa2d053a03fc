@testable import ImageFormats
import SystemPackage
import TestSupport
import Testing

@testable import MetaTag

@Suite("Raw files")
struct RawTests {
  private static func open(_ bytes: any ByteSource) throws -> ImageSource { try ImageSource(bytes, path: "made") }

  @Test("An edit keeps all data in place to which a maker note may point.")
  func kept() throws {
    for old in [RawSample.nef(), RawSample.cr2(), RawSample.orf(.big)] {
      let patch = try Self.open(old).patch(for: try .place())
      // In the header's pointer, and at the end.
      #expect(patch.splices.count == 2 && patch.splices[1].range == old.count..<old.count)
      #expect((4..<8).contains(patch.splices[0].range.lowerBound) && patch.splices[0].range.upperBound <= 8)
    }
  }

  @Test("The date in IFD0 follows the one in EXIF.")
  func dateInMain() throws {
    let edit = MetadataEdit.dates(.adjust(TimeShift(seconds: 3_600), offset: .keep))
    let new = Bytes(try Self.open(RawSample.nef()).patch(for: edit).applied(to: RawSample.nef()))
    let times = try Self.open(new).metadata().captureTimes.map { "\($0.value.civil)" }
    #expect(times == ["2024-05-23T19:38:41", "2024-05-23T19:38:41"])
  }

  @Test("The location and date in Panasonic's preview follow, and its picture stays.")
  func panasonic() throws {
    let place = Sample.place([Rational(47, 1), Rational(36, 1), Rational(0, 1)], "N", [Rational(1, 1)], "W")
    for gps in [[:], place] {
      let old = RawSample.rw2(gps: gps)
      var edit = try MetadataEdit.place()
      edit.dates = .adjust(TimeShift(seconds: 3_600), offset: .keep)
      let new = Bytes(try Self.open(old).patch(for: edit).applied(to: old))
      let image = try Self.open(new)
      #expect(image.metadata().locations.count == 2)
      #expect(Set(image.metadata().captureTimes.map { "\($0.value.civil)" }) == ["2024-05-23T19:38:41"])
      let jpegs = try [(old, try Self.open(old)), (new, image)].map { file, image in
        try file.bytes(try #require(image.layout.previews.first))
      }
      let scans = try jpegs.map { try $0.bytes(JPEGSegments(of: $0).scan..<$0.count).array }
      #expect(scans[0] == scans[1])
      let cleared = Bytes(try image.patch(for: .removal).applied(to: new))
      #expect(try Self.open(cleared).metadata().locations.isEmpty)
    }
  }

  private static let placed = XMPSample.packet(
    "exif:GPSLatitude='48,12.5N' exif:GPSLongitude='16,22.4E' exif:DateTimeOriginal='2001-02-03T04:05:06'",
    "<photoshop:City>Vienna</photoshop:City>")

  @Test("XMP that programs add to a CRW or MRW file is read.")
  func foreignXMP() throws {
    let block: [UInt16: TIFFValue] = [TIFFTag.xmp: .bytes(Self.placed)]
    for file in [RawSample.crw(appended: RawSample.vrd(Self.placed)), RawSample.mrw(adding: block)] {
      let metadata = try Self.open(file).metadata()
      #expect(metadata.location?.coordinate.isSame(as: try .at(48 + 12.5 / 60, 16 + 22.4 / 60)) == true)
      #expect(metadata.placeNames.first?.value.city == "Vienna")
      #expect(metadata.captureTimes.contains { $0.namespace == .xmp && $0.value.civil.year == 2001 })
      #expect(metadata.notes.isEmpty)
    }
    // The records are found after it too.
    #expect(try Self.open(RawSample.crw(appended: RawSample.vrd(Self.placed))).metadata().model == "R0")
  }

  @Test("XMP that Canon's program appends to other raw files is reported and refuses erasing.")
  func appendedXMP() throws {
    var edits = [MetadataEdit.removal, MetadataEdit()]
    edits[1].erasesDates = true
    for (old, isReported) in [(RawSample.cr2(), true), (Sample.jpeg(), false)] {
      for packet in [Self.placed, []] {
        let image = try Self.open(Bytes(old.array + RawSample.vrd(packet)))
        #expect(
          image.metadata().notes.contains { $0.sentence.contains("Canon VRD") } == (isReported && !packet.isEmpty))
        for edit in edits {
          let patch = Result { try image.patch(for: edit) }
          #expect(((try? patch.get()) != nil) == packet.isEmpty)
        }
      }
    }
  }

  @Test("Damaged data of Canon's program never traps.")
  func brokenAppendix() throws {
    let whole = RawSample.vrd(Self.placed)
    for at in [20, 24, 27, 28, 32, 35, whole.count - 45, whole.count - 44, whole.count - 41] {
      for byte: UInt8 in [0, 1, 0x7F, 0xFF] {
        var appended = whole
        appended[at] = byte
        _ = try Self.open(RawSample.crw(appended: appended)).metadata()
      }
    }
    for count in stride(from: 4, to: whole.count, by: 37) {
      _ = try Self.open(RawSample.crw(appended: Array(whole.suffix(count)))).metadata()
    }
  }

  @Test("A location in a preview is erased with the photo's.")
  func previews() throws {
    let place = Sample.place([Rational(47, 1), Rational(36, 1), Rational(7, 1)], "N", [Rational(1, 1)], "W")
    let preview = Sample.jpeg(Sample.exif(Sample.tiff(gps: place))).array
    let start: UInt32 = 1_024
    let ifd0: [UInt16: TIFFValue] = [
      0x010F: .ascii("NIKON CORPORATION"), 0x0103: .short([34_713]), 0x0111: .long([start - 64]),
      0x0117: .long([64]), 0x0201: .long([start]), 0x0202: .long([UInt32(preview.count)]),
    ]
    let block = Sample.tiff(.big, ifd0: ifd0, gps: place)
    let old = Bytes(block + [UInt8](repeating: 0, count: Int(start) - block.count) + preview)
    let new = Bytes(try Self.open(old).patch(for: .removal).applied(to: old))
    #expect(new.count == old.count)
    for order in [Bytes.Order.big, .little] {
      let trace = TIFFValue.rational([Rational(47, 1), Rational(36, 1), Rational(7, 1)]).encoded(order).bytes
      #expect(new.firstIndex(of: trace) == nil)
    }
  }

  private static let secret = [Rational(47, 1), Rational(36, 1), Rational(7, 1)]

  /// A DNG with two JPEGs, of which only the second has a location.
  private static func dng(_ second: [UInt8], _ offsets: UInt16, _ counts: UInt16) -> Bytes {
    let first = Sample.jpeg().array
    let start: UInt32 = 1_024
    let ifd0: [UInt16: TIFFValue] = [
      0xC612: .bytes([1, 4, 0, 0]), 0x0103: .short([7]),
      offsets: .long([start, start + UInt32(first.count)]), counts: .long([first, second].map { UInt32($0.count) }),
    ]
    let block = Sample.tiff(.big, ifd0: ifd0)
    return Bytes(block + [UInt8](repeating: 0, count: Int(start) - block.count) + first + second)
  }

  @Test(
    "A location in a preview alone is erased in place, and a sidecar can't replace that.",
    arguments: [(0x0111, 0x0117), (0x0144, 0x0145)] as [(UInt16, UInt16)])
  func onlyPreview(offsets: UInt16, counts: UInt16) throws {
    let exif = Sample.exif(Sample.tiff(gps: Sample.place(Self.secret, "N", [Rational(1, 1)], "W")))
    for (preview, holds) in [(Sample.jpeg(exif).array, true), (Sample.jpeg().array, false)] {
      let old = Self.dng(preview, offsets, counts)
      #expect(try Self.open(old).type == .dng)
      let new = Bytes(try Self.open(old).patch(for: .removal).applied(to: old))
      #expect(new.firstIndex(of: TIFFValue.rational(Self.secret).encoded(.little).bytes) == nil)
      #expect(new.count == old.count && (new.array != old.array) == holds)
      let photo = try OpenFile(old.array, path: "made.dng")
      let require = { try photo.requireNothingToRemove(for: .removal, SidecarPolicy()) }
      guard holds else {
        #expect(throws: Never.self) { try require() }
        continue
      }
      let error = #expect(throws: FileError.self) { try require() }
      #expect(error?.kind == .refused && error?.remedy == .changeInPlace)
    }
    let broken = Self.dng(Array(Sample.jpeg(exif).array.prefix(exif.count)), offsets, counts)
    #expect(throws: FileError.self) { try Self.open(broken).patch(for: .removal) }
  }

  private static let photoshop: [UInt8] = {
    let iptc = IPTCSample.block([(90, "Zermatt"), (55, "20200203")])
    let head = Array("8BIM".utf8) + [4, 4, 0, 0] + UInt32(iptc.count).bytes(.big)
    return Sample.segment(0xED, JPEGSegment.photoshopHeader + head + iptc)
  }()
  private static let xmp = Sample.segment(
    0xE1,
    JPEGSegment.xmpHeader
      + XMPSample.packet(
        #"exif:GPSLatitude="46,1.2N" exif:GPSLongitude="7,44.9E" xmp:CreateDate="2020-02-03T04:05:06""#))
  private static let everything: MetadataEdit = {
    var edit = MetadataEdit.removal
    edit.erasesDates = true
    return edit
  }()

  @Test(
    "A preview's dates, IPTC and XMP are erased in place, and a sidecar can't replace that.",
    arguments: [
      ("EXIF", Sample.exif(Sample.tiff(exif: Sample.cameraDates)), ["2024:05:23"]),
      ("IPTC", photoshop, ["Zermatt", "20200203"]), ("XMP", xmp, ["46,1.2N", "2020-02-03"]),
    ])
  func previewRemains(name: String, segment: [UInt8], secrets: [String]) throws {
    let old = Self.dng(Sample.jpeg(segment).array, 0x0111, 0x0117)
    var dates = MetadataEdit()
    dates.erasesDates = true
    for secret in secrets { #expect(old.firstIndex(of: Array(secret.utf8)) != nil) }
    let new = Bytes(try Self.open(old).patch(for: Self.everything).applied(to: old))
    #expect(new.count == old.count)
    for secret in secrets { #expect(new.firstIndex(of: Array(secret.utf8)) == nil, "\(secret)") }
    #expect(try Self.open(new).patch(for: Self.everything).isEmpty)
    let photo = try OpenFile(old.array, path: "made.dng")
    let error = #expect(throws: FileError.self) { try photo.requireNothingToRemove(for: dates, SidecarPolicy()) }
    #expect(error?.description.contains("the file itself contains the metadata to remove") == true)
  }

  @Test("Preview data that can't be edited refuses erasing if it may hold what is to be erased.")
  func unreadPreview() throws {
    let head = JPEGSegment.extendedXMPHeader + [UInt8](repeating: 0x41, count: 40)
    for (text, holds) in [("<a exif:GPSLatitude='1'", true), ("<a b='2020-02-03'", true), ("<a b='c'", false)] {
      let old = Self.dng(Sample.jpeg(Sample.segment(0xE1, head + Array(text.utf8))).array, 0x0111, 0x0117)
      let patch = try? Self.open(old).patch(for: Self.everything)
      #expect((patch == nil) == holds, "\(text)")
    }
    let parted = Self.dng(
      Sample.jpeg(Sample.segment(0xED, Array(Self.photoshop.dropFirst(4)) + [1])).array, 0x0111, 0x0117)
    #expect(throws: FileError.self) { try Self.open(parted).patch(for: Self.everything) }
  }

  @Test("XMP in Panasonic's preview alone is erased, with and without EXIF.")
  func panasonicXMP() throws {
    for preview in [Self.xmp, Sample.exif(Sample.tiff(exif: Sample.cameraDates)) + Self.xmp] {
      let old = RawSample.rw2(preview: preview)
      let new = Bytes(try Self.open(old).patch(for: Self.everything).applied(to: old))
      for secret in ["46,1.2N", "2020-02-03", "2024:05:23"] {
        #expect(new.firstIndex(of: Array(secret.utf8)) == nil, "\(secret)")
      }
    }
  }

  @Test("Zone clearing finds a location that is only in a preview.")
  func previewInZone() async throws {
    let exif = Sample.exif(Sample.tiff(gps: Sample.place(Self.secret, "N", [Rational(1, 1)], "W")))
    let scratch = try Scratch()
    let raw = try scratch.write(Self.dng(Sample.jpeg(exif).array, 0x0111, 0x0117).array, as: "a.dng")
    let jpeg = try scratch.write(Sample.jpeg(trailer: Sample.jpeg(exif).array).array, as: "b.jpg")
    for (longitude, isIn) in [(-1.0, true), (5.0, false)] {
      var planner = ClearPlanner()
      planner.zones = [try #require(ClearPlanner.Zone(around: try .at(47.602, longitude), radius: 1_000))]
      var options = Batch.Options()
      options.sidecars.raw = .inPlace
      var outcomes: [Outcome] = []
      let photos = [raw, jpeg].map { Photo(Walk.Input(path: $0.filePath, failure: nil)) }
      await Batch(dryRun: options).run(photos, planner: planner) { outcomes.append($0) }
      for outcome in outcomes {
        let isCleared = if case .changed = outcome.status { true } else { false }
        #expect(isCleared == isIn && !outcome.isFailure, "\(outcome.path) \(outcome.status)")
      }
    }
  }

  @Test("A Sigma section that is too short for a picture has none.", arguments: 0...64)
  func shortSection(count: Int) throws {
    var file = RawSample.x3f(hasJPEG: true).array
    let directory = try Int(Bytes(file).u32(file.count - 4, .little))
    file.replaceSubrange(directory + 16..<directory + 20, with: UInt32(count).bytes(.little))
    let image = try Self.open(Bytes(file))
    #expect(image.layout.previews.isEmpty)
    #expect(image.metadata().model == "R0")
  }

  @Test("A picture that only its maker can find allows only a sidecar.")
  func hidden() throws {
    let head = Sample.tiff(ifd0: [0x010F: .ascii("SONY")], exif: Sample.cameraDates)
    let file = Bytes(head + [UInt8](repeating: 0xAB, count: 3 << 20))
    let image = try Self.open(file)
    #expect(image.type == .raw && image.layout.isReadOnly)
    #expect(throws: FileError.self) { try image.patch(for: try .place()) }
  }

  @Test("A Panasonic file with less data than its pixels need counts as cut.")
  func cutPanasonic() throws {
    var ifd0: [UInt16: TIFFValue] = [
      0x02: .short([660]), 0x03: .short([500]), 0x2D: .short([4]), 0x0118: .long([0]), 0x010F: .ascii("Panasonic"),
    ]
    ifd0[0x0118] = .long([UInt32(Sample.tiff(ifd0: ifd0, magic: 0x55).count)])
    let head = Sample.tiff(ifd0: ifd0, magic: 0x55)
    for (count, isCut) in [(100_000, true), (400_000, false)] {
      let image = try Self.open(Bytes(head + [UInt8](repeating: 0xAB, count: count)))
      let patch = try? image.patch(for: try .place())
      #expect((patch == nil) == isCut)
    }
  }

  @Test("Editing a raw file of 60 MB reads about as much as one of 1 MB.")
  func constant() throws {
    var counts: [Int] = []
    for size in [1 << 20, 60 << 20] {
      let source = CountingSource(RawSample.nef(pixels: size))
      let image = try Self.open(source)
      var edit = try MetadataEdit.place()
      edit.dates = .adjust(TimeShift(seconds: 3_600), offset: .set(.utc))
      let patch = try image.patch(for: edit)
      let after = try Self.open(PatchedSource(old: source, patch: patch))
      try Expectation(edit: edit, before: image.metadata()).check(after.metadata())
      counts.append(source.read)
      #expect(patch.commitSector() == 0..<512 || size < 16 << 20)
      #expect(patch.splices.reduce(0) { $0 + $1.bytes.count } < 2_048)
    }
    #expect(counts[1] < 2 * counts[0] && counts[1] < 2 << 20, "\(counts)")
  }

  @Test("JPEG-coded parts that overlap are refused and not read one by one.")
  func overlapping() throws {
    let lead = [UInt8]([[UInt8]](repeating: [0xFF, 0xD8, 0xFF, 0xE0, 0, 4], count: 2_000).joined())
    let offsets = (0..<2_000).map { UInt32(8 + 6 * $0) }
    let counts = offsets.map { UInt32(8 + lead.count) - $0 }
    let parts: [UInt16: TIFFValue] = [0x0103: .short([7]), 0x0111: .long(offsets), 0x0117: .long(counts)]
    let bytes = Bytes(Sample.tiff(ifd0: parts, lead: lead))
    let block = try TIFFBlock(bytes, 0..<bytes.count)
    let error = #expect(throws: FileError.self) { try block.jpegParts(of: [block.ifd0]) }
    #expect(error?.kind == .refused)
  }

  @Test("The second reader confirms edits of every raw format.")
  func zoneEvidence() throws {
    for old in [RawSample.orf(.little), RawSample.orf(.big), RawSample.rw2(), RawSample.nef(), RawSample.cr2()] {
      let image = try Self.open(old)
      let changes = try image.changes(for: try .place())
      let new = Bytes(try image.patch(changes).applied(to: old))
      let (before, after) = (
        try ReadableBlock(0..<old.count, of: old, without: image.layout.imageData),
        try ReadableBlock(0..<new.count, of: new, without: image.layout.imageData)
      )
      let verdict = try SecondReader(pool: .shared)
        .check(old: before, new: after, changes: try image.tagChanges(changes))
      #expect(verdict == .confirmed)
    }
  }
}
