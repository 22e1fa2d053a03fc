package import Foundation

/// HEIF files that can be read and decoded, but have no EXIF and no room for it: the data after the metadata may be a
/// movie's and can't move.
package enum RareHEIF {
  /// Whether the programs that create them exist.
  package static let canBeMade = ["cjpeg", "heif-enc", "exiftool"].allSatisfy(Oracle.has)
  /// The reason for which tests with them are disabled.
  package static let absence = "cjpeg, heif-enc or exiftool is missing"

  /// An empty movie fragment (ISO/IEC 14496-12, 8.8.4).
  private static let fragment = Data([0, 0, 0, 8] + Array("moof".utf8))

  /// A picture with a title in XMP, and a date.
  package static func file(
    width: Int = 96, height: Int = 64, title: String = "Kept", encoding: [String] = []
  ) throws -> Data {
    try plain(
      width: width, height: height, encoding: encoding,
      tags: ["-XMP-exif:DateTimeOriginal=2024:05:01 10:30:00+02:00", "-XMP-dc:Title=\(title)"]) + fragment
  }

  /// The picture without the movie fragment, with these tags as exiftool writes them.
  package static func plain(
    width: Int = 96, height: Int = 64, encoding: [String] = [], tags: [String] = []
  ) throws -> Data {
    let scratch = try Scratch()
    var generator = SeededGenerator(seed: 7)
    // Noise on a slope: neither flat nor chaotic.
    var pixels: [UInt8] = []
    for y in 0..<height {
      for x in 0..<width {
        pixels += [UInt8(x * 255 / width), UInt8(y * 200 / height) + UInt8.random(in: 0..<50, using: &generator), 90]
      }
    }
    let raster = try scratch.write(Array("P6 \(width) \(height) 255\n".utf8) + pixels, as: "a.ppm")
    let jpeg = scratch.url.appending(path: "a.jpg").path
    let heic = scratch.url.appending(path: "a.heic").path
    let steps: [[String]] = [
      ["cjpeg", "-quality", "98", "-sample", "1x1", "-outfile", jpeg, raster.path],
      ["heif-enc", "-q", "90"] + encoding + ["-o", heic, jpeg],
      ["exiftool", "-q", "-overwrite_original"] + tags + [heic],
    ]
    for step in steps where step != ["exiftool", "-q", "-overwrite_original", heic] {
      let answer = try Oracle.run(step[0], Array(step.dropFirst()))
      guard answer.status == 0 else { throw Failure(message: answer.errors) }
    }
    return try Data(contentsOf: URL(filePath: heic))
  }

  /// A failure of another program.
  package struct Failure: Error {
    /// The program's message.
    package let message: String
  }
}
