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

  /// Whether everything that describes the picture can be removed from a file with this layout.
  func removesAll(from layout: Layout) -> Bool

  /// Returns notes about visible parts that a removal of everything takes from the file.
  func removalNotes(_ layout: Layout, source: any ByteSource) -> [Note]

  /// Returns small pictures that are edited with no block and may have metadata of their own, as JPEG files.
  func thumbnails(_ layout: Layout, source: any ByteSource) -> [Bytes]

  /// Finds smaller versions of the picture: JPEG files, or PNG files in movies.
  func previews(_ layout: Layout, source: any ByteSource) -> [Range<Int>]

  /// Finds further pictures and movies in the file, which have metadata of their own.
  ///
  /// - Parameter source: The file.
  func additionalPictures(_ layout: Layout, source: any ByteSource) throws(FileError) -> [Range<Int>]

  /// Returns the picture for decoders; nil if the format's pictures aren't decoded.
  func codedPicture(_ layout: Layout, source: any ByteSource) throws(FileError) -> CodedPicture?

  /// Returns what the container records about the pictures, without decoding them. What can't be read is nil.
  /// - Parameter type: The type of the file.
  func properties(of type: ImageType, _ layout: Layout, source: any ByteSource) -> ImageProperties

  /// Returns the properties of each image, if the file has several: views, pages, or the frames of an animation, whose
  /// durations are their own. Empty if it has one image or none.
  /// - Parameter whole: The properties of the file.
  func images(_ whole: ImageProperties, _ layout: Layout, source: any ByteSource) -> [ImageProperties]

  /// Returns the texts in the format's own fields, apart from metadata blocks; nil if the format has no such fields.
  func textFields(of source: any ByteSource) throws(FileError) -> TextFields?
}

/// Texts in a format's own fields.
package struct TextFields: Sendable {
  /// The texts that the file holds packed, so that a search of the file doesn't find them.
  package let packed: [Bytes]
  /// The names of the other texts that seem to contain a day, except those that are erased with the dates.
  package let dated: [String]
}

extension Container {
  package var addableBlocks: Set<Namespace> { [.exif, .xmp] }

  package func tagChanges(_ changes: BlockChanges, source: any ByteSource) throws(FileError) -> TIFFChanges {
    changes.exif
  }

  package func removesAll(from layout: Layout) -> Bool { true }

  package func removalNotes(_ layout: Layout, source: any ByteSource) -> [Note] { [] }

  package func thumbnails(_ layout: Layout, source: any ByteSource) -> [Bytes] {
    layout.exifBlocks(of: layout.readable(source)).compactMap { block in
      block.thumbnail.flatMap { try? block.bytes($0) }
    }
  }

  package func previews(_ layout: Layout, source: any ByteSource) -> [Range<Int>] { layout.previews }

  package func additionalPictures(_ layout: Layout, source: any ByteSource) throws(FileError) -> [Range<Int>] { [] }

  package func codedPicture(_ layout: Layout, source: any ByteSource) throws(FileError) -> CodedPicture? { nil }

  package func properties(of type: ImageType, _ layout: Layout, source: any ByteSource) -> ImageProperties {
    ImageProperties(type, layout)
  }

  package func images(_ whole: ImageProperties, _ layout: Layout, source: any ByteSource) -> [ImageProperties] { [] }

  package func textFields(of source: any ByteSource) throws(FileError) -> TextFields? { nil }
}
