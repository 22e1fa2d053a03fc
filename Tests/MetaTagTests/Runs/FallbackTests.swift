@testable import SafeWriting
import Foundation
import SystemPackage
import TestSupport
import Testing

@testable import MetaTag

/// The replacement of a HEIF file that can't be changed itself.
@Suite("Fallback", .enabled(if: RareHEIF.canBeMade, "\(RareHEIF.absence)"))
struct FallbackTests {
  static var seattle: Location { get throws { Location(try .at(47.6062, -122.3321)) } }
  static let rare = Result { Array(try RareHEIF.file()) }

  /// One run that moves photos to Seattle.
  static func run(
    _ desk: Desk, _ paths: [FilePath], _ fallback: Fallback, jobs: Int = 2, planner: (any Planner)? = nil,
    isDryRun: Bool = false
  ) async throws -> (run: RunID, outcomes: [Outcome]) {
    let journal = try desk.journal()
    let run = try desk.begin(journal)
    var options = Batch.Options()
    options.jobs = jobs
    options.fallback = fallback
    var outcomes: [Outcome] = []
    let batch = isDryRun ? Batch(dryRun: options) : Batch(run, in: journal, options: options)
    let photos = await Photo.pairing(Walk.photos(in: paths, recursively: false), jobs: 1)
    await batch.run(photos, planner: try planner ?? PlacePlanner(seattle)) { outcomes.append($0) }
    try journal.finishRun(run)
    return (run, outcomes)
  }

  static func substitute(_ outcome: Outcome?) throws -> Substitute {
    guard case .substituted(let substitute)? = outcome?.status else {
      throw FileError(.malformed, "no substitute: \(String(describing: outcome?.status))")
    }
    return substitute
  }

  static func names(_ desk: Desk) throws -> [String] { try Directory(desk.photos).names().map(\.string).sorted() }

  @Test("A JPEG with the change is created next to the unchanged file, and undo removes it.")
  func jpeg() async throws {
    let desk = try Desk()
    let rare = try Self.rare.get()
    let path = try desk.photo(rare, "IMG_1.HEIC")
    let (run, outcomes) = try await Self.run(desk, [path], Fallback(.jpeg))
    let substitute = try Self.substitute(outcomes.first)
    #expect(substitute.kind == .jpeg && substitute.isNew && substitute.obstacle == nil)
    #expect(substitute.path == desk.photos.appending("IMG_1.JPG"))
    #expect(substitute.reason.kind == .unsupported)
    #expect(substitute.losses.map(\.code) == [.picturesLost])
    #expect(try Self.names(desk) == ["IMG_1.HEIC", "IMG_1.JPG"])
    #expect(try desk.read(path) == rare)
    #expect(FileTime(desk.status(substitute.path).st_mtim) == FileTime(Desk.modified))
    let image = try ImageSource(substitute.path)
    #expect(image.type == .jpeg)
    #expect(image.metadata() == outcomes.first?.after)
    #expect(image.metadata().location?.coordinate.latitude == 47.6062)
    #expect(image.metadata().captureTime == outcomes.first?.before?.captureTime)
    #expect(try desk.undo(run).outcomes == [.removed])
    #expect(try Self.names(desk) == ["IMG_1.HEIC"])
  }

  @Test("Another file of that name is not overwritten, and the same copy is not made twice.")
  func takenName() async throws {
    let desk = try Desk()
    let path = try desk.photo(try Self.rare.get(), "IMG_1.HEIC")
    try desk.photo(noise(9), "IMG_1.JPG")
    let first = try Self.substitute(try await Self.run(desk, [path], Fallback(.jpeg)).outcomes.first)
    #expect(first.path.lastComponent == "IMG_1-1.JPG")
    #expect(try desk.read(desk.photos.appending("IMG_1.JPG")) == noise(9))
    #expect(rename(first.path.string, desk.photos.appending("IMG_1.JPG").string) == 0)
    let again = try await Self.run(desk, [path], Fallback(.jpeg)).outcomes.first?.status
    guard case .unchanged(.hasSubstitute("IMG_1.JPG"))? = again else {
      Issue.record("\(String(describing: again))")
      return
    }
    #expect(try Self.names(desk) == ["IMG_1.HEIC", "IMG_1.JPG"])
  }

  @Test(
    "Files of one base name get a copy each, and the first input gets the first name.", arguments: [1, 4],
    [false, true])
  func sameBaseName(jobs: Int, isDryRun: Bool) async throws {
    let desk = try Desk()
    // The first takes longer than the others.
    let big = try desk.photo(Array(try RareHEIF.file(width: 640, height: 480, title: "One")), "IMG_1.HIF")
    let paths = try [big] + ["IMG_1.HEIC", "IMG_1.heif"].map { try desk.photo(try Self.rare.get(), $0) }
    let outcomes = try await Self.run(desk, paths, Fallback(.jpeg), jobs: jobs, isDryRun: isDryRun).outcomes
    let copies = try outcomes.map { try Self.substitute($0).path }
    #expect(copies.map { $0.lastComponent?.string } == ["IMG_1.JPG", "IMG_1-1.JPG", "IMG_1-2.JPG"])
    guard !isDryRun else {
      #expect(try Self.names(desk) == ["IMG_1.HEIC", "IMG_1.HIF", "IMG_1.heif"])
      return
    }
    #expect(try copies.map { try ImageSource($0).properties.pixelSize?.width } == [640, 96, 96])
  }

  @Test("A Live Photo's movie changes together with the copy of its still, or nothing changes.")
  func pair() async throws {
    let desk = try Desk()
    let rare = try Self.rare.get()
    let movie = MovieSample.movie(
      extra: MovieSample.keys([("com.apple.quicktime.creationdate", "2024-05-01T10:30:01+0200")])
    ).array
    let still = try desk.photo(rare, "IMG_1.HEIC")
    let paths = [still, try desk.photo(movie, "IMG_1.MOV")]
    let (run, outcomes) = try await Self.run(desk, paths, Fallback(.jpeg))
    #expect(outcomes.count == 1)
    #expect(try Self.substitute(outcomes.first).path == desk.photos.appending("IMG_1.JPG"))
    for path in [desk.photos.appending("IMG_1.JPG"), paths[1]] {
      #expect(try ImageSource(path).metadata().location?.coordinate.latitude == 47.6062)
    }
    #expect(try desk.read(still) == rare)
    // Now the copy exists, and the movie is as it should be.
    let again = try await Self.run(desk, paths, Fallback(.jpeg)).outcomes
    #expect(again.allSatisfy { if case .unchanged = $0.status { true } else { false } })
    #expect(try Set(desk.undo(run).outcomes.map { "\($0)" }) == ["restored", "removed"])
    #expect(try desk.read(paths[1]) == movie)
    #expect(try Self.names(desk) == ["IMG_1.HEIC", "IMG_1.MOV"])

    // A movie that can't be changed prevents the copy.
    try desk.write(movie + Box.bytes("moof", []), to: paths[1])
    let failed = try await Self.run(desk, paths, Fallback(.jpeg)).outcomes.first?.status
    guard case .failed(let error)? = failed else {
      Issue.record("\(String(describing: failed))")
      return
    }
    #expect(error.description.contains("IMG_1.MOV"))
    #expect(try Self.names(desk) == ["IMG_1.HEIC", "IMG_1.MOV"])
  }

  /// Returns the copy of a file that could be changed, as if it couldn't.
  static func copy(
    of bytes: [UInt8], quality: Int = 95, edit: MetadataEdit? = nil
  ) throws -> (image: ImageSource, substitute: Substitute, file: URL, scratch: Scratch) {
    let scratch = try Scratch()
    let file = try scratch.write(bytes, as: "IMG_1.HEIC")
    let photo = try OpenFile(file.filePath)
    let substitution = try Fallback(.jpeg, quality: quality)
      .substitute(
        for: photo, by: try edit ?? .place(seattle), because: FileError(.unsupported, "for this test"))
    guard case .copy(let copy) = substitution else {
      throw FileError(.malformed, "no copy: \(substitution)")
    }
    let jpeg = try copy.change.patch.applied(to: copy.change.photo.file)
    return (copy.change.after, copy.substitute, try scratch.write(jpeg, as: "IMG_1.JPG"), scratch)
  }

  @Test("HEIF's orientation rotates the copy once, EXIF's doesn't, and the copy has none.")
  func orientation() throws {
    let plain = try Self.copy(of: Array(try RareHEIF.plain(tags: ["-n", "-IFD0:Orientation=6"])))
    #expect(plain.image.properties.pixelSize == PixelSize(width: 96, height: 64))
    #expect([nil, 1].contains(plain.image.properties.orientation))
    let heic = try Self.turned(try RareHEIF.plain(tags: ["-n", "-IFD0:Orientation=6"]))
    let turned = try Self.copy(of: heic)
    #expect(turned.image.properties.pixelSize == PixelSize(width: 64, height: 96))
    #expect([nil, 1].contains(turned.image.properties.orientation))
  }

  /// Returns the picture rotated by 90° (ISO/IEC 23008-12, 6.5.10). heif-enc can't do that, so the bit depths are replaced.
  private static func turned(_ heic: Data) throws -> [UInt8] {
    let depths = try #require(heic.range(of: Data("pixi".utf8)))
    return Array(
      heic[..<depths.lowerBound] + Data("irot".utf8) + [1, 0, 0, 0, 0, 0, 0, 0] + heic[(depths.upperBound + 8)...])
  }

  @Test("The copy has all metadata with the change, right sizes and no stale preview.")
  func metadata() throws {
    let tags = [
      "-Make=Apple", "-Model=Unknown", "-IFD0:Artist=Ann", "-ExifIFD:DateTimeOriginal=2024:05:01 10:30:00",
      "-ExifIFD:UserComment=kept", "-XMP-dc:Title=Kept", "-GPSLatitude=1", "-GPSLatitudeRef=N", "-GPSLongitude=2",
      "-GPSLongitudeRef=E", "-ExifIFD:ExifImageWidth=1", "-ExifIFD:ExifImageHeight=1",
    ]
    var edit = MetadataEdit.place(try Self.seattle)
    let time = try #require(CivilTime(year: 2023, month: 1, day: 2, hour: 3, minute: 4, second: 5))
    edit.dates = .set(CaptureTime(time))
    let copy = try Self.copy(of: Array(try RareHEIF.plain(tags: tags)), edit: edit)
    let read = try Oracle.run("exiftool", ["-j", "-n", "-G1", copy.file.path])
    let rows = try JSONSerialization.jsonObject(with: read.output) as? [[String: Any]]
    let found = try #require(rows?.first)
    let wanted = [
      "IFD0:Make": "Apple", "IFD0:Model": "Unknown", "IFD0:Artist": "Ann", "ExifIFD:UserComment": "kept",
      "XMP-dc:Title": "Kept", "ExifIFD:DateTimeOriginal": "2023:01:02 03:04:05", "ExifIFD:ExifImageWidth": "96",
      "ExifIFD:ExifImageHeight": "64", "GPS:GPSLatitude": "47.6062", "GPS:GPSLongitudeRef": "W",
    ]
    for (key, value) in wanted { #expect(found[key].map { "\($0)" } == value, "\(key)") }
    #expect(found.keys.allSatisfy { !$0.hasPrefix("IFD1") })
  }

  @Test("The copy has the requested quality, and colour at full resolution stays so.")
  func quality() throws {
    let heic = Array(try RareHEIF.plain(encoding: ["-p", "chroma=444"]))
    let (fine, coarse) = (try Self.copy(of: heic), try Self.copy(of: heic, quality: 40))
    #expect(fine.image.source.count > coarse.image.source.count)
    let sampling = try Oracle.run("exiftool", ["-s3", "-n", "-YCbCrSubSampling", fine.file.path]).text
    #expect(sampling == "1 1\n")
    let half = try Self.copy(of: Array(try RareHEIF.plain()))
    #expect(try Oracle.run("exiftool", ["-s3", "-n", "-YCbCrSubSampling", half.file.path]).text == "2 2\n")
  }

  @Test("Without a decoder the change goes into a sidecar, a second run edits that, and undo reverts both.")
  func noDecoder() async throws {
    let desk = try Desk()
    let rare = try Self.rare.get()
    let path = try desk.photo(rare, "IMG_1.HEIC")
    let (first, outcomes) = try await Self.run(desk, [path], Fallback(.jpeg, codecs: PictureCodecs.none))
    let substitute = try Self.substitute(outcomes.first)
    #expect(substitute.kind == .sidecar && substitute.isNew)
    #expect(substitute.obstacle == .noEncoder(for: .jpeg))
    #expect(substitute.path == desk.photos.appending("IMG_1.HEIC.xmp"))
    #expect(try desk.read(path) == rare)
    #expect(try Self.exiftool("GPSLatitude", substitute.path) == "47.6062")
    let sidecar = try desk.read(substitute.path)
    let time = try #require(CivilTime(year: 2023, month: 1, day: 2, hour: 3, minute: 4, second: 5))
    let (second, again) = try await Self.run(
      desk, [path], Fallback(.sidecar), planner: DatePlanner(.set(CaptureTime(time))))
    #expect(try !Self.substitute(again.first).isNew)
    #expect(try Self.exiftool("DateTimeOriginal", substitute.path) == "2023:01:02 03:04:05+02:00")
    #expect(try Self.exiftool("GPSLatitude", substitute.path) == "47.6062")
    let third = try await Self.run(desk, [path], Fallback(.sidecar)).outcomes.first?.status
    guard case .unchanged? = third else {
      Issue.record("\(String(describing: third))")
      return
    }
    #expect(try desk.undo(second).outcomes == [.restored])
    #expect(try desk.read(substitute.path) == sidecar)
    #expect(try desk.undo(first).outcomes == [.removed])
    #expect(try Self.names(desk) == ["IMG_1.HEIC"])
  }

  @Test("Only a JPEG encoder is needed.")
  func noEncoder() async throws {
    let desk = try Desk()
    let path = try desk.photo(try Self.rare.get(), "IMG_1.HEIC")
    let codecs = try await PictureCodecs().without(encoding: [.hevc, .av1])
    let outcomes = try await Self.run(desk, [path], Fallback(.jpeg, codecs: codecs)).outcomes
    #expect(try Self.substitute(outcomes.first).kind == .jpeg)
  }

  private static func exiftool(_ tag: String, _ path: FilePath) throws -> String {
    try Oracle.run("exiftool", ["-s3", "-n", "-\(tag)", path.string]).text.trimmingCharacters(in: .newlines)
  }

  @Test("A failed write leaves no copy and no scratch file, and the original is unchanged.")
  func failure() async throws {
    let desk = try Desk()
    let rare = try Self.rare.get()
    let path = try desk.photo(rare, "IMG_1.HEIC")
    let journal = try desk.journal()
    let rewriter = Rewriter(journal: journal, run: try desk.begin(journal))
    var names = NewNames()
    let file = try #require(try names.name(try desk.stage(noise(9_000), as: "IMG_1.JPG", like: path, by: rewriter)))
    // The disk holds other bytes than were written.
    try #require(file.scratch).descriptor.write([1, 2, 3], at: 4_000)
    #expect(rewriter.commit([file]).first?.error?.kind == .io)
    #expect(try Self.names(desk) == ["IMG_1.HEIC"])
    #expect(try desk.read(path) == rare)
  }

  @Test("No copy is made unless requested, nor of a movie, nor if the location is to be erased.")
  func none() async throws {
    let desk = try Desk()
    let path = try desk.photo(try Self.rare.get(), "IMG_1.HEIC")
    let failing = try await Self.run(desk, [path], Fallback(.fail)).outcomes.first?.status
    guard case .failed(let error)? = failing else {
      Issue.record("\(String(describing: failing))")
      return
    }
    #expect(error.kind == .unsupported)
    let photo = try OpenFile(path)
    var removal = MetadataEdit()
    removal.location = .remove
    let refusal = #expect(throws: FileError.self) {
      try Fallback(.jpeg).substitute(for: photo, by: removal, because: error)
    }
    #expect(refusal?.description.contains("the original would keep its location") == true)
    for code in [FileError.Code.io, .conflict, .truncated] {
      let error = FileError(code, "no")
      #expect(throws: error) { try Fallback(.jpeg).substitute(for: photo, by: removal, because: error) }
    }
    #expect(try Self.names(desk) == ["IMG_1.HEIC"])
  }

  @Test("A file that no decoder can read is malformed, not unsupported.")
  func broken() throws {
    let scratch = try Scratch()
    let photo = try OpenFile(try scratch.write(try Self.rare.get(), as: "IMG_1.HEIC").filePath)
    let error = FileError(.malformed, "no")
    let fallback = Fallback(.jpeg, codecs: PictureCodecs.none)
    #expect(throws: error) { try fallback.substitute(for: photo, by: .place(try Self.seattle), because: error) }
  }
}
