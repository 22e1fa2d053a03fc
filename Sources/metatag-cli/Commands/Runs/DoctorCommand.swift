import ArgumentParser
import Foundation
import Glibc
import MetaTag
import SystemPackage

/// `metatag doctor`: checks the journal, what interrupted runs left, disks and libraries.
struct DoctorCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "doctor",
    abstract: "Check the journal, what interrupted runs left, disks and libraries.",
    usage: "metatag doctor [<options>] [<folders> ...]",
    discussion: """
      EXAMPLES:
        metatag doctor
        metatag doctor ~/Pictures /media/card
        metatag doctor --restore ~/Pictures
        metatag doctor --repair

      Looks at the folders with all their subfolders, and at those that the journal
      mentions. Changes nothing, except with --restore and --repair.

      An interrupted run may leave hidden files next to the photos, named
      .metatag-…tmp. The next command that changes photos removes them. If the
      journal lost its last entries (a disk was pulled out), or if there is another
      journal now, such a file can be the only original of a photo. It is then kept.
      --restore gives it a visible name; if it is of this journal and a photo next
      to it holds all of it, it is removed. Compare it with your photos, and remove
      what you don't need.

      If the disk has damaged the journal, --repair makes a new one of all runs and
      changes that can be read, so that they can be undone. The damaged one is kept
      as journal.db.damaged-1. It holds erased positions, too: remove it later.

      The exit status is 1 if there is a problem.
      """)

  @Argument(help: ArgumentHelp("Folders of photos.", valueName: "folders"))
  var folders: [PathArgument] = []

  @Flag(help: "Give a visible name to files that may be the only original of a photo.")
  var restore = false

  @Flag(help: "Make a new journal of what can be read in a damaged one, which is kept.")
  var repair = false

  @Flag(help: "Print one JSON document.")
  var json = false

  func validate() throws {
    for path in folders.flatMap(\.paths) where !Walk.isFolder(path) {
      throw ValidationError("\(path.printable) is not a folder.")
    }
    if restore, folders.isEmpty { throw ValidationError("--restore requires the folders to look in.") }
  }

  func run() async throws {
    let console = Console()
    var examination = Examination()
    if repair { try examination.repairJournal() }
    let journal = try examination.examineJournal(opening: restore)
    let named = Set(folders.flatMap(\.paths).flatMap(\.foldersInside))
    let known = ((try? journal?.photoFolders()) ?? []).filter(Walk.isFolder)
    let all = named.union(known).sorted { $0.bytes.lexicographicallyPrecedes($1.bytes) }
    try examination.examineLeftovers(in: all, journal, restoring: restore ? named : [])
    examination.examineDisks(of: all)
    examination.examineLibraries(InstalledPackages())
    examination.examineConfinement()
    if json {
      var writer = JSONWriter(.pretty)
      examination.write(to: &writer)
      writer.endLine()
      console.write(writer.take())
    } else {
      examination.findings.forEach { console.print($0.line) }
    }
    try console.finish()
    if examination.findings.contains(where: { $0.kind == .problem }) { throw ExitCode(1) }
  }
}

/// The findings of `metatag doctor`.
private struct Examination {
  struct Finding {
    enum Kind: String { case ok, note, problem }

    let kind: Kind
    let code: String
    let sentence: String
    var path: FilePath?
    /// The file with another version of the photo at `path`.
    var kept: FilePath?

    var line: String { "\(kind.rawValue): \(path.map { "\($0.printable): " } ?? "")\(sentence)" }
  }

  private(set) var findings: [Finding] = []

  private mutating func add(
    _ kind: Finding.Kind, _ code: String, _ sentence: String, _ path: FilePath? = nil, kept: FilePath? = nil
  ) {
    findings.append(Finding(kind: kind, code: code, sentence: sentence, path: path, kept: kept))
  }

  /// Repairs the journal, if it is damaged.
  mutating func repairJournal() throws {
    let folder = XDGDirectories().state
    do throws(FileError) {
      do throws(FileError) {
        guard try Journal.reading(directory: folder)?.structuralDamage() != nil else { return }
      } catch {
        guard error.code == .damagedJournal else { throw error }
      }
      let repair = try Journal.repair(in: folder)
      let lost = repair.lost == 0 ? "" : "; \(repair.lost.pluralized("change")) can't be read"
      add(
        .note, "journalRepaired",
        "the journal was damaged. It has \(repair.copied.pluralized("change")) again\(lost). Runs that 'metatag log --limit 0' "
          + "doesn't list are lost. The damaged one is kept as \(repair.kept.printable).",
        folder, kept: repair.kept)
    } catch {
      throw SetupError(error.words)
    }
  }

  /// Examines the journal, and returns it if it can be read.
  mutating func examineJournal(opening: Bool) throws -> Journal? {
    let folder = XDGDirectories().state
    let journal: Journal?
    do {
      let found = try Journal.ifAny()
      journal = opening && found != nil ? try Journal.opened(console: Console()) : found
    } catch let error as SetupError {
      add(.problem, "journalUnreadable", error.description)
      return nil
    }
    guard let journal else {
      add(.ok, "noJournal", "there is no journal yet; nothing was changed", folder)
      return nil
    }
    do throws(FileError) {
      if let damage = try journal.structuralDamage() {
        add(
          .problem, "damagedJournal",
          "the journal is damaged: \(damage). 'metatag doctor --repair' makes a new one of what can be read.", folder)
      } else if let damage = try journal.damage() {
        add(
          .problem, "damagedJournal",
          "the journal is damaged: \(damage). Undo what can be undone, then move the folder away.", folder)
      }
    } catch {
      add(.problem, "journalUnreadable", error.words, folder)
    }
    if !Journal.isWritable(in: folder) {
      add(.problem, "journalReadOnly", "the journal can't be written, so no photo can be changed", folder)
    }
    if Journal.isReadableByOthers(in: folder) {
      add(
        .problem, "journalNotPrivate",
        "other users can read the journal, which holds erased locations and dates. Run chmod -R go= on the folder.",
        folder
      )
    }
    if !journal.isWritten, (try? journal.isForgetting) == true {
      add(
        .problem, "unfinishedForget",
        "'metatag forget' was interrupted, so erased locations and dates may still be in the journal. The next command that "
          + "changes photos removes them, and so does 'metatag forget'.", folder)
    }
    let runs = (try? journal.runs(limit: .max)) ?? []
    let size = folder.appending("journal.db").status(followingLinks: true).map { Int($0.st_size) }
    let sizeText = size.map { ", \($0.formatted(.byteCount(style: .file)))" } ?? ""
    let lost = runs.map { (run: $0.id, count: (try? journal.damagedChanges(of: $0.id)) ?? 0) }.filter { $0.count > 0 }
    for (run, count) in lost {
      add(
        .problem, "lostChanges",
        "the journal is damaged: \(count.pluralized("change")) of run \(run) can't be undone. 'metatag undo \(run)' names "
          + "\(count == 1 ? "it" : "them") and undoes the others.", folder)
    }
    if findings.isEmpty {
      add(.ok, "journal", "the journal can be read: \(runs.count.pluralized("run"))\(sizeText)", folder)
    }
    if (try? journal.runningRuns())?.isEmpty == false {
      add(
        .note, "unsettled", "a run is at work, or was interrupted. The next command that changes photos settles it.",
        folder)
    }
    return journal
  }

  /// Lists the scratch files in folders.
  mutating func examineLeftovers(in folders: [FilePath], _ journal: Journal?, restoring: Set<FilePath>) throws {
    var isClean = true
    let kept = Dictionary(
      ((try? journal?.keptFiles()) ?? []).map { ($0.kept, $0.path) }, uniquingKeysWith: { first, _ in first })
    for folder in folders {
      var pending = 0
      let isRestored = restoring.contains(folder)
      let leftovers =
        try (try? Leftover.all(in: [folder], of: journal, removing: isRestored))
        ?? Leftover.all(in: [folder], of: nil, removing: false)
      let isUsed = leftovers.contains { $0.use == .foreign } && OtherProcesses.use(folder.resolved ?? folder)
      for leftover in leftovers {
        isClean = false
        switch leftover.use {
        case .pending where kept[leftover.path] != nil:
          addKept(leftover.path, kept[leftover.path])
        case .pending:
          pending += 1
        case .superfluous:
          let end = isRestored ? "was removed" : "is not needed. --restore removes it."
          add(.note, "superfluousFile", "was left by an interrupted run and \(end)", leftover.path)
        case .foreign where isUsed:
          add(
            .note, "foreignFile",
            "belongs to a run with another journal, which may be at work: a program has the folder open. Otherwise, it may be "
              + "the only original of a photo. Look again when that program has ended.", leftover.path)
        case .unknown where isRestored, .kept where isRestored, .displaced where isRestored,
          .foreign where isRestored:
          do throws(FileError) {
            let restored = try leftover.restore()
            add(.note, "restored", "has a visible name now: \(restored.lastComponent?.printable ?? "")", leftover.path)
          } catch {
            add(.problem, "notRestored", error.words, leftover.path)
          }
        case .kept: addKept(leftover.path, leftover.photo?.lastComponent.map { folder.appending($0) })
        case .displaced:
          let photo = leftover.photo?.printable ?? ""
          add(
            .problem, "displacedFile",
            "belongs to an interrupted change of \(photo), and may be its only original. Move the folder back, and run a "
              + "command that changes photos; or 'metatag doctor --restore' gives it a visible name.", leftover.path)
        case .foreign:
          add(
            .problem, "foreignFile",
            "was left by a run with another journal, and may be the only original of a photo. 'metatag doctor --restore' "
              + "gives it a visible name.", leftover.path)
        case .unknown:
          add(
            .problem, "unknownFile",
            "may be the only original of a photo. 'metatag doctor --restore' gives it a visible name.", leftover.path)
        }
      }
      guard pending > 0 else { continue }
      let files = pending == 1 ? "1 hidden file belongs" : "\(pending) hidden files belong"
      add(
        .note, "pendingFile",
        "\(files) to a run that is at work, or that the next command which changes photos settles", folder)
    }
    if isClean {
      add(.ok, "noLeftovers", "nothing is left of interrupted runs in \(folders.count.pluralized("folder"))")
    }
  }

  private mutating func addKept(_ kept: FilePath, _ photo: FilePath?) {
    add(
      .problem, "keptFile",
      "another program changed it while metatag did, or after a run was interrupted. Another version of it is kept as "
        + "\(kept.printable). Compare the two; 'metatag doctor --restore' gives the kept one a visible name.",
      photo ?? kept, kept: kept)
  }

  /// Lists what can't be promised on the disks of the folders.
  mutating func examineDisks(of folders: [FilePath]) {
    var seen: Set<UInt64> = []
    for folder in folders {
      guard let disk = try? DiskProperties(of: Directory(resolving: folder)), seen.insert(disk.device).inserted else {
        continue
      }
      let free = disk.freeCount.map { ", \($0.formatted(.byteCount(style: .file))) free" } ?? ""
      let limits = disk.limits.map { " " + $0.sentence }.joined()
      if let count = disk.freeCount, count < Batch.leastFree {
        add(.problem, "diskFull", "the disk is full: no photo on it can be changed", folder)
      }
      add(disk.limits.isEmpty ? .ok : .note, "disk", "\(disk.type)\(free)\(limits.isEmpty ? "" : "." + limits)", folder)
    }
  }

  /// Names installed libraries whose known holes have been fixed since.
  mutating func examineLibraries(_ packages: InstalledPackages?) {
    guard let packages else {
      return add(.note, "unknownLibraries", "the versions of the libraries are unknown: this is not a Debian system")
    }
    let outdated = packages.outdated
    for library in outdated {
      add(
        .note, "outdatedLibrary",
        "\(library.name) \(library.version) has a known hole (\(library.hole)), which \(library.fixed) closes. It runs in a "
          + "sandbox. Upgrade it all the same.")
    }
    if outdated.isEmpty {
      add(.ok, "libraries", "no installed library has one of the holes that this version of metatag knows")
    }
  }

  /// Reports whether the kernel confines this process.
  mutating func examineConfinement() {
    if Confinement.isOffline {
      add(.ok, "offline", "the kernel keeps metatag off the network")
    } else {
      add(.note, "notConfined", "this kernel can't keep metatag off the network. metatag doesn't use it all the same.")
    }
  }

  func write(to writer: inout JSONWriter) {
    writer.array { writer in
      for finding in findings {
        writer.object { writer in
          writer.member("kind", finding.kind.rawValue)
          writer.member("code", finding.code)
          if let path = finding.path { writer.member(path: path) }
          if let kept = finding.kept { writer.member(path: kept, as: "kept") }
          writer.member("reason", finding.sentence)
        }
      }
    }
  }
}

extension FilePath {
  /// This folder and all folders inside, without links and hidden folders.
  fileprivate var foldersInside: [FilePath] {
    var (found, index) = ([resolved ?? self], 0)
    while index < found.count {
      defer { index += 1 }
      guard let listing = try? FolderListing(found[index]) else { continue }
      while let entry = try? listing.next() {
        let path = found[index].appending(entry.name)
        if !entry.isHidden, path.isFolderItself { found.append(path) }
      }
    }
    return found
  }

  private var isFolderItself: Bool {
    status(followingLinks: false).map { $0.st_mode & S_IFMT == S_IFDIR } ?? false
  }
}

extension DiskProperties.Limit {
  fileprivate var sentence: String {
    switch self {
    case .losesOrder:
      "It may lose renamed files in a power failure, so a whole copy of each photo is kept next to the journal until the "
        + "change is on disk."
    case .hidesWriters: "It doesn't report other programs that have a photo open for writing: close them first."
    case .dropsAttributes: "It keeps no modes or access lists, and times only to two seconds."
    case .isInMemory: "Its files are in memory and are lost when the computer stops."
    case .isReadOnly: "It is mounted read-only, so no photo on it can be changed."
    }
  }
}
