import Foundation
import Glibc
import SystemPackage
import TestSupport
import Testing

@testable import MetaTag

@Suite("Sidecars")
struct SidecarTests {
  /// The files of one folder, and the photos that the sidecars belong to.
  @Test(
    "A sidecar belongs to the file of its whole name, else to the only raw file or only photo.",
    arguments: [
      (["a.NEF", "a.NEF.xmp"], "a.NEF", ["a.NEF.xmp"], []), (["a.NEF", "a.xmp"], "a.NEF", ["a.xmp"], []),
      (["a.NEF", "a.XMP"], "a.NEF", ["a.XMP"], []), (["a.jpg", "a.NEF", "a.xmp"], "a.jpg", [], []),
      (["a.jpg", "a.NEF", "a.xmp"], "a.NEF", ["a.xmp"], []), (["a.NEF", "a.CR2", "a.xmp"], "a.NEF", [], ["a.xmp"]),
      (["a.jpg", "a.png", "a.xmp", "a.png.xmp"], "a.png", ["a.png.xmp"], ["a.xmp"]),
      (["a.jpg", "a.txt", "a.AAE", "a.xmp"], "a.jpg", ["a.xmp"], []),
      (["a.NEF", "a.xmp", "a.NEF.xmp"], "a.NEF", ["a.NEF.xmp", "a.xmp"], []), (["a.NEF", "b.xmp"], "a.NEF", [], []),
      (["a.NEF", "A.nef.xmp"], "a.NEF", [], ["A.nef"]), (["IMG.NEF", "img.xmp"], "IMG.NEF", [], ["img.x"]),
      (["a.NEF", "a_01.NEF.xmp"], "a.NEF", [], ["a_01."]),
      (["a.NEF", "a_01.NEF", "a_01.NEF.xmp"], "a.NEF", [], []), (["a.NEF", "a_b.NEF.xmp"], "a.NEF", [], []),
      (["a.NEF", "a.nef", "a.nef.xmp"], "a.NEF", [], []),
    ] as [([String], String, [String], [String])])
  func whose(there: [String], photo: String, own: [String], doubtful: [String]) throws {
    let desk = try Desk()
    for name in there { try desk.photo([1], name) }
    let photo = try #require(Photo.reading(Walk.photos(in: [desk.photos.appending(photo)], recursively: false)).first)
    #expect(photo.companions.compactMap { $0.path.lastComponent?.string }.sorted() == own.sorted())
    #expect(photo.notes.map { String($0.description.prefix(5)) } == doubtful)
    #expect((photo.objection != nil) == (own.count > 1))
  }

  @Test("A possible sidecar with a location refuses erasing, unless the user names it too.")
  func strays() throws {
    let desk = try Desk()
    try desk.photo([1], "a.NEF")
    let (recorded, other) = (desk.photos.appending("A.NEF.xmp"), desk.photos.appending("a_01.NEF.xmp"))
    try desk.photo(XMPFileTests.located, "A.NEF.xmp")
    try desk.photo(XMPSample.packet("photoshop:Credit='Ada'"), "a_01.NEF.xmp")
    let photo = desk.photos.appending("a.NEF")
    func named(_ paths: [FilePath]) throws -> Photo {
      try #require(Photo.separately(Walk.photos(in: paths, recursively: false)).first)
    }
    #expect(try Set(named([photo]).strays.map(\.path)) == [recorded, other])
    let error = #expect(throws: FileError.self) { try named([photo]).requireNothingStray(for: .removal) }
    #expect(error?.kind == .refused && error?.remedy == .nameSidecar("A.NEF.xmp"))
    try named([photo, recorded]).requireNothingStray(for: .removal)
    #expect(try named([photo, recorded]).notes.count == 2)
  }

  @Test("A raw file's other names are reported, and their sidecars' locations refuse erasing.")
  func hardLinks() throws {
    let desk = try Desk()
    let first = try desk.photo([1], "A.NEF")
    let second = desk.photos.appending("B.NEF")
    #expect(Glibc.link(first.string, second.string) == 0)
    func photos(_ paths: [FilePath]) -> [Photo] { Photo.separately(Walk.photos(in: paths, recursively: false)) }
    for paths in [[desk.photos], [first, second]] {
      #expect(photos(paths).count == 1)
      #expect(photos(paths)[0].notes.map { "\($0.code) \($0.file ?? "")" } == ["otherName B.NEF"])
    }
    #expect(photos([first, first])[0].notes.isEmpty)
    try desk.photo(XMPFileTests.located, "A.NEF.xmp")
    try desk.photo(XMPFileTests.located, "B.NEF.xmp")
    #expect(throws: FileError.self) { try photos([desk.photos])[0].requireNothingStray(for: .removal) }
  }

  @Test("A sidecar may be a link into a folder that has no photo, or one.", arguments: [false, true])
  func linkElsewhere(hasPhoto: Bool) throws {
    let desk = try Desk()
    let photo = try desk.photo([1], "a.jpg")
    let side = desk.photos.appending("side")
    #expect(mkdir(side.string, 0o700) == 0)
    try desk.photo(XMPFileTests.located, "side/a.xmp")
    if hasPhoto { try desk.photo([1], "side/a.NEF") }
    #expect(symlink("side/a.xmp", desk.photos.appending("a.xmp").string) == 0)
    let found = try #require(Photo.reading(Walk.photos(in: [photo], recursively: false)).first)
    #expect(found.companions.count == (hasPhoto ? 0 : 1) && found.notes.count == (hasPhoto ? 1 : 0), "\(found)")
  }

  @Test(
    "Of a file's names, the one with a sidecar counts, in whichever order they are given; other sidecars refuse erasing.",
    arguments: ["b.jpg.xmp", "b.xmp"])
  func otherNames(sidecar: String) throws {
    let desk = try Desk()
    let (first, second) = (try desk.photo([1], "a.jpg"), desk.photos.appending("b.jpg"))
    #expect(Glibc.link(first.string, second.string) == 0)
    let own = try desk.photo(XMPFileTests.located, sidecar)
    func photos(_ paths: [FilePath]) -> [Photo] { Photo.separately(Walk.photos(in: paths, recursively: false)) }
    for paths in [[first, second, own], [second, own, first], [own, first, second], [desk.photos]] {
      let found = photos(paths)
      #expect(found.map(\.input.path) == [second] && found[0].companions.map(\.path) == [own], "\(found)")
      #expect(found[0].notes.isEmpty && found[0].otherNames == [first])
    }
    let other = try desk.photo(XMPFileTests.located, "a.jpg.xmp")
    for paths in [[first, second, other], [other, second, first], [desk.photos]] {
      let photo = try #require(photos(paths).first)
      #expect(photo.input.path == first && photo.companions.map(\.path) == [other])
      #expect(photo.notes.map { "\($0.code) \($0.file ?? "")" } == ["ambiguousSidecar \(sidecar)"])
      #expect(throws: FileError.self) { try photo.requireNothingStray(for: .removal) }
    }
  }

  @Test(
    "Among photos of one name, a sidecar belongs to the extension that it records.",
    arguments: [
      (["a.CR2", "a.NEF"], "photoshop:SidecarForExtension='NEF'", "", "a.NEF"),
      (["a.CR2", "a.NEF"], "", "<photoshop:SidecarForExtension>cr2</photoshop:SidecarForExtension>", "a.CR2"),
      (["a.JPG", "a.NEF"], "photoshop:SidecarForExtension='JPG'", "", "a.JPG"),
      (["a.JPG", "a.NEF"], "photoshop:SidecarForExtension='CR2'", "", "a.NEF"),
      (["a.CR2", "a.NEF"], "photoshop:SidecarForExtension='CR3'", "", nil),
    ] as [([String], String, String, String?)])
  func namedEnding(names: [String], attribute: String, element: String, owner: String?) async throws {
    let desk = try Desk()
    for name in names { try desk.photo([1], name) }
    let path = try desk.photo(XMPSample.packet(attribute, element), "a.xmp")
    for photo in Photo.separately(Walk.photos(in: [desk.photos], recursively: false)) {
      let isOwn = photo.input.path.lastComponent?.string == owner
      #expect(photo.companions.map(\.path) == (isOwn ? [path] : []))
      #expect(photo.strays.isEmpty == (owner != nil))
      var whole = photo
      whole.companions = names.map { Photo.Companion(path: desk.photos.appending($0), role: .raw) }
      if let owner { #expect(whole.owner(of: path) == desk.photos.appending(owner)) }
    }
  }

  @Test("If two photos share one sidecar, the first has it, and erasing the other's is refused.")
  func sharedSidecar() throws {
    let desk = try Desk()
    for name in ["A.NEF", "B.NEF"] { try desk.photo([1], name) }
    let sidecar = try desk.photo(XMPFileTests.located, "A.xmp")
    #expect(Glibc.link(sidecar.string, desk.photos.appending("B.xmp").string) == 0)
    let photos = Photo.separately(Walk.photos(in: [desk.photos], recursively: false))
    #expect(photos.map { $0.companions.compactMap { $0.path.lastComponent?.string } } == [["A.xmp"], []])
    #expect(
      photos.map { $0.notes.map(\.description) }
        == [[], ["B.xmp is the same file as the sidecar of A.NEF; ignored"]])
    let error = #expect(throws: FileError.self) { try photos[1].requireNothingStray(for: .removal) }
    #expect(error?.kind == .refused)
  }

  @Test("A sidecar next to a link belongs to the link.")
  func besideLink() throws {
    let desk = try Desk()
    let target = try desk.photo([1], "a.NEF")
    let album = desk.scratch.url.filePath
    #expect(symlink(target.string, album.appending("link.NEF").string) == 0)
    try desk.scratch.write(XMPSample.packet(), as: "link.NEF.xmp")
    func photo() throws -> Photo {
      try #require(Photo.reading(Walk.photos(in: [album.appending("link.NEF")], recursively: false)).first)
    }
    #expect(try photo().companions.map(\.path) == [album.appending("link.NEF.xmp")])
    #expect(try photo().objection == nil)
    try desk.photo(XMPSample.packet(), "a.NEF.xmp")
    #expect(try photo().companions.count == 2 && photo().objection != nil)
  }

  @Test("The sidecar of a link without one next to it is next to its target.")
  func link() throws {
    let desk = try Desk()
    let target = try desk.photo([1], "a.NEF")
    try desk.photo(XMPSample.packet(), "a.NEF.xmp")
    let link = desk.scratch.url.filePath.appending("link.NEF")
    #expect(symlink(target.string, link.string) == 0)
    let photo = try #require(Photo.reading(Walk.photos(in: [link], recursively: false)).first)
    #expect(photo.companions.map { $0.path.lastComponent?.string } == ["a.NEF.xmp"])
    #expect(photo.owner(of: photo.companions[0].path) == link)
  }

  @Test("Raw files trust the sidecar and others the file; all copies are kept, and conflicts reported.")
  func joined() throws {
    var file = Metadata()
    var north = Location(try .at(1, 2))
    north.imageDirection = Direction(degrees: 90, reference: .trueNorth)
    file.locations = [Sourced(north, .exif, tag: "GPSLatitude")]
    file.model = "Z 9"
    let sidecar = try XMPSample.metadata(XMPFileTests.located)
    for isRaw in [true, false] {
      let whole = file.joined(with: sidecar, isRaw: isRaw)
      #expect(whole.locations.map(\.namespace) == (isRaw ? [.sidecar, .exif] : [.exif, .sidecar]))
      #expect(whole.location?.imageDirection?.degrees == 90)
      #expect(whole.captureTimes.map(\.namespace) == [.sidecar] && whole.model == "Z 9")
      #expect(whole.conflicts.count == 1)
      #expect(whole.withoutSidecar.locations == file.locations)
      #expect(whole.withoutSidecar.captureTimes.isEmpty)
    }
  }

  @Test("A sidecar's partial date overrules a raw file's time, and still conflicts with it.")
  func partial() throws {
    let time = Sourced(try CaptureTime(parsing: "2024-05-18T10:00:00"), .exif, tag: "DateTimeOriginal")
    for (text, conflicts, findings) in [("1975", 1, 1), ("1975-06", 1, 1), ("2024", 0, 0), ("2024-05", 0, 0)] {
      var file = Metadata()
      file.captureTimes = [time]
      let sidecar = try XMPSample.metadata(XMPSample.packet("photoshop:DateCreated='\(text)'"))
      let whole = file.joined(with: sidecar, isRaw: true)
      #expect(whole.captureTime == nil && whole.takenText == text && whole.overruledTimes == [time])
      #expect(whole.conflicts.count == conflicts)
      #expect(whole.withoutSidecar == file)
      var facts = DateFacts()
      facts.sidecar = DateFacts.Sidecar(name: "a.xmp", metadata: sidecar, isBelieved: true)
      let found = DateCheck(whole, facts).findings
      #expect(found.map(\.kind) == [DateFinding.Kind](repeating: .sidecar, count: findings))
      let asked = CopyDatePlanner(from: .exif).propose(for: whole)
      guard case .change(let edit, _) = asked, edit.dates == .set(time.value) else {
        Issue.record("\(asked)")
        continue
      }
      // For files that aren't raw, the file is trusted; and a whole date is more than a year.
      let other = file.joined(with: sidecar, isRaw: false)
      #expect(other.captureTime == time.value && other.overruledTimes == [])
      var dated = sidecar
      dated.captureTimes = [Sourced(try CaptureTime(parsing: "1975-06-01T10:00:00"), .xmp, tag: "xmp")]
      let both = file.joined(with: dated, isRaw: true)
      #expect(both.captureTime == dated.captureTime && both.captureTimes.count == 2 && both.overruledTimes == [])
    }
  }

  @Test("A raw file's dates are checked against its sidecar, and overruled ones need no repair.")
  func believed() throws {
    var file = Metadata()
    let time = try CaptureTime(parsing: "2024-05-18T10:00:00")
    file.captureTimes = [Sourced(time, .exif, tag: "DateTimeOriginal")]
    file.digitizedTimes = [Sourced(time, .exif, tag: "DateTimeDigitized")]
    let sidecar = try XMPSample.metadata(XMPSample.packet("photoshop:DateCreated='2024-05-18T11:00:00'"))
    let whole = file.joined(with: sidecar, isRaw: true)
    var facts = DateFacts()
    facts.fileName = "IMG_20240518_110000.NEF"
    facts.sidecar = DateFacts.Sidecar(name: "a.xmp", metadata: sidecar, isBelieved: true)
    #expect(
      DateCheck(whole, facts).findings.map(\.description) == [
        "sidecar: DateTimeOriginal (exif) is 2024-05-18T10:00:00, 60 min earlier than "
          + "photoshop:DateCreated (sidecar), 2024-05-18T11:00:00"
      ])
    let asked = DateRepairPlanner(facts, zone: { _ in nil }).propose(for: whole)
    if case .skip(.unrepairable([.sidecar])) = asked { return }
    Issue.record("\(asked)")
  }

  @Test("If a new sidecar's name is taken in the meantime, its photos are not changed either.")
  func atomicGroup() throws {
    let desk = try Desk()
    let jpeg = Array(Sample.jpeg(Sample.jfif).array)
    let photos = try ["IMG_1.JPG", "IMG_1.NEF"].map { try desk.photo(jpeg, $0) }
    let journal = try desk.journal()
    let batch = Batch(try desk.begin(journal), in: journal)
    let edit = try MetadataEdit.place()
    let own = try #require(try FileEdit(of: OpenFile(photos[0]), by: edit))
    let raw = FileWithSidecar(try OpenFile(photos[1]), nil)
    let beside = try batch.change(beside: raw, by: edit, Photo(Walk.photos(in: [photos[1]], recursively: false)[0]))
    let changes = [own] + beside.all
    #expect(changes.count == 2)
    let rewriter = try #require(batch.rewriter)
    var objection: FileError?
    let staged = try batch.stage(changes, of: own.photo, atomicGroup: rewriter.atomicGroup(), objection: &objection)
    try desk.photo([1], "IMG_1.NEF.xmp")
    #expect(rewriter.commit(staged).allSatisfy { $0.error != nil })
    #expect(try desk.read(photos[0]) == jpeg && desk.read(photos[1]) == jpeg)
    #expect(try desk.read(desk.photos.appending("IMG_1.NEF.xmp")) == [1])
    #expect(try desk.leftovers() == [])
  }

  /// A location and a date, for a photo without either.
  private static func edit() throws -> MetadataEdit {
    var edit = MetadataEdit.place(Location(try .at(-33.8568, 151.2153), altitude: 12.5))
    let time = try #require(CivilTime(year: 2023, month: 1, day: 2, hour: 3, minute: 4, second: 5))
    edit.dates = .set(CaptureTime(time, offset: UTCOffset(seconds: 36_000)))
    return edit
  }

  @Test(
    "A location and a date are added to a packet without them, and nothing else changes.",
    arguments: [XMPPacket.sidecar, XMPSample.packet("xmp:Rating='5'", "<photoshop:Source>me</photoshop:Source>")])
  func added(_ old: [UInt8]) throws {
    let new = try #require(try XMPPacket(Bytes(old)).recording(try Self.edit()))
    let metadata = try XMPSample.metadata(new)
    #expect(metadata.location == Location(try .at(-33.8568, 151.2153), altitude: 12.5))
    #expect(metadata.captureTimes.map { "\($0.value)" } == ["2023-01-02T03:04:05+10:00", "2023-01-02T03:04:05+10:00"])
    #expect(try XMPPacket(Bytes(new)).recording(try Self.edit()) == nil)
    var rest = XMPSample.text(new)
    let added = try #require(rest.range(of: " <rdf:Description rdf:about=", options: .backwards))
    let end = try #require(rest.range(of: "</rdf:Description>\n ", range: added.lowerBound..<rest.endIndex))
    rest.removeSubrange(added.lowerBound..<end.upperBound)
    #expect(rest.filter { !$0.isWhitespace } == XMPSample.text(old).filter { !$0.isWhitespace })
  }

  @Test("The first shift starts from the photo's date, and a second from the sidecar's.")
  func shifted() throws {
    var photo = Metadata()
    let time = try #require(CivilTime(year: 2023, month: 1, day: 2, hour: 3, minute: 4, second: 5))
    photo.captureTimes = [Sourced(CaptureTime(time), .exif, tag: "DateTimeOriginal")]
    let moved = MetadataEdit.shift(3_600).stated(in: Metadata(), of: photo)
    let once = try #require(try XMPPacket(Bytes(XMPPacket.sidecar)).recording(moved))
    #expect(try XMPSample.metadata(once).captureTime.map { "\($0)" } == "2023-01-02T04:04:05")
    let twice = try #require(try XMPPacket(Bytes(once)).recording(.shift(3_600)))
    #expect(try XMPSample.metadata(twice).captureTime.map { "\($0)" } == "2023-01-02T05:04:05")
  }

  @Test(
    "exiftool and exiv2 read a new sidecar.", .enabled(if: Oracle.has("exiftool") && Oracle.has("exiv2"), "no oracle"))
  func oracles() throws {
    let new = try #require(try XMPPacket(Bytes(XMPPacket.sidecar)).recording(try Self.edit()))
    let scratch = try Scratch()
    let copy = try scratch.write(new, as: "a.xmp")
    let tags = try Oracle.run(
      "exiftool", ["-s3", "-n", "-GPSLatitude", "-DateTimeOriginal", "-GPSAltitude", copy.path])
    #expect(tags.text == "-33.8568\n2023:01:02 03:04:05+10:00\n12.5\n")
    let exiv2 = try Oracle.run("exiv2", ["-PXkv", "pr", copy.path]).text
    #expect(exiv2.contains("Xmp.exif.GPSLatitude") && exiv2.contains("33,51.408S"), "\(exiv2)")
  }
}
