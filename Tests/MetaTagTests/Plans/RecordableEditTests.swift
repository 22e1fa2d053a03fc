import Foundation
import SystemPackage
import TestSupport
import Testing

@testable import MetaTag

@Suite("Values that no photo may get")
struct RecordableEditTests {
  private static func place(_ change: (inout Location) -> Void) throws -> MetadataEdit {
    var edit = MetadataEdit()
    var location = Location(try .at(1, 2))
    change(&location)
    edit.location = .set(location)
    return edit
  }

  private static func named(_ city: String) -> MetadataEdit {
    var edit = MetadataEdit()
    var names = PlaceNames()
    names.city = city
    edit.names = .set(names)
    return edit
  }

  private static func field(_ field: PhotoField, _ value: TagValue) -> MetadataEdit {
    var edit = MetadataEdit()
    edit.fields = [field: .set(value)]
    return edit
  }

  /// One file of each kind: a GIF has only XMP, a movie neither.
  private static func files() throws -> [ImageSource] {
    try ["aurora-01-jetty.jpg", "cirrus-06-ducks.gif", "cirrus-01-boat.mov", "borealis-06-ferns.xmp"].map {
      try ImageSource(Corpus.project.appending(path: "SampleImages/" + $0).filePath)
    }
  }

  @Test("Text with control characters is refused in every format.")
  func texts() throws {
    for text in ["a\u{1}b", "a\0b", "a\u{FFFE}b", "a\u{7F}b", "a\u{85}b"] {
      var keyword = MetadataEdit()
      keyword.addedKeywords = [text]
      for edit in [
        Self.named(text), Self.field(.title, .text(text)), Self.field(.keywords, .list(["sea", text])), keyword,
      ] {
        for file in try Self.files() where !file.isMovie || edit.names != .keep {
          let error = #expect(throws: FileError.self) { try file.patch(for: edit) }
          #expect(error?.kind == .refused, "\(file.path)")
          #expect(error?.description.contains("the control character U+") == true, "\(file.path)")
        }
      }
    }
    // Line breaks are text.
    #expect(try !Self.files()[0].patch(for: Self.field(.description, .text("a\nb"))).isEmpty)
  }

  @Test(
    "A value of another type than its field's, or out of range, is refused with the reason.",
    arguments: [
      (.flash, .whole([-1]), "flash can't be -1: expected one whole number from 0 to 65535"),
      (.aperture, .fractions([Fraction(-5, 1)!]), "aperture can't be -5: expected more than 0"),
      (.aperture, .fractions([]), "aperture can't be : expected one fraction, not below 0, of 32 bits"),
      (.artist, .whole([7]), "artist can't be 7: expected a text"),
      (.artist, .text(""), "artist can't be an empty text"),
      (.title, .list(["a"]), "title can't be a: expected a text"),
      (.keywords, .list([]), "keywords can't be an empty list: remove the field to have none"),
      (.iso, .whole([.max]), "iso can't be 9223372036854775807: expected one whole number from 1 to 4294967295"),
      (.rating, .whole([6]), "rating can't be 6: expected one whole number from 0 to 5"),
      (.metering, .text("spot"), "metering can't be spot: expected one whole number from 0 to 65535"),
    ] as [(PhotoField, TagValue, String)])
  func values(field: PhotoField, value: TagValue, sentence: String) throws {
    let error = #expect(throws: FileError.self) { try Self.files()[0].patch(for: Self.field(field, value)) }
    #expect(error == FileError(.invalidValue, sentence))
  }

  @Test("A camera's values are accepted in every field and tag.")
  func good() throws {
    let file = try Self.files()[0]
    for field in PhotoField.allCases {
      let text = field.choices.first?.name ?? "5"
      guard case .set(let value) = try field.change(parsing: text) else { throw ParseError(text) }
      _ = try file.patch(for: Self.field(field, value))
    }
    var edit = MetadataEdit()
    for (key, text) in [
      ("Exif.Photo.LensSpecification", "24 70 2.8 2.8"), ("Exif.Photo.BrightnessValue", "-1.5"),
      ("Exif.Photo.FileSource", "3"), ("Exif.Photo.UserComment", "ü\nü"), ("Exif.Photo.SubjectArea", "1 2 3"),
    ] {
      let tag = try EXIFTag.named(key)
      edit.tags = [tag: try tag.change(parsing: text)]
      _ = try file.patch(for: edit)
      edit.tags = [tag: .set(.list(["x"]))]
      #expect(throws: FileError.self) { try file.patch(for: edit) }
    }
  }

  @Test("Impossible altitudes and negative or infinite values are refused.", arguments: 0..<4)
  func locations(index: Int) throws {
    let file = try Self.files()[index]
    for altitude in [1e12, 4_294_967_296, -11_001, 100_001, .nan, .infinity, -.infinity] {
      let error = #expect(throws: FileError.self) { try file.patch(for: Self.place { $0.altitude = altitude }) }
      #expect(error?.description.hasSuffix("m is out of range (-11000 to 100000)") == true)
    }
    for size in [-5, .nan, .infinity, 1e300] {
      for path in [\Location.speed, \.horizontalError, \.dilutionOfPrecision] {
        #expect(throws: FileError.self) { try file.patch(for: Self.place { $0[keyPath: path] = size }) }
      }
    }
    #expect(throws: FileError.self) { try file.patch(for: Self.place { $0.processingMethod = "ü" }) }
    for altitude in [-11_000.0, 0, 100_000] { _ = try file.patch(for: Self.place { $0.altitude = altitude }) }
  }

  @Test("Every reader of altitudes uses the same range.")
  func altitudes() throws {
    let place = try Coordinate.at(1, 2)
    #expect(TrackPoint(Instant(seconds: 0), place, altitude: 1e6).altitude == nil)
    #expect(TrackPoint(Instant(seconds: 0), place, altitude: 100_000).altitude == 100_000)
    #expect(throws: ParseError.self) { try Location(parsing: "geo:1,2,100001") }
    #expect(try Location(parsing: "geo:1,2,99").altitude == 99)
  }
}

extension ImageSource {
  fileprivate var isMovie: Bool { layout.quickTime != nil }
}
