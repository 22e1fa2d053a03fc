import Foundation
import SystemPackage
import TestSupport
import Testing

@testable import MetaTag

@Suite("Rows of a table and their photos")
struct TableAssignmentTests {
  let scratch: Scratch

  init() throws { scratch = try Scratch() }

  func file(_ name: String) throws -> FilePath {
    let url = scratch.url.appending(path: name)
    try FileManager.default.createDirectory(at: url.deletingLastPathComponent(), withIntermediateDirectories: true)
    try Data(name.utf8).write(to: url)
    return url.filePath
  }

  var folder: FilePath { scratch.url.filePath }

  /// Returns the row of each input, and the rows without a photo.
  func outcome(_ rows: String, _ photos: [FilePath]? = nil) throws -> (photos: [String], orphans: [String]) {
    let table = try PlaceTable(bytes: Array("file,lat,lon\n\(rows)".utf8))
    let assignment = TableAssignment(
      table, photos: photos.map { Walk.photos(in: $0, recursively: true) }, folder: folder)
    let words = assignment.inputs.map { input in
      let name = input.path.lastComponent?.string ?? ""
      if let failure = input.failure { return "\(name): \(failure.kind.rawValue)" }
      switch assignment.planner(for: Photo(input)).entry {
      case .success(let entry): return "\(name): \(entry.coordinate?.latitude ?? .nan)"
      case .failure(let failure): return "\(name): \(Reason.table(failure).values)"
      }
    }
    let orphans = photos == nil ? [] : assignment.orphans(to: assignment.inputs.map(Photo.init))
    return (words, orphans.map { "\($0.row.line)\($0.isAmbiguous ? "?" : "")" })
  }

  @Test("Without photos the table's files are used once each, by relative or absolute path.")
  func ofTable() throws {
    let (a, b) = (try file("a.jpg"), try file("day/b.jpg"))
    let result = try outcome("day/b.jpg,-2,1\n\(a.string),-1,1\nmissing.jpg,-3,1\n./a.jpg,-1,1\nday,-3,1")
    #expect(result.photos == ["b.jpg: -2.0", "a.jpg: -1.0", "missing.jpg: io", "day: io"])
    #expect(result.orphans.isEmpty)
    #expect(try outcome("\(b.string),-2,1").photos == ["b.jpg: -2.0"])
  }

  @Test("Photos that aren't in the table and rows without a photo are reported separately.")
  func named() throws {
    let (a, b) = (try file("a.jpg"), try file("b.jpg"))
    _ = try file("c.jpg")
    let result = try outcome("c.jpg,-3,1\na.jpg,-1,1\nnowhere.jpg,-4,1", [a, b])
    #expect(result.photos == ["a.jpg: -1.0", "b.jpg: notInTable"])
    #expect(result.orphans == ["2", "4"])
  }

  @Test("Two rows of one photo must agree.")
  func twice() throws {
    let a = try file("a.jpg")
    #expect(try outcome("a.jpg,-1,1\n./a.jpg,-1,1", [a]).photos == ["a.jpg: -1.0"])
    #expect(
      try outcome("a.jpg,-1,1\n./a.jpg,-2,1", [a]).photos
        == ["a.jpg: severalRows([2, 3])"])
  }

  @Test("A file name alone counts if the path doesn't exist and only one photo has the name.")
  func nameAlone() throws {
    let (a, b) = (try file("day/a.jpg"), try file("day/b.jpg"))
    let result = try outcome("/Volumes/CARD/a.jpg,-1,1\nC:\\photos\\b.jpg,-2,1", [a, b])
    #expect(result.photos == ["a.jpg: -1.0", "b.jpg: -2.0"])
    let other = try file("night/a.jpg")
    let ambiguous = try outcome("/Volumes/CARD/a.jpg,-1,1", [a, other])
    #expect(ambiguous.photos == ["a.jpg: notInTable", "a.jpg: notInTable"])
    #expect(ambiguous.orphans == ["2?"])
    // The path comes before the name, whatever their order; and two names for one photo must agree.
    #expect(try outcome("/x/a.jpg,-1,1\nday/a.jpg,-2,1", [a]).photos == ["a.jpg: -2.0"])
    #expect(try outcome("/x/a.jpg,-1,1\n/y/a.jpg,-2,1", [a]).photos[0].contains("severalRows"))
    // A row that names another existing file is not about this one.
    #expect(try outcome("night/a.jpg,-1,1", [a]).photos == ["a.jpg: notInTable"])
  }

  @Test("Rows about files of one photo must agree on the location.")
  func companions() throws {
    let (still, movie) = (try file("IMG_1.HEIC"), try file("IMG_1.MOV"))
    let inputs = Walk.photos(in: [still], recursively: false)
    var photo = Photo(try #require(inputs.first))
    photo.companions = [Photo.Companion(path: movie, role: .movie)]
    for (rows, expected) in [
      ("IMG_1.HEIC,-1,1\nIMG_1.MOV,-1.000004,1", -1.0), ("IMG_1.MOV,-2,1", -2.0),
      ("IMG_1.HEIC,-1,1\nIMG_1.MOV,-2,1", nil),
    ] {
      let table = try PlaceTable(bytes: Array("file,lat,lon\n\(rows)".utf8))
      let assignment = TableAssignment(table, photos: inputs, folder: folder)
      #expect(assignment.orphans(to: [photo]).isEmpty)
      let entry = assignment.planner(for: photo).entry
      #expect((try? entry.get().coordinate?.latitude) == expected)
    }
  }
}
