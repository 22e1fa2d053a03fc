/// A reader of all tags of a photo, including the camera maker's, named as in exiv2; for movies, named as in exiftool.
/// It runs in sandboxed child processes that are reused for the next photo; share one reader among all workers.
public struct TagReader: Sendable {
  private let pool = CodecPool()

  /// Creates a reader. Child processes are started on first use.
  public init() {}

  /// Returns all tags in the order of the file: EXIF, then IPTC, then XMP. For a movie: the times of its headers, its
  /// metadata and user data, then XMP.
  /// - Throws: `FileError`: `.unsupported` when the library doesn't support the format (BigTIFF) or crashed on the
  ///   file, `.malformed` when it can't parse it, `.io` when the program `metatag-codecs` is missing.
  public func tags(of image: ImageSource) throws(FileError) -> [TagDump] {
    guard let file = image.file as? FileSource else {
      throw FileError(.unsupported, "has no file yet whose tags could be listed")
    }
    if image.layout.quickTime != nil { return try MovieTags(of: file).tags + packetTags(of: image) }
    return try pool.allTags(of: file.descriptor, count: file.count)
  }

  /// Returns the tags in a movie's XMP; empty if it can't be parsed, so that the others are still listed.
  private func packetTags(of image: ImageSource) throws(FileError) -> [TagDump] {
    guard let range = image.layout.xmp else { return [] }
    do {
      let packet = try ReadableBlock(range, of: image.source)
      return try pool.allTags(of: packet.file())
    } catch  where error.kind != .io {
      return [TagDump(key: "XMP", type: "Binary", text: "(\(range.count) bytes that can't be parsed)", raw: "")]
    }
  }
}
