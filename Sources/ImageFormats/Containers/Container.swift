/// A file format: finds metadata and image data in a file, and turns metadata changes into splices.
///
/// A container is a pure function of bytes. It writes no file.
package protocol Container: Sendable {
  /// The formats that the container reads.
  var types: [ImageType] { get }

  /// The format of a file that begins with `head` (at least 32 bytes where the file has them), or nil.
  func type(of head: Bytes) -> ImageType?

  /// The kinds of blocks that an edit can add to a file. A format that takes only XMP has place and time there.
  var addableBlocks: Set<Namespace> { get }

  /// Walks the file's structure, not its values.
  func layout(of source: any ByteSource) throws(FileError) -> Layout

  /// Returns the splices that put `changes` into the file. The patch is empty when the file already has every changed
  /// value.
  func patch(_ changes: BlockChanges, layout: Layout, source: any ByteSource) throws(FileError) -> Patch

  /// Returns the changes that `changes` make in the EXIF block, for callers that read the block afterwards.
  func tagChanges(_ changes: BlockChanges, source: any ByteSource) throws(FileError) -> TIFFChanges
}

extension Container {
  package var addableBlocks: Set<Namespace> { [.exif, .xmp] }

  package func tagChanges(_ changes: BlockChanges, source: any ByteSource) throws(FileError) -> TIFFChanges {
    changes.exif
  }
}
