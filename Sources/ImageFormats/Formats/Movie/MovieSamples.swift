/// The sample positions of tracks, by their tables (ISO/IEC 14496-12, 8.7): one range for each chunk.
struct MovieSamples {
  private let source: any ByteSource

  /// The limit of a table in a movie.
  private static let longestTable = 24 << 20

  init(_ source: any ByteSource) { self.source = source }

  /// Returns exactly the bytes of a track's samples.
  /// - Throws: `.refused` when its tables are ambiguous.
  func exact(of track: MovieTrack) throws(FileError) -> [Range<Int>] {
    try chunks(of: track) { sizes, first, count throws(FileError) in
      guard first + count <= sizes.count else { return nil }
      return try sizes.sum(first, count)
    }
  }

  /// Requires that ranges to overwrite hold nothing else.
  /// - Throws: `.refused` when `ranges`, in order, aren't all in media data or unused space, separate from the data of
  ///   `tracks`.
  func require(_ ranges: [Range<Int>], apartFrom tracks: [MovieTrack], in file: MovieFile) throws(FileError) {
    guard !ranges.isEmpty else { return }
    var kept: [Range<Int>] = []
    for track in tracks { kept += try widest(of: track) }
    let others = RangeIndex(kept)
    let media = file.boxes
      .filter { $0.type == "mdat" || $0.isUnused || !MovieStructure.top.contains($0.type) }.map(\.payload)
    for range in ranges {
      guard others.count(cutBy: range) == 0 else {
        throw FileError(.notErasable, "has metadata that overlaps video or audio data", at: range.lowerBound)
      }
      let box = media.partitionPoint { $0.upperBound < range.upperBound }
      guard media.indices.contains(box), media[box].lowerBound <= range.lowerBound else {
        throw FileError(.notErasable, "has timed metadata outside its mdat boxes", at: range.lowerBound)
      }
    }
  }

  /// Returns at least the bytes of a track's samples: readers differ on the length of sound samples with one common
  /// size.
  private func widest(of track: MovieTrack) throws(FileError) -> [Range<Int>] {
    let units = track.kind == "soun" ? try soundUnits(of: track) : []
    return try chunks(of: track) { sizes, first, count throws(FileError) in
      guard sizes.one > 0 else { return try sizes.sum(first, min(count, sizes.count - first)) }
      var most = 0
      for unit in units + [(bytes: sizes.one, samples: 1)] {
        let packets = (count + unit.samples - 1) / unit.samples
        let (product, isTooLong) = packets.multipliedReportingOverflow(by: unit.bytes)
        if isTooLong { return nil }
        most = max(most, product)
      }
      return most
    }
  }

  private func chunks(
    of track: MovieTrack, length: (Sizes, _ first: Int, _ count: Int) throws(FileError) -> Int?
  ) throws(FileError) -> [Range<Int>] {
    guard !track.isAmbiguous, track.tables.allSatisfy({ $0.type != "saio" }) else { throw inexact(track) }
    guard let offsets = track.table("stco", "co64"), let groups = track.table("stsc"),
      let sizes = try track.table("stsz", "stz2").flatMap({ box throws(FileError) in try Sizes(box, content(box)) })
    else { throw inexact(track) }
    let runs = try Runs(content(groups))
    var chunks: [Range<Int>] = []
    var (sample, chunk) = (0, 0)
    for start in try MediaOffsets(offsets, source) {
      guard let count = runs.samples(in: chunk), sample <= sizes.count,
        let length = try length(sizes, sample, count), case let (end, isTooFar) = start.addingReportingOverflow(length),
        !isTooFar
      else { throw inexact(track) }
      if length > 0 { chunks.append(start..<end) }
      sample = min(sample + count, sizes.count)
      chunk += 1
    }
    guard sample == sizes.count else { throw inexact(track) }
    return chunks
  }

  private func content(_ box: Box) throws(FileError) -> Bytes {
    guard box.range.count <= MovieSamples.longestTable else {
      throw FileError(.tooLarge, "a \(box.type) table is too long", at: box.range.lowerBound)
    }
    return try source.bytes(box.payload)
  }

  private func inexact(_ track: MovieTrack) -> FileError {
    FileError(
      .notErasable, "has a track of '\(track.kind ?? "????")' with invalid sample tables",
      at: track.box.range.lowerBound, remedy: .takeOutTracks)
  }

  // MARK: Sound

  /// Returns the length of sound by its descriptions, because `stsz` may say 1 for anything (QTFF "Sound Sample
  /// Description").
  private func soundUnits(of track: MovieTrack) throws(FileError) -> [(bytes: Int, samples: Int)] {
    guard let box = track.descriptions, box.payload.count >= 8 else { return [] }
    var units: [(bytes: Int, samples: Int)] = []
    for entry in try source.closedBoxes(in: box.payload.lowerBound + 8..<box.payload.upperBound) {
      let fields = try source.prefix(at: entry.payload.lowerBound, count: min(64, entry.payload.count))
      guard fields.count >= 28 else { continue }
      let version = try fields.u16(8, .big)
      func unit(_ bytes: Int, _ samples: Int) { if bytes > 0, samples > 0 { units.append((bytes, samples)) } }
      if version < 2 { unit(Int(try fields.u16(16, .big)) * ((Int(try fields.u16(18, .big)) + 7) / 8), 1) }
      if version == 1, fields.count >= 44 { unit(Int(try fields.u32(36, .big)), Int(try fields.u32(28, .big))) }
      if version == 2, fields.count >= 64 { unit(Int(try fields.u32(56, .big)), Int(try fields.u32(60, .big))) }
    }
    return units
  }

  // MARK: Tables

  /// The sizes of samples: one for all, or a table of 4, 8, 16 or 32 bits each.
  private struct Sizes {
    let count: Int
    /// The common size; 0 when each sample has its own.
    let one: Int
    private let bits: Int
    private let table: Bytes

    /// Returns nil when the table is shorter than it says.
    init?(_ box: Box, _ content: Bytes) throws(FileError) {
      guard content.count >= 12 else { return nil }
      count = Int(try content.u32(8, .big))
      one = box.type == "stsz" ? Int(try content.u32(4, .big)) : 0
      bits = box.type == "stsz" ? 32 : Int(try content.u8(7))
      table = try content.bytes(12..<content.count)
      guard [4, 8, 16, 32].contains(bits), one > 0 || count <= table.count * 8 / bits else { return nil }
    }

    func sum(_ first: Int, _ count: Int) throws(FileError) -> Int? {
      if one > 0 {
        let (product, isTooLong) = one.multipliedReportingOverflow(by: count)
        return isTooLong ? nil : product
      }
      // At most six million of 32 bits.
      var sum = 0
      for index in first..<first + count { sum += try self[index] }
      return sum
    }

    private subscript(index: Int) -> Int {
      get throws(FileError) {
        switch bits {
        case 4: Int(try table.u8(index / 2) >> (index % 2 == 0 ? 4 : 0) & 15)
        case 8: Int(try table.u8(index))
        case 16: Int(try table.u16(index * 2, .big))
        default: Int(try table.u32(index * 4, .big))
        }
      }
    }
  }

  /// The number of samples per chunk: runs of chunks with the same number (`stsc`).
  private struct Runs {
    private let firsts: [Int]
    private let counts: [Int]

    init(_ content: Bytes) throws(FileError) {
      let count = content.count >= 8 ? min(Int(try content.u32(4, .big)), (content.count - 8) / 12) : 0
      var (firsts, counts): ([Int], [Int]) = ([], [])
      for at in stride(from: 8, to: 8 + count * 12, by: 12) {
        firsts.append(Int(try content.u32(at, .big)))
        counts.append(Int(try content.u32(at + 4, .big)))
      }
      // Readers disagree on the meaning of unsorted runs.
      let isSorted = zip(firsts, firsts.dropFirst()).allSatisfy(<)
      (self.firsts, self.counts) = isSorted ? (firsts, counts) : ([], [])
    }

    /// Returns the count for a chunk (the first is 0); nil when no single run has it.
    func samples(in chunk: Int) -> Int? {
      let next = firsts.partitionPoint { $0 <= chunk + 1 }
      return next > 0 ? counts[next - 1] : nil
    }
  }
}

/// The positions in a table of offsets.
struct MediaOffsets: Sequence, IteratorProtocol {
  private let table: Bytes
  private let width: Int
  private var at: Int

  /// The limit of a table in a movie.
  private static let longestTable = 24 << 20

  /// Reads chunk offsets of media data (`stco`, `co64`; ISO/IEC 14496-12, 8.7.5).
  init(_ box: Box, _ source: any ByteSource) throws(FileError) {
    try self.init(box, source, headerCount: 4, width: box.type == "co64" ? 8 : 4)
  }

  /// Reads offsets of auxiliary information on samples (`saio`, 8.7.9): two more fields if the flags say so, 64 bits in
  /// version 1.
  init(auxiliary box: Box, _ source: any ByteSource) throws(FileError) {
    let head = try source.prefix(at: box.payload.lowerBound, count: Swift.min(4, box.payload.count))
    let isLong = try head.u8(3) & 1 == 1
    try self.init(box, source, headerCount: isLong ? 12 : 4, width: try head.u8(0) == 0 ? 4 : 8)
  }

  private init(_ box: Box, _ source: any ByteSource, headerCount: Int, width: Int) throws(FileError) {
    guard box.range.count <= MediaOffsets.longestTable else {
      throw FileError(.tooLarge, "a \(box.type) table is too long", at: box.range.lowerBound)
    }
    let whole = try source.bytes(box.payload)
    at = headerCount + 4
    let count = whole.count >= at ? Int(try whole.u32(headerCount, .big)) : 0
    table = try whole.prefix(at: 0, count: Swift.min(whole.count, at + count * width))
    self.width = width
  }

  mutating func next() -> Int? {
    guard at <= table.count - width else { return nil }
    defer { at += width }
    return width == 8 ? (try? table.u64(at, .big)).map(Int.init(clamping:)) : (try? table.u32(at, .big)).map(Int.init)
  }
}
