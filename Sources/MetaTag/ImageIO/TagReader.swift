/// Every tag of a photo, camera makers' own included, by exiv2's dictionary. It runs in sandboxed child processes that
/// are kept for the next photo; share one reader among all workers.
public struct TagReader: Sendable {
  private let pool = CodecPool()

  /// Children are started when they are first needed.
  public init() {}

  /// All tags, in the order in which they stand, EXIF, then IPTC, then XMP.
  /// - Throws: `PhotoError`: `.unsupported` when the library doesn't know the format (BigTIFF) or crashed on the file,
  ///   `.malformed` when it can't parse it, `.io` when the program `metatag-codecs` is missing.
  public func tags(of image: ImageSource) throws(PhotoError) -> [TagDump] {
    guard let file = image.file as? FileSource else {
      throw PhotoError(.unsupported, "has no file yet whose tags could be listed")
    }
    return try pool.allTags(of: file.descriptor, count: file.count)
  }
}
