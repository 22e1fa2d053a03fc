/// The values of a photo's XMP, of every namespace.
extension ImageSource {
  /// Returns all simple values in the photo's XMP with their paths, in the order of the packet. Sidecars aren't read.
  /// - Throws: `FileError` of kind `.malformed` when the XMP isn't well-formed.
  public func xmpValues() throws(FileError) -> [(path: XMPPath, text: String)] { try xmp?.values ?? [] }

  /// Returns the text at a path in the photo's XMP; nil if there is none.
  ///
  /// ```swift
  /// let rights = try image.xmpValue(at: XMPPath(parsing: "dc:rights[en]"))
  /// ```
  /// - Throws: `FileError` of kind `.malformed` when the XMP isn't well-formed.
  public func xmpValue(at path: XMPPath) throws(FileError) -> String? { try xmp?.text(at: path) }

  /// The main XMP packet.
  var xmp: XMPTree? {
    get throws(FileError) {
      guard let range = layout.xmp else { return nil }
      return try XMPTree(source.bytes(range).array)
    }
  }
}
