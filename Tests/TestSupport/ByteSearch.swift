package import Foundation

/// A search of a file's bytes for locations and dates in every form in which programs write them. It knows no format
/// and shares no code with the readers that it checks.
package struct ByteSearch: Sendable {
  /// Latitudes and longitudes in degrees. Signs are ignored.
  package var places: [SIMD2<Double>] = []
  /// Year, month and day.
  package var days: [SIMD3<Int>] = []
  /// Seconds since 1970.
  package var instants: [Int64] = []
  /// Other texts to search for, such as place names.
  package var texts: [String] = []

  /// Creates a search for nothing.
  package init() {}

  /// The hits in a file, each with its offset: `20001782: rationals 48.2085`. Holes of sparse files are skipped.
  package func hits(in file: URL) throws -> [String] {
    try FileExtents.read(file).flatMap { extent in hits(in: extent.bytes, at: extent.offset) }
  }

  /// The hits in bytes that begin at `offset`, and in the streams compressed in them.
  package func hits(in bytes: [UInt8], at offset: Int = 0) -> [String] {
    let profiles = bytes.colorProfiles
    var hits = plainHits(in: bytes).filter { hit in !profiles.contains { $0.contains(hit.at) } }
      .map { "\($0.at + offset): \($0.what)" }
    for stream in Unpacking.streams(in: bytes) {
      hits += plainHits(in: stream.content).map { "\(stream.at + offset): packed \($0.what)" }
    }
    return hits
  }

  private func plainHits(in bytes: [UInt8]) -> [(at: Int, what: String)] {
    bytes.withUnsafeBytes { raw in
      var hits: [(at: Int, what: String)] = []
      if !places.isEmpty {
        hits += rationals(raw) + pairs(raw)
      }
      hits += written(raw)
      for wide in raw.wideTexts {
        hits += wide.text.withUnsafeBytes { written($0) }.map { ($0.at * 2 + wide.at, "UTF-16 " + $0.what) }
      }
      return hits + epochs(raw)
    }
  }

  private var numbers: [Double] { places.flatMap { [abs($0.x), abs($0.y)] }.filter { $0 > 0.001 } }

  // MARK: Locations

  /// Degrees, minutes and seconds as in EXIF, in both byte orders, at any offset.
  private func rationals(_ raw: UnsafeRawBufferPointer) -> [(at: Int, what: String)] {
    guard raw.count >= 24 else { return [] }
    let numbers = numbers
    var hits: [(at: Int, what: String)] = []
    for at in 0...raw.count - 24 {
      // A fraction of at most 180 degrees with a usual denominator begins or ends with a zero byte.
      guard raw[at] == 0 || raw[at + 3] == 0 else { continue }
      for isBig in [true, false] {
        func word(_ index: Int) -> UInt32 {
          let word = raw.loadUnaligned(fromByteOffset: at + 4 * index, as: UInt32.self)
          return isBig ? word.bigEndian : word.littleEndian
        }
        let parts = [word(1), word(3), word(5)]
        guard parts.allSatisfy({ $0 > 0 && ByteSearch.isUsual($0) }) else { continue }
        let values = (0..<3).map { Double(word(2 * $0)) / Double(parts[$0]) }
        guard values[0] <= 180, values[1] < 60.01, values[2] < 60.01 else { continue }
        let value = values[0] + values[1] / 60 + values[2] / 3_600
        if let number = numbers.first(where: { abs($0 - value) < 2e-4 }) { hits.append((at, "rationals \(number)")) }
      }
    }
    return hits
  }

  /// Whether a number is a usual denominator: a power of ten or two, or small.
  private static func isUsual(_ number: UInt32) -> Bool {
    if number <= 100 || number & (number - 1) == 0 { return true }
    var rest = number
    while rest % 10 == 0 { rest /= 10 }
    return [1, 3, 6, 36].contains(rest)
  }

  /// Latitude and longitude near each other as doubles, floats and integers of fractions of a degree.
  private func pairs(_ raw: UnsafeRawBufferPointer) -> [(at: Int, what: String)] {
    var hits: [(at: Int, what: String)] = []
    var forms: [(name: String, width: Int, read: (UInt64) -> Double)] = [
      ("double", 8, { Double(bitPattern: $0) }),
      ("float", 4, { Double(Float(bitPattern: UInt32(truncatingIfNeeded: $0))) }),
    ]
    for scale in [65_536.0, 1e7, 1e6, 1e5] {
      forms.append(("/\(Int(scale))", 4, { Double(Int32(truncatingIfNeeded: $0)) / scale }))
    }
    for form in forms where raw.count >= form.width {
      for isBig in [true, false] {
        var last: (at: Int, number: Double)?
        for at in 0...raw.count - form.width {
          // Zeros aren't coordinates, and fill most of a sparse file.
          if raw[at] == 0, raw[at + form.width - 1] == 0 { continue }
          let word: UInt64
          if form.width == 8 {
            let bits = raw.loadUnaligned(fromByteOffset: at, as: UInt64.self)
            word = isBig ? bits.bigEndian : bits.littleEndian
          } else {
            let bits = raw.loadUnaligned(fromByteOffset: at, as: UInt32.self)
            word = UInt64(isBig ? bits.bigEndian : bits.littleEndian)
          }
          let value = abs(form.read(word))
          guard value < 181, value > 0.001 else { continue }
          for place in places {
            for number in [abs(place.x), abs(place.y)] where abs(number - value) < 3e-5 {
              if let last, last.number != number, at - last.at <= 64 {
                hits.append((last.at, "\(form.name) pair \(last.number), \(number)"))
              }
              last = (at, number)
            }
          }
        }
      }
    }
    return hits
  }

  // MARK: Text

  /// Numbers in text: decimals, degrees and minutes, ISO 6709; days; names.
  private func written(_ raw: UnsafeRawBufferPointer) -> [(at: Int, what: String)] {
    var hits: [(at: Int, what: String)] = []
    if !places.isEmpty { hits += decimals(raw) + sexagesimals(raw) }
    for text in texts + dayTexts { hits += raw.places(of: Array(text.utf8)).map { ($0, text) } }
    for instant in instants where instant > 100_000_000 {
      hits += raw.places(of: Array("\(instant)".utf8)).map { ($0, "seconds \(instant)") }
    }
    return hits
  }

  private var dayTexts: [String] {
    days.flatMap { day in
      let padded = [day.x, day.y, day.z].map { $0 < 10 ? "0\($0)" : "\($0)" }
      return [":", "-", ".", "/", ""].map { padded.joined(separator: $0) }
        + [".", "/", "-"].map { padded.reversed().joined(separator: $0) }
    }
  }

  /// `48.2085`, and in ISO 6709 and NMEA also `4812.51` and `481230.6`.
  private func decimals(_ raw: UnsafeRawBufferPointer) -> [(at: Int, what: String)] {
    var hits: [(at: Int, what: String)] = []
    let numbers = numbers
    for at in raw.indices where raw[at] == UInt8(ascii: ".") {
      var (start, end) = (at, at + 1)
      while start > 0, raw[start - 1].isDigit, at - start < 7 { start -= 1 }
      while end < raw.count, raw[end].isDigit, end - at < 20 { end += 1 }
      guard start < at, end - at > 2 else { continue }
      let text = String(decoding: raw[start..<end], as: UTF8.self)
      guard let whole = Double(text) else { continue }
      let values = [
        whole, (whole / 100).rounded(.down) + whole.truncatingRemainder(dividingBy: 100) / 60,
        (whole / 10_000).rounded(.down) + (whole / 100).rounded(.down).truncatingRemainder(dividingBy: 100) / 60
          + whole.truncatingRemainder(dividingBy: 100) / 3_600,
      ]
      let isSame = values.contains { value in numbers.contains { abs($0 - value) < 2e-4 } }
      if isSame { hits.append((start, "text \(text)")) }
    }
    return hits
  }

  /// `48,12.51N` and `48 deg 12' 30.60"`.
  private func sexagesimals(_ raw: UnsafeRawBufferPointer) -> [(at: Int, what: String)] {
    var hits: [(at: Int, what: String)] = []
    let text = String(decoding: raw, as: Unicode.ASCII.self)
    let form = /(\d{1,3})(?:,| deg |° ?|°)(\d{1,2}(?:\.\d+)?)(?:' ?(\d{1,2}(?:\.\d+)?))?/
    guard raw.contains(UInt8(ascii: ",")) || raw.contains(UInt8(ascii: "'")) else { return [] }
    for match in text.matches(of: form) {
      guard let degrees = Double(match.1), let minutes = Double(match.2), minutes < 60, match.0.contains(".") else {
        continue
      }
      let seconds = match.3.flatMap { Double($0) } ?? 0
      let value = degrees + minutes / 60 + seconds / 3_600
      if numbers.contains(where: { abs($0 - value) < 5e-5 }) {
        hits.append((text.utf8.distance(from: text.utf8.startIndex, to: match.range.lowerBound), "text \(match.0)"))
      }
    }
    return hits
  }

  // MARK: Times in seconds

  /// Seconds since 1904 (QuickTime) and since 1970, in 32 bits of either order, which includes the lower half of 64
  /// bits.
  private func epochs(_ raw: UnsafeRawBufferPointer) -> [(at: Int, what: String)] {
    instants.flatMap { instant in
      [("QuickTime", instant + 2_082_844_800), ("Unix", instant)].flatMap { name, seconds in
        UInt32(exactly: seconds).map { number in
          [number.bigEndian, number.littleEndian].flatMap { word in
            raw.places(of: withUnsafeBytes(of: word) { Array($0) }).map { ($0, "\(name) \(seconds)") }
          }
        } ?? []
      }
    }
  }
}

extension UInt8 {
  fileprivate var isDigit: Bool { (0x30...0x39).contains(self) }
}

extension UnsafeRawBufferPointer {
  /// The offsets at which `pattern` begins.
  fileprivate func places(of pattern: [UInt8]) -> [Int] {
    guard let first = pattern.first, count >= pattern.count, let base = baseAddress else { return [] }
    var places: [Int] = []
    var at = 0
    while at <= count - pattern.count {
      guard self[at] == first, memcmp(base + at, pattern, pattern.count) == 0 else {
        at += 1
        continue
      }
      places.append(at)
      at += pattern.count
    }
    return places
  }

  /// Texts of two bytes a letter, as ASCII.
  fileprivate var wideTexts: [(at: Int, text: [UInt8])] {
    var texts: [(at: Int, text: [UInt8])] = []
    for lead in [0, 1] {
      var (start, text): (Int, [UInt8]) = (0, [])
      var at = 0
      while at + 1 < count {
        let (letter, zero) = (self[at + lead], self[at + 1 - lead])
        if zero == 0, (0x20...0x7E).contains(letter) {
          if text.isEmpty { start = at }
          text.append(letter)
          at += 2
        } else {
          if text.count >= 6 { texts.append((start, text)) }
          at += 1
          text = []
        }
      }
      if text.count >= 6 { texts.append((start, text)) }
    }
    return texts
  }
}

extension [UInt8] {
  /// ICC profiles, whose dates are not the photo's. Their size is 36 bytes before their signature.
  fileprivate var colorProfiles: [Range<Int>] {
    withUnsafeBytes { raw in
      raw.places(of: Array("acsp".utf8)).compactMap { at in
        guard at >= 36 else { return nil }
        let size = Int(raw.loadUnaligned(fromByteOffset: at - 36, as: UInt32.self).bigEndian)
        return (128...1 << 24).contains(size) ? at - 36..<at - 36 + size : nil
      }
    }
  }
}
