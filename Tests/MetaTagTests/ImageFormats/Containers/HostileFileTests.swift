import Foundation
import SystemPackage
import TestSupport
import Testing

@testable import MetaTag

@Suite("Hostile files", .enabled(if: Corpus.isThere, "\(Corpus.absence)"))
struct HostileFileTests {
  @Test(
    "A malformed file is read, edited or refused within a second.",
    arguments: ["jpeg", "jpeg-mixed", "tiff", "exiv2-poc"])
  func reading(folder: String) throws {
    var edit = MetadataEdit()
    edit.location = .set(Location(try .at(-33.8568, 151.2153), altitude: -12.5))
    edit.dates = .set(try #require(CivilTime(year: 2023, month: 1, day: 2).map { CaptureTime($0) }))
    var removal = MetadataEdit()
    removal.location = .remove
    for file in Corpus.files("malformed/" + folder) {
      let time = try processorTime {
        let source = try FileSource(file.filePath)
        _ = try? Editing.metadata(of: source)
        for wanted in [edit, removal] {
          do {
            let new = try Editing.edited(source, wanted)
            _ = try Editing.metadata(of: new)
          } catch let error as FileError {
            #expect(!error.description.isEmpty)
          }
        }
      }
      #expect(time < .seconds(1), "\(file.lastPathComponent)")
    }
  }

  @Test(
    "A file cut at any byte of its metadata is an error, never a trap.",
    arguments: [
      "corpus/jpeg-makernote/Canon.jpg", "corpus/jpeg-makernote/Olympus.jpg", "corpus/tiff/exif.tif",
      "corpus/tiff/BigTIFF.tif", "corpus/jpeg-special/frame_size.mpo",
    ])
  func truncation(path: String) throws {
    let whole = [UInt8](try Data(contentsOf: Corpus.shared.appending(path: path)))
    var edit = MetadataEdit()
    edit.location = .set(Location(try .at(1, 2)))
    let layout = try Editing.container(of: Bytes(whole)).layout(of: Bytes(whole))
    let end = min(whole.count, layout.imageData.first?.lowerBound ?? whole.count, 20_000)
    for count in stride(from: 4, to: end, by: 7) {
      let cut = Bytes(Array(whole[..<count]))
      _ = try? Editing.metadata(of: cut)
      if let new = try? Editing.edited(cut, edit) { _ = try? Editing.metadata(of: new) }
      if path.hasSuffix("g") { #expect(throws: FileError.self) { try Editing.edited(cut, edit) } }
    }
  }
}
