import CSys
import Foundation
import Glibc

/// The decoders and encoders of pictures that are really there. They run in sandboxed child processes, which are kept
/// for the next picture; share one value among all workers.
public struct PictureCodecs: Sendable {
  /// What can be decoded.
  public let decodable: Set<PictureCoding>
  /// What can be encoded.
  public let encodable: Set<PictureCoding>
  private let pool: CodecPool?
  /// A picture without compression takes hundreds of megabytes, and its coder a processor.
  private static let room = DispatchSemaphore(value: max(1, ProcessInfo.processInfo.activeProcessorCount))

  /// Knows no codec at all.
  public static let none = PictureCodecs(decodable: [], encodable: [], pool: nil)

  /// Asks what is installed.
  /// - Throws: `FileError`: `.io` when the program `metatag-pictures` is missing or can't be started.
  public init() throws(FileError) {
    let pool = CodecPool(.pictures)
    let (decodable, encodable) = try pool.codings()
    self.init(decodable: decodable, encodable: encodable, pool: pool)
  }

  private init(decodable: Set<PictureCoding>, encodable: Set<PictureCoding>, pool: CodecPool?) {
    (self.decodable, self.encodable, self.pool) = (decodable, encodable, pool)
  }

  /// The same without some.
  public func without(decoding: Set<PictureCoding> = [], encoding: Set<PictureCoding> = []) -> PictureCodecs {
    PictureCodecs(
      decodable: decodable.subtracting(decoding), encodable: encodable.subtracting(encoding), pool: pool)
  }

  /// Codes the picture that `source` holds anew, one per processor at once. `beside` goes into a HEIF file with it:
  /// EXIF, XMP, IPTC, ICC profile.
  /// - Throws: `.unsupported` when there is no such decoder or encoder, or when it fails on the picture.
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
    guard result >= 0 else { throw FileError(errno: errno, doing: "take memory for it") }
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

  /// A file that was coded anew.
  package struct Recoded: Sendable {
    package let bytes: [UInt8]
    /// As it is seen.
    package let size: PixelSize
  }
}

extension FileError {
  static func noDecoder(for coding: PictureCoding) -> FileError {
    FileError(.unsupported, "there is no decoder for \(coding.name) here")
  }

  package static func noEncoder(for coding: PictureCoding) -> FileError {
    FileError(.unsupported, "there is no encoder for \(coding.name) here")
  }
}
