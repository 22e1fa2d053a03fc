import ArgumentParser
import MetaTag
import SystemPackage

/// Writes the thumbnail for `metatag show --thumbnail`.
struct ThumbnailWriting {
  let photo: Walk.Input
  let output: FilePath
  /// The length of the longer side in pixels.
  let size: Int

  /// Writes the thumbnail and returns the exit status.
  func run(on console: Console) throws -> ExitCode {
    do throws(FileError) {
      if let failure = photo.failure { throw failure }
      let thumbnail = try ImageSource(photo.path).thumbnail(maxPixels: size, codecs: PictureCodecs())
      if thumbnail.isDegraded {
        let (width, height) = (thumbnail.pixelSize.width, thumbnail.pixelSize.height)
        console.warn(
          "\(photo.path.printable): the picture can't be decoded here; its preview has \(width) × \(height) pixels")
      }
      if output != "-" {
        do throws(FileError) { try thumbnail.write(to: output) } catch {
          console.warn("\(output.printable): \(error.words)")
          return .failure
        }
        return .success
      }
      console.write(thumbnail.jpeg)
    } catch {
      console.warn(ReportRow(photo.path, error).line())
      return .failure
    }
    try console.finish()
    return .success
  }
}
