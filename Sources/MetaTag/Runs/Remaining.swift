/// The parts of an old location or date that remain after a change: in texts and names, which stay as their owner wrote
/// them, and in data that only an erasure changes. They are reported, so that the user doesn't believe that they are
/// gone.
struct Remaining {
  private(set) var notes: [Note] = []

  /// Looks for remains of the old values.
  /// - Parameter old: The photo's metadata before the change.
  init(
    of old: Metadata, in new: ImageSource, _ metadata: Metadata, by edit: MetadataEdit
  ) throws(FileError) {
    if edit.location != .keep {
      if !edit.erasesPlaces {
        let others = new.layout.unedited(holding: .place).filter { $0.access == .erasable }
        notes += others.map { Note(.locationKept, "\($0.name) keeps its own location") }
      }
      try addPlaces(of: old, in: new, metadata, isErased: edit.erasesPlaces)
      notes += new.layout.kept(holding: .place).map {
        Note(
          .mayKeepLocation, "\($0) stays and may contain the old location", remedy: edit.erasesPlaces ? .clearAll : nil)
      }
    }
    if edit.erasesDates { try addDates(of: old, in: new) }
  }

  private mutating func addPlaces(
    of old: Metadata, in new: ImageSource, _ metadata: Metadata, isErased: Bool
  ) throws(FileError) {
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
    if let text = texts.oldText {
      notes.append(Note(.coordinatesKept, "keeps a text with a coordinate of its old location (\(text))"))
    }
    if let text = texts.anyText {
      notes.append(Note(.coordinatesKept, "keeps a text that looks like coordinates (\(text))"))
    }
  }

  /// Returns a text that looks like coordinates, in a photo without a position.
  static func coordinates(in photo: OpenFile) throws(FileError) -> String? {
    let numbers = photo.metadata.locations.map(\.value.coordinate).flatMap { [abs($0.latitude), abs($0.longitude)] }
    let texts = CoordinateTexts(old: [], wanted: Set(numbers), seeksAny: true)
    // Skip the pictures, so that clearing a folder a second time is quick.
    return try search(texts, in: photo.image, everywhere: false).anyText
  }

  private static func search(
    _ sought: CoordinateTexts, in new: ImageSource, everywhere: Bool
  ) throws(FileError) -> CoordinateTexts {
    var texts = sought
    func look(_ bytes: Bytes) -> Bool {
      texts.look(in: bytes)
      return texts.isDone
    }
    // When locations are erased, search unknown boxes, chunks and segments too, since they may contain one. A movie's
    // other media have been examined sample by sample.
    let fields = try new.container.textFields(of: new.file)
    let isWhole = new.layout.quickTime == nil && (everywhere || fields != nil)
    let media = isWhole ? [] : new.layout.imageData
    for range in new.textBlocks + [0..<new.source.count].excluding(media) where !texts.isDone {
      try new.source.eachText(in: range, look)
    }
    _ = fields?.packed.contains(where: look)
    return texts
  }

  /// Adds days in texts that aren't dates of their own: in descriptions, file names, identifiers.
  private mutating func addDates(of old: Metadata, in new: ImageSource) throws(FileError) {
    let times = (old.captureTimes + old.digitizedTimes + old.additionalTimes).map(\.value.civil)
    let days = times + (old.modifyTime.map { [$0.civil] } ?? [])
    var texts = DayTexts(of: days)
    let whole = texts.isDone ? 0..<0 : 0..<new.source.count
    try new.source.eachText(in: whole) { bytes in
      texts.look(in: bytes)
      return texts.isDone
    }
    let fields = try new.container.textFields(of: new.file)
    for text in fields?.packed ?? [] { texts.look(in: text) }
    notes += (fields?.dated ?? []).map {
      Note(.dateTextKept, "keeps a text '\($0)' that may contain a date")
    }
    for text in texts.found.sorted() {
      let isName = text.count == 8 && text.allSatisfy(\.isNumber)
      notes.append(
        isName
          ? Note(.dateTextKept, "keeps the digits of its old date (\(text)), as in file names")
          : Note(.dateTextKept, "keeps a text with its old date (\(text))"))
    }
    try addDatesOfAnyDay(besides: days, in: new, namesTexts: fields != nil)
  }

  /// Adds days that differ from the photo's, but may be its date from before it was moved. Maker notes are reported as
  /// a whole.
  private mutating func addDatesOfAnyDay(
    besides days: [CivilTime], in new: ImageSource, namesTexts: Bool
  ) throws(FileError) {
    let makerNotes = new.makerNotes
    let blocks = new.namedBlocks
    for (name, ranges) in blocks {
      if let text = try Remaining.lookalike(in: ranges.flatMap { [$0].excluding(makerNotes) }, of: new, besides: days) {
        notes.append(Note(.dateTextKept, "keeps a text in its \(name) that looks like a date (\(text))"))
      }
    }
    // Texts in fields are reported by their names.
    guard !namesTexts else { return }
    let rest = [0..<new.source.count].excluding((blocks.flatMap(\.ranges) + makerNotes).merged())
    if let text = try Remaining.lookalike(in: rest, of: new, besides: days) {
      notes.append(Note(.dateTextKept, "keeps a text that looks like a date (\(text))"))
    }
  }

  /// Returns a text that looks like a date, in a photo without a date.
  static func date(in photo: OpenFile) throws(FileError) -> String? {
    let image = photo.image
    let whole = image.textBlocks + [0..<image.source.count].excluding(image.layout.imageData)
    let notes = image.makerNotes
    return try lookalike(in: whole.flatMap { [$0].excluding(notes) }, of: image, besides: [])
  }

  private static func lookalike(
    in ranges: [Range<Int>], of image: ImageSource, besides days: [CivilTime]
  ) throws(FileError) -> String? {
    var dates = DateLookalikes(besides: days)
    for range in ranges where dates.found == nil {
      try image.source.eachText(in: range) { bytes in
        dates.look(in: bytes)
        return dates.found != nil
      }
    }
    return dates.found
  }
}

extension ImageSource {
  /// The blocks that may contain texts: EXIF, XMP, IPTC.
  fileprivate var textBlocks: [Range<Int>] {
    namedBlocks.reversed().flatMap(\.ranges)
  }

  /// The blocks that may contain texts, with their common names.
  fileprivate var namedBlocks: [(name: String, ranges: [Range<Int>])] {
    // In a TIFF, EXIF is the whole file.
    let exif = layout.ranges(of: .exif)
    return [
      ("XMP", layout.ranges(of: .xmp)), ("IPTC", layout.ranges(of: .iptc)),
      ("EXIF", exif.contains(0..<file.count) ? [] : exif),
    ]
  }

  /// The byte ranges of maker notes.
  fileprivate var makerNotes: [Range<Int>] {
    exifBlocks.flatMap { block in
      [block.exif?[TIFFTag.makerNote], block.ifd0[TIFFTag.makerNote], block.ifd0[TIFFTag.dngPrivateData]]
        .compactMap { $0?.value }
        .map { $0.lowerBound + block.range.lowerBound..<$0.upperBound + block.range.lowerBound }
    }.merged()
  }
}

/// The old dates as text, wherever they occur in a file: in maker notes, further images, trailers.
struct ExactDates {
  private let patterns: Set<[UInt8]>

  /// Collects the recorded dates, spelled as in EXIF and as in XMP.
  init(in metadata: Metadata) {
    let times = (metadata.captureTimes + metadata.digitizedTimes + metadata.additionalTimes).map(\.value.civil)
    let days = times + (metadata.modifyTime.map { [$0.civil] } ?? [])
    patterns = Set(
      days.flatMap { day in
        [":", "-"].map { Array("\(day.year.padded(4))\($0)\(day.month.padded(2))\($0)\(day.day.padded(2))".utf8) }
      })
  }

  /// Checks that no old date is left.
  /// - Throws: `.refused` when `source` still contains one.
  func requireNone(in source: any ByteSource, isRaw: Bool) throws(FileError) {
    for pattern in patterns.sorted(by: { $0.lexicographicallyPrecedes($1) }) {
      try source.search(pattern, in: 0..<source.count) { found throws(FileError) in
        let note = isRaw ? "; it is in undocumented manufacturer data" : ""
        let text = try source.words(around: found..<found + pattern.count)
        throw FileError(
          .notErasable, "its date also occurs where it can't be erased (\"\(text)\")\(note)", at: found,
          remedy: isRaw ? nil : .clearAll)
      }
    }
  }
}

extension ByteSource {
  /// The short text around `range`: the printable characters on the same line.
  fileprivate func words(around range: Range<Int>) throws(FileError) -> String {
    let reach = 24
    let start = max(0, range.lowerBound - reach)
    let bytes = try bytes(start..<min(count, range.upperBound + reach)).array
    let isText = { (byte: UInt8) in byte >= 0x20 && byte < 0x7F && byte != UInt8(ascii: "\"") }
    var (first, last) = (range.lowerBound - start, range.upperBound - start)
    while first > 0, isText(bytes[first - 1]) { first -= 1 }
    while last < bytes.count, isText(bytes[last]) { last += 1 }
    return String(decoding: bytes[first..<last], as: UTF8.self)
  }
}

/// The old position as raw bytes, wherever it occurs in a file: in previews, further images, trailers.
struct ExactPlaces {
  private let patterns: [[UInt8]]

  /// Collects the positions in the EXIF blocks.
  init(in image: ImageSource) {
    var patterns: [[UInt8]] = []
    for range in image.layout.ranges(of: .exif) {
      guard let block = try? TIFFBlock(image.source, range) else { continue }
      for tag in [GPSTag.latitude, GPSTag.longitude] {
        guard let bytes = block.gps?[tag].flatMap({ block.raw($0)?.array }), bytes.count == 24 else { continue }
        // Zero numerators are no usable pattern: such bytes occur anywhere.
        let isZero = [0, 8, 16].allSatisfy { at in bytes[at..<at + 4].allSatisfy { $0 == 0 } }
        if !isZero { patterns.append(bytes) }
      }
    }
    self.patterns = patterns
  }

  /// Checks that no copy of an old position is left.
  /// - Throws: `.refused` when `new` contains a copy of one that isn't the new position.
  func requireNone(in new: ImageSource, isRaw: Bool) throws(FileError) {
    let wanted = ExactPlaces(in: new).patterns
    for pattern in patterns where !wanted.contains(pattern) {
      try new.source.search(pattern, in: 0..<new.source.count) { found throws(FileError) in
        let note = isRaw ? "; it is in undocumented manufacturer data" : ""
        throw FileError(
          .notErasable, "an exact copy of its position can't be erased\(note)", at: found,
          remedy: isRaw ? nil : .clearAll)
      }
    }
  }
}
