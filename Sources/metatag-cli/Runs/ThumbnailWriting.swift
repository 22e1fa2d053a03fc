import ArgumentParser
import MetaTag
import SystemPackage

/// `metatag show --thumbnail`: one photo, one small picture.
struct ThumbnailWriting {
  let photo: Walk.Input
  let output: FilePath
  /// Pixels of its longer side.
  let size: Int

  /// Returns the exit status of the tool.
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
