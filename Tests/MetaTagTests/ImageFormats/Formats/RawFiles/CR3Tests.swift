@testable import ImageFormats
import Foundation
import TestSupport
import Testing

@testable import MetaTag

/// LibRaw, which most programs use to read a CR3, accepts a slot only if its directory follows the header directly.
@Suite("CR3")
struct CR3Tests {
  /// The offset of the directory in each slot, as its header has it.
  private static func starts(in raw: Bytes) throws -> [Int] {
    try ["CMT1", "CMT2", "CMT3", "CMT4"].map { name in
      let start = try #require(raw.firstIndex(of: Array(name.utf8)))
      let order: Bytes.Order = try raw.u16(start + 4, .big) == 0x4949 ? .little : .big
      return Int(try raw.u32(start + 8, order))
    }
  }

  private static func edits() throws -> [(String, MetadataEdit)] {
    var place = MetadataEdit()
    place.location = .set(Location(try .at(47.6062, -122.3321), altitude: 56))
    var coarse = MetadataEdit()
    coarse.location = .set(Location(try .at(47.5, -122.5)))
    coarse.erasesOldPlace = true
    var removal = MetadataEdit()
    removal.location = .remove
    var date = MetadataEdit()
    date.dates = .set(
      CaptureTime(try #require(CivilTime(exif: "2024:05:23 18:38:41")), offset: UTCOffset("+09:00")))
    var camera = MetadataEdit()
    camera.fields = [.artist: .set(.text("Ada Lovelace")), .lensMake: .set(.text("Canon"))]
    var fewer = MetadataEdit()
    fewer.fields = [.artist: .remove, .lensMake: .remove]
    var undated = MetadataEdit()
    undated.erasesDates = true
    return [
      ("place", place), ("date", date), ("camera", camera), ("coarse", coarse), ("no place", removal),
      ("place again", place), ("no camera", fewer), ("no date", undated), ("camera again", camera),
    ]
  }

  @Test("Every directory stays directly after its header, whatever changes.")
  func samples() throws {
    let old = CR3Sample.raw()
    for (name, edit) in try Self.edits() {
      #expect(try Self.starts(in: MovieSample.edited(old, edit)) == [8, 8, 8, 8], "\(name)")
    }
    var raw = old
    for (name, edit) in try Self.edits() {
      raw = try MovieSample.edited(raw, edit)
      #expect(try raw.count == old.count && Self.starts(in: raw) == [8, 8, 8, 8], "\(name)")
      let image = try MovieSample.open(raw)
      #expect(try image.patch(for: edit).isEmpty && image.metadata().model == "Canon EOS R0", "\(name)")
    }
  }

  @Test("A directory that is elsewhere moves after its header when it changes.", arguments: [2, 100])
  func elsewhere(lead: Int) throws {
    let old = CR3Sample.raw(lead: [UInt8](repeating: 0, count: lead))
    let (place, camera) = (try Self.edits()[0].1, try Self.edits()[2].1)
    #expect(try Self.starts(in: old) == [8 + lead, 8, 8, 8 + lead])
    let placed = try MovieSample.edited(old, place)
    #expect(try Self.starts(in: placed) == [8 + lead, 8, 8, 8])
    #expect(try Self.starts(in: MovieSample.edited(placed, camera)) == [8, 8, 8, 8])
  }

  @Test("Values in the way of a growing directory move, and unknown bytes are not overwritten.")
  func way() throws {
    let old = CR3Sample.raw()
    var edit = MetadataEdit()
    edit.fields = [.artist: .set(.text("Ada Lovelace")), .copyright: .set(.text("Ada Lovelace"))]
    let new = try MovieSample.edited(old, edit)
    let layout = try CR3Container().layout(of: new)
    let block = try TIFFBlock(new, #require(layout.exifDirectories[.ifd0]))
    #expect(block.ifd0.range == 8..<8 + 2 + 4 * 12 + 4)
    for tag in [0x010F, 0x0110, 0x013B, 0x8298] as [UInt16] {
      #expect(try #require(block.ifd0[tag]?.value).lowerBound >= block.ifd0.range.upperBound)
    }
    #expect(block.text(of: 0x010F, in: .ifd0) == "Canon" && block.text(of: 0x0110, in: .ifd0) == "Canon EOS R0")

    var bytes = old.array
    let slot = try #require(try CR3Container().layout(of: old).exifDirectories[.gps])
    bytes[slot.lowerBound + 40] = 0xAB
    let odd = Bytes(bytes)
    #expect(throws: FileError.self) { try MovieSample.edited(odd, try Self.edits()[0].1) }
    #expect(try MovieSample.edited(odd, try Self.edits()[1].1).count == old.count)
  }

  @Test(
    "Directories in real files stay directly after their headers.", .enabled(if: Corpus.isThere, "\(Corpus.absence)"))
  func real() throws {
    for file in Corpus.files("corpus/raw") where file.pathExtension.lowercased() == "cr3" {
      var raw = Bytes([UInt8](try Data(contentsOf: file)))
      #expect(try Self.starts(in: raw) == [8, 8, 8, 8])
      for (name, edit) in try Self.edits() {
        do throws(FileError) {
          raw = try Self.edited(raw, edit)
        } catch {
          #expect(error.kind == .tooLarge || name == "no date", "\(file.lastPathComponent), \(name): \(error)")
        }
        #expect(try Self.starts(in: raw) == [8, 8, 8, 8], "\(file.lastPathComponent), \(name)")
      }
      #expect(try MovieSample.open(raw).metadata().location != nil)
    }
  }

  private static func edited(_ raw: Bytes, _ edit: MetadataEdit) throws(FileError) -> Bytes {
    do { return try MovieSample.edited(raw, edit) } catch let error as FileError { throw error } catch {
      throw FileError(.io, "\(error)")
    }
  }
}
