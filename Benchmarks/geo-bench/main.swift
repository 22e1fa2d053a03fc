import Foundation
import GeoIndex
import Glibc

// Measures GeoIndex as a program would use it, in one thread, by CPU time:
//   geo-bench CACHE reverse POINTS     POINTS: pairs of little-endian doubles, latitude and longitude
//   geo-bench CACHE search QUERIES     QUERIES: a name a line
//   geo-bench CACHE open -             only opens, after the gazetteer was expanded
// and prints one figure a line: its name, a tab, the number.

func seconds() -> Double {
  var time = timespec()
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time)
  return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
}

func report(_ name: String, _ value: Double) { print("\(name)\t\(value)") }

/// The 95th of a hundred, in milliseconds.
func p95(_ times: [Double]) -> Double { times.sorted()[max(0, times.count * 95 / 100 - 1)] * 1000 }

func measureReverse(_ index: Gazetteer, _ file: String) throws {
  let bytes = try Data(contentsOf: URL(filePath: file))
  let numbers = bytes.withUnsafeBytes { Array($0.bindMemory(to: Double.self)) }
  let points = stride(from: 0, to: numbers.count, by: 2).map { (latitude: numbers[$0], longitude: numbers[$0 + 1]) }
  var start = seconds()
  _ = try index.reverse(latitude: 48.2, longitude: 16.4)
  report("first reverse ms", (seconds() - start) * 1000)
  var (best, known) = ([Double.infinity, .infinity], [0, 0])
  for _ in 0..<3 {
    start = seconds()
    known[0] = 0
    for point in points {
      let place = try index.reverse(latitude: point.latitude, longitude: point.longitude)
      if place.countryCode != nil { known[0] += 1 }
    }
    best[0] = min(best[0], seconds() - start)
    start = seconds()
    known[1] = try index.reverse(points).reduce(0) { $0 + ($1.countryCode == nil ? 0 : 1) }
    best[1] = min(best[1], seconds() - start)
  }
  precondition(known[0] == known[1], "one by one and in a batch, as many places must be known")
  report("reverse one by one /s", Double(points.count) / best[0])
  report("reverse batch /s", Double(points.count) / best[1])
}

func measureSearch(_ index: Gazetteer, _ file: String) throws {
  let queries = try String(contentsOf: URL(filePath: file), encoding: .utf8).split(separator: "\n").map(String.init)
  func times(_ texts: [String], isCompleting: Bool) throws -> [Double] {
    try texts.map { text in
      let start = seconds()
      _ = try index.search(text, isCompleting: isCompleting, limit: 5)
      return seconds() - start
    }
  }
  // The pages of the index are read once.
  _ = try times(queries, isCompleting: false)
  let whole = try times(queries, isCompleting: false)
  report("search p95 ms", p95(whole))
  report("search /s", Double(whole.count) / whole.reduce(0, +))
  let typos = queries.filter { $0.count > 4 }.map { text in
    var letters = Array(text)
    letters.swapAt(2, 3)
    return String(letters)
  }
  report("with typos p95 ms", p95(try times(typos, isCompleting: false)))
  for length in 1...2 {
    report("\(length) typed p95 ms", p95(try times(queries.map { String($0.prefix(length)) }, isCompleting: true)))
  }
  let longer = queries.flatMap { text in (3...8).map { String(text.prefix($0)) } }
  report("3 to 8 typed p95 ms", p95(try times(longer, isCompleting: true)))
}

let arguments = CommandLine.arguments
guard arguments.count == 4, ["reverse", "search", "open"].contains(arguments[2]) else {
  print("usage: geo-bench CACHE reverse|search|open FILE")
  exit(64)
}
// The first time, the gazetteer may have to be expanded.
_ = try Gazetteer.openDefault(cacheDirectory: URL(filePath: arguments[1]))
let start = seconds()
let index = try Gazetteer.openDefault(cacheDirectory: URL(filePath: arguments[1]))
report("open ms", (seconds() - start) * 1000)
switch arguments[2] {
case "reverse": try measureReverse(index, arguments[3])
case "search": try measureSearch(index, arguments[3])
default: break
}
