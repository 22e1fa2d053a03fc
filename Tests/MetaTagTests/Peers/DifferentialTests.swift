import Foundation
import TestSupport
import Testing

@testable import MetaTag

/// Random photos on random tracks, matched by metatag and by two other programs. Every difference must be a row of
/// `Tests/DIFFERENCES.md`. There are few scenes here; `make differential` takes thousands of photos.
@Suite("Comparison on random tracks and photos", .enabled(if: Oracle.has("exiftool") && Oracle.has("gpscorrelate")))
struct DifferentialTests {
  static let photosInScene = 20
  /// From the environment, so that the everyday and the long test share the code.
  static let sceneCount = ProcessInfo.processInfo.environment["METATAG_DIFFERENTIAL"].flatMap(Int.init) ?? 20

  static func scenes(_ seed: UInt64) -> [RandomScene] {
    var generator = SeededGenerator(seed: seed)
    return (0..<sceneCount).map { _ in RandomScene(photos: photosInScene, using: &generator) }
  }

  /// A folder for each scene, with its track and its photos, which are named by their order.
  static func write(_ scenes: [RandomScene], to scratch: Scratch) throws -> [(folder: URL, photos: [URL])] {
    try scenes.enumerated().map { index, scene in
      let folder = scratch.url.appending(path: "\(index)")
      try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
      try Data(scene.gpx.utf8).write(to: folder.appending(path: "track.gpx"))
      let photos = try scene.photos.enumerated().map { number, second in
        let time = try #require(CivilTime(secondsSince1970: RandomScene.start + second))
        let text = "\(time)".replacing("-", with: ":").replacing("T", with: " ")
        let file = folder.appending(path: "\(number).jpg")
        let jpeg = Sample.jpeg(Sample.exif(Sample.tiff(exif: [0x9003: .ascii(text)])))
        try Data(try jpeg.bytes(0..<jpeg.count).array).write(to: file)
        return file
      }
      return (folder, photos)
    }
  }

  static func ours(_ track: Track, _ second: Int64) -> Result<TrackMatch, MatchFailure> {
    Result { () throws(MatchFailure) in try track.match(Instant(seconds: RandomScene.start + second)) }
  }

  /// Expects that the other program did what its model says, and returns the row that explains the difference from
  /// metatag.
  func compare(
    _ scenes: [RandomScene], _ files: [(folder: URL, photos: [URL])],
    model: (RandomScene, Int64) -> Coordinate?,
    row: (RandomScene, Int64, Result<TrackMatch, MatchFailure>) -> PeerDifference?
  ) throws -> [PeerDifference: Int] {
    var rows: [PeerDifference: Int] = [:]
    for (scene, file) in zip(scenes, files) {
      let track = try Track(bytes: Array(scene.gpx.utf8), name: "track.gpx")
      for (second, photo) in zip(scene.photos, file.photos) {
        let theirs = try ImageSource(photo.filePath).metadata().locations.first?.value.coordinate
        #expect(
          PeerDifference.areSame(theirs, model(scene, second)),
          "\(file.folder.lastPathComponent) \(second): \(theirs as Any)\n\(scene.gpx)")
        let found = row(scene, second, DifferentialTests.ours(track, second))
        #expect(found != nil, "\(second): \(theirs as Any)\n\(scene.gpx)")
        if let found { rows[found, default: 0] += 1 }
      }
    }
    return rows
  }

  @Test("metatag and exiftool agree on locations, except for explained differences.")
  func exiftool() throws {
    let scratch = try Scratch()
    let scenes = DifferentialTests.scenes(57)
    let files = try DifferentialTests.write(scenes, to: scratch)
    // One process for all: `-execute` begins the next scene.
    let commands = files.map { "-geotag\n\($0.folder.path)/track.gpx\n\($0.folder.path)\n-execute\n" }
    _ = try Oracle.run(
      "exiftool", ["-@", "-", "-common_args", "-q", "-q", "-m", "-overwrite_original", "-ext", "jpg"],
      environment: ["TZ": "UTC"], input: Data(commands.joined().utf8))
    let rows = try compare(
      scenes, files, model: { PeerModel.exiftool($0, at: $1) }, row: PeerDifference.exiftool)
    print("exiftool:", rows.sorted { $0.value > $1.value }.map { "\($0.key.rawValue) \($0.value)" })
    #expect(rows[PeerDifference.none, default: 0] * 3 > scenes.count * DifferentialTests.photosInScene)
    #expect(Set(rows.keys).isSuperset(of: [.outside, .segments, .gap]))
  }

  @Test("metatag and gpscorrelate agree on locations, except for explained differences.")
  func gpscorrelate() throws {
    let scratch = try Scratch()
    let scenes = DifferentialTests.scenes(20)
    let files = try DifferentialTests.write(scenes, to: scratch)
    for (folder, photos) in files {
      _ = try Oracle.run(
        "gpscorrelate", ["-z", "0", "-g", folder.path + "/track.gpx"] + photos.map(\.path), environment: ["TZ": "UTC"])
    }
    let rows = try compare(
      scenes, files, model: { PeerModel.gpscorrelate($0, at: $1) }, row: PeerDifference.gpscorrelate)
    print("gpscorrelate:", rows.sorted { $0.value > $1.value }.map { "\($0.key.rawValue) \($0.value)" })
    #expect(rows[PeerDifference.none, default: 0] * 3 > scenes.count * DifferentialTests.photosInScene)
    #expect(Set(rows.keys).isSuperset(of: [.gap, .zone]))
  }
}
