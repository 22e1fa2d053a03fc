import Basics
import CSys
import Foundation

/// The compact gazetteer that comes with the program, as written by Scripts/gazetteer/build (which describes the format).
package struct GazetteerFile {
  /// The content of the first line.
  struct Header: Hashable {
    /// Sixteen letters that differ whenever the content does.
    let digest: String
    let count: Int
  }

  let header: Header
  /// The code and the name of each country.
  let countries: [[String]]
  /// `country.region` and, if known, the region's name. Places outside all regions of a country belong to `country.`
  let regions: [[String]]
  let zones: [String]
  let places: Places

  /// The places as columns, with one value per place in each column.
  struct Places {
    /// Indices of `regions`.
    let region: [Int]
    let id: [Int]
    /// The latitude in degrees times 100,000.
    let latitude: [Int]
    let longitude: [Int]
    /// Indices of `zones`.
    let zone: [Int]
    let population: [Int]
    let classes: [PlaceClass]
    /// The importance of features in thousandths; 0 if it follows from the class and the population.
    let importance: [Int]
    /// The radius in units of 100 m; 0 if unknown.
    let radius: [Int]
    let names: TextColumn
    /// One column for each script. U+001F is followed by the languages that use a name, or by `=` if it is a code.
    let aliases: [TextColumn]
  }

  package init(contentsOf path: String) throws(GeoIndexError) {
    let bytes: [UInt8]
    do { bytes = [UInt8](try Data(contentsOf: URL(filePath: path))) } catch { throw Self.missing }
    var rest = bytes[...]
    header = try Self.header(&rest)
    var sections = Sections(rest: rest)
    countries = try sections.nextText().records()
    regions = try sections.nextText().records()
    let zones = try sections.nextText().records()
    guard (countries + regions + zones).allSatisfy({ !$0.isEmpty }), regions.allSatisfy({ $0[0].utf8.count > 2 }) else {
      throw Self.damaged
    }
    self.zones = zones.map { $0[0] }
    let count = header.count
    places = Places(
      region: try sections.nextSteps(count, in: 0..<min(regions.count, Int(UInt16.max))),
      id: try sections.nextSteps(count, in: -(1 << 51)..<(1 << 40)),
      latitude: try sections.nextSteps(count, in: -9_000_000..<9_000_001),
      longitude: try sections.nextSteps(count, in: -18_000_000..<18_000_001),
      zone: try sections.nextSteps(count, in: 0..<zones.count),
      population: try sections.nextNumbers(count, in: 0..<Int(Int32.max)),
      classes: try sections.nextClasses(count),
      importance: try sections.nextNumbers(count, in: 0..<1_001),
      radius: try sections.nextNumbers(count, in: 0..<100_000),
      names: try sections.nextText(),
      aliases: try sections.remainingTexts())
  }

  /// The likelihood that each place is meant, all else being equal.
  package var importances: [Float] {
    var names = [Int](repeating: 0, count: header.count)
    for column in places.aliases {
      // There is one line for each place if the file is valid; its names are separated by tabs.
      var (place, isEmpty) = (0, true)
      for byte in column.bytes where place < names.count {
        if byte == 0x0A {
          (place, isEmpty) = (place + 1, true)
        } else if isEmpty || byte == 0x09 {
          names[place] += 1
          isEmpty = false
        }
      }
    }
    return places.classes.indices.map {
      guard places.importance[$0] == 0 else { return Float(places.importance[$0]) / 1_000 }
      return Importance.of(places.classes[$0], population: places.population[$0], names: names[$0])
    }
  }

  /// Reads only the first line.
  static func header(of path: String) throws(GeoIndexError) -> Header {
    guard let file = FileHandle(forReadingAtPath: path) else { throw missing }
    defer { try? file.close() }
    let start: Data?
    do { start = try file.read(upToCount: 100) } catch { throw missing }
    var bytes = [UInt8](start ?? Data())[...]
    return try header(&bytes)
  }

  private static func header(_ bytes: inout ArraySlice<UInt8>) throws(GeoIndexError) -> Header {
    guard let end = bytes.prefix(100).firstIndex(of: 0x0A) else { throw damaged }
    let words = String(decoding: bytes[..<end], as: UTF8.self).split(separator: " ")
    guard words.count == 5, words[..<3] == ["metatag", "gazetteer", "4"], let count = Int(words[4]),
      (0...10_000_000).contains(count), words[3].utf8.allSatisfy({ Character(Unicode.Scalar($0)).isHexDigit })
    else { throw damaged }
    bytes = bytes[(end + 1)...]
    return Header(digest: String(words[3]), count: count)
  }

  static let missing = GeoIndexError(
    .missingGazetteer,
    "gazetteer.bin was not found next to the program or in ../share/metatag/gazetteer",
    remedy: .reinstall)
  static let damaged = GeoIndexError(
    .damagedGazetteer, "the gazetteer that came with the program (gazetteer.bin) is damaged", remedy: .reinstall)
}

/// Reads the compressed sections of a gazetteer file one after the other.
struct Sections {
  var rest: ArraySlice<UInt8>

  /// An upper limit for a section's size, so that a damaged length doesn't allocate memory.
  private static let longest = 1 << 28

  mutating func nextText() throws(GeoIndexError) -> TextColumn { TextColumn(bytes: try next()) }

  mutating func remainingTexts() throws(GeoIndexError) -> [TextColumn] {
    var texts: [TextColumn] = []
    while !rest.isEmpty { texts.append(try nextText()) }
    return texts
  }

  /// Reads numbers that are stored as differences to the previous one.
  mutating func nextSteps(_ count: Int, in range: Range<Int>) throws(GeoIndexError) -> [Int] {
    try numbers(count, in: range, stepping: true)
  }

  mutating func nextNumbers(_ count: Int, in range: Range<Int>) throws(GeoIndexError) -> [Int] {
    try numbers(count, in: range, stepping: false)
  }

  mutating func nextClasses(_ count: Int) throws(GeoIndexError) -> [PlaceClass] {
    let numbers = try nextNumbers(count, in: 0..<PlaceClass.count)
    let classes = numbers.compactMap { PlaceClass(rawValue: UInt8($0)) }
    guard classes.count == count else { throw GazetteerFile.damaged }
    return classes
  }

  /// Reads numbers in zigzag LEB128.
  private mutating func numbers(_ count: Int, in range: Range<Int>, stepping: Bool) throws(GeoIndexError) -> [Int] {
    var numbers: [Int] = []
    numbers.reserveCapacity(count)
    var (value, shift, before) = (UInt64(0), UInt64(0), 0)
    for byte in try next() {
      guard shift < 56 else { throw GazetteerFile.damaged }
      value |= UInt64(byte & 0x7F) << shift
      shift += 7
      guard byte < 0x80 else { continue }
      // At most 56 bits, so the sum can't overflow.
      let number = Int(value >> 1) ^ -Int(value & 1)
      before = stepping ? before + number : number
      guard range.contains(before) else { throw GazetteerFile.damaged }
      numbers.append(before)
      (value, shift) = (0, 0)
    }
    guard numbers.count == count, shift == 0 else { throw GazetteerFile.damaged }
    return numbers
  }

  private mutating func next() throws(GeoIndexError) -> [UInt8] {
    let (packed, length) = (try length(), try length())
    guard packed <= rest.count, length <= Self.longest else { throw GazetteerFile.damaged }
    let stream = rest.prefix(packed)
    rest = rest.dropFirst(packed)
    var got = uLong(length)
    let bytes = [UInt8](unsafeUninitializedCapacity: length) { buffer, filled in
      let status = stream.withUnsafeBufferPointer {
        uncompress(buffer.baseAddress, &got, $0.baseAddress, uLong(packed))
      }
      filled = status == Z_OK ? Int(got) : 0
    }
    // zlib has verified its own checksum.
    guard bytes.count == length else { throw GazetteerFile.damaged }
    return bytes
  }

  private mutating func length() throws(GeoIndexError) -> Int {
    guard rest.count >= 4 else { throw GazetteerFile.damaged }
    defer { rest = rest.dropFirst(4) }
    return rest.prefix(4).reversed().reduce(0) { $0 << 8 | Int($1) }
  }
}

/// Lines of UTF-8, each with names separated by tabs.
struct TextColumn {
  let bytes: [UInt8]

  /// Returns the whole column, with one array of names for each line.
  func records() -> [[String]] {
    bytes.split(separator: 0x0A, omittingEmptySubsequences: false).dropLast()
      .map { $0.split(separator: 0x09).map { String(decoding: $0, as: UTF8.self) } }
  }

  /// Returns the offset at which each line begins, and the end.
  func lineStarts() -> [Int] {
    var starts = [0]
    bytes.withUnsafeBufferPointer { bytes in
      for position in bytes.indices where bytes[position] == 0x0A { starts.append(position + 1) }
    }
    return starts
  }
}
