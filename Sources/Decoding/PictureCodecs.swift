import CSys
import Foundation
import Glibc

/// The picture decoders and encoders that are installed. They run in sandboxed child processes, which are kept for the
/// next picture; share one value among all workers.
public struct PictureCodecs: Sendable {
  /// The formats that can be decoded.
  public let decodable: Set<PictureCoding>
  /// The formats that can be encoded.
  public let encodable: Set<PictureCoding>
  private let pool: CodecPool?
  /// Limits the concurrent operations: an uncompressed picture takes hundreds of megabytes, and its codec a processor.
  private static let turns = Turns(ProcessInfo.processInfo.activeProcessorCount)

  /// A value without any codec.
  public static let none = PictureCodecs(decodable: [], encodable: [], pool: nil)

  /// Determines which codecs the program `metatag-pictures` has. The calling thread waits until the program has started.
  ///
  /// - Throws: `FileError`: `.decoderMissing` if the program was not found, or another error of the kind `.io` if it can't be
  ///   started.
  public init(programs: CodecPrograms = .installed) throws(FileError) {
    let pool = programs.pictures()
    let (decodable, encodable) = try pool.codings()
    self.init(decodable: decodable, encodable: encodable, pool: pool)
  }

  /// Determines the codecs outside Swift's threads. See `init(programs:)`.
  public init(programs: CodecPrograms = .installed) async throws(FileError) {
    self = try await offloading { Result { () throws(FileError) in try PictureCodecs(programs: programs) } }.get()
  }

  private init(decodable: Set<PictureCoding>, encodable: Set<PictureCoding>, pool: CodecPool?) {
    (self.decodable, self.encodable, self.pool) = (decodable, encodable, pool)
  }

  /// Returns these codecs without some of them.
  public func without(decoding: Set<PictureCoding> = [], encoding: Set<PictureCoding> = []) -> PictureCodecs {
    PictureCodecs(
      decodable: decodable.subtracting(decoding), encodable: encodable.subtracting(encoding), pool: pool)
  }

  /// Runs work that blocks, on a thread of its own; at most one per processor at a time, work of tasks with a higher priority
  /// first.
  ///
  /// - Throws: `CancellationError` when the task is cancelled before the work is done; the errors of the work.
  package func inTurn<Value: Sendable>(
    _ work: @Sendable (Turn) throws(FileError) -> Value
  ) async throws -> Value {
    let result = try await Self.turns.offload { Result { () throws(FileError) in try work(Turn(codecs: self)) } }
    try Task.checkCancellation()
    return try result.get()
  }

  /// Runs work that blocks, on the calling thread, when it is its turn.
  package func inTurn<Value>(blocking work: (Turn) throws(FileError) -> Value) throws(FileError) -> Value {
    Self.turns.wait()
    defer { Self.turns.release() }
    return try work(Turn(codecs: self))
  }

  /// The right to use a decoder now.
  package struct Turn: Sendable {
    /// The longest time for one picture.
    package static let limit = Duration.seconds(900)
    fileprivate let codecs: PictureCodecs

    /// Re-encodes the picture in `source`. `metadata` is written into a HEIF file with it: EXIF, XMP, IPTC, ICC profile.
    ///
    /// - Throws: `.unsupported` if there is no such decoder or encoder, or if it fails on the picture; `.cancelled` when the
    ///   task is cancelled.
    package func recode(
      _ source: any ByteSource, _ recoding: CodecWire.Recoding, beside metadata: [[UInt8]] = [],
      within limit: Duration = limit
    ) throws(FileError) -> Recoded {
      guard let pool = codecs.pool else { throw FileError.noDecoder(for: recoding.from ?? .jpeg) }
      if let from = recoding.from, !codecs.decodable.contains(from) { throw FileError.noDecoder(for: from) }
      if let to = recoding.to, !codecs.encodable.contains(to) { throw FileError.noEncoder(for: to) }
      if Task.isCancelled { throw FileError(.cancelled, "was cancelled") }
      var recoding = recoding
      for (index, part) in metadata.enumerated() { recoding.metadata[index] = UInt32(clamping: part.count) }
      let picture = try ReadableBlock(0..<source.count, of: source)
      let beside = Bytes(metadata.flatMap { $0 })
      let additional = beside.count > 0 ? [try ReadableBlock(0..<beside.count, of: beside)] : []
      let result = csys_memfd("metatag")
      guard result >= 0 else { throw FileError(errno: errno, doing: "allocate memory") }
      let made: (size: PixelSize, profile: [UInt8])
      do throws(FileError) {
        var blocks = [try picture.file(), EXIFBlock(descriptor: result, range: 0..<0)]
        for block in additional { blocks.append(try block.file()) }
        made = try pool.recode(recoding, blocks, within: limit)
        withExtendedLifetime((picture, additional)) {}
      } catch {
        close(result)
        throw error
      }
      let output = try FileSource(owning: result)
      return Recoded(bytes: try output.bytes(0..<output.count).array, size: made.size, profile: made.profile)
    }
  }

  /// A file that was re-encoded, or pixels.
  package struct Recoded: Sendable {
    package let bytes: [UInt8]
    /// The size of the picture as displayed.
    package let size: PixelSize
    /// The ICC profile of the pixels that the decoder found; empty for sRGB, or if the file's container reads it.
    package let profile: [UInt8]
  }
}

extension FileError {
  static func noDecoder(for coding: PictureCoding) -> FileError {
    FileError(.noDecoder, "no decoder for \(coding.name) is installed")
  }

  package static func noEncoder(for coding: PictureCoding) -> FileError {
    FileError(.noEncoder, "no encoder for \(coding.name) is installed")
  }
}
