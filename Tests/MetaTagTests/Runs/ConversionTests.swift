import Foundation
import SystemPackage
import TestSupport
import Testing

@testable import MetaTag

@Suite("Conversions", .enabled(if: Corpus.isThere, "\(Corpus.absence)"))
struct ConversionTests {
  static let codecs = Result { try PictureCodecs() }

  static func bytes(_ name: String) throws -> [UInt8] {
    let source = try FileSource(Corpus.shared.appending(path: "corpus/" + name).filePath)
    return try source.bytes(0..<source.count).array
  }

  /// Returns the outcome of each photo: the new file's name, or the reason why there is none.
  static func convert(
    _ desk: Desk, _ paths: [FilePath], to target: Conversion.Target = .compatible, jobs: Int = 2,
    isDryRun: Bool = false, maxPixels: Int? = nil,
    codecs: PictureCodecs? = nil
  ) async throws -> (run: RunID?, outcomes: [String]) {
    var options = Conversion.Options()
    (options.target, options.jobs, options.quality) = (target, jobs, 70)
    options.maxPixels = maxPixels
    let codecs = try codecs ?? Self.codecs.get()
    let journal = try desk.journal()
    let run = isDryRun ? nil : try desk.begin(journal)
    let conversion =
      run.map { Conversion($0, in: journal, codecs: codecs, options: options) }
      ?? Conversion(dryRun: options, codecs: codecs)
    var outcomes: [String] = []
    await conversion.run(Walk.photos(in: paths, recursively: false)) { path, outcome in
      switch outcome {
      case .created(let new, _): outcomes.append(new.lastComponent?.string ?? "")
      case .unchanged(let reason): outcomes.append(reason.code.rawValue)
      case .failed(let error): outcomes.append(error.description)
      case .notRun: outcomes.append("not run")
      }
    }
    if let run { try journal.finishRun(run) }
    return (run, outcomes)
  }

  @Test("New files get their names in the order of the inputs, whatever the number of jobs.", arguments: [1, 4])
  func names(jobs: Int) async throws {
    let desk = try Desk()
    let large = try Self.bytes("heic/C002.heic"), small = try Self.bytes("heic/12.heic")
    let photos = [
      try desk.photo(large, "IMG_1.HEIC"), try desk.photo(small, "IMG_1.heif"), try desk.photo(small, "b.avif"),
    ]
    let foreign = try desk.photo([1, 2, 3], "b.JPG")
    let planned = try await Self.convert(desk, photos, jobs: jobs, isDryRun: true)
    #expect(planned.outcomes == ["IMG_1.JPG", "IMG_1-1.JPG", "b-1.JPG"])
    #expect(try Directory(desk.photos).names().count == 4)
    let done = try await Self.convert(desk, photos, jobs: jobs)
    #expect(done.outcomes == planned.outcomes)
    #expect(try desk.read(foreign) == [1, 2, 3])
    #expect(try desk.read(photos[0]) == large)
    let made = try ImageSource(desk.photos.appending("IMG_1.JPG"))
    #expect(made.type == .jpeg && made.properties.pixelSize == PixelSize(width: 1280, height: 720))
    #expect(try desk.leftovers().isEmpty)
    // Once more, the same files are made, so nothing is to be done.
    let again = try await Self.convert(desk, photos, jobs: jobs)
    #expect(
      again.outcomes == [
        "converted", "converted", "converted",
      ])
  }

  @Test("A file that isn't HEIF is kept, and undo removes the copies.")
  func compatible() async throws {
    let desk = try Desk()
    let jpeg = try desk.photo(try Self.bytes("jpeg-orientation/Landscape_6.jpg"), "a.jpg")
    let heic = try desk.photo(try Self.bytes("heic/12.heic"), "c.heic")
    let broken = try desk.photo([0x46], "d.heic")
    let done = try await Self.convert(desk, [jpeg, heic, broken])
    #expect(done.outcomes.prefix(2) == ["commonFormat", "c.JPG"])
    #expect(done.outcomes.count == 3)
    #expect(try desk.undo(try #require(done.run)).outcomes == [.removed])
    #expect(try Directory(desk.photos).names().map(\.string).sorted() == ["a.jpg", "c.heic", "d.heic"])
  }

  @Test(
    "JPEG becomes HEIC or AVIF.",
    arguments: [(Conversion.Target.heic, ImageType.heic, "a.HEIC"), (.avif, .avif, "a.AVIF")])
  func encoding(target: Conversion.Target, type: ImageType, name: String) async throws {
    let desk = try Desk()
    let photo = try desk.photo(try Self.bytes("jpeg-orientation/Landscape_8.jpg"), "a.jpg")
    #expect(try await Self.convert(desk, [photo], to: target).outcomes == [name])
    let new = try ImageSource(desk.photos.appending(name))
    #expect(new.type == type)
    #expect(new.metadata().make == (try ImageSource(photo).metadata().make))
    #expect(try await Self.convert(desk, [new.path], to: target).outcomes == ["hasFormat"])
  }

  @Test("Larger photos are scaled down, also those that have the format already; their metadata stay.")
  func scaling() async throws {
    let desk = try Desk()
    let large = try desk.photo(try Self.bytes("jpeg-orientation/Landscape_6.jpg"), "a.JPG")
    let heic = try desk.photo(try Self.bytes("heic/C002.heic"), "b.heic")
    let png = try desk.photo(try Self.bytes("png/flower_small.rgb.png"), "c.png")
    let done = try await Self.convert(desk, [large, heic, png], to: .jpeg, maxPixels: 300)
    #expect(done.outcomes == ["a-1.JPG", "b.JPG", "c.JPG"])
    for (name, size) in [("a-1.JPG", (300, 200)), ("b.JPG", (300, 169)), ("c.JPG", (288, 300))] {
      let new = try ImageSource(desk.photos.appending(name))
      #expect(new.properties.pixelSize == PixelSize(width: size.0, height: size.1), "\(name)")
    }
    let (old, new) = (try ImageSource(large).metadata(), try ImageSource(desk.photos.appending("a-1.JPG")).metadata())
    #expect(new.make == old.make && new.captureTimes == old.captureTimes && new.orientation == 1)
    // Small enough already.
    let again = try await Self.convert(desk, [desk.photos.appending("a-1.JPG")], to: .compatible, maxPixels: 300)
    #expect(again.outcomes == ["commonFormat"])
  }

  @Test("A missing encoder is reported for every photo, and nothing is left behind.")
  func missing() async throws {
    let desk = try Desk()
    let photo = try desk.photo(try Self.bytes("jpeg-orientation/Landscape_1.jpg"), "a.jpg")
    let codecs = try Self.codecs.get().without(encoding: [.hevc])
    let done = try await Self.convert(desk, [photo], to: .heic, codecs: codecs)
    #expect(done.outcomes == ["no encoder for HEVC is installed"])
    #expect(try Directory(desk.photos).names().count == 1)
  }
}
