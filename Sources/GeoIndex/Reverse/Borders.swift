import Foundation
import GRDB
import Synchronization

/// The borders and towns of a gazetteer, read when they are first asked for, and once.
final class Borders: Sendable {
  private let folder: URL
  private let towns: TownsFile
  private let read = Mutex<(atlas: Atlas?, geography: Geography?)>((nil, nil))

  /// - Parameter folder: where `zones.bin` and its likes are.
  init(folder: URL, towns: TownsFile) {
    self.folder = folder
    self.towns = towns
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

  /// - Parameter query: runs a question against the gazetteer's database.
  func geography(
    _ query: ((Database) throws -> Towns) throws(GeoIndexError) -> Towns
  ) throws(GeoIndexError) -> Geography {
    let atlas = try atlas
    return try read.withLock { read throws(GeoIndexError) in
      if let geography = read.geography { return geography }
      let towns = try query { db in
        try self.towns.open(db) { () throws(GeoIndexError) in
          try Counties(BorderReader.bytes(of: folder.appending(path: "counties.bin")))
        }
      }
      let geography = Geography(atlas: atlas, towns: towns)
      read.geography = geography
      return geography
    }
  }
}
