import CSys
import Glibc

/// An EXIF block with a descriptor to hand to a child. Bytes that are in no file yet go into anonymous memory, the image
/// data left out: a TIFF of gigabytes costs as much as its directories.
final class ReadableBlock {
  /// Valid as long as this object lives.
  let block: EXIFBlock
  private let source: any ByteSource
  private let ownDescriptor: CInt?

  init(_ range: Range<Int>, of source: any ByteSource, without imageData: [Range<Int>]) throws(PhotoError) {
    self.source = source
    let head = try source.prefix(at: range.lowerBound, count: min(4, range.count))
    let isOwnKind = ReadableBlock.ownKinds.contains { head.has($0.utf8) }
    if !isOwnKind, let file = source as? FileSource {
      ownDescriptor = nil
      block = EXIFBlock(descriptor: file.descriptor, range: range)
      return
    }
    let descriptor = csys_memfd("metatag")
    guard descriptor >= 0 else { throw PhotoError(errno: errno, doing: "take memory for it") }
    ownDescriptor = descriptor
    block = EXIFBlock(descriptor: descriptor, range: range)
    guard ftruncate(descriptor, off_t(source.count)) == 0 else {
      throw PhotoError(errno: errno, doing: "take memory for it")
    }
    var at = range.lowerBound
    for data in imageData + [range.upperBound..<range.upperBound] where data.upperBound > at {
      try copy(at..<max(at, min(data.lowerBound, range.upperBound)), to: descriptor)
      at = data.upperBound
    }
    if isOwnKind {
      let number = UInt16(42).bytes(head.has([0x49]) ? .little : .big)
      try write(Bytes(number), at: range.lowerBound + 2, to: descriptor)
    }
  }

  /// How the files of Olympus and Panasonic begin, whose number isn't TIFF's 42. The witnesses know only that.
  private static let ownKinds = ["IIRO", "IIRS", "MMOR", "IIU\0"]

  deinit { if let ownDescriptor { close(ownDescriptor) } }

  private func copy(_ range: Range<Int>, to descriptor: CInt) throws(PhotoError) {
    var at = range.lowerBound
    while at < range.upperBound {
      let part = try source.bytes(at..<min(range.upperBound, at + 1 << 20))
      at += try write(part, at: at, to: descriptor)
    }
  }

  @discardableResult
  private func write(_ part: Bytes, at offset: Int, to descriptor: CInt) throws(PhotoError) -> Int {
    let written = part.withUnsafeBytes { pwrite(descriptor, $0.baseAddress, $0.count, off_t(offset)) }
    guard written > 0 else { throw PhotoError(errno: errno, doing: "take memory for it") }
    return written
  }
}
