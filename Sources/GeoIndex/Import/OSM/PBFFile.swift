import Basics

/// The blobs of a file in OpenStreetMap's PBF format, within the limits of the format.
struct PBFFile {
  /// A compressed block of the file.
  private struct Blob {
    let offset: Int
    let count: Int32
    var contents: OSMBlock.Contents?
  }

  private let source: any ByteSource
  private var blobs: [Blob] = []
  /// Whether ways have the positions of their nodes, which then may be missing.
  private(set) var hasWayPositions = false
  /// The compressed and decompressed sizes of what was read in the first pass.
  private var (packed, unpacked) = (0, 0)

  private static let mostHeader = 64 << 10
  private static let mostBlob = 32 << 20
  /// A blob has 8,000 objects or so: the planet has a million blobs.
  private static let mostBlobs = 8_000_000
  /// The largest growth factor, checked from this size on. Real data grow 2 to 5 times.
  private static let mostGrowth = (times: 100, from: 64 << 20)
  private static let features: Set = ["OsmSchema-V0.6", "DenseNodes"]

  /// Reads the headers of all blobs, and checks the features that the file needs.
  init(_ source: any ByteSource) throws(FileError) {
    self.source = source
    var at = 0
    while at < source.count {
      let size = Int(try source.bytes(at: at, count: 4).u32(0, .big))
      guard size <= Self.mostHeader else {
        throw FileError(.malformed, "a blob header of \(size) bytes exceeds 64 KiB", at: at)
      }
      let header = try Self.header(try source.bytes(at: at + 4, count: size))
      let start = at + 4 + size
      guard header.count <= Self.mostBlob else {
        throw FileError(.malformed, "a blob of \(header.count) bytes exceeds 32 MiB", at: at)
      }
      guard header.count <= source.count - start else {
        throw FileError.endsTooSoon(needing: header.count, at: start)
      }
      if at == 0 {
        guard header.type == "OSMHeader" else { throw FileError(.malformed, "the PBF header is missing", at: at) }
        hasWayPositions = try Self.check(try content(start..<start + header.count), at: start)
      } else if header.type == "OSMData" {
        guard blobs.count < Self.mostBlobs else {
          throw FileError(.malformed, "the file has more than \(Self.mostBlobs) blobs", at: at)
        }
        blobs.append(Blob(offset: start, count: Int32(header.count)))
      }
      at = start + header.count
    }
    guard at > 0 else { throw FileError(.emptyFile, "the file is empty") }
  }

  /// Whether a file begins with the header of the format.
  static func recognizes(_ head: ArraySlice<UInt8>) -> Bool {
    let start = Array(head.prefix(32))
    // The size, and the field `type` of the first header.
    return start.starts(with: [0, 0]) && start.dropFirst(4).starts(with: [0x0A, 9] + Array("OSMHeader".utf8))
  }

  private static func header(_ bytes: Bytes) throws(FileError) -> (type: String, count: Int) {
    var message = ProtobufMessage(bytes.array, at: bytes.base)
    var (type, count) = ("", UInt64(0))
    while let (field, value) = try message.next() {
      switch (field, value) {
      case (1, .bytes(let range)): type = String(decoding: message.bytes[range], as: UTF8.self)
      case (3, .number(let number)): count = number
      default: break
      }
    }
    // A length with a sign that is negative becomes very large.
    return (type, Int(clamping: count))
  }

  /// Checks the header block; returns whether ways have positions.
  private static func check(_ bytes: [UInt8], at offset: Int) throws(FileError) -> Bool {
    var message = ProtobufMessage(bytes, at: offset)
    var hasWayPositions = false
    while let (field, value) = try message.next() {
      if field == 5, case .bytes(let range) = value, bytes[range].elementsEqual("LocationsOnWays".utf8) {
        hasWayPositions = true
      }
      guard field == 4, case .bytes(let range) = value else { continue }
      let feature = String(decoding: bytes[range].prefix(64), as: UTF8.self)
      guard !features.contains(feature) else { continue }
      throw FileError(
        .unsupported,
        feature == "HistoricalInformation"
          ? "the PBF file has the history of its objects (HistoricalInformation)"
          : "the PBF file needs the unsupported feature '\(feature)'",
        at: offset)
    }
    return hasWayPositions
  }

  /// Returns the decompressed content of a blob.
  private func content(_ range: Range<Int>) throws(FileError) -> [UInt8] {
    let blob = try source.bytes(range)
    var message = ProtobufMessage(blob.array, at: range.lowerBound)
    var size: UInt64?
    var content: (field: UInt64, range: Range<Int>)?
    while let (field, value) = try message.next() {
      switch (field, value) {
      case (2, .number(let number)): size = number
      case (1, .bytes(let range)), (3...7, .bytes(let range)): content = (field, range)
      default: break
      }
    }
    guard let content else { throw message.broken("a blob has no data") }
    guard content.field == 1 || content.field == 3 else {
      let method = [4: "lzma", 5: "bzip2", 6: "lz4", 7: "zstd"][content.field] ?? ""
      throw FileError(
        .unknownPacking, "the PBF file is compressed with \(method), which is not supported", at: range.lowerBound,
        remedy: .convertToZlib)
    }
    let packed = try blob.bytes(content.range)
    if content.field == 1 { return packed.array }
    guard let size, size <= UInt64(Self.mostBlob) else {
      throw FileError(
        .malformed, "a blob declares a decompressed size of \(size.map { "\($0)" } ?? "no") bytes, more than 32 MiB",
        at: range.lowerBound)
    }
    return try Zlib.unpacked(packed, count: Int(size))
  }

  /// Reads the blocks that contain any of these objects, in the order of the file. All are read the first time.
  mutating func forEachBlock(
    _ wanted: OSMBlock.Contents, _ body: (inout OSMBlock) throws -> OSMBlock.Contents
  ) throws {
    for index in blobs.indices {
      let blob = blobs[index]
      if let contents = blob.contents, contents.isDisjoint(with: wanted) { continue }
      let bytes = try content(blob.offset..<blob.offset + Int(blob.count))
      if blob.contents == nil {
        packed += Int(blob.count)
        unpacked += bytes.count
        guard unpacked <= Self.mostGrowth.from || unpacked / Self.mostGrowth.times <= packed else {
          throw FileError(
            .suspiciousArchive, "the PBF file decompresses to a suspiciously large size", at: blob.offset)
        }
      }
      var block = try OSMBlock(bytes, at: blob.offset)
      let found = try body(&block)
      blobs[index].contents = blob.contents?.union(found) ?? found
    }
  }
}
