import ArgumentParser
import MetaTag
import SystemPackage

/// Which files a command is about.
struct InputOptions: ParsableArguments {
  @Argument(help: ArgumentHelp("Photos, or folders: the photos directly in them.", valueName: "files"))
  var files: [PathArgument] = []

  @Flag(name: [.customShort("r"), .long], help: "Take the photos of folders within folders too.")
  var recursive = false

  @Option(help: ArgumentHelp("Read more names from this file, one a line; - is standard input.", valueName: "list"))
  var filesFrom: PathArgument?

  @Flag(name: [.customShort("0"), .long], help: "The names in --files-from end with NUL, not with a line's end.")
  var null = false

  @Option(
    help: ArgumentHelp(
      "Take the inputs of this run that failed or were not begun, and that no retry did since. Of files that you name beside it, "
        + "those that the run did are left out; a run that was killed needs them. 'metatag log' numbers the runs.",
      valueName: "run"))
  var retryFailed: Int?

  func validate() throws {
    if files.isEmpty, filesFrom == nil, retryFailed == nil {
      throw ValidationError("Missing expected argument '<files> ...'")
    }
    if null, filesFrom == nil { throw ValidationError("--null is about --files-from, which is missing.") }
  }

  /// The files that are meant. Throws when the list can't be read.
  func photos(console: Console) throws -> [Walk.Input] { try files(console: console, separately: nil).inputs }

  /// The same, and what is done of them already.
  /// - Parameter separately: Whether each file is changed by itself; nil where none is.
  func files(console: Console, separately: Bool?) throws -> NamedFiles {
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
    let undone = inputs.filter { isLeft.contains($0.path) || notDone.contains($0.path) }
    if isNamed {
      console.warn("\(inputs.count - undone.count) of \(inputs.count) files are done since run \(run) and left out")
    }
    return NamedFiles(inputs: undone, done: retry.done, isSeparate: retry.isSeparate ?? false)
  }

  /// The photos of what is named. Of a folder without one, that is told; and what takes the photos of folders in it.
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
          ? "\(folder.printable): no photos \(leftOut.photosWithoutExtension > 0 ? "with an extension " : "")are in it"
          : "\(folder.printable): no photo is directly in it, but \(count.pluralized("folder is", "folders are")): "
            + "--recursive takes the photos of all folders below")
    }
    return inputs
  }

  /// The names in the list, in its order.
  private func listed() throws -> [FilePath] {
    guard let list = filesFrom?.path else { return [] }
    do {
      let file = list == "-" ? FileDescriptor.standardInput : try FileDescriptor.open(list, .readOnly)
      let bytes = try file.closeAfter { try file.readToEnd() }
      return InputOptions.names(in: bytes, separatedByNull: null)
    } catch let error as Errno {
      throw SetupError("can't read the list of files \(list.printable): \(error)")
    }
  }

  /// Names in a list. Empty ones are none; a line may end with CR LF, and the first begin with the mark of UTF-8.
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
  /// What the run left is named by the first of its files.
  fileprivate init(togetherIn run: Int) {
    self.init(
      "--retry-failed: run \(run) changed the files of one photo together: leave out --separately, or others of them stay "
        + "behind")
  }

  /// Nobody knows which files a run that was cut off was about.
  fileprivate init(run: Int) {
    self.init(
      "--retry-failed: run \(run) was cut off before it could note what it left: name its files again beside "
        + "--retry-failed \(run), and those that it had done are left out; or take it back with 'metatag undo \(run)', and "
        + "then give its command again")
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
