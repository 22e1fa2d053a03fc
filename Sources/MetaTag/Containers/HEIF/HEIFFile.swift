/// A HEIF file's boxes side by side, and where its items lie.
struct HEIFFile: Sendable {
  /// With `meta` in memory.
  let source: any ByteSource
  let boxes: [Box]
  /// What follows the last whole box: garbage, or a box that the end of the file cuts.
  let rest: Range<Int>
  /// Nil in a sequence without pictures of its own, and in a file of the short form `mini`.
  let meta: HEIFMeta?

  /// A `meta` box that is longer is no picture's.
  private static let longestMeta = 64 << 20

  init(_ source: any ByteSource) throws(PhotoError) {
    var boxes: [Box] = []
    var at = 0
    while at < source.count, boxes.count < 4_096 {
      do throws(PhotoError) {
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
    guard let box = boxes.first(where: { $0.type == "meta" }) else {
      self.source = source
      meta = nil
      return
    }
    guard box.range.count <= HEIFFile.longestMeta else {
      throw PhotoError(.tooLarge, "its metadata box is of \(box.range.count) bytes", at: box.range.lowerBound)
    }
    let window = WindowedSource(source: source, window: try source.bytes(box.range), start: box.range.lowerBound)
    self.source = window
    meta = try HEIFMeta(box, in: window)
  }

  /// Copying the file would cost more than the edit: new bytes are appended, and the pointer to them commits it (see
  /// `Patch.commitSector`).
  var isBig: Bool {
    guard let last = boxes.last, rest.isEmpty, !last.isOpen, !["mpvd", "sefd"].contains(last.type) else { return false }
    return source.count >= 16 << 20
  }

  /// Why nothing can be recorded in it, when it has no `meta` box.
  var absence: PhotoError {
    boxes.contains { $0.type == "mini" }
      ? PhotoError(
        .unsupported, "is of HEIF's short form (mini), which is not edited", at: boxes.first?.range.upperBound)
      : PhotoError(.unsupported, "is a sequence without a meta box: it has no place for EXIF", at: 0)
  }

  /// Whether its bytes are pointed to from elsewhere than `meta`: tracks, fragments, their indexes.
  var hasTracks: Bool { boxes.contains { ["moov", "moof", "sidx", "mfra"].contains($0.type) } }

  /// Where an item's bytes lie, as far as they lie in this file; nil when they should lie where the file has no bytes.
  func ranges(of row: ItemLocations.Row) -> [Range<Int>]? {
    guard row.dataReference == 0, row.construction.value < 2 else { return [] }
    guard let space = row.construction.value == 0 ? 0..<source.count : meta?.idat else { return nil }
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

/// A source of which one stretch is in memory.
private struct WindowedSource: ByteSource {
  let source: any ByteSource
  let window: Bytes
  let start: Int

  var count: Int { source.count }

  func bytes(_ range: Range<Int>) throws(PhotoError) -> Bytes {
    guard range.lowerBound >= start, range.upperBound <= start + window.count else { return try source.bytes(range) }
    return try window.bytes(range.lowerBound - start..<range.upperBound - start)
  }
}
