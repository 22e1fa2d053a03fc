import Foundation
import SystemPackage
import TestSupport
import Testing

@testable import MetaTag

@Suite("Pairing")
struct PairingTests {
  /// Files in one folder, what was read of them, which are named, and what they come to.
  struct Case: CustomTestStringConvertible, Sendable {
    let testDescription: String
    let there: [String]
    var named: [String]?
    var facts: [String: PairFacts] = [:]
    let shots: [[String]]
    var notices: [String] = []
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
      facts: ["A.HEIC": still(), "A.MOV": movie()], shots: [["A.HEIC", "A.MOV movie"], ["B.HEIC"]]),
    Case(
      testDescription: "the half that is not named", there: ["A.HEIC", "A.MOV", "B.HEIC", "B.MOV"], named: ["A.MOV"],
      facts: ["A.HEIC": still("x"), "A.MOV": movie("x")], shots: [["A.HEIC", "A.MOV movie"]]),
    Case(
      testDescription: "identifiers that differ", there: ["A.HEIC", "A.MOV"],
      facts: ["A.HEIC": still("x"), "A.MOV": movie("y")], shots: [["A.HEIC"], ["A.MOV"]],
      notices: ["A.MOV, which has its name, is of another photo and is taken by itself"]),
    Case(
      testDescription: "only one identifier", there: ["A.HEIC", "A.MOV"],
      facts: ["A.HEIC": still("x"), "A.MOV": movie()], shots: [["A.HEIC", "A.MOV movie"]]),
    Case(
      testDescription: "the same name years later", there: ["A.JPG", "A.MOV"],
      facts: ["A.JPG": still(nil, "2014-01-01T10:00:00"), "A.MOV": movie(nil, "2018-01-01T10:00:02")],
      shots: [["A.JPG"], ["A.MOV"]],
      notices: ["A.MOV, which has its name, is of another photo and is taken by itself"]),
    Case(
      testDescription: "the same moment on clocks of two zones", there: ["A.JPG", "A.MOV"],
      facts: ["A.JPG": still(nil, "2014-01-01T10:00:00"), "A.MOV": movie(nil, "2014-01-01T01:00:02Z")],
      shots: [["A.JPG", "A.MOV movie"]]),
    Case(
      testDescription: "two stills for one movie", there: ["A.HEIC", "A.JPG", "A.MOV"],
      facts: ["A.HEIC": still("x"), "A.JPG": still("x"), "A.MOV": movie("x")],
      shots: [["A.HEIC"], ["A.JPG"], ["A.MOV"]],
      notices: Array(
        repeating: "A.MOV, which has its name, is not the only one that fits and is taken by itself", count: 2)
        + ["more than one still is its, and it is taken by itself"]),
    Case(
      testDescription: "two stills, and the identifier tells which", there: ["A.HEIC", "A.JPG", "A.MOV"],
      facts: ["A.HEIC": still("x"), "A.JPG": still("z"), "A.MOV": movie("x")],
      shots: [["A.HEIC", "A.MOV movie"], ["A.JPG"]]),
    Case(
      testDescription: "two movies for one still", there: ["A.HEIC", "A.MOV", "A.MP4"],
      facts: ["A.HEIC": still(), "A.MOV": movie(), "A.MP4": movie()], shots: [["A.HEIC"], ["A.MOV"], ["A.MP4"]],
      notices: ["A.MOV", "A.MP4"].map {
        "\($0), which has its name, is not the only one that fits and is taken by itself"
      }),
    Case(
      testDescription: "adjustments and edited versions",
      there: ["IMG_1.AAE", "IMG_1.HEIC", "IMG_1.MOV", "IMG_E1.JPG", "IMG_E1.MOV", "IMG_O1.AAE"],
      facts: [
        "IMG_1.HEIC": still("x"), "IMG_1.MOV": movie("x"), "IMG_E1.JPG": still("x"), "IMG_E1.MOV": movie("x"),
      ],
      shots: [
        [
          "IMG_1.HEIC", "IMG_1.AAE adjustments", "IMG_1.MOV movie", "IMG_E1.JPG edited", "IMG_E1.MOV edited",
          "IMG_O1.AAE adjustments",
        ]
      ]),
    Case(
      testDescription: "only the edited version is there", there: ["IMG_1.AAE", "IMG_E1.JPG", "IMG_E1.MOV"],
      facts: ["IMG_E1.JPG": still(), "IMG_E1.MOV": movie()],
      shots: [["IMG_E1.JPG", "IMG_1.AAE adjustments", "IMG_E1.MOV movie"]]),
    Case(
      testDescription: "a movie with adjustments", there: ["IMG_1.AAE", "IMG_1.MOV"],
      shots: [["IMG_1.MOV", "IMG_1.AAE adjustments"]]),
    Case(
      testDescription: "adjustments by themselves", there: ["A.AAE", "A.HEIC"], named: ["A.AAE"], shots: [["A.AAE"]]),
    Case(
      testDescription: "renamed apart, the identifier tells", there: ["beach.heic", "other.heic", "x.mov"],
      facts: ["beach.heic": still("x"), "other.heic": still("y"), "x.mov": movie("x")],
      shots: [["beach.heic", "x.mov movie"], ["other.heic"]]),
    Case(
      testDescription: "a movie that can't be read", there: ["A.HEIC", "A.MOV"], facts: ["A.HEIC": still()],
      shots: [["A.HEIC"], ["A.MOV"]]),
    Case(
      testDescription: "a photo under a movie's name", there: ["A.HEIC", "A.MOV"],
      facts: ["A.HEIC": still(), "A.MOV": still()], shots: [["A.HEIC"], ["A.MOV"]]),
    Case(
      testDescription: "two formats of one photo", there: ["A.HEIC", "A.JPG"], shots: [["A.HEIC"], ["A.JPG"]]),
  ]

  private func pair(_ pairing: inout Pairing, _ facts: [String: PairFacts]) -> [Shot] {
    func known(_ indices: [Int]) -> [Int: PairFacts] {
      var known: [Int: PairFacts] = [:]
      for index in indices { known[index] = facts[pairing.path(of: index).lastComponent?.string ?? ""] }
      return known
    }
    pairing.learn(known(pairing.candidates))
    pairing.joinByName()
    pairing.learn(known(pairing.loneMovies))
    pairing.learn(known(pairing.loneStills))
    pairing.joinByIdentifier()
    return pairing.shots
  }

  private func text(_ shot: Shot) -> [String] {
    [shot.input.path.lastComponent?.string ?? ""]
      + shot.companions.map { "\($0.path.lastComponent?.string ?? "") \($0.role.rawValue)" }.sorted()
  }

  @Test("what belongs together is one", arguments: cases)
  func together(_ it: Case) throws {
    let scratch = try Scratch()
    for name in it.there { try scratch.write([1], as: name) }
    let folder = scratch.url.filePath
    let inputs = Walk.photos(in: (it.named ?? it.there).map { folder.appending($0) }, recursively: false)
    var pairing = Pairing(inputs)
    let shots = pair(&pairing, it.facts)
    #expect(shots.map(text) == it.shots)
    #expect(shots.flatMap(\.notices) == it.notices)
  }

  @Test("files of other folders, and other names of a named file, are no halves")
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
    var pairing = Pairing(inputs)
    #expect(
      pair(&pairing, ["A.HEIC": Self.still("x"), "A.MOV": Self.movie("x")]).map(text) == [["A.HEIC"], ["A.MOV"]])
  }

  @Test("a folder is one however it is spelled")
  func spellings() throws {
    let scratch = try Scratch()
    try scratch.write([1], as: "A.HEIC")
    try scratch.write([1], as: "A.MOV")
    let folder = scratch.url.filePath
    let inputs = Walk.photos(
      in: [folder.appending("A.HEIC"), folder.appending(".").appending("A.MOV")], recursively: false)
    var pairing = Pairing(inputs)
    #expect(pair(&pairing, ["A.HEIC": Self.still(), "A.MOV": Self.movie()]).map(text) == [["A.HEIC", "A.MOV movie"]])
  }

  @Test("no maker note traps, however its bytes are changed or cut")
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
