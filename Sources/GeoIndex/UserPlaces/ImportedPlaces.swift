import Basics
import Foundation

/// The places of an import while its file is read. They are in a temporary file; memory holds a few bytes for each.
struct ImportedPlaces {
  private let folder: String
  private let file: SpilledColumn<UInt8>
  /// For each place, its importance and where its record begins: sorted, they are the order of the index.
  private var order: [UInt64] = []
  private var numbers: [Int64: UInt32] = [:]
  private var areas = AreaNumbers()
  private var zones = TextNumbers(limit: Int(UInt16.max))
  private var categories = TextNumbers(limit: Int(Int32.max))

  /// The bits of the position of a record.
  private static let positionBits = 48

  /// Creates an empty import.
  /// - Parameter folder: The folder of temporary files.
  init(in folder: String) throws {
    self.folder = folder
    file = try SpilledColumn(in: folder)
  }

  var count: Int { order.count }

  /// Adds a place.
  /// - Returns: False if there is already one with its id.
  mutating func add(_ place: Place, names: [PlaceDraft.Name]) throws -> Bool {
    guard numbers[place.id] == nil else { return false }
    numbers[place.id] = UInt32(order.count)
    let rank = UInt64(1_000 - (max(0, min(1, place.importance)) * 1_000).rounded())
    order.append(rank << UInt64(Self.positionBits) | UInt64(file.count))
    let own = place.own
    var record = ImportRecord()
    record.id = place.id
    record.latitude = Int32((place.latitude * PlaceIndex.unitsPerDegree).rounded())
    record.longitude = Int32((place.longitude * PlaceIndex.unitsPerDegree).rounded())
    record.region = areas.number(of: place)
    record.zone = UInt16(zones.number(of: place.timeZone))
    record.kind = PlaceClass(of: place.kind)?.rawValue ?? PlaceClass(settlement: place.kind).rawValue
    record.importance = Float(place.importance)
    record.population = UInt32(clamping: place.population)
    record.category = own?.category.map { Int32(categories.number(of: $0)) } ?? -1
    record.altitude = own?.altitude ?? .nan
    record.radius = Float(own?.radius ?? 0)
    let names = Self.joined(names, to: place.name)
    record.size = UInt32(names.reduce(0) { $0 + 2 * MemoryLayout<UInt16>.size + $1.text.count + $1.languages.count })
    withUnsafeBytes(of: record) { file.append(contentsOf: $0) }
    for name in names {
      for count in [name.text.count, name.languages.count] {
        withUnsafeBytes(of: UInt16(count)) { file.append(contentsOf: $0) }
      }
      file.append(contentsOf: name.text)
      file.append(contentsOf: name.languages)
    }
    if order.count % 16_384 == 0 { try file.check() }
    return true
  }

  /// Returns the place's own name and each other name once, with all of its languages.
  private static func joined(
    _ names: [PlaceDraft.Name], to own: String
  ) -> [(text: [UInt8], languages: [UInt8])] {
    var (texts, languages) = ([String](), [String: [String]]())
    for name in names where name.text != own || name.language != nil {
      if languages[name.text] == nil { texts.append(name.text) }
      if let language = name.language, languages[name.text]?.contains(language) != true {
        languages[name.text, default: []].append(language)
      } else {
        languages[name.text, default: []] += []
      }
    }
    let others = texts.map { text in
      (Array(text.utf8), Array((languages[text] ?? []).joined(separator: ",").utf8))
    }
    return [(Array(own.utf8), [])] + others.filter { $0.0.count + $0.1.count <= Int(UInt16.max) }
  }

  /// Returns the name and position of the place that has an id; nil if there is none.
  func place(_ id: Int64) throws -> (name: String, latitude: Int32, longitude: Int32)? {
    guard let number = numbers[id] else { return nil }
    let (record, names) = try ImportRecord.read(at: Self.position(order[Int(number)]), in: file)
    return (String(decoding: names.first?.text ?? [], as: UTF8.self), record.latitude, record.longitude)
  }

  private static func position(_ key: UInt64) -> Int { Int(key & (1 << UInt64(positionBits) - 1)) }

  /// Writes the index.
  /// - Parameter progress: Called with the completed share of the work, 0...1.
  consuming func write(to path: String, progress: (Double) throws -> Void) throws {
    // The memory is needed for sorting.
    numbers = [:]
    order.sort()
    var writer = try PlaceIndexWriter(in: folder)
    for area in areas.all {
      _ = writer.addRegion(
        country: area.code, countryName: area.country, code: "", name: area.region, whole: area.whole)
    }
    for zone in zones.texts { _ = writer.addZone(zone) }
    for category in categories.texts { _ = writer.addCategory(category) }
    for (number, key) in order.enumerated() {
      if number % 16_384 == 0 { try progress(0.5 * Double(number) / Double(order.count)) }
      let (record, names) = try ImportRecord.read(at: Self.position(key), in: file)
      try writer.add(record.place)
      for (number, name) in names.enumerated() {
        name.text.withUnsafeBufferPointer { text in
          name.languages.withUnsafeBufferPointer { languages in
            writer.addName(text, languages: languages.isEmpty ? nil : languages, isOwn: number == 0)
          }
        }
      }
    }
    order = []
    try writer.write(to: path) { try progress(0.5 + 0.5 * $0) }
  }
}

/// The numbers of distinct texts, in the order in which they occur.
private struct TextNumbers {
  private(set) var texts: [String] = []
  private var numbers: [String: Int] = [:]
  /// The number of texts that are kept. Further ones are treated like an empty text.
  private let limit: Int

  init(limit: Int) {
    self.limit = limit
    _ = number(of: "")
  }

  mutating func number(of text: String) -> Int {
    if let number = numbers[text] { return number }
    guard texts.count < limit else { return 0 }
    numbers[text] = texts.count
    texts.append(text)
    return texts.count - 1
  }
}

/// The numbers of the countries and regions of places.
private struct AreaNumbers {
  struct Area: Hashable {
    let code: String
    let country: String
    let region: String?
  }

  /// The first is of places whose country is unknown.
  private(set) var all: [(code: String, country: String, region: String?, whole: Int)] = [("", "", nil, 0)]
  private var numbers = [Area(code: "", country: "", region: nil): 0]

  /// The number of areas from which on no region is added, so that there is room for any country.
  private static let most = Int(UInt16.max) - 1_000

  mutating func number(of place: Place) -> UInt16 {
    let area = Area(code: place.countryCode, country: place.country, region: place.admin1)
    if let number = numbers[area] { return UInt16(number) }
    let country = Area(code: area.code, country: area.country, region: nil)
    let whole = numbers[country] ?? all.count
    if whole == all.count {
      guard all.count < Int(UInt16.max) else { return 0 }
      numbers[country] = whole
      all.append((area.code, area.country, nil, whole))
    }
    // A file with as many regions has other data in that column: then the country is enough.
    guard area.region != nil, all.count < Self.most else { return UInt16(whole) }
    numbers[area] = all.count
    all.append((area.code, area.country, area.region, whole))
    return UInt16(all.count - 1)
  }
}

/// The record of a place in the temporary file; its names follow.
private struct ImportRecord: BitwiseCopyable {
  var id: Int64 = 0
  var altitude = Double.nan
  var latitude: Int32 = 0
  var longitude: Int32 = 0
  var importance: Float = 0
  /// The radius in metres.
  var radius: Float = 0
  var population: UInt32 = 0
  var category: Int32 = -1
  /// The size of the names in bytes.
  var size: UInt32 = 0
  var region: UInt16 = 0
  var zone: UInt16 = 0
  var kind: UInt8 = 0

  /// The record of the index.
  var place: PlaceIndexWriter.Record {
    PlaceIndexWriter.Record(
      id: id, latitude: latitude, longitude: longitude, region: Int(region), kind: PlaceClass(rawValue: kind) ?? .city,
      importance: importance,
      radius: Double(radius) > PlaceIndex.widestPoint ? UInt16(clamping: Int((radius / 100).rounded(.up))) : 0,
      population: Int(population), zone: Int(zone),
      own: .init(category: category < 0 ? nil : Int(category), altitude: altitude, radius: radius))
  }

  /// Reads a record and its names.
  static func read(
    at position: Int, in file: SpilledColumn<UInt8>
  ) throws -> (record: ImportRecord, names: [(text: [UInt8], languages: [UInt8])]) {
    let head = MemoryLayout<ImportRecord>.size
    // Most records are shorter.
    var bytes = try file.values(from: position, count: 512)
    let record = bytes.withUnsafeBytes { $0.loadUnaligned(as: ImportRecord.self) }
    let end = head + Int(record.size)
    if end > bytes.count { bytes = try file.values(from: position, count: end) }
    var (names, start) = ([(text: [UInt8], languages: [UInt8])](), head)
    func next(_ count: Int) -> [UInt8] {
      defer { start += count }
      return Array(bytes[start..<(start + count)])
    }
    while start < end {
      let counts = [next(2), next(2)].map { Int($0[0]) | Int($0[1]) << 8 }
      names.append((next(counts[0]), next(counts[1])))
    }
    return (record, names)
  }
}

extension PlaceClass {
  /// The class of an imported place of a kind that isn't a feature.
  fileprivate init(settlement kind: Place.Kind) {
    self =
      switch kind {
      case .capital: .capital
      case .locality: .locality
      case .airport: .airport
      case .admin1: .region
      case .country: .country
      default: .city
      }
  }
}
