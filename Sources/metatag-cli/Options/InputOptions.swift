import ArgumentParser
import Foundation
import MetaTag
import SystemPackage

/// Options that name the files of a command.
struct InputOptions: ParsableArguments {
  @Argument(help: ArgumentHelp("Photos and movies, or folders of them.", valueName: "files"))
  var files: [PathArgument] = []

  @Flag(name: [.customShort("r"), .long], help: "Include the photos in subfolders.")
  var recursive = false

  @Option(
    help: ArgumentHelp(
      "Read more file names from this file, one per line; - is standard input.", valueName: "list", visibility: .shared)
  )
  var filesFrom: PathArgument?

  @Flag(
    name: [.customShort("0"), .long],
    help: ArgumentHelp("Names in --files-from end with a NUL byte instead of a newline.", visibility: .shared))
  var null = false

  @Option(
    help: ArgumentHelp(
      "Process only files that failed or weren't reached in this run (see 'metatag log'). If you name files too, those "
        + "that the run changed are left out. If the run crashed, name its files again.",
      valueName: "run", visibility: .shared))
  var retryFailed: Int?

  @OptionGroup var confinement: ConfinementOption

  func validate() throws {
    if let root = confinement.root, let outside = files.flatMap(\.paths).first(where: { !$0.isBelow(root.path) }) {
      throw ValidationError("\(outside.printable) is not below \(root.path.printable), the folder of --root.")
    }
    if files.isEmpty, filesFrom == nil, retryFailed == nil {
      throw ValidationError("Missing expected argument '<files> ...'")
    }
    if files.contains(where: { $0.paths.contains("-") }), !isStandardInput {
      throw ValidationError("-, the photo on standard input, must be the only file. For a file of this name, use ./-")
    }
    if null, filesFrom == nil { throw ValidationError("--null requires --files-from.") }
  }

  /// Returns the files.
  /// - Throws: `SetupError` if the list can't be read.
  func photos(console: Console) throws -> [Walk.Input] { try files(console: console, separately: nil).inputs }

  /// Whether the only file is `-`, the photo on standard input.
  var isStandardInput: Bool { files.flatMap(\.paths) == ["-"] && filesFrom == nil && retryFailed == nil }

  /// The console of a command that changes the files. If the photo is on standard input, the changed photo is written to
  /// standard output, and the report to standard error.
  var console: Console { isStandardInput ? Console(output: .standardError) : Console() }

  /// Returns the photo on standard input, if that is the only file.
  func standardInput() throws -> Walk.Input? {
    guard isStandardInput else { return nil }
    do throws(FileError) { return try Walk.input(from: .standardInput) } catch { throw SetupError("-: \(error.words)") }
  }

  /// Returns the files, and what was already done to them.
  /// - Parameters:
  ///   - separately: Whether each file is changed by itself; nil if no file is changed.
  ///   - takesStandardInput: Whether - is the photo on standard input.
  func files(console: Console, separately: Bool?, takesStandardInput: Bool = true) throws -> NamedFiles {
    if separately != nil, takesStandardInput, let input = try standardInput() { return NamedFiles(inputs: [input]) }
    guard !isStandardInput else {
      throw ValidationError("This command can't read a photo from standard input. For a file named -, use ./-")
    }
    let named = files.flatMap(\.paths) + (try listed())
    guard let run = retryFailed else { return NamedFiles(inputs: walk(named, console: console)) }
    let retry = try RunID(Int64(run)).retry(console: console)
    if separately == true, retry.isSeparate == false { throw SetupError(togetherIn: run) }
    let isNamed = !files.isEmpty || filesFrom != nil
    guard isNamed || retry.left != nil else { throw SetupError(run: run) }
    let left = retry.left ?? []
    let inputs = walk(left + named, console: console)
    let isLeft = Set(left)
    let notDone = Set(retry.done.undone(among: inputs).map(\.path))
    let undone = inputs.filter { isLeft.contains($0.path) || notDone.contains($0.path) }.map(belowNamedFolder)
    if isNamed {
      console.warn(
        "\(inputs.count - undone.count) of \(inputs.count) files were done by or since run \(run) and are left out")
    }
    return NamedFiles(inputs: undone, done: retry.done, isSeparate: retry.isSeparate ?? false)
  }

  /// Returns an input that a run left, with the named folder that contains it.
  private func belowNamedFolder(_ input: Walk.Input) -> Walk.Input {
    guard input.root == nil else { return input }
    let current = FilePath(FileManager.default.currentDirectoryPath)
    let folders = files.flatMap(\.paths).filter(Walk.isFolder).map { current.pushing($0) }
    var input = input
    input.root = folders.first { input.path.starts(with: $0) && input.path != $0 }
    return input
  }

  /// Returns the photos in the named files and folders, and reports folders without a photo.
  private func walk(_ named: [FilePath], console: Console) -> [Walk.Input] {
    var leftOut = Walk.LeftOut()
    let inputs = Walk.photos(in: named, recursively: recursive, leftOut: &leftOut)
    console.keep(leftOut)
    let parents = Set(inputs.map { $0.path.removingLastComponent() })
    for folder in named where !parents.contains(folder) && Walk.isFolder(folder) {
      if recursive, inputs.contains(where: { $0.path.starts(with: folder) }) { continue }
      // Its photos may be among the inputs under another name.
      guard Walk.photos(in: [folder], recursively: recursive).isEmpty else { continue }
      let count = recursive ? 0 : Walk.foldersBelow(folder)
      console.warn(
        count == 0
          ? "\(folder.printable): contains no photos\(leftOut.photosWithoutExtension > 0 ? " with an extension" : "")"
          : "\(folder.printable): contains no photos, only \(count.pluralized("folder")): "
            + "use --recursive to include the photos in them")
    }
    return inputs
  }

  /// Returns the names in the list of `--files-from`, in order.
  private func listed() throws -> [FilePath] {
    guard let list = filesFrom?.path else { return [] }
    do {
      let file = list == "-" ? FileDescriptor.standardInput : try FileDescriptor.open(list, .readOnly)
      let bytes = try file.closeAfter { try file.readToEnd() }
      return InputOptions.names(in: bytes, separatedByNull: null)
    } catch let error as Errno {
      throw SetupError("can't read the list of files \(list.printable): \(error.words)")
    }
  }

  /// Returns the names in a list. Empty names are ignored; lines may end with CR LF, and the list may start with a byte
  /// order mark.
  static func names(in list: [UInt8], separatedByNull: Bool) -> [FilePath] {
    let mark: [UInt8] = [0xEF, 0xBB, 0xBF]
    return list.dropFirst(!separatedByNull && list.starts(with: mark) ? mark.count : 0).split(
      separator: separatedByNull ? 0x00 : 0x0A
    ).compactMap { name in
      let name = !separatedByNull && name.last == 0x0D ? name.dropLast() : name
      return name.isEmpty ? nil : FilePath(rawBytes: name)
    }
  }
}

extension FilePath {
  /// Whether it leads to something below a folder, or to the folder; true if it leads nowhere.
  fileprivate func isBelow(_ folder: FilePath) -> Bool {
    guard let own = resolved, let folder = folder.resolved else { return true }
    return own.starts(with: folder)
  }
}

extension FileDescriptor {
  fileprivate func readToEnd() throws -> [UInt8] {
    var bytes: [UInt8] = []
    var piece = [UInt8](repeating: 0, count: 1 << 16)
    while true {
      let count = try piece.withUnsafeMutableBytes { try read(into: $0) }
      if count == 0 { return bytes }
      bytes.append(contentsOf: piece[..<count])
    }
  }
}

extension SetupError {
  /// The run changed photos of several files together, and recorded only the first file of each as left.
  fileprivate init(togetherIn run: Int) {
    self.init(
      "--retry-failed: run \(run) changed the files of one photo together: leave out --separately, or some of them "
        + "are not changed")
  }

  /// A run that crashed has no record of its files.
  fileprivate init(run: Int) {
    self.init(
      "--retry-failed: run \(run) was interrupted before it recorded which files were left. Name its files again with "
        + "--retry-failed \(run), which leaves out those already done; or undo it with 'metatag undo \(run)' and run its "
        + "command again")
  }
}

extension DateFixCommand {
  /// Creates the commands for the files that `line` names.
  init(_ line: [String], _ input: InputOptions, separately: Bool = false) {
    var choice = input.recursive ? ["--recursive"] : []
    if separately { choice.append("--separately") }
    if let list = input.filesFrom?.path { choice += ["--files-from", "\(list)"] + (input.null ? ["--null"] : []) }
    for condition in line.values(of: "--where") { choice += ["--where", condition] }
    self.init(line, choice: choice, files: input.files.flatMap(\.paths).map(\.printable))
  }
}

/// The number of photos to process at once.
struct JobsOption: ParsableArguments {
  @Option(
    help: ArgumentHelp(
      "Photos to process at once. (default: one per processor; two when writing)", valueName: "count",
      visibility: .shared))
  var jobs: Int?

  func validate() throws {
    if let jobs, !(1...1_024).contains(jobs) { throw ValidationError("--jobs takes 1 to 1024, not \(jobs).") }
  }
}

/// A file name on the command line, byte for byte, or the many names that `Argv` joined into one word.
struct PathArgument: ExpressibleByArgument, Sendable, Hashable {
  let paths: [FilePath]
  /// The first path; for an option, the only one.
  let path: FilePath

  init?(argument: String) {
    paths = Argv.bytes(of: argument).split(separator: 0).map { FilePath(rawBytes: $0) }
    guard let first = paths.first else { return nil }
    path = first
  }

  static var defaultCompletionKind: CompletionKind { .file() }
}

/// Text on the command line, such as a place name.
struct TextArgument: Sendable, Hashable {
  let text: String

  static func argument(_ word: String) throws -> TextArgument {
    let text = try Argv.text(of: word)
    guard !text.isEmpty else { throw ValidationError("it is empty.") }
    return TextArgument(text: text)
  }
}
