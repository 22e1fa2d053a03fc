import ArgumentParser
import Foundation
import MetaTag

/// A command that can plan the photos of a large job portion by portion, in many processes. Whatever depends on several
/// photos is learned before.
protocol PortionPlanning: PhotoPlanning {
  var input: InputOptions { get }

  /// Returns what the planners need to know of all photos.
  func learn(from facts: [FileFacts], _ console: Console) async throws -> JobKnowledge

  /// Returns what earlier runs did to the photos, by their paths, as far as the planners need it.
  func earlierRuns(of photos: [Photo], _ console: Console) throws -> [FilePath: PhotoLine.EarlierRuns]

  /// Returns a function that returns the planner of a photo.
  func planning(
    _ knowledge: JobKnowledge, _ console: Console
  ) async throws -> (PhotoLine) throws -> any Planner
}

extension PortionPlanning {
  func earlierRuns(of photos: [Photo], _ console: Console) throws -> [FilePath: PhotoLine.EarlierRuns] { [:] }
}

extension PortionPlanning where Self: PhotoEditing {
  func learn(from facts: [FileFacts], _ console: Console) async throws -> JobKnowledge {
    // Errors of the command are found before any worker starts.
    _ = try await planner(console)
    return JobKnowledge()
  }

  func planning(
    _ knowledge: JobKnowledge, _ console: Console
  ) async throws -> (PhotoLine) throws -> any Planner {
    let planner = try await planner(console)
    return { _ in planner }
  }
}

/// The knowledge about all photos of a job that the planners of its portions need.
struct JobKnowledge: Sendable {
  /// The clocks of the cameras; nil if photos aren't placed by time.
  var learned: PerCameraPlanner.Learned?
  /// The tracks, each for a camera or for all that have none of their own.
  var tracks: [(camera: CameraName?, track: Track)] = []
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
    guard !options.contains(where: { $0 == "--plan" || $0.hasPrefix("--plan=") }) else {
      throw ValidationError("--plan can't be used in a job for workers, which print the rows of the plan.")
    }
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
