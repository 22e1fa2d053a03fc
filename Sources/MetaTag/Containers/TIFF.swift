struct TIFFContainer: Container {
  let types: [ImageType] = [.tiff, .bigTIFF, .dng]
  func type(of head: Bytes) -> ImageType? { nil }
  func layout(of source: any ByteSource) throws(PhotoError) -> Layout { Layout() }
  func patch(_ changes: BlockChanges, layout: Layout, source: any ByteSource) throws(PhotoError) -> Patch {
    try Patch([], to: source.count, imageData: layout.imageData)
  }
}
