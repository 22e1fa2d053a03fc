import Testing

@testable import MetaTag

@Suite("End of a JPEG's picture")
struct JPEGScanTests {
  private static let scan: [UInt8] = [0xFF, 0xDA, 0, 4, 1, 2]

  @Test(
    "The end is found after stuffed bytes, restarts, further scans and fill bytes.",
    arguments: [
      scan + [1, 0xFF, 0, 2, 0xFF, 0xD9], scan + [1, 0xFF, 0xD0, 2, 0xFF, 0xD7, 0xFF, 0xD9],
      scan + [1] + [0xFF, 0xC4, 0, 4, 0xFF, 0xD9] + scan + [2, 0xFF, 0xFF, 0xD9], [0xFF, 0xD9],
    ])
  func end(picture: [UInt8]) throws {
    let trailer: [UInt8] = [1, 2, 0xFF, 0xD9]
    #expect(try JPEGScan.end(from: 0, of: Bytes(picture + trailer)) == picture.count)
  }

  @Test("A picture without an end reaches the end of the file, and segments between scans are refused.")
  func odd() throws {
    let open = Self.scan + [1, 2, 3, 0xFF]
    #expect(try JPEGScan.end(from: 0, of: Bytes(open)) == open.count)
    let comment = Self.scan + [1, 0xFF, 0xFE, 0, 4, 65, 66, 0xFF, 0xD9]
    #expect(throws: FileError.self) { try JPEGScan.end(from: 0, of: Bytes(comment)) }
    let cut: [UInt8] = Self.scan + [1, 0xFF, 0xC4]
    #expect(throws: FileError.self) { try JPEGScan.end(from: 0, of: Bytes(cut)) }
  }

  @Test("The end is found across a window border.")
  func windows() throws {
    let long = Self.scan + [UInt8](repeating: 7, count: (1 << 20) - 7) + [0xFF, 0xD9, 1]
    for shift in 0..<4 {
      let picture = Array(long.dropFirst(6).dropLast(3).dropLast(shift)) + [0xFF, 0xD9]
      #expect(try JPEGScan.end(from: 0, of: Bytes(Self.scan + picture + [1])) == picture.count + 6)
    }
  }
}
