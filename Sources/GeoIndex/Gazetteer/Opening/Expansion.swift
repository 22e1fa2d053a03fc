import Basics
import Foundation

/// Creates the searchable files from the compact gazetteer: the index of places, and the index of town positions.
///
/// Places are numbered by importance (`rank`, 0 is the highest).
struct Expansion {
  /// A part of the file names, with `Folding.version`. Increase it when the files change.
  static let version = 14
  /// The files that are created, by their extensions.
  static let parts = ["places", "towns"]

  private let gazetteer: GazetteerFile
  private let counties: Counties?
  private let borders: Atlas?
  /// The numbers of regions in the file, by codes like `FR.11`.
  private let regions: [String: Int]
  private let importances: [Float]
  /// The numbers of places in the file, by rank.
  private let order: [Int]

  /// Writes `gazetteer` to new files, in parallel.
  /// - Parameters:
  ///   - counties: The counties; nil if unknown.
  ///   - cities: The cities whose parts are listed; nil if unknown.
  ///   - borders: The borders that decide in which region a feature lies; nil if the region of its town is enough.
  ///   - path: The common path, without file extensions.
  ///   - progress: Called with the completed share, 0...1; an error it throws cancels the work.
  static func write(
    _ gazetteer: GazetteerFile, counties: Counties?, cities: CityTable?, borders: Atlas?, to path: String,
    progress: (Double) throws -> Void
  ) throws {
    let expansion = Expansion(gazetteer, counties, borders)
    let towns = Future(catching: {
      try TownsFile.write(
        gazetteer, order: expansion.order, counties: counties, cities: cities, to: "\(path).towns")
    })
    let places = Result {
      try progress(0.1)
      try expansion.writePlaces(to: "\(path).places") { try progress(0.1 + 0.9 * $0) }
    }
    // Wait for both, even if one failed, so that nothing is written after this returns.
    let others = Result { try towns.get() }
    try places.get()
    try others.get()
    try progress(1)
  }

  private init(_ gazetteer: GazetteerFile, _ counties: Counties?, _ borders: Atlas?) {
    let weights = gazetteer.importances
    (self.gazetteer, self.counties, self.borders, importances) = (gazetteer, counties, borders, weights)
    regions = Dictionary(
      gazetteer.regions.enumerated().lazy.compactMap { number, region in region.first.map { ($0, number) } },
      uniquingKeysWith: { first, _ in first })
    let places = gazetteer.places
    order = weights.indices.sorted { (weights[$1], places.id[$0]) < (weights[$0], places.id[$1]) }
  }

  private func writePlaces(to path: String, progress: (Double) throws -> Void) throws {
    var writer = try PlaceIndexWriter(in: (path as NSString).deletingLastPathComponent)
    try addAreas(to: &writer)
    try addPlaces(to: &writer) { try progress(0.4 * $0) }
    try writer.write(to: path) { try progress(0.4 + 0.6 * $0) }
  }

  /// Adds the regions, time zones and counties with the numbers that they have in the file.
  private func addAreas(to writer: inout PlaceIndexWriter) throws {
    let names = Dictionary(
      gazetteer.countries.lazy.filter { $0.count > 1 }.map { ($0[0], $0[1]) }, uniquingKeysWith: { $1 })
    var whole: [String: Int] = [:]
    for (number, region) in gazetteer.regions.enumerated() {
      let codes = region[0].split(separator: ".", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
      guard codes.count == 2, codes[0].utf8.count == 2 else { throw GazetteerFile.damaged }
      // The regions are sorted: `FR.` comes before `FR.11`.
      if codes[1].isEmpty { whole[codes[0]] = number }
      _ = writer.addRegion(
        country: codes[0], countryName: names[codes[0]] ?? codes[0], code: codes[1], name: region.dropFirst().first,
        whole: whole[codes[0]] ?? Int(UInt16.max))
    }
    for name in gazetteer.zones { _ = writer.addZone(name) }
    for name in counties?.names ?? [] { writer.addCounty(name) }
  }

  private func addPlaces(to writer: inout PlaceIndexWriter, progress: (Double) throws -> Void) throws {
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
    try text.withUnsafeBufferPointer { text in
      for (rank, index) in order.enumerated() {
        if rank % 16_384 == 0 { try progress(Double(rank) / Double(order.count)) }
        try writer.add(record(index, importance: importances[index]))
        for start in starts {
          // Without the line feed.
          let line = lines[start + index]..<(lines[start + index + 1] - 1)
          let names = UnsafeBufferPointer(rebasing: text[line])
          if start == 0 {
            writer.addName(names, languages: nil, isOwn: true)
          } else {
            Self.addNames(of: names, to: &writer)
          }
        }
      }
    }
  }

  private func record(_ index: Int, importance: Float) -> PlaceIndexWriter.Record {
    let (places, kind) = (gazetteer.places, gazetteer.places.classes[index])
    let county = kind.isTown ? counties?.number(of: Int64(places.id[index])) : nil
    return PlaceIndexWriter.Record(
      id: Int64(places.id[index]), latitude: Int32(places.latitude[index] * 100),
      longitude: Int32(places.longitude[index] * 100), region: region(of: index), kind: kind,
      importance: importance, radius: UInt16(clamping: places.radius[index]), population: places.population[index],
      zone: places.zone[index], county: county ?? PlaceIndex.noCounty)
  }

  /// Returns the region of a place. The file has that of a feature's town, which may be beyond a border: what is written
  /// into a photo is the region within whose borders it lies.
  private func region(of index: Int) -> Int {
    let places = gazetteer.places
    let usual = places.region[index]
    guard let borders, case .feature = places.classes[index] else { return usual }
    let point = Lattice(Coordinate(latitudeE5: places.latitude[index], longitudeE5: places.longitude[index]))
    let here = borders.spot(point, in: borders.zone(point))
    guard here.region != AreaSet.none, let number = regions[borders.regions.areas[Int(here.region)][1]],
      gazetteer.regions[usual][0].prefix(3) == gazetteer.regions[number][0].prefix(3)
    else { return usual }
    return number
  }

  /// Adds the names of a line: each has its languages after U+001F, and tabs separate them.
  private static func addNames(of line: UnsafeBufferPointer<UInt8>, to writer: inout PlaceIndexWriter) {
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
        writer.addName(name, languages: languages, isOwn: false)
      }
      start = end + 1
    }
  }
}
