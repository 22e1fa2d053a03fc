import Foundation
import Glibc
import MetaTag
import SystemPackage

/// What `--retry-failed` takes.
struct Retry {
  /// What the run noted that it left; nil when it was cut off before it could.
  let left: [FilePath]?
  /// What it did, and those that retried it: left out of the files that are named beside it.
  let done: DoneFiles
  /// Whether it took each file by itself; nil where its command line doesn't tell.
  let isSeparate: Bool?
}

/// What a command is about.
struct NamedFiles {
  var inputs: [Walk.Input]
  /// What the run that is retried did, and those that retried it.
  var done: DoneFiles?
  /// Each is taken by itself, as the run that is retried did.
  var isSeparate = false
}

/// Files that runs have done, as their journal knows.
struct DoneFiles {
  private var paths: Set<FilePath> = []
  /// Names without ending of copies that were made beside photos, which stay as they are.
  private var copies: Set<FilePath> = []

  init(_ operations: [JournalOperation]) {
    for operation in operations where operation.state == .committed || operation.state == .cleaned {
      for path in [operation.path, operation.target].compactMap(\.self) {
        paths.insert(path)
        if operation.kind == .creation, path.extension?.lowercased() != "xmp" { copies.insert(path.withoutExtension) }
      }
    }
  }

  mutating func formUnion(_ other: DoneFiles) {
    paths.formUnion(other.paths)
    copies.formUnion(other.copies)
  }

  /// Those of `inputs` that are not done, nor stands beside them for them what is: their sidecar, or a copy. Whose a
  /// sidecar is, is decided as when it is written: that of a raw file is not that of the JPEG of its name.
  func undone(among inputs: [Walk.Input]) -> [Walk.Input] {
    let others = inputs.compactMap(\.path.resolved).filter { !paths.contains($0) }
    let counts = Dictionary(others.map { ($0.withoutExtension, 1) }, uniquingKeysWith: +)
    return Shot.reading(inputs).filter { !contains($0, counts) }.map(\.input)
  }

  /// A photo without those of its files that were done by themselves.
  func rest(of shot: Shot, among inputs: [Walk.Input]) -> [Shot] {
    func isDone(_ path: FilePath) -> Bool { path.resolved.map(paths.contains) ?? false }
    guard isDone(shot.input.path) else { return [shot.without(isDone)] }
    let others = Set(shot.companions.compactMap(\.path.resolved)).subtracting(paths)
    return Shot.separately(inputs.filter { $0.path.resolved.map(others.contains) ?? false })
  }

  /// - Parameter counts: How many files of each name are not done themselves.
  private func contains(_ shot: Shot, _ counts: [FilePath: Int]) -> Bool {
    guard let path = shot.input.path.resolved else { return false }
    let sidecars = shot.companions.filter { $0.role == .sidecar }.compactMap(\.path.resolved)
    if paths.contains(path) || sidecars.contains(where: paths.contains) { return true }
    let name = path.withoutExtension
    // Of several of a copy's name, it is that of the one that can't be changed itself.
    return copies.contains(name)
      && (counts[name] == 1 || ["heic", "heif", "hif", "avif"].contains(path.extension?.lowercased()))
  }
}

extension RunID {
  /// The inputs of this run that failed or were not begun, and those that it did.
  func retry(telling console: Console) throws -> Retry {
    do throws(PhotoError) {
      guard var journal = try Journal.reading(directory: UserFolders().state) else {
        throw PhotoError(.refused, "there is no run \(self): nothing was ever changed")
      }
      if try !journal.isSettled {
        do { journal = try Journal.opened(telling: console) } catch { throw PhotoError(.conflict, "\(error)") }
      }
      let runs = try journal.runs(limit: .max)
      let run = runs.first { $0.id == self }
      if let paths = try journal.unfinished(of: self) {
        return Retry(
          left: try journal.stillLeft(of: paths, by: self, runs), done: try journal.done(by: self, runs),
          isSeparate: run?.isSeparate)
      }
      if run?.state == .running { throw PhotoError(.conflict, "run \(self) is still at work; wait until it has ended") }
      if let undone = run?.undoes {
        throw PhotoError(.refused, "run \(self) is an undo: 'metatag undo \(undone)' takes back what it left")
      }
      return Retry(left: nil, done: try journal.done(by: self, runs), isSeparate: run?.isSeparate)
    } catch {
      throw StartError("--retry-failed: \(error)")
    }
  }
}

extension Journal {
  /// What later runs that retried `run` left of `paths` too: nothing is done twice. A retry that was taken back did nothing.
  fileprivate func stillLeft(
    of paths: [FilePath], by run: RunID, _ runs: [RunSummary]
  ) throws(PhotoError) -> [FilePath] {
    var doneBy: [FilePath: RunID] = [:]
    // Retries of retries are some, too.
    var offered = [run: Set(paths)]
    for later in runs.reversed() where later.id > run {
      if let undone = later.undoes { doneBy = doneBy.filter { $0.value != undone } }
      guard let paths = offered.first(where: { later.retries($0.key) })?.value else { continue }
      let left: Set<FilePath>
      if let again = try unfinished(of: later.id) {
        left = paths.intersection(again)
      } else {
        let done = DoneFiles(try operations(of: later.id))
        left = Set(done.undone(among: Walk.photos(in: Array(paths), recursively: false)).map(\.path))
      }
      for path in paths.subtracting(left) where doneBy[path] == nil { doneBy[path] = later.id }
      offered[later.id] = left
    }
    return paths.filter { doneBy[$0] == nil }
  }

  /// What `run` did, and those that retried it.
  fileprivate func done(by run: RunID, _ runs: [RunSummary]) throws(PhotoError) -> DoneFiles {
    var retried: Set = [run]
    var done = DoneFiles(try operations(of: run))
    for later in runs.reversed() where later.id > run && retried.contains(where: { later.retries($0) }) {
      retried.insert(later.id)
      done.formUnion(DoneFiles(try operations(of: later.id)))
    }
    return done
  }
}

extension RunSummary {
  /// Whether its command line says so; of a plan that was applied, only the plan knows.
  fileprivate var isSeparate: Bool? { arguments.prefix(2).contains("apply") ? nil : arguments.contains("--separately") }

  /// Whether its command line says so.
  fileprivate func retries(_ run: RunID) -> Bool {
    arguments.contains("--retry-failed=\(run)")
      || zip(arguments, arguments.dropFirst()).contains { $0 == "--retry-failed" && $1 == "\(run)" }
  }
}

extension FilePath {
  fileprivate var withoutExtension: FilePath {
    var path = self
    path.extension = nil
    return path
  }

  /// Where it is, symbolic links resolved; nil when there is nothing.
  fileprivate var resolved: FilePath? {
    guard let found = withPlatformString({ realpath($0, nil) }) else { return nil }
    defer { free(found) }
    return FilePath(platformString: found)
  }
}
