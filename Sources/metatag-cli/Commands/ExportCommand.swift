import ArgumentParser
import MetaTag
import SystemPackage

struct ExportCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "export",
    abstract: "Write down where photos were taken, for maps and other programs.",
    usage: "metatag export (gpx | kml | geojson | csv) [<options>] <files> ...",
    discussion: """
      EXAMPLES:
        metatag export gpx *.JPG > day.gpx                 waypoints with time and name
        metatag export kml --recursive ~/Pictures > pictures.kml
        metatag export geojson -r . | jq                   points for a map
        metatag export csv *.JPG > places.csv              signed degrees, north and east positive

      The result goes to standard output, in the order of the inputs. Photos without a place are left out and counted. GPX
      knows only UTC: a photo that doesn't record its offset has no time there.
      """)

  @Argument(help: "The format.")
  var format: ExportChoice

  @OptionGroup var input: InputOptions
  @OptionGroup var work: JobsOption

  func run() async throws {
    let console = Console()
    let inputs = Walk.photos(in: try input.paths(), recursively: input.recursive)
    let format = format.format
    var (count, withoutPlace, failures) = (0, 0, 0)
    console.write(Array(format.head.utf8))
    Interrupt.listen()
    _ = await inOrder(inputs, width: work.count, until: { Interrupt.isWished || console.isClosed }) { input in
      ExportCommand.entry(of: input, in: format)
    } consume: { result in
      switch result {
      case .success(let entry?):
        if count > 0 { console.write(Array(format.separator.utf8)) }
        console.write(entry)
        count += 1
      case .success(nil): withoutPlace += 1
      case .failure(let failed):
        console.complain(failed.row.line())
        failures += 1
      }
    }
    console.write(Array(format.tail.utf8))
    if withoutPlace > 0 {
      console.complain("\(withoutPlace) of \(inputs.count) files record no place and are left out")
    }
    try console.finish()
    if Interrupt.isWished { throw ExitCode(130) }
    if failures > 0 { throw ExitCode.failure }
  }

  private struct Failed: Error {
    let row: ReportRow
  }

  private static func entry(of input: Walk.Input, in format: any ExportFormat) -> Result<[UInt8]?, Failed> {
    do throws(PhotoError) {
      if let failure = input.failure { throw failure }
      let photo = ExportedPhoto(input.path, try ImageSource(input.path).metadata())
      return .success(photo.map(format.entry))
    } catch {
      return .failure(Failed(row: ReportRow(input.path, error)))
    }
  }
}
