@testable import ImageFormats
import Foundation
import SystemPackage
import TestSupport
import Testing

@testable import MetaTag

@Suite(
  "Real movies", .enabled(if: Corpus.isThere && Oracle.has("exiftool"), "\(Corpus.absence), or exiftool is missing"))
struct RealMovieTests {
  private static func movies() -> [URL] {
    Corpus.files("corpus/mov").filter { $0.pathExtension != "jpg" }
      + Corpus.files("corpus/raw").filter { $0.pathExtension.lowercased() == "cr3" }
  }

  /// Everything in it is followed by fragments, so nothing can grow.
  private static let fragmented = "sample_fragmented.mp4"
  private static let time = "2024:05:23 18:38:41"

  private static func edit() throws -> MetadataEdit {
    var edit = MetadataEdit()
    edit.location = .set(Location(try .at(47.6062, -122.3321), altitude: 56))
    let civil = try #require(CivilTime(exif: time))
    edit.dates = .set(CaptureTime(civil, offset: UTCOffset("+09:00")))
    return edit
  }

  @Test("exiftool reads the new location and time, and all other tags unchanged.")
  func tags() throws {
    let (old, new) = (try Scratch(), try Scratch())
    for file in Self.movies() where file.lastPathComponent != Self.fragmented {
      let movie = Bytes([UInt8](try Data(contentsOf: file)))
      let edited = try MovieSample.edited(movie, try Self.edit())
      #expect(try MovieSample.open(edited).patch(for: try Self.edit()).isEmpty, "\(file.lastPathComponent): twice")
      try old.write(movie.array, as: file.lastPathComponent)
      try new.write(edited.array, as: file.lastPathComponent)
    }
    let (before, after) = (try ExifToolTags.read(in: [old.url]), try ExifToolTags.read(in: [new.url]))
    #expect(after.count == Self.movies().count - 1)
    for (name, found) in after {
      let was = try #require(before[name])
      for key in Set(was.keys).union(found.keys).sorted() where !ExifToolTags.isEdited(key) {
        #expect(was[key] == found[key], "\(name): \(key)")
      }
      let isRaw = name.lowercased().hasSuffix("cr3")
      #expect(found["Composite:GPSPosition"]?.hasPrefix("47.606") == true, "\(name)")
      let date = found[isRaw ? "ExifIFD:DateTimeOriginal" : "Keys:CreationDate"]
      #expect(date?.hasPrefix(Self.time) == true, "\(name)")
      if !isRaw { #expect(found["QuickTime:CreateDate"] == "2024:05:23 09:38:41", "\(name)") }
    }
  }

  @Test("Every chunk that an offset table lists is the same.")
  func chunks() throws {
    for file in Self.movies() where file.lastPathComponent != Self.fragmented {
      let movie = Bytes([UInt8](try Data(contentsOf: file)))
      let new = try MovieSample.edited(movie, try Self.edit())
      let media = try MovieFile(of: movie).boxes.filter { $0.type == "mdat" }.map(\.payload)
      let (old, edited) = (try? Self.tables(of: movie), try? Self.tables(of: new))
      #expect(old?.count == edited?.count)
      for (a, b) in zip(old ?? [], edited ?? []) {
        let (a, b) = (Array(try MediaOffsets(a, movie)), Array(try MediaOffsets(b, new)))
        #expect(a == b)
        for offset in a {
          guard let data = media.first(where: { $0.contains(offset) }) else { continue }
          let chunk = try movie.bytes(offset..<min(offset + 64, data.upperBound))
          #expect(new.has(chunk.array, at: offset), "\(file.lastPathComponent)")
        }
      }
    }
  }

  private static func tables(of movie: Bytes) throws -> [Box] {
    try MovieBox(in: MovieFile(of: movie), of: movie).offsetTables
  }

  @Test("A player reads the same packets.", .enabled(if: Oracle.has("ffprobe"), "ffprobe is missing"))
  func packets() throws {
    let scratch = try Scratch()
    for name in ["pairedVideo.mov", "with-gps.mp4", "uuid540.mp4", "sample.3gp"] {
      let file = Corpus.shared.appending(path: "corpus/mov/" + name)
      let new = try MovieSample.edited(Bytes([UInt8](try Data(contentsOf: file))), try Self.edit())
      let edited = try scratch.write(new.array, as: name)
      let packets = try [file, edited].map { url in
        try Oracle.run(
          "ffprobe", ["-v", "error", "-show_packets", "-show_data_hash", "md5", "-of", "compact", url.path]
        ).text
      }
      #expect(packets[0].count > 100)
      #expect(packets[0] == packets[1], "\(name)")
    }
  }

  @Test("A cleared location no longer occurs in the movie.")
  func removal() throws {
    var removal = MetadataEdit()
    removal.location = .remove
    for (name, texts) in [
      ("IMG_3853.MOV", ["+35.7143", "9.664734"]), ("meta.mov", ["+27.1281"]), ("with-gps.mov", ["+32.0929"]),
      ("with-gps.mp4", ["+51.4169"]),
    ] {
      let file = Corpus.shared.appending(path: "corpus/mov/" + name)
      let movie = Bytes([UInt8](try Data(contentsOf: file)))
      let new = try MovieSample.edited(movie, removal)
      #expect(new.count == movie.count)
      for text in texts {
        #expect(movie.firstIndex(of: Array(text.utf8)) != nil)
        #expect(new.firstIndex(of: Array(text.utf8)) == nil, "\(name): \(text)")
      }
    }
  }

  @Test("A CR3 keeps its length, and its location can be removed again.")
  func raw() throws {
    var removal = MetadataEdit()
    removal.location = .remove
    for file in Corpus.files("corpus/raw") where file.pathExtension.lowercased() == "cr3" {
      let movie = Bytes([UInt8](try Data(contentsOf: file)))
      #expect(try MovieSample.open(movie).type == .cr3)
      let new = try MovieSample.edited(movie, try Self.edit())
      #expect(new.count == movie.count)
      let cleared = try MovieSample.edited(new, removal)
      let latitude = TIFFValue.rational(EXIF.sexagesimal(47.6062)).encoded(.little).bytes
      #expect(new.firstIndex(of: latitude) != nil)
      #expect(cleared.firstIndex(of: latitude) == nil)
    }
  }

  @Test("A malformed movie is read, edited or refused within a second.")
  func hostile() throws {
    var removal = MetadataEdit()
    removal.location = .remove
    for file in Corpus.files("malformed/mov") {
      let movie = Bytes([UInt8](try Data(contentsOf: file)))
      let time = try processorTime {
        for edit in [try Self.edit(), removal] {
          do { _ = try MovieSample.edited(movie, edit) } catch let error as FileError {
            #expect(!error.description.isEmpty)
          }
        }
      }
      #expect(time < .seconds(1), "\(file.lastPathComponent)")
    }
  }
}
