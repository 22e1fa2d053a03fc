import SystemPackage
import Testing

@testable import MetaTag

@Suite("Image properties")
struct ImagePropertiesTests {
  private func properties(_ photo: Bytes) throws -> ImageProperties {
    try ImageSource(photo, path: "photo").properties
  }

  @Test("A JPEG's size is read from its frame, and its orientation from EXIF.")
  func jpeg() throws {
    let photo = try properties(Sample.jpeg(Sample.exif(Sample.tiff(ifd0: [0x0112: .short([6])]))))
    #expect(photo == ImageProperties(type: .jpeg, pixelSize: PixelSize(width: 32, height: 24), orientation: 6))
  }

  @Test("A TIFF's size is that of its first image, not of a thumbnail.", arguments: [(0, 8), (1, nil)])
  func tiff(subfileType: UInt32, width: Int?) throws {
    let ifd0: [UInt16: TIFFValue] = [0x00FE: .long([subfileType]), 0x0100: .short([8]), 0x0101: .long([4])]
    let photo = try properties(Bytes(Sample.tiff(ifd0: ifd0)))
    #expect(
      photo
        == ImageProperties(type: .tiff, pixelSize: width.flatMap { PixelSize(width: $0, height: 4) }, orientation: nil))
  }
}
