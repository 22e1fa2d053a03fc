import Foundation
import TestSupport

/// exiftool's reading of files: all copies of all tags, by group.
enum ExifToolTags {
  /// Returns the tags of the files in `folders`, by file name.
  static func read(in folders: [URL]) throws -> [String: [String: String]] {
    let answer = try Oracle.run(
      "exiftool", ["-a", "-G1", "-j", "-n", "-q", "-q", "-ext+", "avifs"] + folders.map(\.path))
    let rows = try JSONSerialization.jsonObject(with: answer.output) as? [[String: Any]] ?? []
    return rows.reduce(into: [:]) { tags, row in
      let name = (row["SourceFile"] as? String).map { URL(filePath: $0).lastPathComponent } ?? ""
      tags[name] = row.mapValues { "\($0)" }
    }
  }

  /// Whether an edit of location and time may change this tag.
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
    // In XMP without a location, the satellite time of the old one.
    "GPSDateTime",
    "GPSCoordinates", "LocationInformation", "LocationAccuracyHorizontal",
    // Offsets from the start of the file.
    "MediaDataSize", "MediaDataOffset", "ThumbnailOffset",
    // exiftool prints one of several in a track; a new list of keys has another.
    "HandlerType",
    // Flags of the chunks that exist.
    "WebP_Flags",
  ]
}
