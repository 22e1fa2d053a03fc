import ArgumentParser
import Glibc
import SystemPackage

/// The tool. Exit status: 0 everything done, 1 some files were left or failed, 2 could not start, 64 wrong usage, 130
/// interrupted.
@main
struct MetatagCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "metatag",
    abstract: "Puts the right place and time on photos, offline, without harming one.",
    discussion: """
      EXAMPLES:
        metatag geotag --track day.gpx *.JPG   put photos where the track was
        metatag geotag --place Kyoto *.JPG     or all of them in one place
        metatag date shift +1h23m *.JPG        correct a clock that was slow
        metatag show *.JPG                     see what photos record
        metatag undo                           take the last run back, every byte

      Every command that changes photos takes --dry-run, reports every file, and
      can be undone. A Live Photo is one photo: its movie goes with its still, named
      or not, unless you say --separately.

      Documents that help names, such as CONDITIONS.md, are in the folder
      Documentation of the source, and where 'make install' puts them:
      share/doc/metatag.
      """,
    version: Console.version,
    subcommands: [
      ShowCommand.self, GeotagCommand.self, NameCommand.self, DateCommand.self, SetCommand.self, ClearCommand.self,
      ConvertCommand.self, FixExtensionCommand.self, ApplyCommand.self, ExportCommand.self, ImportCSVCommand.self,
      TakeoutCommand.self, PlaceCommand.self, ZoneCommand.self, UndoCommand.self, RedoCommand.self, LogCommand.self,
    ])

  static func main() async {
    Console.keepStandardStreams()
    Console.allowManyFiles()
    Console.surviveBrokenPipes()
    Interrupt.announce()
    guard Argv.isKnown else {
      Console().warn("metatag: can't read its own command line in /proc, which has to be mounted")
      Glibc.exit(2)
    }
    Glibc.exit(await run(Argv.words).rawValue)
  }

  /// Runs the command that `words` ask for.
  static func run(_ words: [String], console: Console = Console()) async -> ExitCode {
    do {
      var command = try await asyncParseAsRoot(words)
      if let repeated = RepeatedOption(in: words, of: type(of: command)) {
        console.warn("Error: \(repeated.sentence)")
        return .validationFailure
      }
      for variable in XDGDirectories().ignored {
        console.warn("metatag: \(variable) is no absolute path, and is ignored")
      }
      do {
        if var command = command as? any AsyncParsableCommand {
          try await command.run()
        } else {
          try command.run()
        }
      } catch let error as ValidationError {
        let message = Argv.shown(type(of: command).fullMessage(for: error))
        // How to get help is told without the words before a command's own name.
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
    let message = Argv.shown(fullMessage(for: error))
    if code == .success, words.first == "help",
      let unknown = DidYouMean(in: Array(words.drop { $0 == "help" }.prefix { !$0.hasPrefix("-") }), of: Self.self)
    {
      console.warn("Error: \(unknown.sentence)")
      return .validationFailure
    }
    if code == .success {
      console.print(message)
      return (try? console.finish()) == nil ? ExitCode(2) : code
    }
    if code == .validationFailure {
      let usage = message.firstRange(of: "\nUsage:").map { message[$0.lowerBound...] } ?? ""
      console.warn(DidYouMean(in: words, of: Self.self).map { "Error: \($0.sentence)\(usage)" } ?? withRemedy(message))
      return code
    }
    // What the system said is no reason of a command's own.
    if let lost = error as? OutputError ?? (error as? Errno).map({ OutputError(reason: $0) }) {
      console.warn("metatag: \(lost)")
      return .failure
    }
    if let start = error as? SetupError, start.isUsage {
      console.warn("Error: \(start)")
      return .validationFailure
    }
    // What else a command throws, other than a status, kept it from starting.
    console.warn("metatag: \(error)")
    return ExitCode(2)
  }

  /// Words with a dash in front are options: a title that has one is written another way.
  private static func withRemedy(_ message: String) -> String {
    let lines = message.split(separator: "\n", maxSplits: 1, omittingEmptySubsequences: false)
    guard let option = lines[0].wholeMatch(of: /Error: Missing value for '(--[a-z0-9-]+) .*'/)?.1 else {
      return message
    }
    let rest = lines.dropFirst().map { "\n\($0)" }.joined()
    return "\(lines[0]); one that begins with a dash is written \(option)=-…\(rest)"
  }
}
