import CSys
import Glibc

/// An EXIF block for a child to read. A short one is sent with the request; otherwise the child gets a descriptor.
package final class ReadableBlock {
  private let range: Range<Int>
  private let source: any ByteSource
  private let imageData: [Range<Int>]
  /// The byte order of an Olympus or Panasonic file, whose magic number isn't TIFF's 42; nil for other files. The C
  /// libraries get the block with 42, the only number they know.
  private let ownOrder: Bytes.Order?
  private var ownDescriptor: CInt?

  /// - Parameter imageData: Parts of `source` that the block need not contain.
  package init(_ range: Range<Int>, of source: any ByteSource, without imageData: [Range<Int>] = []) throws(FileError) {
    (self.range, self.source, self.imageData) = (range, source, imageData)
    let head = try source.prefix(at: range.lowerBound, count: min(4, range.count))
    let isOwnKind = ["IIRO", "IIRS", "MMOR", "IIU\0"].contains { head.has($0.utf8) }
    ownOrder = isOwnKind ? (head.has([0x49]) ? .little : .big) : nil
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
      return EXIFBlock(descriptor: file.descriptor, range: range)
    }
    let descriptor = if let ownDescriptor { ownDescriptor } else { try copied() }
    ownDescriptor = descriptor
    return EXIFBlock(descriptor: descriptor, range: range)
  }

  private func copied() throws(FileError) -> CInt {
    let descriptor = csys_memfd("metatag")
    guard descriptor >= 0 else { throw FileError(errno: errno, doing: "take memory for it") }
    do throws(FileError) {
      guard ftruncate(descriptor, off_t(source.count)) == 0 else {
        throw FileError(errno: errno, doing: "take memory for it")
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
    guard written > 0 else { throw FileError(errno: errno, doing: "take memory for it") }
    return written
  }
}
