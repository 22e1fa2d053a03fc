public import SystemPackage

/// A small picture of a photo, upright.
public struct Thumbnail: Sendable {
  /// The pixels, for clients that draw.
  public let pixels: PixelBuffer
  /// Whether the thumbnail is smaller than requested, or has other proportions than the picture, because it is the preview in
  /// the file.
  public let isDegraded: Bool
  private let codecs: PictureCodecs

  /// The size of the thumbnail.
  public var pixelSize: PixelSize { pixels.size }

  init(_ pixels: PixelBuffer, isDegraded: Bool, codecs: PictureCodecs) {
    (self.pixels, self.isDegraded, self.codecs) = (pixels, isDegraded, codecs)
  }

  /// Returns the thumbnail as a JPEG file without metadata except its colour profile, on white if it is transparent.
  /// - Parameter quality: The encoding quality, 1…100; values outside count as the nearest.
  /// - Throws: `CancellationError` when the task is cancelled; `FileError`.
  public func jpeg(quality: Int = 85) async throws -> [UInt8] {
    try await codecs.inTurn { turn throws(FileError) in try pixels.jpeg(quality: quality, turn) }
  }

  /// Writes the thumbnail into a new JPEG file.
  /// - Throws: `FileError`: `.conflict` when `path` exists already, `.io` when it can't be written; and the errors of
  ///   `jpeg(quality:)`.
  public func write(to path: FilePath) async throws {
    let jpeg = try await jpeg()
    try await offloading { Result { () throws(FileError) in try FreshFile.write(jpeg, to: path) } }.get()
  }
}

/// Pixels with 8 bits per channel: red, green, blue and alpha, by which the colours are not multiplied. Rows follow one another
/// from the top, without padding.
public struct PixelBuffer: Hashable, Sendable {
  /// The number of columns and rows.
  public let size: PixelSize
  /// Four bytes for each pixel.
  public let bytes: [UInt8]
  /// The ICC profile of the colours; empty for sRGB.
  public let profile: [UInt8]

  /// The number of bytes from one row to the next.
  public var bytesPerRow: Int { size.width * 4 }

  /// Encodes the pixels.
  func jpeg(quality: Int, _ turn: PictureCodecs.Turn) throws(FileError) -> [UInt8] {
    var recoding = CodecWire.Recoding(item: UInt32(clamping: size.width), from: nil, to: .jpeg)
    recoding.quality = UInt8(min(max(1, quality), 100))
    let file = try turn.recode(Bytes(bytes), recoding).bytes
    return try JPEGAssembly.file(file, exif: [], xmp: [], iptc: [], profile: profile)
  }
}

/// The pictures from which a thumbnail may be made.
public enum ThumbnailSource: Sendable, CaseIterable {
  /// The preview in the file if it is large enough, otherwise the picture itself.
  case any
  /// Only the preview in the file, even if it is smaller than requested. That is fast, and the only way for raw files and
  /// movies.
  case embedded
}

extension ImageSource {
  /// Returns a small picture of a photo, or the preview of a raw file or a movie. If the preview in the file is large enough,
  /// that is returned. Otherwise the picture is decoded: JPEG, HEIF, AVIF, PNG, WebP, TIFF, GIF and JPEG XL. Of an animation,
  /// it is the first frame.
  ///
  /// The file is read and decoded outside Swift's threads, one picture per processor at a time; of the waiting tasks, those
  /// with a higher priority come first. Cancelling the task ends the decoder.
  /// - Parameters:
  ///   - scaling: The size. A picture is never enlarged.
  ///   - source: The pictures from which it may be made.
  ///   - codecs: The installed codecs.
  ///   - meanwhile: Receives the preview, which is degraded, before the picture is decoded.
  /// - Returns: The thumbnail; the degraded preview if the picture can't be decoded.
  /// - Throws: `CancellationError` when the task is cancelled. `FileError`: `.unsupported` with the code `noDecoder` if there is
  ///   neither a preview nor a decoder, `noPreview` if only the preview was wanted; `.malformed` if the picture is damaged.
  public func thumbnail(
    _ scaling: PictureScaling, from source: ThumbnailSource = .any, codecs: PictureCodecs,
    meanwhile: (Thumbnail) async -> Void = { _ in }
  ) async throws -> Thumbnail {
    let request = ThumbnailRequest(image: self, scaling: scaling)
    let preview = try await codecs.inTurn { turn throws(FileError) in request.preview(turn) }
      .map { Thumbnail($0.pixels, isDegraded: $0.isDegraded, codecs: codecs) }
    if let preview, !preview.isDegraded || source == .embedded { return preview }
    guard source == .any else { throw FileError(.noPreview, "the file holds no preview") }
    if let preview { await meanwhile(preview) }
    do {
      let pixels = try await codecs.inTurn { turn throws(FileError) in try request.decoded(turn) }
      return Thumbnail(pixels, isDegraded: false, codecs: codecs)
    } catch let error as FileError where error.kind == .unsupported || error.kind == .malformed {
      guard let preview else { throw error }
      return preview
    }
  }

  /// Returns a thumbnail as a JPEG file, for a thread that may block.
  package func jpegThumbnail(_ scaling: PictureScaling, codecs: PictureCodecs) throws(FileError) -> [UInt8] {
    try codecs.inTurn(blocking: { turn throws(FileError) in
      let request = ThumbnailRequest(image: self, scaling: scaling)
      let preview = request.preview(turn)
      if let preview, !preview.isDegraded { return try preview.pixels.jpeg(quality: 85, turn) }
      let pixels: PixelBuffer
      do throws(FileError) { pixels = try request.decoded(turn) } catch {
        guard let preview else { throw error }
        pixels = preview.pixels
      }
      return try pixels.jpeg(quality: 85, turn)
    })
  }
}
