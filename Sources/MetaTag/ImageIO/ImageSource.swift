public import Foundation
import Glibc
public import SystemPackage

/// A photo open for reading, modelled on Apple's CGImageSource: its type, recognized by content; its metadata; and the
/// splices for an edit. Reading never changes the file, and uses no C libraries except those for decompression (zlib,
/// brotli).
///
/// The file stays open until the last copy of the value is gone. To look at thousands of photos, keep their metadata and
/// properties, not the sources: a process may have about a thousand open files.
///
/// ```swift
/// let image = try ImageSource("/photos/IMG_1.jpg")
/// let metadata = image.metadata()
/// if let location = metadata.location { print(location.coordinate) }
/// ```
public struct ImageSource: Sendable {
  /// The path from which the photo was opened; empty for a photo from memory or a descriptor.
  public let path: FilePath
  /// The format of the content, whatever the file's name.
  public let type: ImageType
  /// The bytes to which the ranges in `layout` refer: the file, followed by its compressed data, unpacked.
  let source: any ByteSource
  /// The bytes of the file only.
  let file: any ByteSource
  let layout: Layout
  let container: any Container
  /// The largest number of blocks of metadata beyond the first of each kind: more than any real file has. Each is read
  /// and edited with every other.
  private static let mostCopies = 1_024
  /// The properties of the file and of its images, which are computed on first use.
  let knownProperties = Lazily<ImageProperties>()
  let knownImages = Lazily<[ImageProperties]>()

  /// Opens a photo and locates its metadata.
  /// - Throws: `FileError`: `.io` when it can't be read, `.unsupported` when no format is recognized, `.truncated` or
  ///   `.malformed` with the offset when its structure is broken.
  public init(_ path: FilePath) throws(FileError) { try self.init(FileSource(path), path: path) }

  /// Opens a photo in memory. It has an empty path.
  /// - Throws: Like `init(_:)`, except `.io`.
  public init(bytes: [UInt8]) throws(FileError) { try self.init(Bytes(bytes), path: "") }

  /// Opens a photo by the URL of its file.
  /// - Throws: Like `init(_:)`; `.unsupported` for a URL that isn't one of a file.
  public init(url: URL) throws(FileError) {
    guard let path = FilePath(fileURL: url) else { throw FileError(.unsupported, "\(url) is not the URL of a file") }
    try self.init(path)
  }

  /// Opens a photo that is open for reading. The descriptor is duplicated, so the caller closes its own at any time; its
  /// position doesn't matter and doesn't change. The photo has an empty path.
  /// - Throws: Like `init(_:)`; `.io` also if the descriptor isn't that of a regular file.
  public init(fileDescriptor: FileDescriptor) throws(FileError) {
    let own = fcntl(fileDescriptor.rawValue, F_DUPFD_CLOEXEC, 0)
    guard own >= 0 else { throw FileError(errno: errno, doing: "read it") }
    try self.init(FileSource(owning: own), path: "")
  }

  init(_ source: any ByteSource, path: FilePath) throws(FileError) {
    let isSidecar = path.extension?.lowercased() == "xmp"
    guard source.count > 0 else {
      throw FileError(.emptyFile, "the file is empty", at: 0, remedy: isSidecar ? .restoreSidecar : nil)
    }
    let head = try source.prefix(at: 0, count: FileSource.headCount)
    for container in containers {
      guard let type = container.type(of: head) else { continue }
      self.path = path
      self.container = container
      let layout = try container.layout(of: source)
      let copies = layout.additionalEXIF.count + layout.additionalXMP.count + layout.additionalIPTC.count
      guard copies <= Self.mostCopies else {
        throw FileError(.tooLarge, "has \(copies) further copies of metadata, more than \(Self.mostCopies)")
      }
      self.type = layout.type ?? type
      self.layout = layout
      self.source = layout.readable(source)
      file = source
      return
    }
    if isSidecar { throw FileError(.unknownFormat, "the file contains no XMP", at: 0, remedy: .restoreSidecar) }
    throw FileError(.unknownFormat, "not a supported photo or video", at: 0)
  }

  /// The size of the file in bytes.
  package var byteCount: Int { file.count }

  /// Whether the format can't hold EXIF. Place and time are then in XMP, which is created where it is missing.
  var hasOnlyXMP: Bool { container.addableBlocks == [.xmp] }

  /// Whether the whole file is one EXIF block.
  var isTIFF: Bool { layout.exif == 0..<file.count }

  /// Returns all recorded metadata about location, date and camera, with every copy. A block that can't be parsed is
  /// left out and named in `notes`. The blocks are parsed each time, so keep the result.
  /// - Complexity: O(n) in the size of the metadata blocks, not of the file.
  public func metadata() -> Metadata {
    var metadata = Metadata()
    metadata.notes = layout.notes
    if !layout.manifests.isEmpty {
      metadata.notes.append(Note(.manifest, "has a C2PA manifest, which any edit invalidates"))
    }
    if let name = path.lastComponent, let right = type.rightName(for: name) {
      metadata.notes.append(
        Note(.wrongExtension, "is \(type.name), which doesn't match its extension", remedy: .fixName(right.string)))
    }
    for case .unreadPlace(let reason) in layout.blocks.lazy.map(\.content) {
      metadata.unreadPlaces.append(Sourced(reason, .exif, tag: "GPSLatitude"))
    }
    do {
      if let block = try layout.exifBlock(of: source) { EXIF.read(block, into: &metadata) }
    } catch {
      metadata.notes.append(Note(.invalidBlock, "its EXIF block can't be parsed and stays as it is: \(error)"))
    }
    for range in layout.additionalEXIF {
      read(range, "second EXIF", into: &metadata) { range, metadata throws(FileError) in
        var additional = Metadata()
        EXIF.read(try TIFFBlock(source, range), into: &additional)
        metadata.addPlacesAndTimes(of: additional)
      }
    }
    if let orientation = layout.orientation { metadata.orientation = orientation }
    for range in layout.ranges(of: .xmp) {
      read(range, "XMP", into: &metadata) { range, metadata throws(FileError) in
        try XMPPacket(source.bytes(range)).read(into: &metadata)
      }
    }
    for range in readIPTC {
      read(range, "IPTC", into: &metadata) { range, metadata throws(FileError) in
        try IPTCData(source.bytes(range)).read(into: &metadata)
      }
    }
    if let data = layout.quickTime { QuickTime(data, source).read(into: &metadata) }
    if let stray = metadata.locations.first(where: { $0.value.coordinate.isNoFix }) {
      metadata.notes.append(Note(.noFixIgnored, "ignoring position 0,0 in \(stray.tag) (no GPS fix)"))
    }
    return metadata
  }

  /// The IPTC blocks to read. A TIFF's copy among Photoshop's resources is read only if its own tag can't be.
  private var readIPTC: [Range<Int>] {
    let all = layout.ranges(of: .iptc)
    guard isTIFF, all.count > 1 else { return all }
    return (try? IPTCData(source.bytes(all[0]))) == nil ? all : [all[0]]
  }

  /// Returns the splices that apply `edit` in every namespace that records the field; an empty patch if the values are
  /// there already.
  /// - Throws: `FileError`: `.tooLarge` when a block would exceed what the format can hold, `.refused` when the edit
  ///   could harm the photo or contains values that can't be recorded (control characters, out of range), `.malformed`
  ///   when the file's structure is broken.
  public func patch(for edit: MetadataEdit) throws(FileError) -> Patch {
    try patch(try changes(for: edit))
  }

  func patch(_ changes: BlockChanges) throws(FileError) -> Patch {
    changes.isEmpty && !changes.mustReadAll && !changes.erasesAll
      ? try Patch([], to: file.count, imageData: [])
      : try container.patch(changes, layout: layout, source: file)
  }

  /// Returns the changes of tags in the EXIF block.
  func tagChanges(_ changes: BlockChanges) throws(FileError) -> TIFFChanges {
    try container.tagChanges(changes, source: file)
  }

  private func read(
    _ range: Range<Int>?, _ name: String, into metadata: inout Metadata,
    by body: (Range<Int>, inout Metadata) throws(FileError) -> Void
  ) {
    guard let range else { return }
    do { try body(range, &metadata) } catch {
      metadata.notes.append(Note(.invalidBlock, "its \(name) block can't be parsed and stays as it is: \(error)"))
    }
  }
}
