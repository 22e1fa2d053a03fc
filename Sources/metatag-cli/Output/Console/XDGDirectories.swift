import Foundation
import Glibc
import MetaTag
import Synchronization
import SystemPackage

/// The folders for the tool's data (XDG Base Directory Specification 0.8).
struct XDGDirectories {
  private let environment: [String: String]
  /// The home folder in the password file. Looked up only without `HOME`, since it may need a server.
  private let passwordHome: () -> FilePath?

  init(environment: [String: String] = ProcessInfo.processInfo.environment) {
    self.init(environment: environment) {
      getpwuid(getuid()).flatMap { $0.pointee.pw_dir }.map { FilePath(platformString: $0) }
    }
  }

  init(environment: [String: String], passwordHome: @escaping () -> FilePath?) {
    (self.environment, self.passwordHome) = (environment, passwordHome)
  }

  /// The folder of the journal: `$XDG_STATE_HOME/metatag`, or `~/.local/state/metatag`.
  var state: FilePath { strayState ?? ownState }
  /// The folder for data that can be recreated: `$XDG_CACHE_HOME/metatag`, or `~/.cache/metatag`.
  var cache: FilePath { folder("XDG_CACHE_HOME", else: ".cache") }

  /// The folders for data that all users share, the most important first: those of `$XDG_DATA_DIRS`, or
  /// `/usr/local/share` and `/usr/share`.
  var sharedData: [FilePath] {
    let named = environment["XDG_DATA_DIRS"] ?? ""
    return (named.isEmpty ? "/usr/local/share:/usr/share" : named).split(separator: ":").map { FilePath(String($0)) }
      .filter(\.isAbsolute).map { $0.appending("metatag") }
  }

  /// The folder for the user's own places: `$XDG_DATA_HOME/metatag`, or `~/.local/share/metatag`.
  var data: FilePath {
    stray("XDG_DATA_HOME", ".local/share", holding: "places.sqlite") ?? folder("XDG_DATA_HOME", else: ".local/share")
  }

  /// The folder of a journal that exists under the password file's home and not under `HOME`; nil if there is none.
  var strayState: FilePath? { stray("XDG_STATE_HOME", ".local/state", holding: "journal.db") }

  private var ownState: FilePath { folder("XDG_STATE_HOME", else: ".local/state") }

  /// Variables without an absolute path, which are ignored as the specification says. `METATAG_LIBEXEC` follows that rule.
  var ignored: [String] {
    ["XDG_STATE_HOME", "XDG_CACHE_HOME", "XDG_DATA_HOME", "METATAG_LIBEXEC"].filter { variable in
      environment[variable].map { !$0.isEmpty && !FilePath($0).isAbsolute } ?? false
    }
  }

  /// The user's trash: `$XDG_DATA_HOME/Trash`, or `~/.local/share/Trash`.
  var trash: FilePath { base("XDG_DATA_HOME", else: ".local/share").appending("Trash") }

  private func folder(_ variable: String, else fallback: String) -> FilePath {
    base(variable, else: fallback).appending("metatag")
  }

  private func base(_ variable: String, else fallback: String) -> FilePath {
    // The specification says to ignore relative paths.
    if let named = environment[variable].map({ FilePath($0) }), named.isAbsolute { return named }
    return (home ?? passwordHome() ?? "/").appending(fallback)
  }

  private var home: FilePath? {
    environment["HOME"].map { FilePath($0) }.flatMap { $0.isAbsolute ? $0 : nil }
  }

  /// Returns the folder under the password file's home, if only that one has `file`. Earlier versions ignored `HOME`.
  private func stray(_ variable: String, _ fallback: String, holding file: String) -> FilePath? {
    func has(_ folder: FilePath) -> Bool { folder.appending(file).withPlatformString { access($0, F_OK) } == 0 }
    guard environment[variable].map({ FilePath($0).isAbsolute }) != true, let home,
      !has(folder(variable, else: fallback)), let other = passwordHome(), other != home
    else { return nil }
    let folder = other.appending(fallback).appending("metatag")
    return has(folder) ? folder : nil
  }
}

extension Journal {
  /// Opens the user's journal for writing, after recovering interrupted runs.
  static func opened(console: Console) throws -> Journal {
    try opened { folder throws(FileError) in
      let journal = try Journal(directory: folder)
      console.announce(try journal.recover())
      return journal
    }
  }

  /// Opens the user's journal for reading, and only reports interrupted runs. Nil if there is no journal.
  static func read(console: Console) throws -> Journal? {
    guard let journal = try ifAny() else { return nil }
    let (open, kept) = (try journal.unsettledCount, (try? journal.keptFiles()) ?? [])
    if open > kept.count {
      console.warn("metatag: a run was interrupted; the next command that changes photos will settle it")
    } else if let first = kept.first {
      console.warn(
        "metatag: another program's version of \(first.path.printable)\(kept.count > 1 ? " and others" : "") is kept; "
          + "'metatag doctor' lists such files")
    }
    return journal
  }

  /// Whether users other than the owner can read the journal.
  static func isReadableByOthers(in folder: FilePath) -> Bool {
    guard let database = folder.appending("journal.db").status(followingLinks: true),
      let own = folder.status(followingLinks: true)
    else { return false }
    // Those who can search the folder can read what they can read of its files.
    return own.st_mode << 2 & database.st_mode & (S_IRGRP | S_IROTH) != 0
  }

  /// Whether the journal can be changed.
  static func isWritable(in folder: FilePath) -> Bool {
    let canMake = folder.withPlatformString { access($0, W_OK) } == 0
    let file = folder.appending("journal.db").withPlatformString { open($0, O_RDWR | O_CLOEXEC | O_NONBLOCK) }
    if file >= 0 { close(file) }
    return canMake && file >= 0
  }

  /// Opens the user's journal for reading, after recovering interrupted runs. Nil if there is no journal.
  static func settled(console: Console) throws -> Journal? {
    guard let journal = try ifAny() else { return nil }
    return try journal.isSettled ? journal : opened(console: console)
  }

  /// Opens the user's journal for reading; nil if there is none.
  static func ifAny() throws -> Journal? {
    try opened { folder throws(FileError) in try Journal.reading(directory: folder) }
  }

  private static let hasWarned = Atomic(false)

  private static func opened<Opened>(_ open: (FilePath) throws(FileError) -> Opened) throws -> Opened {
    let folders = XDGDirectories()
    let folder = folders.state
    if folders.strayState != nil, !hasWarned.exchange(true, ordering: .relaxed) {
      Console().warn("metatag: there is no journal under HOME; using the one in \(folder.printable)")
    }
    do throws(FileError) {
      return try open(folder)
    } catch {
      let remedy = error.kind == .io && error.remedy == nil ? "; set XDG_STATE_HOME to use another folder" : ""
      throw SetupError("the journal in \(folder.printable): \(error.words)\(remedy)")
    }
  }
}

extension Console {
  /// Reports what was found of interrupted runs.
  func announce(_ report: RecoveryReport) {
    report.sentences.forEach { warn("metatag: \($0)") }
    for trouble in report.conflicts + report.unreachable {
      warn("\(trouble.path.printable): \(trouble.reason.printable)")
    }
    warn(ofUnknown: report.unknown)
    warn(ofForeign: report.orphans)
  }
}

extension Console {
  /// Names scratch files that may be the only originals of photos.
  func warn(ofUnknown paths: [FilePath]) {
    for path in paths {
      warn(
        "\(path.printable): left by an interrupted run, and may be the only original of a photo. 'metatag doctor --restore' "
          + "gives it a visible name.")
    }
  }

  /// Names scratch files of runs with other journals, unless such a run may be at work.
  func warn(ofForeign paths: [FilePath]) {
    let folders = Set(paths.map { $0.removingLastComponent() })
    let used = folders.filter(OtherProcesses.use)
    for path in paths where !used.contains(path.removingLastComponent()) {
      warn(
        "\(path.printable): left by a run with another journal, and may be the only original of a photo. 'metatag doctor "
          + "--restore' gives it a visible name.")
    }
  }
}

extension RecoveryReport {
  /// A sentence for each interrupted run.
  var sentences: [String] {
    Set(completed.keys).union(takenBack.keys).sorted().map { run in
      let parts = [
        completed[run].map { "completed \($0.pluralized("change"))" },
        takenBack[run].map { "took back \($0.pluralized("unfinished change"))" },
      ]
      return "\(parts.compactMap(\.self).joined(separator: " and ")) of interrupted run \(run)"
    }
  }
}
