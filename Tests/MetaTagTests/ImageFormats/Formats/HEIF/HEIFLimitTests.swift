import Testing

@testable import MetaTag

@Suite("Limits of HEIF editing")
struct HEIFLimitTests {
  @Test("A protected metadata item refuses removal of the location.")
  func sealed() throws {
    let packet = Array("<x:xmpmeta xmlns:x='adobe:ns:meta/'></x:xmpmeta>".utf8)
    var bytes = HEIFTests.sample { ($0.exif, $0.xmp) = ([HEIFSample.apple(HEIFTests.tiff)], packet) }.bytes.array
    let name = try #require(Bytes(bytes).firstIndex(of: Array("mime\0application".utf8)))
    // The item is protected now (ISO/IEC 14496-12, 8.11.6).
    bytes[name - 1] = 1
    #expect(try HEIFTests.image(Bytes(bytes)).metadata().notes.count == 1)
    let error = #expect(throws: FileError.self) { try HEIFTests.edited(Bytes(bytes), .removal) }
    #expect(error?.kind == .refused)
    _ = try HEIFTests.edited(Bytes(bytes), try .place())
  }

  @Test("XMP of another picture with a location refuses removal of the location.")
  func otherPicture() throws {
    let packet = Array("<x:xmpmeta xmlns:x='adobe:ns:meta/' exif:GPSLatitude='1,0N'></x:xmpmeta>".utf8)
    var bytes = HEIFTests.sample { ($0.exif, $0.xmp) = ([HEIFSample.apple(HEIFTests.tiff)], packet) }.bytes.array
    // Item 3 describes item 9, which is not the picture.
    let reference = try #require(Bytes(bytes).firstIndex(of: Array("cdsc".utf8) + [0, 3, 0, 1, 0, 1]))
    bytes[reference + 9] = 9
    let error = #expect(throws: FileError.self) { try HEIFTests.edited(Bytes(bytes), .removal) }
    #expect(error?.kind == .refused)
    #expect(try HEIFTests.edited(Bytes(bytes), try .place()).firstIndex(of: packet) != nil)
  }

  @Test("A file whose offsets are too narrow for a new position is refused.")
  func narrowPlaces() throws {
    let old = HEIFTests.sample {
      ($0.exif, $0.widths) = ([HEIFSample.apple(HEIFTests.plain)], [2, 4, 0, 0])
      $0.tail = Box.bytes("uuid", [UInt8](repeating: 9, count: 70_000))
    }.bytes
    let error = #expect(throws: FileError.self) { try HEIFTests.edited(old, try JPEGTests.edit()) }
    #expect(error?.kind == .tooLarge)
  }

  @Test("One item may shrink in place while another moves.", arguments: [true, false])
  func shorterAndLonger(isErased: Bool) throws {
    let long = "47,36.372000000000000000000000000000000000N"
    let packet = isErased ? "<x:xmpmeta xmlns:x='adobe:ns:meta/'/>" : String(decoding: HEIFTests.packet, as: UTF8.self)
    let old = HEIFTests.sample {
      $0.exif = [HEIFSample.apple(HEIFTests.plain + (isErased ? [UInt8](repeating: 7, count: 400) : []))]
      $0.xmp = Array(packet.replacing("47,36.372N", with: long).utf8)
    }.bytes
    var edit = try MetadataEdit.place(-33.85681, 151.21531)
    if isErased {
      edit = MetadataEdit()
      edit.erasure = Erasure()
    }
    let image = try HEIFTests.image(old)
    let patch = try image.patch(for: edit)
    let new = Bytes(try patch.applied(to: old))
    #expect(try patch.inverse(of: old).applied(to: new) == old.array)
    #expect(try HEIFTests.picture(new) == HEIFSample.picture)
    let metadata = try HEIFTests.image(new).metadata()
    #expect(metadata.locations.count == (isErased ? 0 : 2))
    #expect(metadata.notes.isEmpty && new.firstIndex(of: Array(long.utf8)) == nil)
  }
}
