import CSys
import Glibc

/// An EXIF block or a photo for a child to read. A short one is sent with the request; otherwise the child gets a descriptor.
package final class ReadableBlock {
  private let range: Range<Int>
  private let source: any ByteSource
  private let imageData: [Range<Int>]
  /// The byte order of an Olympus or Panasonic file, whose magic number isn't TIFF's 42; nil for other files. The C
  /// libraries get the block with 42, the only number they know.
  private let ownOrder: Bytes.Order?
  private var ownDescriptor: CInt?

  /// Creates a block of the bytes in `range` of a file.
  /// - Parameter imageData: Parts of `source` that the block need not contain.
  package init(_ range: Range<Int>, of source: any ByteSource, without imageData: [Range<Int>] = []) throws(FileError) {
    (self.range, self.source, self.imageData) = (range, source, imageData)
    let head = try source.prefix(at: range.lowerBound, count: min(4, range.count))
    let isOwnKind = ["IIRO", "IIRS", "MMOR", "IIU\0"].contains { head.has($0.utf8) }
    ownOrder = isOwnKind ? (head.has([0x49]) ? .little : .big) : nil
  }

  /// Creates a block of a whole photo, which a library recognizes by its magic number.
  package init(whole source: any ByteSource) {
    (range, self.source, imageData, ownOrder) = (0..<source.count, source, [], nil)
  }

  deinit { if let ownDescriptor { close(ownDescriptor) } }

  package var count: Int { range.count }

  /// Returns the whole block.
  package func bytes() throws(FileError) -> [UInt8] {
    var bytes = try source.bytes(range).array
    if let ownOrder { bytes.replaceSubrange(2..<4, with: UInt16(42).bytes(ownOrder)) }
    return bytes
  }

  /// Returns a file from which the block can be read as long as this object exists. Bytes that are in no file are
  /// copied to anonymous memory without the image data: a TIFF of gigabytes costs no more than its IFDs.
  package func file() throws(FileError) -> EXIFBlock {
    if ownOrder == nil, let file = source as? FileSource {
      try file.requirePresent(range)
      return EXIFBlock(descriptor: file.descriptor, range: range)
    }
    let descriptor = if let ownDescriptor { ownDescriptor } else { try copied() }
    ownDescriptor = descriptor
    return EXIFBlock(descriptor: descriptor, range: range)
  }

  private func copied() throws(FileError) -> CInt {
    let descriptor = csys_memfd("metatag")
    guard descriptor >= 0 else { throw FileError(errno: errno, doing: "allocate memory") }
    do throws(FileError) {
      guard ftruncate(descriptor, off_t(source.count)) == 0 else {
        throw FileError(errno: errno, doing: "allocate memory")
      }
      var at = range.lowerBound
      for data in imageData + [range.upperBound..<range.upperBound] where data.upperBound > at {
        try copy(at..<max(at, min(data.lowerBound, range.upperBound)), to: descriptor)
        at = data.upperBound
      }
      if let ownOrder { try write(Bytes(UInt16(42).bytes(ownOrder)), at: range.lowerBound + 2, to: descriptor) }
      return descriptor
    } catch {
      close(descriptor)
      throw error
    }
  }

  private func copy(_ range: Range<Int>, to descriptor: CInt) throws(FileError) {
    var at = range.lowerBound
    while at < range.upperBound {
      let part = try source.bytes(at..<min(range.upperBound, at + 1 << 20))
      at += try write(part, at: at, to: descriptor)
    }
  }

  @discardableResult
  private func write(_ part: Bytes, at offset: Int, to descriptor: CInt) throws(FileError) -> Int {
    let written = part.withUnsafeBytes { pwrite(descriptor, $0.baseAddress, $0.count, off_t(offset)) }
    guard written > 0 else { throw FileError(errno: errno, doing: "allocate memory") }
    return written
  }
}

/// An entry of an IFD as a C library read it, not interpreted.
struct EXIFEntry: Hashable, Sendable {
  /// The IFD: 0 IFD0, 1 IFD1, 2 EXIF, 3 GPS, 4 Interoperability; from 16 on, IFDs that only exiv2 distinguishes
  /// (sub-images, maker notes).
  let ifd: UInt16
  let tag: UInt16
  /// The TIFF 6.0 type, 1…13.
  let format: UInt16
  let components: UInt32
  /// The value in the byte order of the block; for a value over 64 KiB, an 8-byte digest.
  let bytes: [UInt8]
}

/// An independent reader of EXIF blocks.
enum EXIFReader: Hashable, Sendable {
  /// libexif. It reports exactly what is stored in IFD0, IFD1, EXIF, GPS and Interoperability; for the thumbnail, the
  /// bytes instead of the pointer. In an IFD whose thumbnail pointer is invalid, it reads no further. Blocks longer
  /// than `libexifLimit` are not passed to it, because it would read only their beginning.
  case libexif
  /// exiv2. It reads blocks of any length and every IFD, including maker notes, but not BigTIFF.
  case exiv2

  static let libexifLimit = 0xFFFE - 6
}

/// The entries that a C library read in an EXIF block.
package struct EXIFReading: Hashable, Sendable {
  let order: Bytes.Order
  /// The entries by IFD, then in the order of the file.
  let entries: [EXIFEntry]
}

/// The location of an EXIF block: its TIFF header and everything after it that belongs to it.
package struct EXIFBlock: Sendable {
  /// A descriptor open for reading, which the caller keeps open during the call.
  let descriptor: CInt
  /// The range in bytes from the start of the file. For a TIFF file, the whole file.
  let range: Range<Int>
}
