import ArgumentParser
import Foundation
import MetaTag

/// A command that can plan the photos of a large job portion by portion, in many processes. Whatever depends on several
/// photos is learned before.
protocol PortionPlanning: PhotoPlanning {
  var input: InputOptions { get }

  /// Returns what the planners need to know of all photos; nil if that is nothing.
  func learned(from facts: [FileFacts], _ console: Console) async throws -> PerCameraPlanner.Learned?

  /// Returns what earlier runs did to the photos, by their paths, as far as the planners need it.
  func earlierRuns(of photos: [Photo], _ console: Console) throws -> [FilePath: PhotoLine.EarlierRuns]

  /// Returns a function that returns the planner of a photo.
  func planning(
    _ learned: PerCameraPlanner.Learned?, _ console: Console
  ) async throws -> (PhotoLine) throws -> any Planner
}

extension PortionPlanning {
  func earlierRuns(of photos: [Photo], _ console: Console) throws -> [FilePath: PhotoLine.EarlierRuns] { [:] }
}

extension PortionPlanning where Self: PhotoEditing {
  func learned(from facts: [FileFacts], _ console: Console) async throws -> PerCameraPlanner.Learned? {
    // Errors of the command are found before any worker starts.
    _ = try await planner(console)
    return nil
  }

  func planning(
    _ learned: PerCameraPlanner.Learned?, _ console: Console
  ) async throws -> (PhotoLine) throws -> any Planner {
    let planner = try await planner(console)
    return { _ in planner }
  }
}

/// The command of a large job, without the files: `geotag --track day.gpx`.
struct JobCommand {
  /// The words as typed.
  let words: [String]
  let command: any PortionPlanning

  /// Reads the command.
  /// - Parameter words: The words as `Argv` masks them.
  init(_ words: [String]) throws {
    self.words = try words.map { try Argv.text(of: $0) }
    let options = Argv.withEmptyValues(words)
    guard !options.contains("--") else { throw ValidationError(Self.files) }
    // Files are required on a command line; here, they come line by line.
    let parsed = try MetatagCommand.parseAsRoot(options + ["--dry-run", "--files-from", "-"])
    guard let command = parsed as? any PortionPlanning else {
      throw ValidationError(
        "Workers can't plan this command. Make the plan on one machine, with --plan; workers can apply it.")
    }
    let input = command.input
    guard input.files.isEmpty, !input.recursive, input.retryFailed == nil, input.confinement.root == nil,
      !options.contains(where: { $0.hasPrefix("--files-from") })
    else { throw ValidationError(Self.files) }
    guard command.edit.copying.copies == nil, command.edit.despiteRun.isEmpty else {
      throw ValidationError("--copy-to and --despite-run can't be used in a job for workers.")
    }
    self.command = command
  }

  private static let files = "Leave out the files and how to find them: workers get the files line by line."
}

/// The file in which `metatag clocks` passes on to workers the command of a job and the clocks of the cameras.
struct ClocksFile: Codable {
  /// The version of the form.
  private static let form = 1

  private let metatagClocks: Int
  private let version: String
  /// The command of the job.
  let command: [String]
  let learned: PerCameraPlanner.Learned?

  init(_ command: JobCommand, _ learned: PerCameraPlanner.Learned?) {
    (metatagClocks, version) = (Self.form, Console.version)
    (self.command, self.learned) = (command.words, learned)
  }

  private static let numbers = (infinite: "inf", negative: "-inf", none: "nan")

  init(_ path: FilePath) throws {
    let decoder = JSONDecoder()
    decoder.nonConformingFloatDecodingStrategy = .convertFromString(
      positiveInfinity: Self.numbers.infinite, negativeInfinity: Self.numbers.negative, nan: Self.numbers.none)
    let bytes: [UInt8]
    do throws(FileError) {
      let file = try FileSource(path)
      bytes = try file.bytes(0..<file.count).array
    } catch {
      throw SetupError("--clocks: \(path.printable): \(error.words)")
    }
    do { self = try decoder.decode(Self.self, from: Data(bytes)) } catch {
      throw SetupError("--clocks: \(path.printable): not a file that 'metatag clocks' wrote")
    }
    guard metatagClocks == Self.form else {
      throw SetupError(
        "--clocks: \(path.printable) has format \(metatagClocks), but this version reads format \(Self.form)")
    }
    do { try RequestError.requireVersion(version) } catch {
      throw SetupError("--clocks: \(path.printable): \((error as? RequestError)?.description ?? error.words)")
    }
  }

  var bytes: [UInt8] {
    get throws {
      let encoder = JSONEncoder()
      encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
      encoder.nonConformingFloatEncodingStrategy = .convertToString(
        positiveInfinity: Self.numbers.infinite, negativeInfinity: Self.numbers.negative, nan: Self.numbers.none)
      return Array(try encoder.encode(self)) + [0x0A]
    }
  }
}
