import Foundation
import SystemPackage
import TestSupport
import Testing

@testable import MetaTag

/// Measurements, which need a quiet machine: METATAG_BENCH=1 with the filter ThumbnailSpeedTests.
@Suite(
  "Speed of thumbnails", .serialized,
  .enabled(
    if: Corpus.isThere && ProcessInfo.processInfo.environment["METATAG_BENCH"] != nil, "METATAG_BENCH is not set"))
struct ThumbnailSpeedTests {
  @Test("Eight thumbnails at once don't delay an unrelated task: the p99 of 1,000 wake-ups grows by less than 5 ms.")
  func delay() async throws {
    let codecs = try await PictureCodecs()
    let photo = try ThumbnailTests.image("heic/200MP.heic")
    _ = try await ThumbnailTests.image("heic/12.heic").thumbnail(.maxPixels(100), codecs: codecs)
    let idle = try await Self.delays()
    let isDone = Signal()
    let busy = try await withThrowingTaskGroup(of: Void.self) { group in
      for _ in 0..<8 {
        group.addTask {
          while !isDone.isRaised { _ = try? await photo.thumbnail(.maxPixels(2_000), codecs: codecs) }
        }
      }
      let delays = try await Self.delays()
      isDone.raise()
      group.cancelAll()
      return delays
    }
    print("p99 of an unrelated task: idle \(idle), with 8 thumbnails \(busy)")
    #expect(busy - idle < .milliseconds(5))
  }

  /// Returns the p99 of how late a task of 1 ms wakes up.
  private static func delays() async throws -> Duration {
    var delays: [Duration] = []
    for _ in 0..<1_000 {
      let due = ContinuousClock.now + .milliseconds(1)
      try await Task.sleep(until: due, tolerance: .zero)
      delays.append(due.duration(to: .now))
    }
    return delays.sorted()[989]
  }

  @Test("Embedded previews become 300 thumbnails per second and more.")
  func previews() async throws {
    let codecs = try await PictureCodecs()
    var photos: [FilePath] = []
    for path in Corpus.files("corpus").map(\.filePath) where photos.count < 200 {
      guard let image = try? ImageSource(path) else { continue }
      let thumbnail = try? await image.thumbnail(.maxPixels(160), from: .embedded, codecs: codecs)
      if thumbnail != nil { photos.append(path) }
    }
    let count = 5 * photos.count
    let started = ContinuousClock.now
    let failures = await withTaskGroup(of: Bool.self) { group in
      var failures = 0
      for index in 0..<count {
        if index >= 16, await group.next() == true { failures += 1 }
        group.addTask { [photos] in
          let path = photos[index % photos.count]
          let image = try? ImageSource(path)
          return (try? await image?.thumbnail(.maxPixels(160), from: .embedded, codecs: codecs)) == nil
        }
      }
      return await group.reduce(failures) { $0 + ($1 ? 1 : 0) }
    }
    let rate = Double(count) / (started.duration(to: .now) / .seconds(1))
    print("\(count) thumbnails of \(photos.count) files, \(failures) without: \(Int(rate)) per second")
    #expect(rate > 300)
  }
}
