import Foundation
import TestSupport
import Testing

/// Movies that don't name their camera, next to that camera's photos.
@Suite(.enabled(if: Oracle.has("exiftool"), "exiftool is missing"))
struct CameraMoviesTests {
  private static let samples = Corpus.project.appending(path: "SampleImages")

  private func write(_ sample: String, _ name: String, _ scratch: Scratch, _ tags: [String]) throws -> URL {
    let file = try scratch.write(try Data(contentsOf: Self.samples.appending(path: sample)), as: name)
    let answer = try Oracle.run("exiftool", ["-q", "-m", "-overwrite_original"] + tags + [file.path])
    try #require(answer.status == 0, "\(answer.errors)")
    return file
  }

  private func photo(_ name: String, _ shown: String, _ scratch: Scratch) throws -> URL {
    let dates = ["-DateTimeOriginal=\(shown)", "-CreateDate=\(shown)", "-IFD0:ModifyDate=", "-GPS:all="]
    let zones = ["-OffsetTime=", "-OffsetTimeOriginal=", "-OffsetTimeDigitized="]
    return try write("borealis-01-lake.jpg", name, scratch, dates + zones)
  }

  private func movie(_ name: String, _ shown: String, _ scratch: Scratch) throws -> URL {
    let dates = ["-QuickTime:CreateDate=\(shown)", "-TrackCreateDate=\(shown)", "-MediaCreateDate=\(shown)"]
    return try write("borealis-07-swans.mp4", name, scratch, ["-Make=", "-Model=", "-Keys:all="] + dates)
  }

  @Test(
    "A sync applies to the camera's movies, recognised by their numbers, and to no others.",
    arguments: [
      ("IMG_0001.JPG", "IMG_0005.JPG", "MVI_0003.MP4", "2024:05:18 10:20:29", true),
      ("DSC_0001.JPG", "DSC_0005.JPG", "DSC_0003.MP4", "2024:05:18 10:20:29", true),
      ("IMG_0001.JPG", "IMG_0005.JPG", "GX010003.MP4", "2024:05:18 10:20:29", false),
      ("IMG_0001.JPG", "IMG_0005.JPG", "MVI_0007.MP4", "2024:05:18 10:20:29", false),
      ("IMG_0001.JPG", "IMG_0005.JPG", "sub/MVI_0003.MP4", "2024:05:18 10:20:29", false),
      // This one is from another trip.
      ("IMG_0001.JPG", "IMG_0005.JPG", "MVI_0003.MP4", "2024:05:21 10:20:29", false),
    ])
  func numbered(_ first: String, _ last: String, _ name: String, _ shown: String, isOwn: Bool) throws {
    let (tool, scratch) = (try Tool(), try Scratch())
    try FileManager.default.createDirectory(
      at: scratch.url.appending(path: "sub"), withIntermediateDirectories: true)
    // 20 minutes slow.
    let photos = [
      try photo(first, "2024:05:18 10:14:20", scratch), try photo(last, "2024:05:18 10:26:48", scratch),
    ]
    let file = try movie(name, shown, scratch)
    let track = Self.samples.appending(path: "day.gpx").path
    let run = try tool(
      "geotag", "--track", track, "--camera-zone", "Europe/Ljubljana", "--sync",
      "\(photos[0].path)=2024-05-18T08:34:20Z", "--fix-dates", photos[0].path, photos[1].path, file.path)
    let recorded = "1 movie between the photos of Borealis B2 was assumed to be its own."
    #expect(run.text.contains(recorded) == isOwn, "\(run.text)\(run.errors)")
    let date = try Oracle.run("exiftool", ["-s3", "-QuickTime:CreateDate", file.path]).text
      .trimmingCharacters(in: .whitespacesAndNewlines)
    // Others are read with a clock that is right.
    #expect(date == (isOwn ? "2024:05:18 08:40:29" : date) && date.hasSuffix("40:29") == isOwn)
    if isOwn { #expect(run.text.contains("The dates of 3 photos are corrected.")) }
  }

  @Test(
    "Photos with neighbouring numbers decide whether a movie's headers are in UTC or local time.",
    arguments: [
      // The clock is 20 minutes slow; it showed 10:14:20 to 10:26:48 in the photos.
      (["--sync"], "2024:05:18 08:20:29", "2024:05:18 08:40:29"),
      // With their zone recorded, they are in UTC.
      (["--sync"], "2024:05:18 10:20:29", "2024:05:18 08:40:29"),
      // It may be numbered some minutes out of order.
      (["--sync"], "2024:05:18 08:29:00", "2024:05:18 08:49:00"),
      (["--sync", "--camera-zone", "Europe/Ljubljana"], "2024:05:18 08:20:29", "2024:05:18 08:40:29"),
      // Neither fits.
      (["--sync"], "2024:05:18 09:20:29", nil),
      (["--sync"], "2024:05:18 12:20:29", nil),
    ])
  func neighbours(_ options: [String], _ shown: String, _ right: String?) throws {
    let (tool, scratch) = (try Tool(), try Scratch())
    let photos = [
      try photo("IMG_0001.JPG", "2024:05:18 10:14:20", scratch),
      try photo("IMG_0005.JPG", "2024:05:18 10:26:48", scratch),
    ]
    let file = try movie("MVI_0003.MP4", shown, scratch)
    let sync = options.flatMap { $0 == "--sync" ? [$0, "\(photos[0].path)=2024-05-18T08:34:20Z"] : [$0] }
    let words = ["geotag", "--track", Self.samples.appending(path: "day.gpx").path, "--fix-dates"]
    let run = try tool.run(list: words + sync + (photos + [file]).map(\.path))
    #expect(run.status == (right == nil ? 1 : 0), "\(run.text)\(run.errors)")
    let date = try Oracle.run("exiftool", ["-s3", "-QuickTime:CreateDate", file.path]).text
      .trimmingCharacters(in: .whitespacesAndNewlines)
    #expect(date == right ?? shown)
    #expect(run.text.components(separatedBy: ": clock ").count == 2, "\(run.text)")
    #expect(
      run.text.contains("Header times, according to the photos with neighbouring numbers: ") == (right != nil),
      "\(run.text)")
  }

  @Test(
    "A movie is read the same way with a right clock, and skipped if both readings fit.",
    arguments: [("10:26:48", true), ("13:10:00", false)])
  func rightClock(_ last: String, isRead: Bool) throws {
    let (tool, scratch) = (try Tool(), try Scratch())
    let photos = [
      try photo("IMG_0001.JPG", "2024:05:18 10:14:20", scratch),
      try photo("IMG_0005.JPG", "2024:05:18 \(last)", scratch),
    ]
    let file = try movie("MVI_0003.MP4", isRead ? "2024:05:18 08:20:29" : "2024:05:18 10:20:29", scratch)
    let run = try tool.run(
      list: ["geotag", "--track", Self.samples.appending(path: "day.gpx").path, "--json"]
        + (photos + [file]).map(\.path))
    let rows = try WorkflowTests.rows(run)
    #expect(rows.map { $0["outcome"] as? String } == ["changed", "changed", isRead ? "changed" : "skipped"])
    let match = rows.last?["match"] as? [String: Any]
    #expect(match?["instant"] as? String == (isRead ? "2024-05-18T08:20:29+00:00" : nil))
  }

  private static let utc = "2024:05:18 08:20:29"
  private static let local = "2024:05:18 10:20:29"
  /// The photos are from 10:14:20 to 10:26:48, and 20 minutes slow if a correction is given.
  static let given: [(String, String, String?)] = [
    ("--camera-zone +02:00", utc, "2024-05-18T08:20:29+00:00"),
    ("--camera-zone +02:00", local, "2024-05-18T08:20:29+00:00"),
    ("--camera-zone +02:00 --offset +20m", utc, "2024-05-18T08:40:29+00:00"),
    ("--camera-zone +02:00 --offset +20m --fix-dates", utc, "2024-05-18T08:40:29+00:00"),
    ("--camera-zone +02:00", "2024:05:18 09:20:29", nil),
    ("--camera-zone +02:00", "2024:05:18 12:20:29", nil),
    // The given zone is that of the headers.
    ("--camera-zone Z", "2024:05:18 08:40:29", "2024-05-18T08:40:29+00:00"),
  ]

  @Test(
    "Photos decide also if the camera's zone is given, and a movie that fits neither way is skipped.",
    arguments: given, [false, true])
  func givenZone(_ movieCase: (String, String, String?), namesCamera: Bool) throws {
    let (options, shown, instant) = movieCase
    let (tool, scratch) = (try Tool(), try Scratch())
    let photos = [
      try photo("IMG_0001.JPG", "2024:05:18 10:14:20", scratch),
      try photo("IMG_0005.JPG", "2024:05:18 10:26:48", scratch),
    ]
    let file = try movie("MVI_0003.MP4", shown, scratch)
    if namesCamera {
      let tags = ["-q", "-overwrite_original", "-Keys:Make=Borealis", "-Keys:Model=B2", file.path]
      try #require(try Oracle.run("exiftool", tags).status == 0)
    }
    let run = try tool.run(
      list: ["geotag", "--track", Self.samples.appending(path: "day.gpx").path, "--json"]
        + options.split(separator: " ").map(String.init) + (photos + [file]).map(\.path))
    let row = try #require(try WorkflowTests.rows(run).last)
    #expect(row["outcome"] as? String == (instant == nil ? "skipped" : "changed"), "\(run.text)")
    #expect((row["match"] as? [String: Any])?["instant"] as? String == instant)
    let date = try Oracle.run("exiftool", ["-s3", "-QuickTime:CreateDate", file.path]).text
      .trimmingCharacters(in: .whitespacesAndNewlines)
    let isDated = instant != nil && (!options.contains("--offset") || options.contains("--fix-dates"))
    let right = instant.map { String($0.prefix(19)).replacing("-", with: ":").replacing("T", with: " ") }
    #expect(date == (isDated ? right : shown))
  }

  @Test("A movie's clock correction applies to the photos too.")
  func sync() throws {
    let (tool, scratch) = (try Tool(), try Scratch())
    let photos = [
      try photo("IMG_0001.JPG", "2024:05:18 10:14:20", scratch),
      try photo("IMG_0005.JPG", "2024:05:18 10:26:48", scratch),
    ]
    let file = try movie("MVI_0003.MP4", "2024:05:18 10:20:29", scratch)
    let track = Self.samples.appending(path: "day.gpx").path
    let run = try tool(
      "geotag", "--track", track, "--camera-zone", "Europe/Ljubljana", "--sync", "\(file.path)=2024-05-18T08:40:29Z",
      "--fix-dates", photos[0].path, photos[1].path, file.path)
    #expect(run.text.contains("The dates of 3 photos are corrected."), "\(run.text)\(run.errors)")
    #expect(!run.errors.contains("no --sync photo"))
    for (photo, right) in [(photos[0], "10:34:20"), (photos[1], "10:46:48")] {
      let date = try Oracle.run("exiftool", ["-s3", "-DateTimeOriginal", photo.path]).text
      #expect(date.contains(right), "\(date)")
    }
  }

  @Test("A movie whose number is between those of two cameras belongs to neither.")
  func severalCameras() throws {
    let (tool, scratch) = (try Tool(), try Scratch())
    let photos = [
      try photo("IMG_0001.JPG", "2024:05:18 10:14:20", scratch),
      try photo("IMG_0005.JPG", "2024:05:18 10:26:48", scratch),
    ]
    let others = try ["IMG_0002.JPG", "IMG_0006.JPG"].map { name in
      try write("aurora-01-jetty.jpg", name, scratch, ["-DateTimeOriginal=2024:05:18 10:14:20"])
    }
    let file = try movie("MVI_0003.MP4", "2024:05:18 10:20:29", scratch)
    let run = try tool.run(
      list: [
        "geotag", "--track", Self.samples.appending(path: "day.gpx").path, "--camera-zone", "Europe/Ljubljana",
        "--sync",
        "\(photos[0].path)=2024-05-18T08:34:20Z", "--dry-run",
      ] + (photos + others + [file]).map(\.path))
    #expect(!run.text.contains("assumed to be its own"), "\(run.text)")
    #expect(run.errors.contains("camera without a name: no --sync photo"), "\(run.errors)")
  }
}
