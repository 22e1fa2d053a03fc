/// A format whose further pictures are its previews, without thumbnails, and from which not everything can be removed.
protocol PreviewedContainer: Container {}

extension PreviewedContainer {
  func removesAll(from layout: Layout) -> Bool { false }

  func thumbnails(_ layout: Layout, source: any ByteSource) -> [Bytes] { [] }

  func additionalPictures(_ layout: Layout, source: any ByteSource) throws(FileError) -> [Range<Int>] {
    layout.previews
  }
}
