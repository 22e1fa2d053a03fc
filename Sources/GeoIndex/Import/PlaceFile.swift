import Basics
import Foundation
import Glibc

/// A file to import: its text, and the file itself for formats that read it more than once.
struct PlaceFile {
  /// The text from its beginning. Of a zip archive, it is the text of the file in it.
  let window: InputWindow
  private let path: String
  private let progress: (_ read: Int, _ size: Int) -> Void
  /// The name of the file in the archive; nil if the file isn't one.
  private let entry: String?

  /// Opens a file, or the only file in a zip archive.
  /// - Throws: `FileError`; `.badFile` if the archive doesn't show which of its files has the places.
  init(_ path: String, progress: @escaping (_ read: Int, _ size: Int) -> Void = { _, _ in }) throws {
    (self.path, self.progress) = (path, progress)
    let whole = try Self.window(FileStream(path: path, progress: progress))
    guard whole.head.starts(with: "PK\u{3}\u{4}".utf8) || whole.head.starts(with: "PK\u{5}\u{6}".utf8) else {
      (window, entry) = (whole, nil)
      return
    }
    let source = try ProgressSource(path, progress)
    source.report.hasBegun = false
    let archive = try ZipArchive(source)
    let found = try Self.entry(in: archive)
    source.report.hasBegun = true
    window = try Self.window(archive.checkedStream(found))
    entry = found.name
  }

  /// Opens the file once more, at its beginning.
  func again() throws -> PlaceFile { try PlaceFile(path) }

  /// Opens another file in the same folder under the first of these names that exists; nil if none does.
  func sibling(_ names: [String]) throws -> PlaceFile? {
    let folder = URL(filePath: path).deletingLastPathComponent()
    let paths = names.map { folder.appending(path: $0).path(percentEncoded: false) }
    return try paths.first { FileManager.default.isReadableFile(atPath: $0) }.map { try PlaceFile($0) }
  }

  /// The bytes of the file. They are read as often as the format needs, in `passes` passes.
  /// - Throws: `FileError`, if it is a pipe or in an archive.
  func source(passes: Int) throws(FileError) -> any ByteSource {
    guard entry == nil else { throw FileError(.unknownPacking, "is in a zip archive", remedy: .unpack) }
    return try ProgressSource(path, progress, passes: passes)
  }

  private static func window(_ stream: any ByteStream) throws(FileError) -> InputWindow {
    try InputWindow(stream, inflates: false, decodesXML: true)
  }

  /// Returns the file with the places: `doc.kml` or the first KML file, otherwise the only one apart from notes.
  private static func entry(in archive: ZipArchive) throws -> ZipArchive.Entry {
    let entries = archive.entries.filter { entry in
      let name = entry.name.split(separator: "/").last ?? ""
      return !entry.name.hasSuffix("/") && !entry.name.hasPrefix("__MACOSX/") && !name.hasPrefix(".")
        && !["readme", "license", "licence", "iso-language"].contains { name.lowercased().hasPrefix($0) }
    }
    if let main = entries.first(where: { $0.name.lowercased() == "doc.kml" })
      ?? entries.first(where: { $0.name.lowercased().hasSuffix(".kml") })
    {
      return main
    }
    guard let only = entries.first else { throw GeoIndexError(.badFile, "the zip archive has no file with places") }
    guard entries.count == 1 else {
      let names = entries.prefix(5).map(\.name).joined(separator: ", ")
      throw GeoIndexError(
        .badFile, "the zip archive has \(entries.count) files, expected one: \(names)", remedy: .unpack)
    }
    return only
  }
}

/// A file that is read by position, and reports how far.
private struct ProgressSource: ByteSource {
  private let file: FileSource
  private let passes: Int
  let report: Report

  /// How far the file was read. Only the thread that imports the file reads it and is called.
  final class Report: @unchecked Sendable {
    private let progress: (_ read: Int, _ size: Int) -> Void
    /// Whether reading has begun; the directory of an archive is read before.
    var hasBegun = true
    private var (pass, last, reported) = (0, 0, 0)

    init(_ progress: @escaping (_ read: Int, _ size: Int) -> Void) { self.progress = progress }

    /// Notes what is read. A pass begins when the reader goes back.
    func note(_ range: Range<Int>, of count: Int, passes: Int) {
      guard hasBegun else { return }
      if range.lowerBound < last { pass = min(pass + 1, passes - 1) }
      last = range.lowerBound
      let read = pass * (count / passes) + range.upperBound / passes
      if read > reported + 1 << 16 {
        reported = read
        progress(read, count)
      }
    }
  }

  init(
    _ path: String, _ progress: @escaping (_ read: Int, _ size: Int) -> Void, passes: Int = 1
  ) throws(FileError) {
    let descriptor = open(path, O_RDONLY | O_CLOEXEC)
    guard descriptor >= 0 else { throw FileError(errno: errno, doing: "open it") }
    file = try FileSource(owning: descriptor)
    (report, self.passes) = (Report(progress), passes)
  }

  var count: Int { file.count }

  func bytes(_ range: Range<Int>) throws(FileError) -> Bytes {
    report.note(range, of: file.count, passes: passes)
    return try file.bytes(range)
  }
}
