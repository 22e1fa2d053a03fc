/// The samples in the fragments of a movie (ISO/IEC 14496-12, 8.8): recorders that may lose power write them as they go.
struct MovieFragments {
  /// The samples of a track.
  struct Samples {
    var count = 0
    /// The time of the last sample's end, in units of the track.
    var end = 0
  }

  /// The samples by the track's number.
  private(set) var tracks: [Int: Samples] = [:]

  private static let longestRun = 1 << 24

  /// Reads the headers of all fragments; damaged ones are left out.
  /// - Parameters:
  ///   - boxes: The boxes of the file.
  ///   - children: The boxes of `moov`.
  init(in boxes: [Box], _ children: [Box], of source: any ByteSource) throws(FileError) {
    guard let extends = children.first(where: { $0.type == "mvex" }) else { return }
    var durations: [Int: Int] = [:]
    for box in try source.closedBoxes(in: extends.payload) where box.type == "trex" && box.payload.count >= 24 {
      let fields = try source.bytes(at: box.payload.lowerBound, count: 24)
      durations[Int(try fields.u32(4, .big))] = Int(try fields.u32(12, .big))
    }
    for box in boxes where box.type == "moof" {
      for part in (try? source.closedBoxes(in: box.payload)) ?? [] where part.type == "traf" {
        try? add(part, durations, source)
      }
    }
  }

  private mutating func add(_ fragment: Box, _ durations: [Int: Int], _ source: any ByteSource) throws(FileError) {
    let boxes = try source.closedBoxes(in: fragment.payload)
    guard let header = boxes.first(where: { $0.type == "tfhd" }) else { return }
    let fields = try source.prefix(at: header.payload.lowerBound, count: min(header.payload.count, 32))
    let (flags, number) = (try fields.u32(0, .big), Int(try fields.u32(4, .big)))
    var duration = durations[number] ?? 0
    if flags & 0x8 != 0 {
      let place = 8 + (flags & 0x1 != 0 ? 8 : 0) + (flags & 0x2 != 0 ? 4 : 0)
      duration = Int(try fields.u32(place, .big))
    }
    var samples = tracks[number] ?? Samples()
    if let start = boxes.first(where: { $0.type == "tfdt" }) {
      let fields = try source.prefix(at: start.payload.lowerBound, count: min(start.payload.count, 12))
      samples.end = try fields.u8(0) == 1 ? Int(clamping: try fields.u64(4, .big)) : Int(try fields.u32(4, .big))
    }
    for run in boxes where run.type == "trun" && run.payload.count <= Self.longestRun {
      let (count, units) = try Self.sum(of: source.bytes(run.payload), duration)
      let (end, isTooLong) = samples.end.addingReportingOverflow(units)
      guard !isTooLong, samples.count < 1 << 40 else { return }
      (samples.count, samples.end) = (samples.count + count, end)
    }
    tracks[number] = samples
  }

  /// Returns the number of samples in a run and the sum of their durations (8.8.8).
  private static func sum(of run: Bytes, _ duration: Int) throws(FileError) -> (count: Int, units: Int) {
    let (flags, count) = (try run.u32(0, .big), Int(try run.u32(4, .big)))
    guard flags & 0x100 != 0 else {
      let (units, isTooLong) = count.multipliedReportingOverflow(by: duration)
      return isTooLong ? (0, 0) : (count, units)
    }
    let width = 4 * [UInt32(0x100), 0x200, 0x400, 0x800].count { flags & $0 != 0 }
    var place = 8 + (flags & 0x1 != 0 ? 4 : 0) + (flags & 0x4 != 0 ? 4 : 0)
    var units = 0
    for _ in 0..<min(count, max(0, run.count - place) / width) {
      units += Int(try run.u32(place, .big))
      place += width
    }
    return (count, units)
  }
}
