@testable import ImageFormats
import SystemPackage
import Testing

@testable import MetaTag

/// Further pages describe other pictures: their metadata isn't read, but erased with the first page's.
@Suite("Further pages of a TIFF")
struct TIFFPagesTests {
  private static let packet = XMPSample.packet(
    "exif:GPSLatitude='47,36.0N' exif:GPSLongitude='1,2.05W' photoshop:City='Oldtown' photoshop:Credit='Ada' "
      + "exif:DateTimeOriginal='2023-01-02T03:04:05'")
  private static let iptc: [UInt8] =
    [0x1C, 2, 0x37, 0, 8] + Array("20230102".utf8) + [0x1C, 2, 0x5A, 0, 7] + Array("Oldtown".utf8)
    + [0x1C, 2, 0x50, 0, 3] + Array("Ada".utf8)

  /// A TIFF with a second page that has these tags.
  static func photo(
    _ order: Bytes.Order = .little, ifd0: [UInt16: TIFFValue] = [:], page: [UInt16: TIFFValue]
  ) throws -> Bytes {
    var bytes = TIFFTests.photo(order, ifd0: ifd0).array
    let block = try TIFFBlock(Bytes(bytes), 0..<bytes.count)
    let next = block.ifd0.range.upperBound - 4
    bytes.replaceSubrange(next..<next + 4, with: UInt32(bytes.count).bytes(order))
    return Bytes(bytes + Sample.directory(page, at: bytes.count, order))
  }

  private static func second(_ iptc: [UInt8] = iptc, _ packet: [UInt8] = packet) throws -> [UInt16: TIFFValue] {
    [
      700: .bytes(packet), 33_723: .undefined(iptc), 0x013B: .ascii("Ada"), 0x9003: .ascii("2023:01:02 03:04:05"),
      34_377: .bytes(try PhotoshopResources.resource(holding: iptc)), 0x0132: .ascii("2023:01:02 03:04:05"),
    ]
  }

  private static func image(_ bytes: Bytes) throws -> ImageSource { try ImageSource(bytes, path: "made.tif") }

  @Test(
    "Locations and dates are erased from XMP, IPTC and Photoshop resources of a further page.",
    arguments: [Bytes.Order.little, .big], [false, true])
  func erasing(order: Bytes.Order, dates: Bool) throws {
    let old = try Self.photo(order, page: try Self.second())
    var edit = MetadataEdit.removal
    if dates {
      edit = MetadataEdit()
      edit.erasesDates = true
    }
    let photo = try OpenFile(old.array, path: "made.tif")
    let change = try #require(try FileEdit(of: photo, by: edit))
    let new = Bytes(try change.patch.applied(to: old))
    let text = String(decoding: new.array, as: UTF8.self)
    #expect(text.contains("Oldtown") == dates && text.contains("47,36") == dates)
    #expect(text.contains("2023-01-02") == !dates && text.contains("20230102") == !dates)
    #expect(text.contains("2023:01:02") == !dates)
    let before = String(decoding: old.array, as: UTF8.self)
    #expect(text.split(separator: "Ada").count == before.split(separator: "Ada").count)
    let page = try #require(TIFFReferences(of: TIFFBlock(new, 0..<new.count)).directories.last { $0[700] != nil })
    let block = try TIFFBlock(new, 0..<new.count)
    #expect(try XMPPacket(#require(page[700].flatMap(block.raw))).value("photoshop:Credit") == "Ada")
    #expect(try IPTCData(#require(page[33_723].flatMap(block.raw))).datasets.count == 2)
    let resources = try PhotoshopResources(#require(page[34_377].flatMap(block.raw)))
    let within = try #require(resources.iptc)
    #expect(try IPTCData(#require(page[34_377].flatMap(block.raw)).bytes(within)).datasets.count == 2)
    #expect(try change.patch.inverse(of: old).applied(to: new) == old.array)
    #expect(try FileEdit(of: try OpenFile(new.array, path: "made.tif"), by: edit) == nil)
  }

  @Test("Unreadable data on a further page refuses erasing, unless it is harmless.")
  func unread() throws {
    // Without its end.
    let cut = Array(Self.packet.dropLast(560))
    for second in [try Self.second([0x1C, 2, 0x5A, 0, 99, 1]), try Self.second(Self.iptc, cut)] {
      let error = #expect(throws: FileError.self) {
        try Self.image(try Self.photo(page: second)).patch(for: .removal)
      }
      #expect(error?.kind == .refused && error?.description.contains("additional page") == true)
    }
    let harmless = try Self.photo(page: [33_723: .undefined([0, 0, 0, 0, 0, 0])])
    #expect(try Self.image(harmless).patch(for: .removal).isEmpty)
  }

  @Test("Shifting a date notes that further pages have their own, if they do.")
  func recorded() throws {
    let shift = MetadataEdit.dates(.adjust(TimeShift(seconds: 60), offset: .keep))
    let cases: [([UInt16: TIFFValue], Bool)] = [(try Self.second(), true), ([0x013B: .ascii("Ada")], false)]
    for (second, isReported) in cases {
      let notes = try Self.image(try Self.photo(page: second)).changes(for: shift).notes
      #expect(notes.contains { $0.code == .mayKeepDate && $0.sentence.contains("additional pages") } == isReported)
    }
  }

  @Test(
    "Locations and dates of further pages stay, even if they share values with the first.", arguments: [false, true])
  func others(isSame: Bool) throws {
    func position(_ latitude: UInt32) -> [UInt16: TIFFValue] {
      let angles = [latitude, 2].map { TIFFValue.rational([Rational($0, 1), Rational(0, 1), Rational(0, 1)]) }
      return [1: .ascii("N"), 2: angles[0], 3: .ascii("E"), 4: angles[1]]
    }
    let date: [UInt16: TIFFValue] = [0x9003: .ascii("2023:01:02 03:04:05")]
    func add(_ tags: [UInt16: TIFFValue]) -> UInt32 {
      defer { bytes += Sample.directory(tags, at: bytes.count, .little) }
      return UInt32(bytes.count)
    }
    var bytes: [UInt8] = try Self.photo(ifd0: [0x8825: .long([0]), 0x8769: .long([0])], page: [:]).array
    let ifd0 = try TIFFBlock(Bytes(bytes), 0..<bytes.count).ifd0
    let pointers = [0x8825: add(position(48)), 0x8769: add(date)] as [UInt16: UInt32]
    for (tag, offset) in pointers {
      let field = try #require(ifd0[tag]).position + 8
      bytes.replaceSubrange(field..<field + 4, with: offset.bytes(.little))
    }
    let second = (position: add(position(isSame ? 48 : 41)), date: add(date))
    let page = add([0x8825: .long([second.position]), 0x8769: .long([second.date])])
    bytes.replaceSubrange(ifd0.range.upperBound - 4..<ifd0.range.upperBound, with: page.bytes(.little))
    let kept = bytes[Int(second.position)..<Int(page)]
    for edit in [MetadataEdit.dates(.adjust(TimeShift(seconds: 60), offset: .keep)), try .place(-33.8568, -70.2153)] {
      let photo = try OpenFile(bytes, path: "made.tif")
      let change = try #require(try FileEdit(of: photo, by: edit))
      let new = try change.patch.applied(to: Bytes(bytes))
      #expect(new[Int(second.position)..<Int(page)] == kept)
    }
  }

  @Test("A thumbnail's location follows if it is the same, and is not changed by half otherwise.", arguments: [2, 12])
  func thumbnail(longitude: UInt32) throws {
    func position(_ degrees: UInt32) -> [UInt16: TIFFValue] {
      let angles = [48, degrees].map { TIFFValue.rational([Rational($0, 1), Rational(0, 1), Rational(0, 1)]) }
      return [1: .ascii("N"), 2: angles[0], 3: .ascii("E"), 4: angles[1]]
    }
    var bytes: [UInt8] = Array("II*\0".utf8) + UInt32(8).bytes(.little)
    func add(_ tags: [UInt16: TIFFValue]) -> UInt32 {
      defer { bytes += Sample.directory(tags, at: bytes.count, .little) }
      return UInt32(bytes.count)
    }
    let ifd0 = add([0x8825: .long([0])])
    let (own, second) = (add(position(2)), add(position(longitude)))
    let thumbnail = add([0x8825: .long([second])])
    for (place, value) in [(ifd0 + 2 + 8, own), (ifd0 + 2 + 12, thumbnail)] {
      bytes.replaceSubrange(Int(place)..<Int(place) + 4, with: value.bytes(.little))
    }
    let block = try TIFFBlock(Bytes(bytes), 0..<bytes.count)
    var changes = TIFFChanges()
    changes.set(2, in: .gps, to: .rational([Rational(49, 1), Rational(0, 1), Rational(0, 1)]))
    let edit = try TIFFEditor.edit(
      block, changes, references: try TIFFReferences(of: block), appendingAt: bytes.count + bytes.count % 2)
    let new = try edit.applied(to: block, appendingAt: bytes.count + bytes.count % 2)
    let moved = try TIFFBlock(Bytes(new), 0..<new.count)
    let copy = try #require(moved.directory(at: Int(second)))
    let latitude = try #require(copy[2].flatMap(moved.raw)).u32(0, .little)
    #expect(latitude == (longitude == 2 ? 49 : 48))
  }

  @Test("IPTC cut by ImageMagick or in the wrong byte order is read and written correctly.")
  func oddIPTC() throws {
    let resources = try PhotoshopResources.resource(holding: Self.iptc)
    let filled: [UInt8] = Self.iptc + [UInt8](repeating: 0, count: (4 - Self.iptc.count % 4) % 4)
    let turned: [UInt32] = stride(from: 0, to: filled.count, by: 4).map { at in
      filled[at..<at + 4].reduce(UInt32(0)) { $0 << 8 | UInt32($1) }
    }
    let mains: [[UInt16: TIFFValue]] = [
      [33_723: .undefined(Array(Self.iptc.prefix(9))), 34_377: .bytes(resources)], [33_723: .long(turned)],
    ]
    for ifd0 in mains {
      let old = TIFFTests.photo(ifd0: ifd0)
      let photo = try OpenFile(old.array, path: "made.tif")
      #expect(photo.metadata.placeNames.map(\.value.city) == ["Oldtown"])
      let change = try #require(try FileEdit(of: photo, by: .removal))
      let new = String(decoding: try change.patch.applied(to: old), as: UTF8.self)
      #expect(!new.contains("Oldtown") && change.metadata.fields.map(\.value.value) == [.text("Ada")])
      #expect(change.after.layout.additionalIPTC.isEmpty)
    }
  }

  @Test("A copy of IPTC that differs from the tag is edited separately and loses nothing.")
  func differingIPTC() throws {
    let whole = Self.iptc
    let cut = Array(whole.prefix(try IPTCData(Bytes(whole)).datasets[0].range.upperBound))
    let other = IPTCSample.block([(90, "Elsewhere")])
    for (tag, copy) in [(cut, whole), (whole, other)] {
      let ifd0: [UInt16: TIFFValue] = [
        33_723: .undefined(tag), 34_377: .bytes(try PhotoshopResources.resource(holding: copy)),
      ]
      let old = TIFFTests.photo(ifd0: ifd0)
      var edit = MetadataEdit()
      edit.fields[.copyright] = .set(.text("Ada"))
      let set = Bytes(try Self.image(old).patch(for: edit).applied(to: old))
      let layout = try Self.image(set).layout
      let kept = try #require(layout.additionalIPTC.first.map { try IPTCData(set.bytes($0)) })
      for dataset in try IPTCData(Bytes(copy)).datasets {
        #expect(kept.all(dataset.number).map(kept.text).contains(try IPTCData(Bytes(copy)).text(dataset)))
      }
      // Edits that make them equal are checked too.
      for edit in [edit, .removal] {
        #expect(throws: Never.self) { try FileEdit(of: try OpenFile(old.array, path: "made.tif"), by: edit) }
      }
      let new = Bytes(try Self.image(old).patch(for: .removal).applied(to: old))
      #expect(try Self.image(new).metadata().placeNames.isEmpty)
      let text = String(decoding: new.array, as: UTF8.self)
      #expect(!text.contains("Elsewhere") && !text.contains("Oldtown"))
    }
  }

  @Test("Unreadable IPTC doesn't hide a good copy, and refuses erasing.")
  func unreadIPTC() throws {
    let resources = try PhotoshopResources.resource(holding: Self.iptc)
    let ifd0: [UInt16: TIFFValue] = [33_723: .undefined([1, 2, 3, 4, 5]), 34_377: .bytes(resources)]
    let image = try Self.image(TIFFTests.photo(ifd0: ifd0))
    #expect(image.metadata().placeNames.map(\.value.city) == ["Oldtown"])
    var dates = MetadataEdit()
    dates.erasesDates = true
    for edit in [MetadataEdit.removal, dates] {
      let error = #expect(throws: FileError.self) { try image.patch(for: edit) }
      #expect(error?.kind == .refused && error?.description.contains("IPTC that can't be read") == true)
    }
    let changes = try image.changes(for: .dates(.adjust(TimeShift(seconds: 86_400), offset: .keep)))
    #expect(changes.additionalIPTC.count == 1)
  }

  /// A TIFF with further pages whose dates share one long value. If `isOwn`, that is the date in the first page's EXIF.
  private static func sharing(pages: Int, of count: Int, isOwn: Bool) throws -> Bytes {
    var bytes = TIFFTests.photo().array
    func long(_ value: Int) -> [UInt8] { UInt32(value).bytes(.little) }
    let block = try TIFFBlock(Bytes(bytes), 0..<bytes.count)
    let own = try #require(block.exif?[0x9003]).position
    let value = bytes.count
    bytes += [UInt8](repeating: 0x32, count: count)
    let entry = UInt16(0x9003).bytes(.little) + [2, 0] + long(count) + long(value)
    if isOwn { bytes.replaceSubrange(own..<own + 12, with: entry) }
    let next = block.ifd0.range.upperBound - 4
    bytes.replaceSubrange(next..<next + 4, with: long(bytes.count))
    for page in 1...pages { bytes += [1, 0] + entry + long(page == pages ? 0 : bytes.count + 18) }
    return Bytes(bytes)
  }

  @Test("A value that all pages share is not read for each of them.", arguments: [true, false])
  func sharedDate(isOwn: Bool) throws {
    let source = CountingSource(try Self.sharing(pages: 50, of: 1 << 20, isOwn: isOwn))
    let layout = try TIFFContainer().layout(of: source)
    #expect(layout.unedited(holding: .date).count == 1)
    #expect(source.read < 1 << 20)
    // Not longer than a date.
    let short = try Self.sharing(pages: 50, of: 20, isOwn: isOwn)
    #expect(try TIFFContainer().layout(of: short).unedited(holding: .date).count == 1)
  }

  @Test("IPTC that would outgrow its room on a further page is refused.")
  func longerIPTC() throws {
    let bytes = try Self.photo(page: [34_377: .bytes(try PhotoshopResources.resource(holding: Self.iptc))])
    let block = try TIFFBlock(bytes, 0..<bytes.count)
    let pages = TIFFPages(of: block, try TIFFReferences(of: block))
    var edit = MetadataEdit()
    edit.fields[.artist] = .set(.text("Augusta Ada King, Countess of L."))
    let error = #expect(throws: FileError.self) { try pages.erasures(by: edit) }
    #expect(error?.kind == .refused && error?.description.contains("additional page") == true)
  }
}
