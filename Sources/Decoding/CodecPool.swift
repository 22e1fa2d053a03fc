import Foundation
import Glibc
import Synchronization
import SystemPackage

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

  /// The programs, by what they read. Their sandboxes differ too.
  package enum Program: String {
    case metadata = "metatag-codecs"
    case pictures = "metatag-pictures"
  }

  private let name: String
  /// The folders in which the program was looked for.
  private let folders: [FilePath]
  /// The path of the program; nil if it was not found.
  let program: FilePath?
  private let idle = Mutex<[Loan]>([])
  /// The children that are being started in advance; nil for one that can't be started.
  private let starting = Mutex<[Future<CodecChild?>]>([])

  /// Creates a pool whose children run a program from the first of the folders that has it.
  init(_ program: Program, in folders: [FilePath]) {
    name = program.rawValue
    self.folders = folders
    self.program = folders.lazy.map { $0.appending(program.rawValue) }
      .first { $0.withPlatformString { access($0, X_OK) } == 0 }
  }

  /// Creates a pool whose children run `program`.
  init(program: FilePath) { (name, folders, self.program) = (program.string, [], program) }

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

  /// Returns all tags of a photo that exiv2 reads (JPEG, TIFF, DNG, PNG, WebP, CR2, ORF), of an EXIF block or an XMP packet.
  package func allTags(of block: EXIFBlock, within limit: Duration = .seconds(60)) throws(FileError) -> [TagDump] {
    try lend { child throws(FileError) in try CodecWire.tags(try child.ask(.tags, [block], within: limit)) }
  }

  /// Returns the formats that children for pictures can decode and encode.
  func codings() throws(FileError) -> (decodable: Set<PictureCoding>, encodable: Set<PictureCoding>) {
    try lend { child in (child.decodable, child.encodable) }
  }

  /// Re-encodes a picture into the file that is the second of `blocks`. Returns the picture's size, and the ICC profile that
  /// the decoder found.
  package func recode(
    _ recoding: CodecWire.Recoding, _ blocks: [EXIFBlock], within limit: Duration
  ) throws(FileError) -> (size: PixelSize, profile: [UInt8]) {
    try lend { child throws(FileError) in try CodecWire.picture(try child.ask(recoding, blocks, within: limit)) }
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
      let places = folders.map(\.string).joined(separator: ", ")
      throw FileError(
        .decoderMissing, "the decoder \(name) was not found in \(places)", remedy: .installProgram(name))
    }
    return Loan(child: try CodecChild(program: program))
  }
}
