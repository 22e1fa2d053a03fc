import Basics
import Foundation

/// Writes the index of names (`NameIndex`).
struct NameIndexWriter {
  private let gazetteer: GazetteerFile
  private let importances: [Float]
  private let order: [Int]
  private let counties: Counties?
  private var folding = Folding()
  private var columns = NameColumns()
  private var key = Folding.Key()
  /// The sets of languages, numbered from 1.
  private var languages: [String: Int] = [:]

  /// - Parameters:
  ///   - importances: The importance of each place in the file.
  ///   - order: The numbers of places in the file, by rank.
  ///   - counties: The counties; nil if unknown.
  init(gazetteer: GazetteerFile, importances: [Float], order: [Int], counties: Counties?) {
    self.gazetteer = gazetteer
    self.importances = importances
    self.order = order
    self.counties = counties
  }

  /// - Parameter progress: Called with the completed share, 0...1.
  mutating func write(to path: String, progress: (Double) throws -> Void) throws {
    try writeAreas()
    try writeNames { try progress(0.7 * $0) }
    try writeTexts()
    try progress(0.7)
    let columns = columns
    try columns.write(
      entries: Future { SuffixOrder.sorted(columns) }, typos: Future { TypoTable(columns) },
      sounds: Future { SoundTable(columns) }, to: path)
  }

  private mutating func writeAreas() throws {
    columns.areaPlaces = [UInt32](repeating: .max, count: gazetteer.regions.count)
    var whole: [Substring: UInt16] = [:]
    for (number, names) in gazetteer.regions.enumerated() {
      guard names[0].utf8.count > 2 else { throw GazetteerFile.damaged }
      let country = names[0].prefix(2)
      // The regions are sorted: `FR.` comes before `FR.11`.
      if names[0].utf8.count == 3 { whole[country] = UInt16(number) }
      columns.areaCountries.append(whole[country] ?? .max)
      columns.countryCodes.append(NameIndex.countryCode(country))
    }
  }

  private mutating func writeNames(progress: (Double) throws -> Void) throws {
    let places = gazetteer.places
    // All columns in one buffer, so that names are slices of it, not copies.
    let all = [places.names] + places.aliases
    var (text, lines, starts) = ([UInt8](), [Int](), [Int]())
    text.reserveCapacity(all.reduce(0) { $0 + $1.bytes.count })
    for column in all {
      let ends = column.lineStarts()
      guard ends.count == order.count + 1 else { throw GazetteerFile.damaged }
      starts.append(lines.count)
      lines += ends.map { text.count + $0 }
      text += column.bytes
    }
    columns.reserve(places: order.count, text: text.count)
    try text.withUnsafeBufferPointer { text in
      for (rank, index) in order.enumerated() {
        if rank % 16_384 == 0 { try progress(Double(rank) / Double(order.count)) }
        let kind = places.classes[index]
        if kind == .region || kind == .country { columns.areaPlaces[places.region[index]] = UInt32(rank) }
        let county = kind.isTown ? counties?.number(of: Int64(places.id[index])) : nil
        columns.addPlace(
          latitude: places.latitude[index], longitude: places.longitude[index], region: places.region[index],
          county: county ?? NameIndex.noCounty, kind: kind, importance: importances[index])
        for start in starts {
          // Without the line feed.
          let line = lines[start + index]..<(lines[start + index + 1] - 1)
          if start == 0 {
            add(UnsafeBufferPointer(rebasing: text[line]), languages: nil, isOwn: true)
          } else if !line.isEmpty {
            addAliases(UnsafeBufferPointer(rebasing: text[line]))
          }
        }
      }
    }
    columns.firstAliases.append(UInt32(columns.aliasPlaces.count))
  }

  /// - Parameter line: Names, separated by tabs.
  private mutating func addAliases(_ line: UnsafeBufferPointer<UInt8>) {
    var start = 0
    while start < line.count {
      var (end, mark) = (start, -1)
      while end < line.count, line[end] != 0x09 {
        if line[end] == 0x1F, mark < 0 { mark = end }
        end += 1
      }
      if end > start {
        let name = UnsafeBufferPointer(rebasing: line[start..<(mark < 0 ? end : mark)])
        let languages = mark < 0 ? nil : UnsafeBufferPointer(rebasing: line[(mark + 1)..<end])
        add(name, languages: languages, isOwn: false)
      }
      start = end + 1
    }
  }

  private mutating func add(
    _ name: UnsafeBufferPointer<UInt8>, languages tags: UnsafeBufferPointer<UInt8>?, isOwn: Bool
  ) {
    let language = tags.map { number(ofLanguages: $0) } ?? 0
    folding.fold(name, into: &key)
    let isInitials = tags == nil && (2...4).contains(name.count) && name.allSatisfy { (0x41...0x5A).contains($0) }
    let flags = isOwn ? NameIndex.own : tags?.first == 0x3D ? NameIndex.code : isInitials ? NameIndex.initials : 0
    columns.addAlias(key: key, name: name, language: language, flags: flags)
    guard let spelled = Folding.spelledOut(name) else { return }
    folding.fold(spelled, into: &key)
    columns.addAlias(key: key, name: name, language: language, flags: flags)
  }

  private mutating func number(ofLanguages tags: UnsafeBufferPointer<UInt8>) -> UInt16 {
    let name = String(decoding: tags, as: UTF8.self)
    let number = languages[name] ?? languages.count + 1
    languages[name] = number
    // `writeTexts` throws if there are more.
    return UInt16(truncatingIfNeeded: number)
  }

  private mutating func writeTexts() throws {
    guard languages.count <= UInt16.max else { throw GazetteerFile.damaged }
    columns.languageTexts = [columns.addText([])]
    for (name, _) in languages.sorted(by: { $0.value < $1.value }) {
      columns.languageTexts.append(columns.addText(name.utf8))
    }
    for name in counties?.names ?? [] { columns.countyTexts.append(columns.addText(name.utf8)) }
  }
}
