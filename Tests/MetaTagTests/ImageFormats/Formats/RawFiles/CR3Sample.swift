@testable import MetaTag

/// A made-up CR3: Canon's directories in their slots, and almost no picture.
enum CR3Sample {
  private static let canonID: [UInt8] = [
    0x85, 0xC0, 0xB6, 0x87, 0x82, 0x0F, 0x11, 0xE0, 0x81, 0x11, 0xF4, 0xCE, 0x46, 0x2B, 0x6A, 0x48,
  ]

  private static func slot(
    _ type: FourCC, _ tags: [UInt16: TIFFValue], _ count: Int, lead: [UInt8] = []
  ) -> [UInt8] {
    let block = Sample.tiff(ifd0: tags, lead: lead)
    return Box.bytes(type, block + [UInt8](repeating: 0, count: count - block.count))
  }

  /// Returns a CR3 with this GPS directory.
  /// - Parameter lead: The bytes between the headers of CMT1 and CMT4 and their directories.
  static func raw(gps: [UInt16: TIFFValue] = [:], lead: [UInt8] = []) -> Bytes {
    let slots =
      slot("CMT1", [0x010F: .ascii("Canon"), 0x0110: .ascii("Canon EOS R0")], 512, lead: lead)
      + slot("CMT2", Sample.cameraDates, 1_536) + slot("CMT3", [1: .short([7, 8, 9])], 256)
      + slot("CMT4", gps.merging([0: .bytes([2, 3, 0, 0])]) { old, _ in old }, 1_024, lead: lead)
    let moov = Box.bytes("moov", Box.bytes("uuid", canonID + slots) + MovieSample.header("mvhd", MovieSample.seconds))
    return Bytes(
      Box.bytes("ftyp", Array("crx ".utf8) + [0, 0, 0, 1] + Array("crx isom".utf8)) + moov
        + Box.bytes("mdat", MovieSample.media))
  }
}
