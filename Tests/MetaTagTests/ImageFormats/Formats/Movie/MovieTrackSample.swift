@testable import ImageFormats
@testable import MetaTag

/// A made-up movie whose tracks have interleaved samples.
struct MovieTrackSample {
  struct Track {
    var id: UInt32
    var handler: FourCC
    var description: [UInt8]
    /// The samples of each chunk.
    var chunks: [[[UInt8]]]
    /// Further boxes in the track.
    var extra: [UInt8] = []
    /// Boxes in its sample table, instead of those with its samples' offsets.
    var tables: [UInt8]?
    /// The form of the sizes: `stsz`, `stz2` with this number of bits, or one size for all.
    var sizes = 32
    var isLong = false
  }

  var tracks: [Track]
  var extra: [UInt8] = []
  var mediaType: FourCC = "mdat"
  /// Added to each chunk's offset, for tables that are wrong.
  var shift = 0

  static func reference(_ type: FourCC, _ ids: UInt32...) -> [UInt8] {
    Box.bytes("tref", Box.bytes(type, ids.flatMap { $0.bytes(.big) }))
  }

  /// The first chunks of all tracks, then their second ones.
  func movie() -> Bytes {
    var media: [UInt8] = []
    var starts = tracks.map { _ in [Int]() }
    for round in 0..<(tracks.map(\.chunks.count).max() ?? 0) {
      for (index, track) in tracks.enumerated() where round < track.chunks.count {
        starts[index].append(MovieSample.brand.count + 8 + media.count)
        media += track.chunks[round].joined()
      }
    }
    let boxes = zip(tracks, starts).flatMap { track, starts in box(track, starts) }
    let moov = Box.bytes("moov", MovieSample.header("mvhd", MovieSample.seconds) + boxes + extra)
    return Bytes(MovieSample.brand + Box.bytes(mediaType, media) + moov)
  }

  private func box(_ track: Track, _ starts: [Int]) -> [UInt8] {
    let seconds = UInt32(truncatingIfNeeded: MovieSample.seconds).bytes(.big)
    let header = Box.bytes(
      "tkhd", [0, 0, 0, 7] + seconds + seconds + track.id.bytes(.big) + [UInt8](repeating: 0, count: 64))
    let handler = Box.bytes("hdlr", [0, 0, 0, 0] + FourCC("mhlr").bytes + track.handler.bytes + Array("Secret".utf8))
    let description = Box.bytes("stsd", [0, 0, 0, 0, 0, 0, 0, 1] + track.description)
    let table = Box.bytes(
      "stbl", description + (track.tables ?? MovieTrackSample.tables(track, starts.map { $0 + shift })))
    let media = Box.bytes(
      "mdia", MovieSample.header("mdhd", MovieSample.seconds) + handler + Box.bytes("minf", table))
    return Box.bytes("trak", header + media + track.extra)
  }

  static func tables(_ track: Track, _ starts: [Int]) -> [UInt8] {
    let sizes = track.chunks.joined().map(\.count)
    let count = UInt32(sizes.count).bytes(.big)
    let table: [UInt8]
    switch track.sizes {
    case 0: table = Box.bytes("stsz", [0, 0, 0, 0] + UInt32(sizes.first ?? 0).bytes(.big) + count)
    case 4:
      let pairs = stride(from: 0, to: sizes.count, by: 2)
        .map { UInt8(sizes[$0] << 4 | ($0 + 1 < sizes.count ? sizes[$0 + 1] : 0)) }
      table = Box.bytes("stz2", [0, 0, 0, 0, 0, 0, 0, 4] + count + pairs)
    case 8: table = Box.bytes("stz2", [0, 0, 0, 0, 0, 0, 0, 8] + count + sizes.map { UInt8($0) })
    case 16: table = Box.bytes("stz2", [0, 0, 0, 0, 0, 0, 0, 16] + count + sizes.flatMap { UInt16($0).bytes(.big) })
    default:
      let all = sizes.flatMap { UInt32($0).bytes(.big) }
      table = Box.bytes("stsz", [UInt8](repeating: 0, count: 8) + count + all)
    }
    var runs: [UInt8] = []
    for (index, chunk) in track.chunks.enumerated() {
      runs += UInt32(index + 1).bytes(.big) + UInt32(chunk.count).bytes(.big) + [0, 0, 0, 1]
    }
    let places = starts.flatMap { track.isLong ? UInt64($0).bytes(.big) : UInt32($0).bytes(.big) }
    return table + Box.bytes("stsc", [0, 0, 0, 0] + UInt32(track.chunks.count).bytes(.big) + runs)
      + Box.bytes(track.isLong ? "co64" : "stco", [0, 0, 0, 0] + UInt32(starts.count).bytes(.big) + places)
  }

  static func texts(_ chunks: [[String]]) -> [[[UInt8]]] { chunks.map { $0.map { Array($0.utf8) } } }

  // MARK: Usual tracks

  static let picture = Track(
    id: 1, handler: "vide", description: Box.bytes("avc1", [UInt8](repeating: 0, count: 78)),
    chunks: texts([["frame one.", "frame two"], ["frame three"]]))

  /// 16 bits, two channels: four bytes a sample.
  static func sound(_ chunks: [[String]], size: Int = 0) -> Track {
    let fields: [UInt8] =
      [UInt8](repeating: 0, count: 16) + [0, 2, 0, 16] + [UInt8](repeating: 0, count: 8)
    return Track(id: 2, handler: "soun", description: Box.bytes("sowt", fields), chunks: texts(chunks), sizes: size)
  }

  static func telling(
    _ id: UInt32, _ handler: FourCC = "meta", _ format: FourCC = "gpmd", _ chunks: [[String]]? = nil
  ) -> Track {
    Track(
      id: id, handler: handler, description: Box.bytes(format, Array("Secret description".utf8)),
      chunks: texts(chunks ?? [["Secret\(id)a", "Secret place \(id)"], ["Secret end \(id)"]]),
      extra: reference("cdsc", 1))
  }
}
