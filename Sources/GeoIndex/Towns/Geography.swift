import Basics
import CSys
import Foundation
import Synchronization

/// Borders and towns in memory, which answer queries about positions.
final class Geography: Sendable {
  let atlas: Atlas
  let towns: Towns
  let sphere = Sphere()

  init(atlas: Atlas, towns: Towns) {
    self.atlas = atlas
    self.towns = towns
  }

  /// The number of answers by which the memory of an answer is prefetched: consecutive answers are far apart in memory.
  private static let ahead = 8

  /// Returns the answers in the order of the positions. They are computed in the order of the cells, so that data is in
  /// the processor's cache from the previous one, and shared data is looked up once.
  func answers(_ positions: [(latitude: Double, longitude: Double)]) throws(GeoIndexError) -> [PositionInfo.Answer] {
    let order = try CurveOrder(positions)
    return [PositionInfo.Answer](unsafeUninitializedCapacity: positions.count) { answers, count in
      csys_large_pages(answers.baseAddress, UInt(positions.count * MemoryLayout<PositionInfo.Answer>.stride))
      var neighbourhood = CellCache()
      order.entries.withUnsafeBufferPointer { entries in
        for run in 0..<order.starts.count - 1 {
          fetch(order, from: run)
          let (start, end) = (Int(order.starts[run]), Int(order.starts[run + 1]))
          let corner = Lattice(curve: entries[start].curve)
          neighbourhood.move(to: corner, in: self)
          for place in start..<end {
            let entry = entries[place]
            let next = Int(entries[min(place + Self.ahead, entries.count - 1)].index)
            csys_prefetch(answers.baseAddress.map { $0 + next })
            let point = Lattice(x: corner.x &+ Int(entry.x), y: corner.y &+ Int(entry.y))
            let answer = neighbourhood.answer(point, in: self)
            answers.initializeElement(at: Int(entry.index), to: answer)
          }
        }
      }
      count = positions.count
    }
  }

  /// Prefetches what the next sixteenths of a degree need, because random memory access is slow. Each step is
  /// prefetched when the data that leads to it has arrived.
  private func fetch(_ order: CurveOrder, from run: Int) {
    func corner(_ steps: Int) -> Lattice {
      let run = min(run + steps, order.starts.count - 2)
      return Lattice(curve: order.entries[Int(order.starts[run])].curve)
    }
    let (soon, later, last) = (corner(1), corner(3), corner(5))
    atlas.fetchCells(at: last)
    towns.grid.fetchEntry(of: last)
    atlas.fetchRecords(at: later)
    _ = towns.grid.list(of: later)
    _ = towns.candidates(in: towns.grid.list(of: soon))
  }

  func answer(_ point: Coordinate) -> PositionInfo.Answer { place(at: point).answer }

  /// Returns the answer and the time zones.
  func place(at point: Coordinate) -> (answer: PositionInfo.Answer, zone: AreaSet) {
    let cell = Lattice(point)
    // Random memory access is slow: each step prefetches what a later one reads.
    atlas.fetchCells(at: cell)
    towns.grid.fetchEntry(of: cell)
    atlas.fetchRecords(at: cell)
    let list = towns.grid.list(of: cell)
    let zone = atlas.zone(cell)
    let candidates = towns.candidates(in: list)
    let spot = atlas.spot(cell, in: zone)
    let here = Sphere.vector(cell, in: sphere.part(around: cell))
    let found = towns.nearest(of: candidates, to: here, country: spot.country)
    towns.fetchRecord(of: found)
    return (PositionInfo.Answer(found: found, spot: spot), zone)
  }

  /// Prefetches what `place(at:)` will read at the next points, step by step: each step prefetches what the previous one
  /// leads to.
  /// - Parameter point: Returns a point by the number of calls of `place(at:)` before it, at most `steps`.
  func fetch(_ point: (Int) -> Lattice) {
    let last = point(Self.steps)
    atlas.fetchCells(at: last)
    towns.grid.fetchEntry(of: last)
    let later = point(Self.steps * 3 / 4)
    atlas.fetchRecords(at: later)
    towns.grid.fetchPart(of: later)
    _ = towns.grid.list(of: point(Self.steps / 2))
    _ = towns.candidates(in: towns.grid.list(of: point(Self.steps / 4)))
  }

  /// How many points ahead the first step is.
  static let steps = 8
}

/// Answers queries about the points of one sixteenth of a degree; shared data is looked up once. The answers equal
/// those of `Geography.answer`.
struct CellCache {
  private var cell = Atlas.Cell()
  private var part = Sphere.Part()
  /// The range of the towns in the grid's lists.
  private var candidates = 0..<0
  /// The candidates of one country, to which most points belong.
  private var candidateTowns = CandidateTowns()

  /// Moves the cache to the sixteenth of a cell that contains a point.
  /// - Parameter point: Any point of the sixteenth.
  mutating func move(to point: Lattice, in geography: Geography) {
    cell.move(to: point, in: geography.atlas)
    part = geography.sphere.part(around: point)
    candidates = geography.towns.candidates(in: geography.towns.grid.list(of: point))
    candidateTowns.country = .none
  }

  /// Returns the areas and the nearest town at a point.
  /// - Parameter point: A point of the sixteenth that was moved to.
  mutating func answer(_ point: Lattice, in geography: Geography) -> PositionInfo.Answer {
    let spot = cell.spot(point, in: geography.atlas)
    let here = Sphere.vector(point, in: part)
    if spot.country == .none {
      return PositionInfo.Answer(
        found: geography.towns.nearest(of: candidates, to: here, country: .none), spot: spot)
    }
    if spot.country != candidateTowns.country {
      candidateTowns.fill(from: geography.towns, candidates, country: spot.country)
    }
    return PositionInfo.Answer(found: candidateTowns.nearest(to: here), spot: spot)
  }
}

/// The borders and towns of a gazetteer, loaded once, on first use.
final class Borders: Sendable {
  private let folder: URL
  private let towns: FileHandle?
  private let read = Mutex<(atlas: Atlas?, geography: Geography?, rule: CityRule?)>((nil, nil, nil))

  /// Creates borders that are read when they are first needed.
  /// - Parameters:
  ///   - folder: The folder of `zones.bin` and the other layers.
  ///   - towns: The path of the file of towns. It is held open, because another process may remove an old expansion.
  init(folder: URL, towns: String) {
    self.folder = folder
    self.towns = FileHandle(forReadingAtPath: towns)
  }

  var atlas: Atlas {
    get throws(GeoIndexError) {
      try read.withLock { read throws(GeoIndexError) in
        if let atlas = read.atlas { return atlas }
        let atlas = try Atlas(folder: folder)
        read.atlas = atlas
        return atlas
      }
    }
  }

  var geography: Geography {
    get throws(GeoIndexError) {
      if let known = read.withLock({ $0.geography }) { return known }
      let atlas = try atlas
      return try read.withLock { read throws(GeoIndexError) in
        if let geography = read.geography { return geography }
        let towns = try TownsFile.read("/proc/self/fd/\(towns?.fileDescriptor ?? -1)")
        let geography = Geography(atlas: atlas, towns: towns)
        read.geography = geography
        return geography
      }
    }
  }

  /// The rule that decides which city a position lies in; it also uses `cities.tsv`.
  var cityRule: CityRule {
    get throws(GeoIndexError) {
      let geography = try geography
      return try read.withLock { read throws(GeoIndexError) in
        if let rule = read.rule { return rule }
        let table = try CityTable(
          String(decoding: BorderReader.bytes(of: folder.appending(path: "cities.tsv")), as: UTF8.self))
        let rule = CityRule(geography, table)
        read.rule = rule
        return rule
      }
    }
  }
}
