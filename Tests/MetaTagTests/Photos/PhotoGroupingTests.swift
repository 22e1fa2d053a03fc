import Foundation
import SystemPackage
import TestSupport
import Testing

@testable import MetaTag

@Suite("Grouping of photos")
struct PhotoGroupingTests {
  /// Files in one folder, the metadata read from them, the named ones, and the resulting photos.
  struct Case: CustomTestStringConvertible, Sendable {
    let testDescription: String
    let there: [String]
    var named: [String]?
    var facts: [String: PairFacts] = [:]
    let photos: [[String]]
    var notes: [String] = []
  }

  static func still(_ identifier: String? = nil, _ time: String? = nil) -> PairFacts {
    PairFacts(isMovie: false, identifier: identifier, time: time.flatMap { try? CaptureTime(parsing: $0) })
  }

  static func movie(_ identifier: String? = nil, _ time: String? = nil) -> PairFacts {
    PairFacts(isMovie: true, identifier: identifier, time: time.flatMap { try? CaptureTime(parsing: $0) })
  }

  static let cases = [
    Case(
      testDescription: "a Live Photo, by its name", there: ["A.HEIC", "A.MOV", "B.HEIC"],
      facts: ["A.HEIC": still(), "A.MOV": movie()], photos: [["A.HEIC", "A.MOV movie"], ["B.HEIC"]]),
    Case(
      testDescription: "the half that is not named", there: ["A.HEIC", "A.MOV", "B.HEIC", "B.MOV"], named: ["A.MOV"],
      facts: ["A.HEIC": still("x"), "A.MOV": movie("x")], photos: [["A.HEIC", "A.MOV movie"]]),
    Case(
      testDescription: "identifiers that differ", there: ["A.HEIC", "A.MOV"],
      facts: ["A.HEIC": still("x"), "A.MOV": movie("y")], photos: [["A.HEIC"], ["A.MOV"]],
      notes: ["separatePhoto A.MOV"]),
    Case(
      testDescription: "only one identifier", there: ["A.HEIC", "A.MOV"],
      facts: ["A.HEIC": still("x"), "A.MOV": movie()], photos: [["A.HEIC", "A.MOV movie"]]),
    Case(
      testDescription: "a Pixel's stills, whose names have all of their movies'",
      there: ["P.MP", "P.MP.jpg", "P.MP~2", "P.MP~2.jpg", "Q.MP", "Q.jpg"], named: ["P.MP.jpg", "P.MP~2", "Q.jpg"],
      facts: ["P.MP": movie(), "P.MP.jpg": still(), "P.MP~2": movie(), "P.MP~2.jpg": still()],
      photos: [["P.MP.jpg", "P.MP movie"], ["P.MP~2.jpg", "P.MP~2 movie"], ["Q.jpg"]]),
    Case(
      testDescription: "the sidecar of a Pixel's movie, whose name is that of its still without the ending",
      there: ["P.MP", "P.MP.jpg", "P.MP.xmp"], named: ["P.MP", "P.MP.jpg"],
      facts: ["P.MP": movie(), "P.MP.jpg": still()], photos: [["P.MP.jpg", "P.MP movie", "P.MP.xmp sidecar"]]),
    Case(
      testDescription: "the same name years later", there: ["A.JPG", "A.MOV"],
      facts: ["A.JPG": still(nil, "2014-01-01T10:00:00"), "A.MOV": movie(nil, "2018-01-01T10:00:02")],
      photos: [["A.JPG"], ["A.MOV"]],
      notes: ["separatePhoto A.MOV"]),
    Case(
      testDescription: "the same moment on clocks of two zones", there: ["A.JPG", "A.MOV"],
      facts: ["A.JPG": still(nil, "2014-01-01T10:00:00"), "A.MOV": movie(nil, "2014-01-01T01:00:02Z")],
      photos: [["A.JPG", "A.MOV movie"]]),
    Case(
      testDescription: "a scan without a date, and a movie that has one", there: ["A.JPG", "A.MOV"],
      facts: ["A.JPG": still(), "A.MOV": movie(nil, "2014-01-01T01:00:02Z")], photos: [["A.JPG"], ["A.MOV"]],
      notes: ["separatePhoto A.MOV"]),
    Case(
      testDescription: "a still without a date, whose identifier the movie has", there: ["A.JPG", "A.MOV"],
      facts: ["A.JPG": still("x"), "A.MOV": movie("x", "2014-01-01T01:00:02Z")], photos: [["A.JPG", "A.MOV movie"]]),
    Case(
      testDescription: "two stills for one movie", there: ["A.HEIC", "A.JPG", "A.MOV"],
      facts: ["A.HEIC": still("x"), "A.JPG": still("x"), "A.MOV": movie("x")],
      photos: [["A.HEIC"], ["A.JPG"], ["A.MOV"]],
      notes: Array(
        repeating: "separatePhoto A.MOV", count: 2)
        + ["separatePhoto "]),
    Case(
      testDescription: "two stills, and the identifier decides which", there: ["A.HEIC", "A.JPG", "A.MOV"],
      facts: ["A.HEIC": still("x"), "A.JPG": still("z"), "A.MOV": movie("x")],
      photos: [["A.HEIC", "A.MOV movie"], ["A.JPG"]]),
    Case(
      testDescription: "two movies for one still", there: ["A.HEIC", "A.MOV", "A.MP4"],
      facts: ["A.HEIC": still(), "A.MOV": movie(), "A.MP4": movie()], photos: [["A.HEIC"], ["A.MOV"], ["A.MP4"]],
      notes: ["A.MOV", "A.MP4"].map {
        "separatePhoto \($0)"
      }),
    Case(
      testDescription: "adjustments and edited versions",
      there: ["IMG_1.AAE", "IMG_1.HEIC", "IMG_1.MOV", "IMG_E1.JPG", "IMG_E1.MOV", "IMG_O1.AAE"],
      facts: [
        "IMG_1.HEIC": still("x"), "IMG_1.MOV": movie("x"), "IMG_E1.JPG": still("x"), "IMG_E1.MOV": movie("x"),
      ],
      photos: [
        [
          "IMG_1.HEIC", "IMG_1.AAE adjustments", "IMG_1.MOV movie", "IMG_E1.JPG edited", "IMG_E1.MOV edited",
          "IMG_O1.AAE adjustments",
        ]
      ]),
    Case(
      testDescription: "only the edited version is there", there: ["IMG_1.AAE", "IMG_E1.JPG", "IMG_E1.MOV"],
      facts: ["IMG_E1.JPG": still(), "IMG_E1.MOV": movie()],
      photos: [["IMG_E1.JPG", "IMG_1.AAE adjustments", "IMG_E1.MOV movie"]]),
    Case(
      testDescription: "a movie with adjustments", there: ["IMG_1.AAE", "IMG_1.MOV"],
      photos: [["IMG_1.MOV", "IMG_1.AAE adjustments"]]),
    Case(
      testDescription: "adjustments by themselves", there: ["A.AAE", "A.HEIC"], named: ["A.AAE"], photos: [["A.AAE"]]),
    Case(
      testDescription: "renamed apart, the identifier decides", there: ["beach.heic", "other.heic", "x.mov"],
      facts: ["beach.heic": still("x"), "other.heic": still("y"), "x.mov": movie("x")],
      photos: [["beach.heic", "x.mov movie"], ["other.heic"]]),
    Case(
      testDescription: "a movie that can't be read", there: ["A.HEIC", "A.MOV"], facts: ["A.HEIC": still()],
      photos: [["A.HEIC"], ["A.MOV"]]),
    Case(
      testDescription: "a photo under a movie's name", there: ["A.HEIC", "A.MOV"],
      facts: ["A.HEIC": still(), "A.MOV": still()], photos: [["A.HEIC"], ["A.MOV"]]),
    Case(
      testDescription: "a HEIC under a PNG's name", there: ["A.mov", "A.png"],
      facts: ["A.png": PairFacts(isMovie: false, isStill: true, identifier: nil, time: nil), "A.mov": movie()],
      photos: [["A.png", "A.mov movie"]]),
    Case(
      testDescription: "a PNG, a movie and its adjustments", there: ["A.AAE", "A.mov", "A.png"],
      facts: ["A.png": still(), "A.mov": movie()], photos: [["A.mov", "A.AAE adjustments"], ["A.png"]]),
    Case(
      testDescription: "a JPEG and its raw file", there: ["A.CR2", "A.JPG", "B.CR2"],
      facts: ["A.CR2": still(nil, "2014-01-01T10:00:00"), "A.JPG": still(nil, "2014-01-01T10:00:00")],
      photos: [["A.JPG", "A.CR2 raw"], ["B.CR2"]]),
    Case(
      testDescription: "a Live Photo and its raw file", there: ["A.DNG", "A.HEIC", "A.MOV"], named: ["A.DNG"],
      facts: ["A.DNG": still(), "A.HEIC": still("x"), "A.MOV": movie("x")],
      photos: [["A.HEIC", "A.DNG raw", "A.MOV movie"]]),
    Case(
      testDescription: "a raw file of another year", there: ["A.CR2", "A.JPG"],
      facts: ["A.CR2": still(nil, "2014-01-01T10:00:00"), "A.JPG": still(nil, "2018-01-01T10:00:00")],
      photos: [["A.CR2"], ["A.JPG"]],
      notes: ["separatePhoto A.CR2"]),
    Case(
      testDescription: "a raw file of another camera", there: ["A.CR2", "A.JPG"],
      facts: [
        "A.CR2": PairFacts(isMovie: false, identifier: nil, time: nil, camera: "EOS R6"),
        "A.JPG": PairFacts(isMovie: false, identifier: nil, time: nil, camera: "X-T4"),
      ], photos: [["A.CR2"], ["A.JPG"]],
      notes: ["separatePhoto A.CR2"]),
    Case(
      testDescription: "two pictures for one raw file", there: ["A.DNG", "A.HEIC", "A.JPG"],
      facts: ["A.DNG": still(), "A.HEIC": still(), "A.JPG": still()], photos: [["A.DNG"], ["A.HEIC"], ["A.JPG"]],
      notes: Array(
        repeating: "separatePhoto A.DNG", count: 2)),
    Case(
      testDescription: "a movie and a raw file", there: ["A.DNG", "A.MOV"],
      facts: ["A.DNG": still(), "A.MOV": movie()],
      photos: [["A.DNG"], ["A.MOV"]]),
    Case(
      testDescription: "sidecars of each file", there: ["A.CR2", "A.JPG", "A.JPG.xmp", "A.xmp"], named: ["A.JPG"],
      facts: ["A.CR2": still(), "A.JPG": still()],
      photos: [["A.JPG", "A.CR2 raw", "A.JPG.xmp sidecar", "A.xmp sidecar"]]),
    Case(
      testDescription: "a sidecar that is named brings its photo, and that its own",
      there: ["A.CR2", "A.JPG", "A.CR2.xmp"], named: ["A.CR2.xmp"], facts: ["A.CR2": still(), "A.JPG": still()],
      photos: [["A.JPG", "A.CR2 raw", "A.CR2.xmp sidecar"]]),
    Case(testDescription: "a sidecar by itself", there: ["A.xmp", "B.JPG"], photos: [["A.xmp"], ["B.JPG"]]),
    Case(
      testDescription: "a sidecar of two photos belongs to neither", there: ["A.JPG", "A.PNG", "A.xmp"],
      named: ["A.JPG"],
      photos: [["A.JPG"]],
      notes: ["ambiguousSidecar A.xmp"]),
    Case(
      testDescription: "two formats of one photo", there: ["A.HEIC", "A.JPG"], photos: [["A.HEIC"], ["A.JPG"]]),
  ]

  private func pair(_ pairing: inout PhotoGrouping, _ facts: [String: PairFacts]) -> [Photo] {
    func known(_ indices: [Int]) -> [Int: PairFacts] {
      var known: [Int: PairFacts] = [:]
      for index in indices { known[index] = facts[pairing.path(of: index).lastComponent?.string ?? ""] }
      return known
    }
    pairing.attachSidecars()
    pairing.learn(known(pairing.candidates))
    pairing.joinByName()
    pairing.learn(known(pairing.loneMovies))
    pairing.learn(known(pairing.loneStills))
    pairing.joinByIdentifier()
    return pairing.photos
  }

  private func text(_ photo: Photo) -> [String] {
    [photo.input.path.lastComponent?.string ?? ""]
      + photo.companions.map { "\($0.path.lastComponent?.string ?? "") \($0.role.rawValue)" }.sorted()
  }

  @Test("Files that belong together become one photo.", arguments: cases)
  func together(_ it: Case) throws {
    let scratch = try Scratch()
    for name in it.there { try scratch.write([1], as: name) }
    let folder = scratch.url.filePath
    let inputs = Walk.photos(in: (it.named ?? it.there).map { folder.appending($0) }, recursively: false)
    var pairing = PhotoGrouping(inputs)
    let photos = pair(&pairing, it.facts)
    #expect(photos.map(text) == it.photos)
    #expect(photos.flatMap(\.notes).map { "\($0.code) \($0.file ?? "")" } == it.notes)
  }

  @Test("Files of other folders and other names of a named file aren't grouped.")
  func elsewhere() throws {
    let scratch = try Scratch()
    let folder = scratch.url.filePath
    for name in ["a", "b"] {
      try FileManager.default.createDirectory(at: scratch.url.appending(path: name), withIntermediateDirectories: true)
    }
    try scratch.write([1], as: "a/A.HEIC")
    try scratch.write([1], as: "b/A.MOV")
    try FileManager.default.createSymbolicLink(
      at: scratch.url.appending(path: "b/A.HEIC"), withDestinationURL: scratch.url.appending(path: "a/A.HEIC"))
    let inputs = Walk.photos(in: [folder.appending("a/A.HEIC"), folder.appending("b/A.MOV")], recursively: false)
    var pairing = PhotoGrouping(inputs)
    #expect(
      pair(&pairing, ["A.HEIC": Self.still("x"), "A.MOV": Self.movie("x")]).map(text) == [["A.HEIC"], ["A.MOV"]])
  }

  @Test("A folder is the same, however it is spelled.")
  func spellings() throws {
    let scratch = try Scratch()
    try scratch.write([1], as: "A.HEIC")
    try scratch.write([1], as: "A.MOV")
    let folder = scratch.url.filePath
    let inputs = Walk.photos(
      in: [folder.appending("A.HEIC"), folder.appending(".").appending("A.MOV")], recursively: false)
    var pairing = PhotoGrouping(inputs)
    #expect(pair(&pairing, ["A.HEIC": Self.still(), "A.MOV": Self.movie()]).map(text) == [["A.HEIC", "A.MOV movie"]])
  }

  @Test("A maker note with any changed or missing bytes never traps.")
  func hostileNote() {
    var note = Array("Apple iOS\0".utf8) + [0, 1] + Array("MM".utf8) + [0, 1, 0, 0x11, 0, 2, 0, 0, 0, 6, 0, 0, 0, 28]
    note += Array("ABCDE\0".utf8)
    #expect(AppleMakerNote.contentIdentifier(in: Bytes(note)) == "ABCDE")
    for end in note.indices { #expect(AppleMakerNote.contentIdentifier(in: Bytes(Array(note[..<end]))) == nil) }
    for index in note.indices.prefix(28) {
      for value in [0x00, 0x7F, 0xFF] as [UInt8] {
        var broken = note
        broken[index] = value
        _ = AppleMakerNote.contentIdentifier(in: Bytes(broken))
      }
    }
  }
}
