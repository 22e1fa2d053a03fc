import ArgumentParser
import CSys
import Glibc
import SystemPackage

/// The tool. Exit status: 0 success, 1 some files were skipped or failed, 2 could not start, 64 wrong usage, 130
/// interrupted.
@main
struct MetatagCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "metatag",
    abstract: "Geotag photos and fix their dates in bulk: offline, lossless, undoable.",
    discussion: """
      EXAMPLES:
        metatag geotag --track day.gpx *.JPG   add locations from a GPS track
        metatag geotag --place Kyoto *.JPG     give all photos one location
        metatag date shift +1h23m *.JPG        correct a clock that was slow
        metatag show *.JPG                     list dates, locations and cameras
        metatag undo                           undo the last run, byte for byte

      Every command that changes photos takes --dry-run, reports on every file, and
      can be undone. A Live Photo counts as one photo: its movie changes with its
      still, unless you give --separately.

      The documents named in the help, such as CONDITIONS.md, are in the folder
      Documentation of the source; 'make install' puts them in share/doc/metatag.
      """,
    version: Console.version,
    subcommands: [
      ShowCommand.self, GeotagCommand.self, NameCommand.self, DateCommand.self, SetCommand.self, ClearCommand.self,
      ConvertCommand.self, FixExtensionCommand.self, ApplyCommand.self, ExportCommand.self, ImportCSVCommand.self,
      TakeoutCommand.self, PlaceCommand.self, ZoneCommand.self, UndoCommand.self, RedoCommand.self, LogCommand.self,
      VerifyCommand.self, ForgetCommand.self, DoctorCommand.self, RunsCommand.self,
      ReportCommand.self,
      WorkerCommand.self, ClocksCommand.self,
    ])

  static func main() async {
    Console.keepStandardStreams()
    Console.closeForeignFiles()
    // A run of many photos takes a fifth less memory with two heaps than with one for each thread, and no more time.
    csys_limit_heaps(2)
    Confinement.forbidNetwork()
    // Other threads would stay unlimited.
    do { try Confinement.limitFiles(to: Argv.words) } catch { Glibc.exit(refuse(error)) }
    Console.allowManyFiles()
    Console.surviveBrokenPipes()
    Interrupt.announce()
    guard Argv.isKnown else {
      Console().warn("metatag: can't read the command line from /proc, which must be mounted")
      Glibc.exit(2)
    }
    Glibc.exit(await run(Argv.words).rawValue)
  }

  /// Reports an error before the command line was read, and returns the exit status.
  private static func refuse(_ error: any Error) -> Int32 {
    let isUsage = (error as? SetupError)?.isUsage == true
    Console().warn(isUsage ? "Error: \(error)" : "metatag: \(error)")
    return isUsage ? ExitCode.validationFailure.rawValue : 2
  }

  /// Runs the command in `words`.
  static func run(_ words: [String], console: Console = Console()) async -> ExitCode {
    do {
      var command = try await asyncParseAsRoot(words)
      if let repeated = RepeatedOption(in: words, of: type(of: command)) {
        console.warn("Error: \(repeated.sentence)")
        return .validationFailure
      }
      for variable in XDGDirectories().ignored {
        console.warn("metatag: \(variable) is not an absolute path and is ignored")
      }
      do {
        if var command = command as? any AsyncParsableCommand {
          try await command.run()
        } else {
          try command.run()
        }
      } catch let error as ValidationError {
        let message = Argv.shown(type(of: command).fullMessage(for: error))
        // The parser's hint about help leaves out the parent commands here.
        console.warn(String(message[..<(message.firstRange(of: "\n  See '")?.lowerBound ?? message.endIndex)]))
        return .validationFailure
      }
      return .success
    } catch let code as ExitCode {
      return code
    } catch {
      return explain(error, of: words, on: console)
    }
  }

  private static func explain(_ error: any Error, of words: [String], on console: Console) -> ExitCode {
    let code = exitCode(for: error)
    let isCompletion = words.contains { $0.hasPrefix("--generate-completion-script") }
    let message = Argv.shown(SharedOptions.$areListed.withValue(isCompletion) { fullMessage(for: error) })
    if code == .success, words.first == "help",
      let unknown = DidYouMean(in: Array(words.drop { $0 == "help" }.prefix { !$0.hasPrefix("-") }), of: Self.self)
    {
      console.warn("Error: \(unknown.sentence)")
      return .validationFailure
    }
    if code == .success {
      console.print(message + pointerToSharedOptions(below: message, words))
      return (try? console.finish()) == nil ? ExitCode(2) : code
    }
    if code == .validationFailure {
      let usage = message.firstRange(of: "\nUsage:").map { message[$0.lowerBound...] } ?? ""
      console.warn(DidYouMean(in: words, of: Self.self).map { "Error: \($0.sentence)\(usage)" } ?? withRemedy(message))
      return code
    }
    // An error of the system while printing isn't an error of the command.
    if let lost = error as? OutputError ?? (error as? Errno).map({ OutputError(reason: $0) }) {
      console.warn("metatag: \(lost)")
      return .failure
    }
    if let start = error as? SetupError, start.isUsage {
      console.warn("Error: \(start)")
      return .validationFailure
    }
    // Any other error kept the command from starting.
    console.warn("metatag: \(error.words)")
    return ExitCode(2)
  }

  /// Returns the last line of help that leaves options out.
  private static func pointerToSharedOptions(below help: String, _ words: [String]) -> String {
    guard help.hasPrefix("OVERVIEW:"), !words.contains("--help-hidden") else { return "" }
    var command: any ParsableCommand.Type = Self.self
    var name = "metatag"
    for word in words.drop(while: { $0 == "help" }) {
      guard let next = command.configuration.subcommands.first(where: { $0.configuration.commandName == word }) else {
        break
      }
      command = next
      name += " \(word)"
    }
    guard CommandHelp(of: command)?.hidesOptions == true else { return "" }
    return "\n  See '\(name) --help-hidden' for shared options."
  }

  /// The parser takes a value that starts with a dash for an option: explain how to write it.
  private static func withRemedy(_ message: String) -> String {
    let lines = message.split(separator: "\n", maxSplits: 1, omittingEmptySubsequences: false)
    guard let option = lines[0].wholeMatch(of: /Error: Missing value for '(--[a-z0-9-]+) .*'/)?.1 else {
      return message
    }
    let rest = lines.dropFirst().map { "\n\($0)" }.joined()
    return "\(lines[0]); write a value that begins with a dash as \(option)=-…\(rest)"
  }
}
