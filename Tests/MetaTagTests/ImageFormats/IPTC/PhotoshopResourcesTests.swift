@testable import ImageFormats
import Testing

@testable import MetaTag

struct PhotoshopResourcesTests {
  private static func resource(_ id: UInt16, _ data: [UInt8], name: String = "", signature: String = "8BIM") -> [UInt8]
  {
    var bytes = Array(signature.utf8) + id.bytes(.big) + [UInt8(name.utf8.count)] + Array(name.utf8)
    if name.utf8.count.isMultiple(of: 2) { bytes.append(0) }
    bytes += UInt32(data.count).bytes(.big) + data
    return data.count.isMultiple(of: 2) ? bytes : bytes + [0]
  }

  private static let before = resource(0x03ED, [1, 2, 3], name: "Res") + resource(0x0404, [9], signature: "DCSR")
  private static let after = resource(0x040C, [7, 7, 7, 7], name: "Tn")
  /// `printf abc | md5sum`, `printf abcd | md5sum`.
  private static let md5OfABC: [UInt8] = [
    0x90, 0x01, 0x50, 0x98, 0x3C, 0xD2, 0x4F, 0xB0, 0xD6, 0x96, 0x3F, 0x7D, 0x28, 0xE1, 0x7F, 0x72,
  ]
  private static let md5OfABCD: [UInt8] = [
    0xE2, 0xFC, 0x71, 0x4C, 0x47, 0x27, 0xEE, 0x93, 0x95, 0xF3, 0x24, 0xCD, 0x2E, 0x7F, 0x33, 0x1F,
  ]

  private static func blocks(_ iptc: String, digest: [UInt8]) -> [UInt8] {
    before + resource(0x0404, Array(iptc.utf8)) + resource(0x0425, digest) + after
  }

  @Test("IPTC data is found and replaced, and every other resource stays.", arguments: ["ab", "abc", "abcd", ""])
  func replacing(iptc: String) throws {
    let digest = [UInt8](repeating: 5, count: 16)
    let old = PhotoshopResourcesTests.blocks("abc", digest: digest)
    let resources = try PhotoshopResources(Bytes(old, base: 100))
    #expect(try Array(old[#require(resources.iptc)]) == Array("abc".utf8))
    let new = try resources.replacingIPTC(with: Array(iptc.utf8))
    #expect(new == PhotoshopResourcesTests.blocks(iptc, digest: digest))
  }

  @Test("Photoshop's digest is renewed only if it was right.")
  func digest() throws {
    let old = PhotoshopResourcesTests.blocks("abc", digest: PhotoshopResourcesTests.md5OfABC)
    let new = try PhotoshopResources(Bytes(old)).replacingIPTC(with: Array("abcd".utf8))
    #expect(new == PhotoshopResourcesTests.blocks("abcd", digest: PhotoshopResourcesTests.md5OfABCD))
  }

  @Test("A digest of IPTC data that is stored elsewhere is renewed if it was right.")
  func digestAlone() throws {
    let old = Self.before + Self.resource(0x0425, Self.md5OfABC)
    let resources = try PhotoshopResources(Bytes(old))
    let new = try resources.renewingDigest(from: Bytes(Array("abc".utf8)), to: Array("abcd".utf8))
    #expect(new == Self.before + Self.resource(0x0425, Self.md5OfABCD))
    #expect(try resources.renewingDigest(from: Bytes(Array("ab".utf8)), to: [1]) == nil)
    #expect(try resources.addingIPTC(Array("abc".utf8)) == old + Self.resource(0x0404, Array("abc".utf8)))
  }

  @Test("Resources without IPTC data have nothing to replace.")
  func nothing() throws {
    let resources = try PhotoshopResources(Bytes(PhotoshopResourcesTests.before + [0, 0]))
    #expect(resources.iptc == nil)
    #expect(try resources.replacingIPTC(with: [1]) == nil)
    #expect(try PhotoshopResources(Bytes([])).iptc == nil)
  }

  @Test("A last resource without its padding byte is read.")
  func unpadded() throws {
    let old = Array(PhotoshopResourcesTests.resource(0x0404, [1, 2, 3]).dropLast())
    let resources = try PhotoshopResources(Bytes(old))
    #expect(resources.iptc == 12..<15)
    #expect(try resources.replacingIPTC(with: [4, 5, 6]) == PhotoshopResourcesTests.resource(0x0404, [4, 5, 6]))
  }

  @Test("Resources cut short at any byte never trap.")
  func truncation() {
    let old = PhotoshopResourcesTests.blocks("abc", digest: PhotoshopResourcesTests.md5OfABC)
    for count in old.indices { _ = try? PhotoshopResources(Bytes(Array(old.prefix(count)))).replacingIPTC(with: [1]) }
    for tail: [UInt8] in [[1], Array("8BIM".utf8), Array("8BIM\u{4}\u{4}\0\0".utf8) + [0xFF, 0xFF, 0xFF, 0xFF]] {
      let error = #expect(throws: FileError.self) { try PhotoshopResources(Bytes(old + tail, base: 10)) }
      #expect((error?.offset ?? 0) >= old.count + 10)
    }
  }
}
