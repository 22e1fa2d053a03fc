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
  private static let room = DispatchSemaphore(value: max(1, ProcessInfo.processInfo.activeProcessorCount))

  /// A value without any codec.
  public static let none = PictureCodecs(decodable: [], encodable: [], pool: nil)

  /// Determines which codecs the program `metatag-pictures` has.
  ///
  /// - Throws: `FileError`: `.decoderMissing` if the program was not found, or another error of the kind `.io` if it can't be
  ///   started.
  public init(programs: CodecPrograms = .installed) throws(FileError) {
    let pool = programs.pictures()
    let (decodable, encodable) = try pool.codings()
    self.init(decodable: decodable, encodable: encodable, pool: pool)
  }

  private init(decodable: Set<PictureCoding>, encodable: Set<PictureCoding>, pool: CodecPool?) {
    (self.decodable, self.encodable, self.pool) = (decodable, encodable, pool)
  }

  /// Returns these codecs without some of them.
  public func without(decoding: Set<PictureCoding> = [], encoding: Set<PictureCoding> = []) -> PictureCodecs {
    PictureCodecs(
      decodable: decodable.subtracting(decoding), encodable: encodable.subtracting(encoding), pool: pool)
  }

  /// Re-encodes the picture in `source`; at most one picture per processor at a time. `metadata` is written into a HEIF
  /// file with it: EXIF, XMP, IPTC, ICC profile.
  ///
  /// - Throws: `.unsupported` if there is no such decoder or encoder, or if it fails on the picture.
  package func recode(
    _ source: any ByteSource, _ recoding: CodecWire.Recoding, beside metadata: [[UInt8]] = [],
    within limit: Duration = .seconds(900)
  ) throws(FileError) -> Recoded {
    guard let pool, decodable.contains(recoding.from) else { throw FileError.noDecoder(for: recoding.from) }
    guard encodable.contains(recoding.to) else {
      throw FileError.noEncoder(for: recoding.to)
    }
    var recoding = recoding
    for (index, part) in metadata.enumerated() { recoding.metadata[index] = UInt32(clamping: part.count) }
    let picture = try ReadableBlock(0..<source.count, of: source)
    let beside = Bytes(metadata.flatMap { $0 })
    let additional = beside.count > 0 ? [try ReadableBlock(0..<beside.count, of: beside)] : []
    let result = csys_memfd("metatag")
    guard result >= 0 else { throw FileError(errno: errno, doing: "allocate memory") }
    Self.room.wait()
    defer { Self.room.signal() }
    let output: FileSource
    let size: PixelSize
    do throws(FileError) {
      var blocks = [try picture.file(), EXIFBlock(descriptor: result, range: 0..<0)]
      for block in additional { blocks.append(try block.file()) }
      size = try pool.recode(recoding, blocks, within: limit)
      withExtendedLifetime((picture, additional)) {}
    } catch {
      close(result)
      throw error
    }
    output = try FileSource(owning: result)
    return Recoded(bytes: try output.bytes(0..<output.count).array, size: size)
  }

  /// A file that was re-encoded.
  package struct Recoded: Sendable {
    package let bytes: [UInt8]
    /// The size of the picture as displayed.
    package let size: PixelSize
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
