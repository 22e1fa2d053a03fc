import ArgumentParser
import MetaTag
import SystemPackage

/// `metatag clocks`: learns from all photos of a large job what its workers need to plan each by itself.
struct ClocksCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "clocks",
    abstract: "Learn the cameras' clocks from all photos of a job for workers.",
    usage: """
      metatag clocks --facts <files> ... --output <file> -- <command>
             metatag clocks --facts <files> ... --output <file> --partial
      """,
    discussion: """
      EXAMPLES:
        metatag clocks --facts facts/* --output clocks.json
          -- geotag --track day.gpx > photos.jsonl
        metatag clocks --facts facts/a facts/b --output facts/ab --partial

      The facts are the answers of 'metatag worker facts', in any order. The command
      is one that would change all photos here, without their files.

      Standard output gets a line for each photo, with the files that belong to it,
      for 'metatag worker plan'. The output file gets the command, and what the
      photos show about the clocks and zones of their cameras.

      --partial joins facts without learning from them, and leaves out what occurs
      twice. In which parts and in which order facts are joined makes no difference.
      """)

  @Option(
    parsing: .upToNextOption,
    help: ArgumentHelp("Read the facts in these files; - is standard input.", valueName: "files"))
  var facts: [PathArgument]

  @Option(help: ArgumentHelp("Write what was learned to this new file.", valueName: "file"))
  var output: PathArgument

  @Flag(help: "Only join the facts.")
  var partial = false

  @Option(help: ArgumentHelp("Read relative paths in facts as relative to this folder.", valueName: "folder"))
  var relativeTo: PathArgument?

  @Argument(parsing: .postTerminator, help: ArgumentHelp("The command, without files.", valueName: "command"))
  var command: [String] = []

  func validate() throws {
    if partial != command.isEmpty {
      throw ValidationError(
        partial
          ? "--partial takes no command." : "Give the command after --: metatag clocks … -- geotag --track day.gpx")
    }
  }

  func run() async throws {
    let console = Console()
    let job = partial ? nil : try JobCommand(command)
    let file = try NewFile(output.path, called: "the output", isWholeAtOnce: true)
    do {
      let joined = try JoinedFacts(facts.flatMap(\.paths))
      if let folder = relativeTo?.path { try WorkerOptions.enter(folder) }
      if let job {
        try await Argv.$standIn.withValue(["metatag"] + job.words) {
          try await learn(from: joined, for: job, into: file, console)
        }
      } else {
        try joined.eachLine { try file.write($0) }
      }
      try file.close()
      try console.finish()
    } catch {
      file.discard()
      throw error
    }
  }

  /// Writes what was learned, and prints a line for each photo.
  private func learn(
    from joined: JoinedFacts, for job: JobCommand, into file: NewFile, _ console: Console
  ) async throws {
    try ClocksFile.write(try await job.command.learn(from: joined.facts, console), for: job, to: file)
    var (seen, files, count, writer) = (Walk.SeenFiles(), 0, 0, JSONWriter())
    console.begin(Progress(total: joined.count))
    try await joined.eachFolders { paths, known in
      let grouped = await job.command.photos(of: seen.new(at: paths), PhotoCatalog(knowing: Array(known)))
      let photos = try job.command.notMovedBefore(among: grouped, console: console)
      let earlier = try job.command.earlierRuns(of: photos, console)
      for photo in photos {
        let line = PhotoLine(photo, earlier[photo.input.path] ?? PhotoLine.EarlierRuns(), version: Console.version)
        writer.value(line.lineValue)
        writer.endLine()
      }
      writer.flush(to: console)
      (files, count) = (files + paths.count, count + photos.count)
      console.advance(to: files)
    }
    console.endProgress()
    let unread = joined.count - joined.facts.count
    console.warn(
      "metatag: \(count.pluralized("photo")) in \(joined.count.pluralized("file"))"
        + (unread > 0 ? ", \(unread) of which can't be read" : "")
        + (joined.refused > 0 ? "; \(joined.refused.pluralized("line names", "lines name")) no file" : ""))
  }
}
