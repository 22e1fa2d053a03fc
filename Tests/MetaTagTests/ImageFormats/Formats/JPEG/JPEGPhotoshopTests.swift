@testable import ImageFormats
import TestSupport
import Testing

@testable import MetaTag

@Suite("IPTC in JPEG and TIFF")
struct JPEGPhotoshopTests {
  private let old: [UInt8] = [0x1C, 2, 55, 0, 8] + Array("20240523".utf8)
  private let longer: [UInt8] =
    [0x1C, 2, 55, 0, 8] + Array("20230102".utf8) + [0x1C, 2, 60, 0, 6] + Array("030405".utf8)

  private func resource(_ id: UInt16, _ data: [UInt8]) -> [UInt8] {
    Array("8BIM".utf8) + id.bytes(.big) + [0, 0] + UInt32(data.count).bytes(.big) + data
      + (data.count % 2 == 1 ? [0] : [])
  }

  private func segment(_ bytes: [UInt8]) -> [UInt8] { Sample.segment(0xED, Array("Photoshop 3.0\0".utf8) + bytes) }

  private func edited(_ photo: Bytes, _ records: [UInt8]) throws -> Bytes {
    let container = try Editing.container(of: photo)
    var changes = BlockChanges()
    changes.iptc = records
    return Bytes(try container.patch(changes, layout: container.layout(of: photo), source: photo).applied(to: photo))
  }

  @Test("IPTC data is replaced in place, and other resources stay.")
  func replacing() throws {
    let (before, after) = (resource(0x03ED, [1, 2, 3, 4]), resource(0x0406, [5, 6, 7]))
    for segments in [
      segment(before + resource(0x0404, old) + after), segment(before) + segment(resource(0x0404, old) + after),
    ] {
      let photo = Sample.jpeg(segments)
      let range = try #require(JPEGContainer().layout(of: photo).iptc)
      #expect(try photo.bytes(range).array == old)
      #expect(try edited(photo, old).array == photo.array)
      for records in [longer, Array(old.reversed())] {
        let new = try edited(photo, records)
        let found = try #require(JPEGContainer().layout(of: new).iptc)
        #expect(try new.bytes(found).array == records)
        #expect(new.firstIndex(of: before) != nil && new.firstIndex(of: after) != nil)
        #expect(
          new.count == photo.count + (records.count == old.count ? 0 : longer.count - old.count - 1 + longer.count % 2))
      }
    }
  }

  @Test("IPTC data split across segments is reported and refused.")
  func parted() throws {
    let all = resource(0x0404, old)
    let photo = Sample.jpeg(segment(Array(all[..<20])) + segment(Array(all[20...])))
    let layout = try JPEGContainer().layout(of: photo)
    #expect(layout.iptc == nil && layout.notes.count == 1)
    #expect(throws: FileError.self) { try edited(photo, longer) }
  }

  @Test("A TIFF's copy among Photoshop's resources follows its IPTC tag.", arguments: [true, false])
  func tiff(hasTag: Bool) throws {
    var ifd0: [UInt16: TIFFValue] = [34_377: .bytes(resource(0x0404, old))]
    if hasTag { ifd0[33_723] = .undefined(old) }
    let photo = Bytes(Sample.tiff(ifd0: ifd0))
    let range = try #require(TIFFContainer().layout(of: photo).iptc)
    #expect(try photo.bytes(range).array == old)
    let new = try edited(photo, longer)
    let found = try #require(TIFFContainer().layout(of: new).iptc)
    #expect(try new.bytes(found).array == longer)
    let block = try TIFFBlock(new, 0..<new.count)
    let copy = try PhotoshopResources(try #require(block.ifd0[34_377].flatMap(block.raw)))
    #expect(copy.iptc?.count == longer.count)
    #expect((block.ifd0[33_723] != nil) == hasTag)
  }
}
