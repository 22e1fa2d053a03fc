import Foundation
import TestSupport
import Testing

/// Recording zones in movies that have a time only in their headers, which may be in UTC or local time.
@Suite(.enabled(if: Oracle.has("exiftool"), "exiftool is missing"))
struct DateZoneMovieTests {
  private static let samples = Corpus.project.appending(path: "SampleImages")

  /// A Live Photo's files; its still shows 12:00:00.
  private func pair(header: String, _ scratch: Scratch, hasStill: Bool) throws -> (still: URL?, movie: URL) {
    func write(_ name: String, _ tags: [String]) throws -> URL {
      let file = try scratch.write(
        try Data(contentsOf: Self.samples.appending(path: "cirrus-01-boat.\(name)")), as: "IMG_0001.\(name)")
      let answer = try Oracle.run("exiftool", ["-q", "-m", "-overwrite_original"] + tags + [file.path])
      try #require(answer.status == 0, "\(answer.errors)")
      return file
    }
    let zones = ["-OffsetTime=", "-OffsetTimeOriginal=", "-OffsetTimeDigitized=", "-GPS:all=", "-IFD0:ModifyDate="]
    let shown = "2024:05:18 12:00:00"
    let still =
      hasStill ? try write("heic", ["-DateTimeOriginal=\(shown)", "-CreateDate=\(shown)"] + zones) : nil
    let dates = ["CreateDate", "TrackCreateDate", "MediaCreateDate"].map { "-QuickTime:\($0)=2024:05:18 \(header)" }
    return (still, try write("mov", ["-Keys:CreationDate=", "-Keys:GPSCoordinates="] + dates))
  }

  private func values(_ file: URL) throws -> [String] {
    try ["-QuickTime:CreateDate", "-TrackCreateDate", "-Keys:CreationDate"].map {
      try Oracle.run("exiftool", ["-s3", $0, file.path]).text.trimmingCharacters(in: .whitespacesAndNewlines)
    }
  }

  private static let tokyo = "Asia/Tokyo"
  private static let vienna = "Europe/Vienna --keep-instant --camera-zone +09:00"
  /// The arguments, the movie's header before and after, and the added date.
  static let pairs: [(String, String, String, String)] = [
    (tokyo, "03:00:00", "03:00:00", "12:00:00+09:00"), (tokyo, "02:59:58", "02:59:58", "11:59:58+09:00"),
    (tokyo, "12:00:00", "03:00:00", "12:00:00+09:00"), (tokyo, "07:00:00", "07:00:00", ""),
    (tokyo, "03:00:09", "03:00:09", ""), (vienna, "03:00:00", "03:00:00", "05:00:00+02:00"),
    (vienna, "12:00:00", "03:00:00", "05:00:00+02:00"), (vienna, "07:00:00", "07:00:00", ""),
  ]

  @Test("The still of a pair decides whether the headers are in UTC, and they are afterwards.", arguments: pairs)
  func pair(_ words: String, _ before: String, _ after: String, _ added: String) throws {
    let (tool, scratch) = (try Tool(), try Scratch())
    let files = try pair(header: before, scratch, hasStill: true)
    let still = try #require(files.still)
    let run = try tool.run(list: ["date", "zone"] + words.split(separator: " ").map { String($0) } + [still.path])
    #expect(run.status == 0, "\(run.text)\(run.errors)")
    let day = "2024:05:18 "
    #expect(try values(files.movie) == [day + after, day + after, added.isEmpty ? "" : day + added], "\(run.text)")
    #expect(run.text.contains("IMG_0001.mov") && run.text.contains(added.isEmpty ? "stays" : "its date was"))
    let zone = try Oracle.run("exiftool", ["-s3", "-OffsetTimeOriginal", still.path]).text
    #expect(zone.hasPrefix(words == Self.tokyo ? "+09:00" : "+02:00"))
  }

  @Test(
    "A movie without a still is skipped, unless both readings are the same.",
    arguments: [
      tokyo, "\(tokyo) --overwrite replace", vienna, "Europe/Vienna --keep-instant", "Z",
      "Europe/Vienna --keep-instant --camera-zone Z",
    ])
  func alone(_ words: String) throws {
    let isLeft = !words.hasSuffix("Z")
    let (tool, scratch) = (try Tool(), try Scratch())
    let movie = try pair(header: "03:00:00", scratch, hasStill: false).movie
    let run = try tool.run(list: ["date", "zone"] + words.split(separator: " ").map { String($0) } + [movie.path])
    #expect(run.status == (isLeft ? 1 : 0), "\(run.text)\(run.errors)")
    #expect(try values(movie)[0] == "2024:05:18 03:00:00")
    #expect(try values(movie)[2].isEmpty == isLeft)
  }
}
