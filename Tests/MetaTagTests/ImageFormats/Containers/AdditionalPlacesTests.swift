@testable import ImageFormats
import SystemPackage
import TestSupport
import Testing

@testable import MetaTag

/// Locations and dates outside the blocks that are read.
@Suite("Locations and dates in unusual places")
struct AdditionalPlacesTests {
  private static let position = Sample.place([Rational(47, 1)], "N", [Rational(7, 1)], "E")
  private static let located = Sample.jpeg(Sample.exif(Sample.tiff(gps: position)))

  private static func open(_ bytes: Bytes, _ name: String = "a.jpg") throws -> ImageSource {
    try ImageSource(bytes, path: FilePath(name))
  }

  private static func has(_ bytes: Bytes, _ text: String) -> Bool { bytes.firstIndex(of: Array(text.utf8)) != nil }

  @Test("Data after a HEIC's last box is erased with --all, and refuses removal of the location.")
  func behindHEIC() throws {
    let old = HEIFTests.sample {
      $0.exif = [HEIFSample.apple(HEIFTests.plain)]
      $0.tail = Array("????????Secret".utf8) + Self.located.array
    }.bytes
    let error = #expect(throws: FileError.self) { try Self.open(old, "a.heic").patch(for: .removal) }
    #expect(error?.kind == .refused && error?.description.contains("after its end") == true)
    var edit = MetadataEdit()
    edit.erasure = Erasure()
    let new = Bytes(try Self.open(old, "a.heic").patch(for: edit).applied(to: old))
    #expect(!Self.has(new, "Secret") && new.firstIndex(of: [0xFF, 0xD8, 0xFF]) == nil)
    #expect(try Self.open(new, "a.heic").patch(for: edit).isEmpty)
    let boxes = try HEIFFile(new)
    #expect(boxes.rest.isEmpty && boxes.boxes.last?.type == "free")
  }

  @Test(
    "Location properties of other namespaces are removed.",
    arguments: [
      (#"xmlns:a="http://rs.tdwg.org/dwc/terms/" a:decimalLatitude="SECRET" a:locality="SECRET""#, ""),
      (#"xmlns:a="http://www.w3.org/2003/01/geo/wgs84_pos#" a:lat="SECRET" a:long="SECRET""#, ""),
      (#"xmlns:a="http://www.georss.org/georss" a:point="SECRET""#, ""),
      (#"xmlns:a="http://developer.sonyericsson.com/cell/1.0/" a:cellid="SECRET""#, ""),
      (#"xmlns:a="http://prismstandard.org/namespaces/basic/2.1/" a:location="SECRET""#, ""),
      (#"xmlns:a="http://ns.adobe.com/photoshop/1.0" a:City="SECRET" a:Country="SECRET""#, ""),
      (#"xmlns:a="a:b" a:GeotatePOI="SECRET""#, ""), ("", "<dc:coverage>SECRET</dc:coverage>"),
      ("", "<dwc:Location rdf:parseType='Resource'><dwc:country>SECRET</dwc:country></dwc:Location>"),
    ])
  func namespaces(attributes: String, elements: String) throws {
    let kept = #" xmlns:b="c:d" b:title="KEPT" b:State="KEPT""#
    let packet = XMPSample.packet(attributes + kept, elements)
    let new = XMPSample.text(try XMPSample.edited(packet, .removal))
    #expect(!new.isEmpty && !new.contains("SECRET"), "\(new)")
    #expect(new.split(separator: "KEPT").count == 3)
  }

  @Test("A raw file whose GPS directory has only its version needs no removal.")
  func version() throws {
    for (gps, holds) in [([0: .bytes([2, 3, 0, 0])], false), (Self.position, true)] as [([UInt16: TIFFValue], Bool)] {
      for file in [RawSample.cr2(gps: gps), RawSample.rw2(gps: gps)] {
        let photo = try OpenFile(file.array, path: "a.raw")
        let isRefused = (try? photo.requireNothingToRemove(for: .removal, SidecarPolicy())) == nil
        #expect(isRefused == holds)
      }
    }
  }

  @Test("The country in Samsung's trailer and GoPro's positions in a JPEG are erased.")
  func makers() throws {
    let old = Sample.jpeg(trailer: [0, 0, 0xA1, 0x0A, 8, 0, 0, 0] + Array("MCC_Data262SEFH".utf8))
    let new = Bytes(try Self.open(old).patch(for: .removal).applied(to: old))
    #expect(Self.has(new, "MCC_Data\0\0\0SEFH"))
    func item(_ key: String, _ type: Character, _ size: UInt8, _ payload: [UInt8]) -> [UInt8] {
      let count = UInt16(payload.count / Int(size)).bytes(.big)
      return Array(key.utf8) + [type == "-" ? 0 : type.asciiValue ?? 0, size] + count + payload
    }
    let stream = item("STRM", "-", 1, item("GPS5", "l", 20, Array("Secret place Secret ".utf8)))
    let telemetry = item("DEVC", "-", 1, item("DVNM", "c", 1, Array("Hero".utf8)) + stream)
    let photo = Sample.jpeg(Sample.segment(0xE6, Array("GoPro\0".utf8) + telemetry))
    let cleared = Bytes(try Self.open(photo).patch(for: .removal).applied(to: photo))
    #expect(!Self.has(cleared, "Secret") && Self.has(cleared, "Hero") && cleared.count == photo.count)
  }

  @Test("A location in an appended movie or picture alone is found by zone and by coarse clearing.")
  func additionalPictures() async throws {
    let movie = MovieSample.movie(extra: MovieSample.userData(MovieSample.text("©xyz", "+47.00000+007.00000/")))
    let scratch = try Scratch()
    let (ifd1, second) = (Sample.exif(Sample.tiff()), Sample.exif(Sample.tiff(gps: Self.position)))
    let files = try [
      Sample.jpeg(trailer: movie.array), Sample.jpeg(trailer: Self.located.array), Sample.jpeg(ifd1 + second),
    ].enumerated().map { try scratch.write($1.array, as: "\($0).jpg") }
    var (near, coarse) = (ClearPlanner(), ClearPlanner())
    near.zones = [try #require(ClearPlanner.Zone(around: try .at(47, 7), radius: 1_000))]
    coarse.coarseness = Coarseness(metres: 10_000)
    for planner in [near, coarse] {
      var outcomes: [Outcome] = []
      let photos = files.map { Photo(Walk.Input(path: $0.filePath, failure: nil)) }
      await Batch(dryRun: .init()).run(photos, planner: planner) { outcomes.append($0) }
      for outcome in outcomes {
        let isCleared = if case .changed = outcome.status { true } else { false }
        #expect(isCleared, "\(outcome.path) \(outcome.status)")
      }
    }
  }

  @Test(
    "A movie's text that is a location is removed, whatever its key, and opaque positions are refused."
  )
  func movies() throws {
    let keys = MovieSample.keys([("org.example.where", "+47.00000+007.00000/"), ("org.example.note", "KEPT")])
    let new = try MovieSample.edited(MovieSample.movie(extra: keys), .removal)
    #expect(!Self.has(new, "+47.0") && Self.has(new, "KEPT"))
    var dates = MetadataEdit()
    dates.erasesDates = true
    for (box, holdsLocation) in [
      (Box.bytes("NCDT", [1, 0x20, 0, 1, 0, 2]), true), (Box.bytes("GPMF", Array("GPS5".utf8)), true),
      (Box.bytes("MVTG", [1]), false),
    ] {
      let movie = MovieSample.movie(extra: MovieSample.userData(box))
      #expect((try? MovieSample.edited(movie, .removal)) == nil || !holdsLocation)
      #expect(throws: FileError.self) { try MovieSample.edited(movie, dates) }
    }
    for (tag, isDate) in [(UInt16(0x0132), true), (0x0112, false)] {
      let picture =
        Array("Exif\0\0II*\0".utf8) + [8, 0, 0, 0, 1, 0] + tag.bytes(.little) + [2, 0, 1, 0, 0, 0] + [
          0, 0, 0, 0, 0, 0, 0, 0,
        ]
      let movie = MovieSample.movie(extra: MovieSample.userData(Box.bytes("thmb", picture)))
      #expect(((try? MovieSample.edited(movie, dates)) == nil) == isDate)
    }
    #expect(throws: FileError.self) {
      try MovieSample.edited(MovieSample.movie(tail: Box.bytes("gps0", [1, 2, 3, 4])), .removal)
    }
  }
}
