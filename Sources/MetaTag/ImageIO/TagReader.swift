/// A reader of all tags of a photo, including the camera maker's, named as in exiv2; for movies, named as in exiftool.
/// It runs in sandboxed child processes that are reused for the next photo; share one reader among all workers.
public struct TagReader: Sendable {
  private let pool: CodecPool

  /// Creates a reader that uses the program `metatag-codecs`. Child processes are started on first use.
  public init(programs: CodecPrograms = .installed) { pool = programs.metadata }

  /// Returns all tags in the order of the file: EXIF, then IPTC, then XMP. For a movie: the times of its headers, its
  /// metadata and user data, then XMP.
  /// - Throws: `FileError`: `.tagsNotListed` when exiv2 doesn't read the format (BigTIFF, CR3), `.unsupported` when it
  ///   crashed on the file, `.malformed` when it can't parse it, `.io` when the program `metatag-codecs` is missing.
  public func tags(of image: ImageSource) async throws(FileError) -> [TagDump] {
    try await offloading { Result { () throws(FileError) in try tags(of: image) } }.get()
  }

  /// Returns all tags, for a thread that may block.
  package func tags(of image: ImageSource) throws(FileError) -> [TagDump] {
    if image.layout.quickTime != nil { return try MovieTags(of: image.file).tags + packetTags(of: image) }
    do {
      return try allTags(in: ReadableBlock(whole: image.file))
    } catch  where error.code == .unsupported {
      guard let tags = try blockTags(of: image) else {
        throw FileError(.tagsNotListed, error.description, at: error.offset, remedy: error.remedy)
      }
      return tags
    }
  }

  /// Returns the tags of the blocks of a file that exiv2 doesn't read as a whole (HEIF, JPEG XL, JPEG 2000, some raw
  /// files); nil if exiv2 doesn't read them: BigTIFF, and directories by themselves (CR3), which it
  /// takes for IFD0.
  private func blockTags(of image: ImageSource) throws(FileError) -> [TagDump]? {
    let layout = image.layout
    let blocks = layout.ranges(of: .exif)
    guard image.type != .bigTIFF, layout.exifDirectories.isEmpty else { return nil }
    var tags: [TagDump] = []
    for range in blocks {
      let imageData = layout.isReadOnly ? [] : layout.imageData
      tags += try allTags(in: try ReadableBlock(range, of: image.source, without: imageData))
    }
    tags += layout.ranges(of: .iptc).map { range in
      TagDump(key: "IPTC", type: "Binary", text: "(\(range.count) bytes, not listed)", raw: "")
    }
    return tags + (try packetTags(of: image))
  }

  private func allTags(in block: ReadableBlock) throws(FileError) -> [TagDump] {
    // The block closes its file when it is released.
    defer { withExtendedLifetime(block) {} }
    return try pool.allTags(of: try block.file())
  }

  /// Returns the tags in the file's XMP packet. One that can't be parsed is listed as a whole, so that the other tags are
  /// still listed.
  private func packetTags(of image: ImageSource) throws(FileError) -> [TagDump] {
    guard let range = image.layout.xmp else { return [] }
    do {
      return try allTags(in: try ReadableBlock(range, of: image.source))
    } catch  where error.kind != .io {
      return [TagDump(key: "XMP", type: "Binary", text: "(\(range.count) bytes that can't be parsed)", raw: "")]
    }
  }
}
