/// The top-level boxes of a HEIF file, and the locations of its items.
package struct HEIFFile: Sendable {
  /// The file, with `meta` in memory.
  package let source: any ByteSource
  package let boxes: [Box]
  /// The bytes after the last whole box: garbage, or a box cut off by the end of the file.
  package let rest: Range<Int>
  /// Nil in a sequence without pictures of its own, and in a file of the short form `mini`.
  let meta: HEIFMeta?
  /// Items of tracks, in `meta` boxes of their own.
  let trackMetas: [HEIFMeta]
  /// The reason why one of those can't be read.
  let trackDamage: FileError?

  /// The limit of a `meta` box. No picture has a longer one.
  private static let longestMeta = 64 << 20

  package init(_ source: any ByteSource) throws(FileError) {
    var boxes: [Box] = []
    var at = 0
    while at < source.count, boxes.count < 4_096 {
      do throws(FileError) {
        let box = try source.box(at: at, before: source.count)
        boxes.append(box)
        at = box.range.upperBound
      } catch {
        guard boxes.contains(where: { $0.type == "meta" || $0.type == "moov" }) else { throw error }
        break
      }
    }
    self.boxes = boxes
    rest = at..<source.count
    (trackMetas, trackDamage) = HEIFFile.trackMetas(in: boxes.filter { $0.type == "moov" }, of: source)
    guard let box = boxes.first(where: { $0.type == "meta" }) else {
      self.source = source
      meta = nil
      return
    }
    guard box.range.count <= HEIFFile.longestMeta else {
      throw FileError(.tooLarge, "its meta box is too large (\(box.range.count) bytes)", at: box.range.lowerBound)
    }
    let window = try WindowedSource(box.range, of: source)
    self.source = window
    meta = try HEIFMeta(box, in: window)
  }

  /// Whether copying the file would cost more than the edit: new bytes are then appended, and the pointer to them
  /// commits the edit (see `Patch.commitSector`).
  package var isBig: Bool {
    guard let last = boxes.last, rest.isEmpty, !last.isOpen, !["mpvd", "sefd"].contains(last.type) else { return false }
    return source.count >= 16 << 20
  }

  /// The error for a file without a `meta` box, which can't record metadata.
  package var absence: FileError {
    boxes.contains { $0.type == "mini" }
      ? FileError(
        .shortHEIF, "has a mini box (low-overhead HEIF), which is not supported", at: boxes.first?.range.upperBound)
      : FileError(.sequenceWithoutRoom, "HEIF sequence without room for EXIF", at: 0)
  }

  /// Whether structures other than `meta` point to its bytes: tracks, fragments, their indexes.
  package var hasTracks: Bool { boxes.contains { ["moov", "moof", "sidx", "mfra"].contains($0.type) } }

  /// All tables of items, the pictures' table first.
  var metas: [HEIFMeta] { (meta.map { [$0] } ?? []) + trackMetas }

  /// Returns the ranges of an item's bytes that are in this file; nil when a range is outside of it.
  package func ranges(of row: ItemLocations.Row, in owner: HEIFMeta? = nil) -> [Range<Int>]? {
    guard row.dataReference == 0, row.construction.value < 2 else { return [] }
    guard let space = row.construction.value == 0 ? 0..<source.count : (owner ?? meta)?.idat else { return nil }
    var ranges: [Range<Int>] = []
    for extent in row.extents {
      let (offset, overflow) = row.base.value.addingReportingOverflow(extent.offset.value)
      guard !overflow, offset <= space.count else { return nil }
      let length = extent.length.value == 0 ? space.count - offset : extent.length.value
      guard length <= space.count - offset else { return nil }
      ranges.append(space.lowerBound + offset..<space.lowerBound + offset + length)
    }
    return ranges
  }
}

/// Tracks of a sequence may have items too (ISO/IEC 14496-12, 8.11.1). libavif writes EXIF and XMP into both tables,
/// which point to the same bytes. For a sequence it reads only the track's table.
extension HEIFFile {
  private static func trackMetas(
    in movies: [Box], of source: any ByteSource
  ) -> (metas: [HEIFMeta], damage: FileError?) {
    var metas: [HEIFMeta] = []
    do throws(FileError) {
      for moov in movies {
        let children = try source.closedBoxes(in: moov.payload)
        var found = children.filter { $0.type == "meta" }
        for track in children where track.type == "trak" {
          found += try source.closedBoxes(in: track.payload).filter { $0.type == "meta" }
        }
        for box in found where try placesItems(box, source) {
          metas.append(try HEIFMeta(box, in: try WindowedSource(box.range, of: source)))
        }
      }
      return (metas, nil)
    } catch {
      let cause = "has a track whose metadata items can't be read: \(error.description)"
      return (metas, FileError(.itemStorage, cause, at: error.offset))
    }
  }

  /// Whether the box holds items. QuickTime's boxes with this name have no version and hold none.
  private static func placesItems(_ box: Box, _ source: any ByteSource) throws(FileError) -> Bool {
    guard box.payload.count >= 8, box.range.count <= longestMeta,
      try source.bytes(at: box.payload.lowerBound, count: 4).u32(0, .big) == 0
    else { return false }
    return try source.boxes(in: box.payload.lowerBound + 4..<box.payload.upperBound).contains { $0.type == "iloc" }
  }
}

/// A source with one range in memory.
private struct WindowedSource: ByteSource {
  let source: any ByteSource
  let window: Bytes
  let start: Int

  init(_ range: Range<Int>, of source: any ByteSource) throws(FileError) {
    (self.source, window, start) = (source, try source.bytes(range), range.lowerBound)
  }

  var count: Int { source.count }

  func bytes(_ range: Range<Int>) throws(FileError) -> Bytes {
    guard range.lowerBound >= start, range.upperBound <= start + window.count else { return try source.bytes(range) }
    return try window.bytes(range.lowerBound - start..<range.upperBound - start)
  }
}
