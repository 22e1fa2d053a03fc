import Foundation
import MetaTag
import SystemPackage

/// The file in which `metatag clocks` passes on to workers the command of a job, the clocks of the cameras and the
/// tracks: a line of JSON, then the fixes of the tracks.
struct ClocksFile {
  /// The command of the job.
  let command: [String]
  let knowledge: JobKnowledge

  private struct Head: Codable {
    struct Track: Codable {
      let camera: String?
      /// The numbers of fixes in its segments.
      let segments: [Int]
    }

    /// The version of the form.
    static let form = 1

    let metatagClocks: Int
    let version: String
    let command: [String]
    let learned: PerCameraPlanner.Learned?
    /// The number of bytes of a fix.
    let pointSize: Int
    let tracks: [Track]
  }

  private static let numbers = (infinite: "inf", negative: "-inf", none: "nan")

  /// Writes a file.
  static func write(_ knowledge: JobKnowledge, for job: JobCommand, to file: NewFile) throws {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    encoder.nonConformingFloatEncodingStrategy = .convertToString(
      positiveInfinity: numbers.infinite, negativeInfinity: numbers.negative, nan: numbers.none)
    let head = Head(
      metatagClocks: Head.form, version: Console.version, command: job.words, learned: knowledge.learned,
      pointSize: StoredTrack.pointSize,
      tracks: knowledge.tracks.map { Head.Track(camera: $0.camera?.text, segments: StoredTrack.counts(of: $0.track)) })
    try file.write(Array(try encoder.encode(head)) + [0x0A])
    for (_, track) in knowledge.tracks { try StoredTrack.eachSegment(of: track) { try file.write(Array($0)) } }
  }

  /// Reads a file.
  /// - Throws: `SetupError` if it isn't one, is incomplete, or was written by another version.
  init(_ path: FilePath) throws {
    func error(_ words: String) -> SetupError { SetupError("--clocks: \(path.printable): \(words)") }
    let file: FileDescriptor
    do {
      file = try FileDescriptor.open(path, .readOnly, options: .closeOnExec)
    } catch let errno as Errno {
      throw error("can't read it: \(errno.words)")
    }
    defer { try? file.close() }
    let (line, size) = try Self.firstLine(of: file)
    let decoder = JSONDecoder()
    decoder.nonConformingFloatDecodingStrategy = .convertFromString(
      positiveInfinity: Self.numbers.infinite, negativeInfinity: Self.numbers.negative, nan: Self.numbers.none)
    let head: Head
    do { head = try decoder.decode(Head.self, from: Data(line)) } catch {
      throw SetupError("--clocks: \(path.printable): not a file that 'metatag clocks' wrote")
    }
    do { try RequestError.requireVersion(head.version) } catch let other as RequestError {
      throw error(other.description)
    }
    let counts = head.tracks.flatMap(\.segments)
    guard head.metatagClocks == Head.form, head.pointSize == StoredTrack.pointSize,
      counts.allSatisfy({ (1...1 << 32).contains($0) }),
      counts.reduce(line.count + 1, { $0 + $1 * head.pointSize }) == size
    else { throw error("it is incomplete, or was written on a machine of another kind") }
    command = head.command
    var position = Int64(line.count + 1)
    var knowledge = JobKnowledge(learned: head.learned)
    do {
      knowledge.tracks = try head.tracks.map { stored in
        let track = try StoredTrack.track(stored.segments) { buffer in
          guard try file.readAll(buffer, at: position) else { throw Errno.ioError }
          position += Int64(buffer.count)
        }
        return (stored.camera.map(CameraName.init), track)
      }
    } catch let failure {
      throw error(failure.words)
    }
    self.knowledge = knowledge
  }

  /// Returns the first line and the size of a file.
  private static func firstLine(of file: FileDescriptor) throws -> (line: [UInt8], size: Int) {
    let size = try file.seek(offset: 0, from: .end)
    try file.seek(offset: 0, from: .start)
    var (line, piece) = ([UInt8](), [UInt8](repeating: 0, count: 1 << 16))
    while true {
      let count = try piece.withUnsafeMutableBytes { try file.read(into: $0) }
      guard count > 0 else { break }
      if let end = piece[..<count].firstIndex(of: 0x0A) {
        line += piece[..<end]
        break
      }
      line += piece[..<count]
      // A file of something else.
      guard line.first == UInt8(ascii: "{") else { break }
    }
    return (line, Int(size))
  }
}

extension FileDescriptor {
  /// Fills a buffer; returns whether the file had enough bytes.
  fileprivate func readAll(_ buffer: UnsafeMutableRawBufferPointer, at offset: Int64) throws -> Bool {
    var done = 0
    while done < buffer.count {
      let rest = UnsafeMutableRawBufferPointer(rebasing: buffer[done...])
      let count = try read(fromAbsoluteOffset: offset + Int64(done), into: rest)
      guard count > 0 else { return false }
      done += count
    }
    return true
  }
}
