import Foundation
import TestSupport
import Testing

/// The main commands on real photos, checked by exiftool.
@Suite("Real photos", .enabled(if: Corpus.isThere && Oracle.has("exiftool"), "\(Corpus.absence), or no exiftool"))
struct RoundTripTests {
  static let folders = ["jpeg-makernote", "jpeg-orientation", "jpeg-special", "tiff", "png", "webp", "jxl"]

  /// Tags about a new location or a moved date, and tags that only describe the file.
  static let expected = [
    "SourceFile", "ExifTool:", "System:", "File:FileSize", "Composite:", "GPS:", "XMP-exif:GPS",
    "DateTimeOriginal", "DateTimeDigitized", "CreateDate", "DateCreated", "TimeCreated", "DigitalCreationDate",
    "DigitalCreationTime", "SubSecTime", "Photoshop:IPTCDigest", "File:CurrentIPTCDigest", "MPF0:MPImageLength",
    "MPImage1:MPImageLength", "ExifByteOrder",
    // The offsets of a multi-picture file's other images, counted from the file's start: these move with it, whole
    // (below).
    "MPImageStart",
    // The chunks and their form.
    "WebP_Flags", "File:FileType", "Jpeg2000:", "PNG:ExifGPS",
    // A drone's copies of its location.
    "XMP-drone-dji:GPS", "XMP-drone-dji:AbsoluteAltitude", "XMP-drone-dji:RelativeAltitude",
  ]

  /// Tags that exiftool 12.57 can't compare: it does not follow the GPS pointer of a BigTIFF; Sanyo_S1's maker note
  /// names a thumbnail past the end of its segment, which is found only in a longer segment; and it can't read data
  /// compressed by brotli. In one photo, the pointer to the Exif directory has a wrong count: the change corrects it, and
  /// exiftool reads the directory then.
  static let beyondTheJudge = [
    "BigTIFF", "Sanyo_S1.JPG Sanyo:SanyoThumbnail", "JXL2.jxl IFD0:", "test-brotli.jxl IFD0:",
    "cve-2012-2813.jpg ExifIFD:", "cve-2012-2813.jpg InteropIFD:", "cve-2012-2813.jpg Sony:",
  ]

  private static let taken = "ExifIFD:DateTimeOriginal"

  @Test(
    "Location and date are written to real photos, nothing else changes, and undo restores them.", arguments: folders)
  func roundTrip(folder: String) throws {
    let tool = try Tool()
    let photos = try Photos(copying: "corpus/\(folder)")
    let before = try exiftool([], photos.folder)
    let images = try otherImages(before)

    let geotag = try tool(
      "geotag", "--at", "47.6062,-122.3321", "--overwrite", "replace", "--keep-names", "--jxl-jpeg", "drop", "--jsonl",
      "-r", photos.path)
    let shift = try tool("date", "shift", "+1h23m", "--jsonl", "-r", photos.path)
    #expect([0, 1].contains(geotag.status) && [0, 1].contains(shift.status), "\(geotag.errors)\(shift.errors)")

    let after = try exiftool([], photos.folder)
    let numbers = try exiftool(["-n", "-EXIF:GPSLatitude", "-Composite:GPSLongitude"], photos.folder)
    let changed = try rows(geotag).filter { $0["outcome"] == "changed" }.compactMap { $0["path"] }
    #expect(Double(changed.count) >= 0.93 * Double(photos.files.count), "\(changed.count) of \(photos.files.count)")
    for path in changed {
      let latitude = numbers[path]?["GPS:GPSLatitude"] as? Double ?? .nan
      let longitude = numbers[path]?["Composite:GPSLongitude"] as? Double ?? .nan
      // exiftool can't read the EXIF of a few damaged files at all; then it shows no GPS, before or after.
      if path.contains("BigTIFF") { continue }
      if before[path]?.keys.contains(where: { $0.hasPrefix("IFD0:") }) ?? false {
        #expect(abs(latitude - 47.6062) < 1e-6 && abs(longitude + 122.3321) < 1e-6, "\(path)")
      }
    }
    for (path, old) in before {
      let new = after[path] ?? [:]
      for key in Set(old.keys).union(new.keys) where !Self.expected.contains(where: key.contains) {
        if Self.beyondTheJudge.contains(where: "\(path) \(key)".contains) { continue }
        // New EXIF records its version.
        if key == "ExifIFD:ExifVersion", !old.keys.contains(where: { $0.hasPrefix("ExifIFD:") }) { continue }
        // Samsung's copy of the date follows.
        if key == "Samsung:TimeStamp", new[key] != nil { continue }
        // The date of the last change follows if the camera wrote it with its zone.
        let isCamera = old["ExifIFD:OffsetTime"] != nil && "\(old[key] ?? "")" == "\(old[Self.taken] ?? "none")"
        if key == "IFD0:ModifyDate", isCamera {
          #expect("\(new[key] ?? "none")" == "\(new[Self.taken] ?? "none")", "\(path)")
          continue
        }
        #expect("\(old[key] ?? "none")" == "\(new[key] ?? "none")", "\(path) \(key)")
      }
    }

    #expect(try otherImages(after) == images)

    for run in [shift, geotag] where run.text.contains(#""outcome":"changed""#) {
      #expect(try tool("undo").status == 0)
    }
    for (file, hash) in photos.hashes { #expect(try sha256(file) == hash, "\(file.path)") }
    let left = try FileManager.default.contentsOfDirectory(atPath: photos.path)
    #expect(left.count == photos.files.count, "files left over: \(left.filter { $0.hasPrefix(".") })")
  }

  @Test(
    "A refused file is named and unchanged.",
    arguments: ["jpeg", "jpeg-mixed", "tiff", "exiv2-poc", "png", "webp"])
  func malformed(folder: String) throws {
    let tool = try Tool()
    let photos = try Photos(copying: "malformed/\(folder)")
    let run = try tool("geotag", "--at", "47.6062,-122.3321", "--overwrite", "replace", "--jsonl", "-r", photos.path)
    #expect([0, 1].contains(run.status), "\(run.errors)")
    for row in try rows(run) where row["outcome"] == "failed" {
      let path = try #require(row["path"])
      #expect(try sha256(URL(filePath: path)) == photos.hashes[URL(filePath: path)], "\(path)")
      #expect(!(row["reason"] ?? "").isEmpty)
    }
    #expect([0, 2].contains(try tool("undo").status))
    for (file, hash) in photos.hashes { #expect(try sha256(file) == hash, "\(file.path)") }
  }

  /// The further images of multi-picture files, from exiftool.
  private func otherImages(_ dump: [String: [String: any Sendable]]) throws -> [String: Data] {
    try dump.filter { $0.value["MPImage2:MPImageStart"] != nil }.reduce(into: [:]) { images, row in
      images[row.key] = try Oracle.run("exiftool", ["-b", "-MPImage2", row.key]).output
    }
  }

  private func rows(_ answer: Oracle.Answer) throws -> [[String: String]] {
    try answer.text.split(separator: "\n").map { line in
      let row = try JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any] ?? [:]
      return row.compactMapValues { $0 as? String }
    }
  }
}

/// A private copy of a folder of photos, with the old hashes.
struct Photos {
  let scratch: Scratch
  let files: [URL]
  let hashes: [URL: String]
  var folder: URL { scratch.url }
  var path: String { scratch.url.path }

  init(copying folder: String) throws {
    scratch = try Scratch()
    files = try Corpus.files(folder).map { [scratch] file in try scratch.copy(file) }
    hashes = try Dictionary(uniqueKeysWithValues: files.map { ($0, try sha256($0)) })
  }
}

/// SHA-256 from the system's tool, independent of metatag.
func sha256(_ file: URL) throws -> String {
  String(try Oracle.run("sha256sum", [file.path]).text.prefix(64))
}
