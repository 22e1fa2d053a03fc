/// Every tag of a photo, camera makers' own included, by exiv2's dictionary; of a movie, by exiftool's names. It runs in
/// sandboxed child processes that are kept for the next photo; share one reader among all workers.
public struct TagReader: Sendable {
  private let pool = CodecPool()

  /// Children are started when they are first needed.
  public init() {}

  /// All tags, in the order in which they stand, EXIF, then IPTC, then XMP; of a movie, the times of its headers, its
  /// metadata and user data, then XMP.
  /// - Throws: `FileError`: `.unsupported` when the library doesn't know the format (BigTIFF) or crashed on the file,
  ///   `.malformed` when it can't parse it, `.io` when the program `metatag-codecs` is missing.
  public func tags(of image: ImageSource) throws(FileError) -> [TagDump] {
    guard let file = image.file as? FileSource else {
      throw FileError(.unsupported, "has no file yet whose tags could be listed")
    }
    if image.layout.quickTime != nil { return try MovieTags(of: file).tags + packetTags(of: image) }
    return try pool.allTags(of: file.descriptor, count: file.count)
  }

  /// What a movie's XMP says; that it can't be parsed is no reason not to list the rest.
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
