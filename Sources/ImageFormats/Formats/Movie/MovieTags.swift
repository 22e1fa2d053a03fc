import Foundation

/// All QuickTime metadata of a movie, value by value: the times of its headers, its metadata lists and its user data.
package struct MovieTags {
  package private(set) var tags: [TagDump] = []
  private let source: any ByteSource
  private let quickTime: QuickTime

  /// The limit of a value to list.
  private static let longest = 4_096

  package init(of source: any ByteSource) throws(FileError) {
    self.source = source
    let movie = try MovieBox(in: MovieFile(of: source), of: source)
    quickTime = QuickTime(movie.data, source)
    for box in try source.closedBoxes(in: movie.moov.payload) where box.type == "mvhd" {
      try add(header: box, of: "QuickTime", dates: "", duration: "Duration")
    }
    for found in movie.found where found.item.isMovie { add(found, in: nil) }
    try addUserData(of: movie)
    for (index, track) in movie.tracks.enumerated() {
      for header in track.headers {
        let isMedia = header.type == "mdhd"
        try add(
          header: header, of: "Track\(index + 1)", dates: isMedia ? "Media" : "Track",
          duration: isMedia ? "MediaDuration" : nil)
      }
      if let kind = track.kind {
        add("Track\(index + 1):HandlerType", "Text", Self.kinds[kind] ?? "\(kind)", "\(kind)")
      }
      for found in movie.found where found.parents.contains(track.box) { add(found, in: "Track\(index + 1)") }
    }
  }

  // MARK: Headers

  /// Adds a header: version and flags, the times of creation and change, then the time scale and the duration (ISO/IEC
  /// 14496-12, 8.2.2.2 and 8.4.2.2).
  private mutating func add(header: Box, of group: String, dates: String, duration: String?) throws(FileError) {
    let start = header.payload.lowerBound
    let isLong = try source.bytes(at: start, count: 1).u8(0) == 1
    let width = isLong ? 8 : 4
    for (number, name) in ["CreateDate", "ModifyDate"].enumerated() {
      let field = start + 4 + number * width..<start + 4 + (number + 1) * width
      guard field.upperBound <= header.payload.upperBound else { return }
      let bytes = try source.bytes(field)
      let seconds = isLong ? Int64(clamping: try bytes.u64(0, .big)) : Int64(try bytes.u32(0, .big))
      add("\(group):\(dates)\(name)", "Date", Self.date(seconds), "\(seconds)")
    }
    let field = start + 4 + 2 * width..<start + 8 + 3 * width
    guard let duration, field.upperBound <= header.payload.upperBound else { return }
    let bytes = try source.bytes(field)
    let scale = try bytes.u32(0, .big)
    let units = isLong ? try bytes.u64(4, .big) : UInt64(try bytes.u32(4, .big))
    // All bits set means unknown.
    guard scale > 0, units != (isLong ? .max : UInt64(UInt32.max)) else { return }
    let hundredths = Int64(clamping: UInt64((Double(units) / Double(scale) * 100).rounded()))
    add(
      "\(group):\(duration)", "Duration", "\(hundredths / 100).\((hundredths % 100).padded(2)) s", "\(units)/\(scale)")
  }

  /// Returns the date as EXIF writes it; zeros for 0, which means unset.
  private static func date(_ seconds: Int64) -> String {
    guard seconds != 0, let civil = CivilTime(secondsSince1970: seconds - QuickTime.epoch) else {
      return "0000:00:00 00:00:00"
    }
    return "\(civil)".replacing("-", with: ":").replacing("T", with: " ")
  }

  private static let kinds: [FourCC: String] = [
    "vide": "Video Track", "soun": "Audio Track", "meta": "NRT Metadata", "tmcd": "Time Code", "text": "Text",
    "sbtl": "Subtitle", "hint": "Hint Track", "auxv": "Auxiliary Video",
  ]

  // MARK: Values

  private mutating func add(_ found: MovieBox.Found, in group: String?) {
    let (item, key) = (found.item, found.item.name.tagName(in: group))
    guard let bytes = value(item.value) else { return addLength(key, item.value) }
    if item.name == .userData(QuickTime.UserData.location3GPP) {
      guard let place = quickTime.location(of: item) else { return addLength(key, item.value) }
      return add(key, "Place", ISO6709Text.text(place), nil)
    }
    // A list's item records its type (QTFF, "Well-known types").
    let type = found.inner.flatMap { try? source.bytes(at: $0.payload.lowerBound, count: 4).u32(0, .big) } ?? 1
    switch type {
    case 21, 22: add(key, "Integer", Self.integer(bytes, isSigned: type == 21), nil)
    case 23 where bytes.count == 4:
      add(key, "Float", Self.plain("\(Float(bitPattern: UInt32(truncatingIfNeeded: Self.bits(bytes))))"), nil)
    case 24 where bytes.count == 8: add(key, "Float", Self.plain("\(Double(bitPattern: Self.bits(bytes)))"), nil)
    default: add(key, bytes, item.value)
    }
  }

  /// Adds user data that nothing else here reads, under the names of their boxes.
  private mutating func addUserData(of movie: MovieBox) throws(FileError) {
    guard let userData = movie.userData else { return }
    let known = Set(movie.found.map(\.box) + movie.packetParents)
    for box in try source.closedBoxes(in: userData.box.payload) where !known.contains(box) && box.type != "meta" {
      guard tags.count < 8_192, !box.isUnused else { continue }
      let key = QuickTimeItem.Name.userData("\(box.type)").tagName()
      guard let bytes = value(box.payload) else {
        addLength(key, box.payload)
        continue
      }
      add(key, Self.texts3GPP.contains(box.type) ? Array(bytes.dropFirst(6)) : bytes, box.payload)
    }
  }

  /// Texts after version, flags and language (3GPP TS 26.244, 8.2).
  private static let texts3GPP: Set<FourCC> = ["auth", "titl", "dscp", "perf", "cprt", "gnre", "albm"]

  /// Returns the bytes of a value to list.
  private func value(_ range: Range<Int>) -> [UInt8]? {
    range.count <= Self.longest ? try? source.bytes(range).array : nil
  }

  /// Adds a text, if the value is one. A text that isn't UTF-8 may be in any of the old encodings.
  private mutating func add(_ key: String, _ bytes: [UInt8], _ range: Range<Int>) {
    let whole = Array(bytes.reversed().drop { $0 == 0 }.reversed())
    let isText = !whole.isEmpty && whole.allSatisfy { $0 >= 0x20 || (9...13).contains($0) }
    guard isText, let raw = String(validating: whole, as: UTF8.self) else { return addLength(key, range) }
    add(key, "Text", raw.trimmingCharacters(in: .whitespacesAndNewlines), raw)
  }

  /// Returns `1` for `1.0`.
  private static func plain(_ number: String) -> String { number.hasSuffix(".0") ? String(number.dropLast(2)) : number }

  private mutating func addLength(_ key: String, _ range: Range<Int>) {
    add(key, "Binary", "(\(range.count) bytes)", "")
  }

  /// Adds a tag.
  /// - Parameter raw: The stored value; nil if it equals the text.
  private mutating func add(_ key: String, _ type: String, _ text: String, _ raw: String?) {
    tags.append(TagDump(key: key, type: type, text: text, raw: raw ?? text))
  }

  private static func bits(_ bytes: [UInt8]) -> UInt64 { bytes.suffix(8).reduce(0) { $0 << 8 | UInt64($1) } }

  private static func integer(_ bytes: [UInt8], isSigned: Bool) -> String {
    guard isSigned, (1...8).contains(bytes.count) else { return "\(bits(bytes))" }
    let unused = UInt64(64 - 8 * bytes.count)
    return "\(Int64(bitPattern: bits(bytes) << unused) >> Int64(unused))"
  }
}
