/// What a change leaves of the old place or the old dates in words and names, which stay as their owner wrote them, and
/// in data that only an erasure changes: it is told, so that nobody believes that it is gone.
struct Remaining {
  private(set) var notices: [String] = []

  /// - Parameter old: What the photo recorded before.
  init(
    of old: Metadata, in new: ImageSource, _ metadata: Metadata, by edit: MetadataEdit
  ) throws(PhotoError) {
    if edit.location != .keep {
      if !edit.erasesPlaces {
        notices += new.layout.placesAside.map { "\($0) keeps the place that it has of its own" }
      }
      try addPlaces(of: old, in: new, metadata, isErased: edit.erasesPlaces)
      notices += new.layout.opaqueToPlaces.map {
        "\($0) stays and may name the place; 'metatag clear --all' takes it out"
      }
    }
    if edit.erasesDates { try addDates(of: old, in: new) }
  }

  private mutating func addPlaces(
    of old: Metadata, in new: ImageSource, _ metadata: Metadata, isErased: Bool
  ) throws(PhotoError) {
    let now = metadata.locations.map(\.value.coordinate)
    let before = old.locations.map(\.value.coordinate).filter { place in
      !place.isNoFix && !now.contains { $0.isSame(as: place) }
    }
    guard !before.isEmpty else { return }
    let wanted = Set(now.flatMap { [abs($0.latitude), abs($0.longitude)] })
    let numbers = Set(before.flatMap { [abs($0.latitude), abs($0.longitude)] }).filter { number in
      !wanted.contains { abs($0 - number) < DecimalCoordinates.tolerance }
    }
    func note(_ bytes: Bytes) -> Bool {
      guard let text = DecimalCoordinates.numbers(in: bytes, near: numbers).first else { return false }
      notices.append("keeps a text with a coordinate of its old place (\(text))")
      return true
    }
    // Where places are erased, no box, chunk or segment that isn't known may keep one silently. What else is media in a
    // movie was looked at sample by sample.
    let media = new.layout.quickTime == nil ? [] : new.layout.imageData
    let others = isErased ? [0..<new.source.count].excluding(media) : []
    for range in new.textBlocks + others {
      for start in stride(from: range.lowerBound, to: range.upperBound, by: 1 << 20) {
        // A number may lie across the border of two windows.
        if note(try new.source.bytes(start..<min(range.upperBound, start + 1 << 20 + 32))) { return }
      }
    }
    if isErased, new.type == .png { _ = try PNGContainer.packedTexts(of: new.file).contains(where: note) }
  }

  /// Digits of a day that aren't a date by their form: in names of files, in identifiers.
  private mutating func addDates(of old: Metadata, in new: ImageSource) throws(PhotoError) {
    let times = (old.captureTimes + old.digitizedTimes + old.furtherTimes).map(\.value.civil)
    let days = times + (old.modifyTime.map { [$0.civil] } ?? [])
    let texts = Set(
      days.flatMap { day in
        ["", ".", "/"].map { [day.year.padded(4), day.month.padded(2), day.day.padded(2)].joined(separator: $0) }
      })
    for text in texts.sorted() {
      let ascii = Array(text.utf8)
      let forms: [[UInt8]] = [ascii, ascii.flatMap { [$0, UInt8(0)] }]
      guard try new.source.contains(anyOf: forms, in: 0..<new.source.count) else { continue }
      notices.append("keeps the digits of its old date (\(text)), as names of files have them")
    }
  }
}

extension ImageSource {
  /// Where it may have texts: EXIF, XMP, IPTC.
  fileprivate var textBlocks: [Range<Int>] {
    let exif = type.isTIFFBased ? [] : (layout.exif.map { [$0] } ?? []) + layout.furtherExif
    let texts = [layout.xmp, layout.iptc].compactMap(\.self) + layout.furtherXMP + layout.furtherIPTC
    return exif + texts
  }
}
