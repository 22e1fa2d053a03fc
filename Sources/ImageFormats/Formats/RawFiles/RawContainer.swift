/// A raw format of its own, not based on TIFF: its previews show the picture, and nothing in it can be removed as a whole.
protocol RawContainer: Container {}

extension RawContainer {
  func removesAll(from layout: Layout) -> Bool { false }

  func thumbnails(_ layout: Layout, source: any ByteSource) -> [Bytes] { [] }

  func additionalPictures(_ layout: Layout, source: any ByteSource) throws(FileError) -> [Range<Int>] {
    layout.previews
  }
}
