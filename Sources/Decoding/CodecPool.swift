import Foundation
import Glibc
import Synchronization
package import SystemPackage

/// Reads photos with C and C++ libraries in sandboxed child processes, one per concurrent caller.
///
/// A photo that crashes or blocks a child costs an error for that photo; the next one gets a new child. All calls
/// block, and can be made from any thread.
package final class CodecPool: Sendable {
  /// The number of files a child reads before it is replaced, which ends leaks and whatever a hostile file left behind.
  /// Starting one takes as long as some hundred blocks.
  static let filesPerChild = 2_000

  private struct Loan: Sendable {
    let child: CodecChild
    var files = 0
  }

  /// The pool for metadata, shared by all batches.
  package static let common = CodecPool()

  /// The programs, by what they read. Their sandboxes differ too.
  package enum Program: String {
    case metadata = "metatag-codecs"
    case pictures = "metatag-pictures"
  }

  private let name: String
  private let program: FilePath?
  private let idle = Mutex<[Loan]>([])
  /// The children that are being started in advance; nil for one that can't be started.
  private let starting = Mutex<[Future<CodecChild?>]>([])

  /// Creates a pool whose children run the program that was installed with this executable.
  package init(_ program: Program = .metadata) {
    name = program.rawValue
    self.program = CodecPool.ownExecutable.flatMap { program.beside($0) }
  }

  /// Creates a pool whose children run `program`.
  package init(program: FilePath) { (name, self.program) = (program.string, program) }

  /// Starts child processes that will be needed soon.
  package func prepare(_ count: Int) {
    guard let program else { return }
    for _ in 0..<count {
      let child = Future { try? CodecChild(program: program) }
      starting.withLock { $0.append(child) }
    }
  }

  /// Returns what `reader` finds in one or two EXIF blocks; nil for a block that it can't read.
  func exifEntries(
    of blocks: [ReadableBlock], by reader: EXIFReader = .libexif, within limit: Duration = .seconds(60)
  ) throws(FileError) -> [EXIFReading?] {
    precondition(1...CodecWire.mostBlocks ~= blocks.count)
    switch reader {
    case .libexif:
      let short = try blocks.map { block throws(FileError) in
        block.count > EXIFReader.libexifLimit ? [] : try block.bytes()
      }
      return try lend { child throws(FileError) in
        try CodecWire.readings(try child.ask(aboutEntriesOf: short, within: limit), count: blocks.count)
      }
    case .exiv2:
      let files = try blocks.map { block throws(FileError) in try block.file() }
      return try lend { child throws(FileError) in
        try CodecWire.readings(try child.ask(.exiv2Entries, files, within: limit), count: blocks.count)
      }
    }
  }

  /// Returns everything that exiv2 finds in a JPEG, TIFF, DNG, PNG, WebP, CR2 or ORF file of `count` bytes.
  package func allTags(
    of descriptor: CInt, count: Int, within limit: Duration = .seconds(60)
  ) throws(FileError) -> [TagDump] {
    try allTags(of: EXIFBlock(descriptor: descriptor, range: 0..<max(0, count)), within: limit)
  }

  /// Returns all tags of an EXIF block or an XMP packet.
  package func allTags(of block: EXIFBlock, within limit: Duration = .seconds(60)) throws(FileError) -> [TagDump] {
    try lend { child throws(FileError) in try CodecWire.tags(try child.ask(.tags, [block], within: limit)) }
  }

  /// Returns the formats that children for pictures can decode and encode.
  func codings() throws(FileError) -> (decodable: Set<PictureCoding>, encodable: Set<PictureCoding>) {
    try lend { child in (child.decodable, child.encodable) }
  }

  /// Re-encodes a picture into the file that is the second of `blocks`. Returns the picture's size.
  package func recode(
    _ recoding: CodecWire.Recoding, _ blocks: [EXIFBlock], within limit: Duration
  ) throws(FileError) -> PixelSize {
    try lend { child throws(FileError) in try CodecWire.size(try child.ask(recoding, blocks, within: limit)) }
  }

  /// Lends a child to `body`. The child returns to the pool only if there was no error.
  private func lend<R>(_ body: (CodecChild) throws(FileError) -> R) throws(FileError) -> R {
    var loan = try borrow()
    let result = try body(loan.child)
    loan.files += 1
    if loan.files < CodecPool.filesPerChild { idle.withLock { $0.append(loan) } }
    return result
  }

  private func borrow() throws(FileError) -> Loan {
    while let loan = idle.withLock({ $0.popLast() }) {
      if loan.child.isWaiting { return loan }
    }
    if let child = starting.withLock({ $0.popLast() })?.value { return Loan(child: child) }
    guard let program else {
      throw FileError(
        .decoderMissing, "the decoder \(name) was not found next to the program or in ../libexec/metatag",
        remedy: .reinstall)
    }
    return Loan(child: try CodecChild(program: program))
  }
}

extension CodecPool.Program {
  /// Returns the program that belongs to `executable`: in the same folder (a build), or in `../libexec/metatag`
  /// (installed).
  func beside(_ executable: FilePath) -> FilePath? {
    let folder = executable.removingLastComponent()
    return [folder, folder.removingLastComponent().appending("libexec").appending("metatag")]
      .map { $0.appending(rawValue) }
      .first { $0.withPlatformString { access($0, X_OK) } == 0 }
  }
}

extension CodecPool {
  /// The path of this process's executable.
  static var ownExecutable: FilePath? {
    var path = [CChar](repeating: 0, count: Int(PATH_MAX) + 1)
    let count = readlink("/proc/self/exe", &path, path.count - 1)
    return count > 0 ? path.withUnsafeBufferPointer { FilePath(platformString: $0.baseAddress!) } : nil
  }
}
