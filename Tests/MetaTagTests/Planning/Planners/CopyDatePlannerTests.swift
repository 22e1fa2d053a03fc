import Testing

@testable import MetaTag

@Suite("Copying dates")
struct CopyDatePlannerTests {
  @Test(
    "One source sets all copies, and a fraction that it can't hold stays if the second is the same.",
    arguments: [
      (.exif, "2024-05-01T10:00:00.5"), (.xmp, "2024-05-01T11:00:00+02:00"), (.iptc, "2024-05-01T10:00:00.5+01:00"),
      (.digitized, "2024-05-02T10:00:00"), (.modify, "2024-06-01T00:00:00+09:00"),
      (.quicktime, "noCopy(quicktime)"),
    ] as [(CopyDatePlanner.Source, String)])
  func copies(source: CopyDatePlanner.Source, expected: String) throws {
    var photo = try GeotagPlannerTests.photo("2024-05-01T10:00:00.5")
    let time = { try CaptureTime(parsing: $0) } as (String) throws -> CaptureTime
    photo.captureTimes.append(Sourced(try time("2024-05-01T11:00:00+02:00"), .xmp, tag: "photoshop:DateCreated"))
    photo.captureTimes.append(Sourced(try time("2024-05-01T10:00:00+01:00"), .iptc, tag: "DateCreated"))
    photo.digitizedTimes = [Sourced(try time("2024-05-02T10:00:00"), .exif, tag: "DateTimeDigitized")]
    photo.modifyTime = try time("2024-06-01T00:00:00+09:00")
    let recorded: String =
      switch CopyDatePlanner(from: source).propose(for: photo) {
      case .change(let edit, _): if case .set(let time, _) = edit.dates { "\(time)" } else { "nothing" }
      case .unchanged(let reason), .skip(let reason): reason.values
      }
    #expect(recorded == expected)
  }

  @Test("A source with only a day or a year is skipped with that reason.")
  func days() throws {
    var photo = try GeotagPlannerTests.photo("2024-05-01T10:00:00")
    let day = try PartialDate(parsing: "2024-05-01")
    photo.partialDates = [Sourced(day, .iptc, tag: "DateCreated")]
    #expect(CopyDatePlanner(from: .iptc).propose(for: photo) == .skip(.onlyPartial(day)))
    #expect(CopyDatePlanner(from: .xmp).propose(for: photo) == .skip(.noCopy(.xmp)))
    let year = try PartialDate(parsing: "1975")
    photo.partialDates = [Sourced(year, .xmp, tag: "photoshop:DateCreated")]
    #expect(CopyDatePlanner(from: .xmp).propose(for: photo) == .skip(.onlyPartial(year)))
  }
}
