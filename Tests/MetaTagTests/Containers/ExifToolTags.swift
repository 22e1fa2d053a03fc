import Foundation
import TestSupport

/// What exiftool reads in files: all copies of all tags, under their groups.
enum ExifToolTags {
  /// The tags of the files in `folders`, by the files' names.
  static func read(in folders: [URL]) throws -> [String: [String: String]] {
    let answer = try Oracle.run(
      "exiftool", ["-a", "-G1", "-j", "-n", "-q", "-q", "-ext+", "avifs"] + folders.map(\.path))
    let rows = try JSONSerialization.jsonObject(with: answer.output) as? [[String: Any]] ?? []
    return rows.reduce(into: [:]) { tags, row in
      let name = (row["SourceFile"] as? String).map { URL(filePath: $0).lastPathComponent } ?? ""
      tags[name] = row.mapValues { "\($0)" }
    }
  }

  /// Whether a change of place and time may change this tag.
  static func isEdited(_ key: String) -> Bool {
    let tag = key.split(separator: ":").last.map(String.init) ?? key
    return ["SourceFile", "File:FileSize", "File:ExifByteOrder"].contains(key) || tag.hasPrefix("MPImage")
      || ["System:", "GPS:", "GPSInfo:", "Composite:", "ExifTool:"].contains { key.hasPrefix($0) }
      || edited.contains(tag)
  }

  private static let edited: Set = [
    "DateTimeOriginal", "CreateDate", "OffsetTimeOriginal", "OffsetTimeDigitized", "SubSecTimeOriginal",
    "SubSecTimeDigitized", "ExifVersion", "DateCreated", "TimeCreated", "DigitalCreationDate", "DigitalCreationTime",
    "DateTimeDigitized",
    "CurrentIPTCDigest", "IPTCDigest",
    "CreationDate", "CreationTime",
    "TrackCreateDate", "MediaCreateDate",
    // In XMP that has no position, the satellites' time of the old one.
    "GPSDateTime",
    "GPSCoordinates", "LocationInformation", "LocationAccuracyHorizontal",
    // Where they stand counts from the file's start.
    "MediaDataSize", "MediaDataOffset", "ThumbnailOffset",
    // Of several in one track, exiftool prints one; a new list with keys has its own.
    "HandlerType",
    // What chunks there are.
    "WebP_Flags",
  ]
}
