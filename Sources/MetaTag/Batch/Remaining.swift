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
    guard !before.isEmpty || isErased else { return }
    let wanted = Set(now.flatMap { [abs($0.latitude), abs($0.longitude)] })
    let numbers = Set(before.flatMap { [abs($0.latitude), abs($0.longitude)] }).filter { number in
      !wanted.contains { abs($0 - number) < CoordinateTexts.tolerance }
    }
    let texts = try Remaining.search(
      CoordinateTexts(old: numbers, wanted: wanted, seeksAny: isErased), in: new, everywhere: isErased)
    if let text = texts.oldText { notices.append("keeps a text with a coordinate of its old place (\(text))") }
    if let text = texts.anyText { notices.append("keeps a text that looks like coordinates (\(text))") }
  }

  /// A text in a photo without a position that looks like one.
  static func coordinates(in photo: OpenPhoto) throws(PhotoError) -> String? {
    let numbers = photo.metadata.locations.map(\.value.coordinate).flatMap { [abs($0.latitude), abs($0.longitude)] }
    let texts = CoordinateTexts(old: [], wanted: Set(numbers), seeksAny: true)
    // A folder that is cleared once more is done at once: its pictures aren't read.
    return try search(texts, in: photo.image, everywhere: false).anyText
  }

  private static func search(
    _ sought: CoordinateTexts, in new: ImageSource, everywhere: Bool
  ) throws(PhotoError) -> CoordinateTexts {
    var texts = sought
    func look(_ bytes: Bytes) -> Bool {
      texts.look(in: bytes)
      return texts.isDone
    }
    // Where places are erased, no box, chunk or segment that isn't known may keep one silently. What else is media in a
    // movie was looked at sample by sample.
    let isWhole = new.layout.quickTime == nil && (everywhere || new.type == .png)
    let media = isWhole ? [] : new.layout.imageData
    for range in new.textBlocks + [0..<new.source.count].excluding(media) where !texts.isDone {
      try new.source.eachText(in: range, look)
    }
    if new.type == .png { _ = try PNGContainer.packedTexts(of: new.file).contains(where: look) }
    return texts
  }

  /// Days in texts that aren't dates of their own: in words, in names of files, in identifiers.
  private mutating func addDates(of old: Metadata, in new: ImageSource) throws(PhotoError) {
    let times = (old.captureTimes + old.digitizedTimes + old.furtherTimes).map(\.value.civil)
    var texts = DayTexts(of: times + (old.modifyTime.map { [$0.civil] } ?? []))
    let whole = texts.isDone ? 0..<0 : 0..<new.source.count
    try new.source.eachText(in: whole) { bytes in
      texts.look(in: bytes)
      return texts.isDone
    }
    if new.type == .png {
      for text in try PNGContainer.packedTexts(of: new.file) { texts.look(in: text) }
      notices += try PNGContainer.datedTexts(of: new.file).map { "keeps a text '\($0)' that may tell a date" }
    }
    for text in texts.found.sorted() {
      let isName = text.count == 8 && text.allSatisfy(\.isNumber)
      notices.append(
        isName
          ? "keeps the digits of its old date (\(text)), as names of files have them"
          : "keeps a text with its old date (\(text))")
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
