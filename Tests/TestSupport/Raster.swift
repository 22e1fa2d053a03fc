package import Foundation

/// The pixels of a picture as ffmpeg decodes them: red, green, blue.
package struct Raster: Sendable {
  /// Columns and rows.
  package let width: Int, height: Int
  /// Three for each pixel, in rows from the top.
  package let samples: [UInt8]

  /// Creates a picture of samples.
  package init(width: Int, height: Int, samples: [UInt8]) {
    (self.width, self.height, self.samples) = (width, height, samples)
  }

  /// Decodes a picture; of an animation, the first frame.
  package init(_ file: URL) throws {
    let answer = try Oracle.run(
      "ffmpeg",
      ["-v", "error", "-i", file.path, "-frames:v", "1", "-f", "image2pipe", "-c:v", "ppm", "-pix_fmt", "rgb24", "-"])
    // P6, width and height, 255, a line each.
    let fields = answer.output.split(separator: 0x0A, maxSplits: 3, omittingEmptySubsequences: false)
    let size =
      fields.count == 4 ? String(decoding: fields[1], as: UTF8.self).split(separator: " ").compactMap { Int($0) } : []
    guard size.count == 2 else { throw CocoaError(.fileReadCorruptFile) }
    (width, height) = (size[0], size[1])
    samples = Array(fields[3])
  }

  /// The similarity of two pictures: peak signal-to-noise ratio in dB, 100 for equal ones, 0 if their sizes differ.
  package func attributeSource(to other: Raster) -> Double {
    guard width == other.width, height == other.height, samples.count == other.samples.count else { return 0 }
    var sum = 0.0
    samples.withUnsafeBufferPointer { mine in
      other.samples.withUnsafeBufferPointer { its in
        for index in mine.indices {
          let difference = Double(mine[index]) - Double(its[index])
          sum += difference * difference
        }
      }
    }
    return sum == 0 ? 100 : 10 * log10(255 * 255 / (sum / Double(samples.count)))
  }
}
