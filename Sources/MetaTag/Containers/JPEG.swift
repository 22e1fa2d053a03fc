struct JPEGContainer: Container {
  let types: [ImageType] = [.jpeg]
  func type(of head: Bytes) -> ImageType? { head.has([0xFF, 0xD8, 0xFF]) ? .jpeg : nil }
  func layout(of source: any ByteSource) throws(PhotoError) -> Layout { Layout() }
  func patch(_ changes: BlockChanges, layout: Layout, source: any ByteSource) throws(PhotoError) -> Patch {
    try Patch([], to: source.count, imageData: layout.imageData)
  }
}
