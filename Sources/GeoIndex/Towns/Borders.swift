import Foundation
import Synchronization

/// The borders and towns of a gazetteer, loaded once, on first use.
final class Borders: Sendable {
  private let folder: URL
  private let towns: FileHandle?
  private let read = Mutex<(atlas: Atlas?, geography: Geography?, rule: CityRule?)>((nil, nil, nil))

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
