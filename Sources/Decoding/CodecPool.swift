import Foundation
import Glibc
import Synchronization
package import SystemPackage

/// Reads photos with C and C++ libraries in sandboxed child processes, one per concurrent caller.
///
/// A photo that crashes or occupies a child costs an error for that photo; the next one gets a new child. All calls
/// block, and may be made from any thread.
package final class CodecPool: Sendable {
  /// Files a child reads before it is replaced: leaks, and whatever a hostile file left behind, end with it. To start
  /// one takes as long as some hundred blocks.
  static let filesPerChild = 2_000

  private struct Loan: Sendable {
    let child: CodecChild
    var files = 0
  }

  /// For metadata, as all batches share it.
  package static let common = CodecPool()

  /// The programs, by what they read. What the system lets them do differs too.
  package enum Program: String {
    case metadata = "metatag-codecs"
    case pictures = "metatag-pictures"
  }

  private let name: String
  private let program: FilePath?
  private let idle = Mutex<[Loan]>([])
  /// Children that are being started for nobody yet; nil of one that can't be.
  private let starting = Mutex<[Future<CodecChild?>]>([])

  /// Children run the program that was installed with this executable.
  package init(_ program: Program = .metadata) {
    name = program.rawValue
    self.program = CodecPool.ownExecutable.flatMap { program.beside($0) }
  }

  /// Children run `program`.
  package init(program: FilePath) { (name, self.program) = (program.string, program) }

  /// Begins to start children that will be wanted soon.
  package func prepare(_ count: Int) {
    guard let program else { return }
    for _ in 0..<count {
      let child = Future { try? CodecChild(program: program) }
      starting.withLock { $0.append(child) }
    }
  }

  /// What `reader` finds in one or two EXIF blocks; nil for a block it can't read.
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

  /// Everything exiv2 finds in a JPEG, TIFF, DNG, PNG, WebP, CR2 or ORF file of `count` bytes.
  package func allTags(
    of descriptor: CInt, count: Int, within limit: Duration = .seconds(60)
  ) throws(FileError) -> [TagDump] {
    try allTags(of: EXIFBlock(descriptor: descriptor, range: 0..<max(0, count)), within: limit)
  }

  /// All tags of an EXIF block or an XMP packet.
  package func allTags(of block: EXIFBlock, within limit: Duration = .seconds(60)) throws(FileError) -> [TagDump] {
    try lend { child throws(FileError) in try CodecWire.tags(try child.ask(.tags, [block], within: limit)) }
  }

  /// What children for pictures can decode and encode.
  func codings() throws(FileError) -> (decodable: Set<PictureCoding>, encodable: Set<PictureCoding>) {
    try lend { child in (child.decodable, child.encodable) }
  }

  /// Has a picture coded anew into the file that is the second of `blocks`. Returns the picture's size.
  package func recode(
    _ recoding: CodecWire.Recoding, _ blocks: [EXIFBlock], within limit: Duration
  ) throws(FileError) -> PixelSize {
    try lend { child throws(FileError) in try CodecWire.size(try child.ask(recoding, blocks, within: limit)) }
  }

  /// Lends a child to `body`. It comes back only when all went well.
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
        .io, "the decoder \(name) is neither beside metatag nor in ../libexec/metatag: install metatag again")
    }
    return Loan(child: try CodecChild(program: program))
  }
}

extension CodecPool.Program {
  /// The one that belongs to `executable`: in the same folder (a build), or in `../libexec/metatag` (installed).
  func beside(_ executable: FilePath) -> FilePath? {
    let folder = executable.removingLastComponent()
    return [folder, folder.removingLastComponent().appending("libexec").appending("metatag")]
      .map { $0.appending(rawValue) }
      .first { $0.withPlatformString { access($0, X_OK) } == 0 }
  }
}

extension CodecPool {
  /// This process' own executable.
  static var ownExecutable: FilePath? {
    var path = [CChar](repeating: 0, count: Int(PATH_MAX) + 1)
    let count = readlink("/proc/self/exe", &path, path.count - 1)
    return count > 0 ? path.withUnsafeBufferPointer { FilePath(platformString: $0.baseAddress!) } : nil
  }
}
