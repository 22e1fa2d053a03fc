import Foundation
import Glibc
import MetaTag
import SystemPackage

/// What `--retry-failed` takes.
struct Retry {
  /// What the run noted that it left; nil when it was cut off before it could.
  let left: [FilePath]?
  /// What the runs of its chain did: left out of the files that are named beside it.
  let done: DoneFiles
  /// Whether it took each file by itself; nil where its command line doesn't tell.
  let isSeparate: Bool?
}

/// What a command is about.
struct NamedFiles {
  var inputs: [Walk.Input]
  /// What the run that is retried did, and all of its chain.
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
    return Photo.reading(inputs).filter { !contains($0, counts) }.map(\.input)
  }

  /// A photo without those of its files that were done by themselves.
  func rest(of photo: Photo, among inputs: [Walk.Input]) -> [Photo] {
    func isDone(_ path: FilePath) -> Bool { path.resolved.map(paths.contains) ?? false }
    guard isDone(photo.input.path) else { return [photo.without(isDone)] }
    let others = Set(photo.companions.compactMap(\.path.resolved)).subtracting(paths)
    return Photo.separately(inputs.filter { $0.path.resolved.map(others.contains) ?? false })
  }

  /// - Parameter counts: How many files of each name are not done themselves.
  private func contains(_ photo: Photo, _ counts: [FilePath: Int]) -> Bool {
    guard let path = photo.input.path.resolved else { return false }
    let sidecars = photo.companions.filter { $0.role == .sidecar }.compactMap(\.path.resolved)
    if paths.contains(path) || sidecars.contains(where: paths.contains) { return true }
    let name = path.withoutExtension
    // Of several of a copy's name, it is that of the one that can't be changed itself.
    return copies.contains(name)
      && (counts[name] == 1 || path.extension.map { ImageType.heifExtensions.contains($0.lowercased()) } == true)
  }
}

extension RunID {
  /// The inputs of this run that failed or were not begun, and what was done of them.
  func retry(console: Console) throws -> Retry {
    guard let journal = try Journal.settled(console: console) else {
      throw SetupError("--retry-failed: there is no run \(self): nothing was ever changed")
    }
    do throws(FileError) {
      let runs = try journal.runs(limit: .max)
      guard let run = runs.first(where: { $0.id == self }) else {
        throw FileError(.refused, "there is no run \(self): 'metatag log' lists the runs")
      }
      let chain = runs.chain(of: self)
      if let paths = try journal.unfinished(of: self) {
        return Retry(
          left: try journal.stillLeft(of: paths, by: self, chain, runs), done: try journal.done(in: chain),
          isSeparate: run.isSeparate)
      }
      if run.state == .running { throw FileError(.conflict, "run \(self) is still at work; wait until it has ended") }
      if let undone = run.undoes {
        throw FileError(.refused, "run \(self) is an undo: 'metatag undo \(undone)' takes back what it left")
      }
      return Retry(left: nil, done: try journal.done(in: chain), isSeparate: run.isSeparate)
    } catch {
      throw SetupError("--retry-failed: \(error)")
    }
  }
}

extension Journal {
  /// What `run` left of `paths` that no other run of its chain did since: nothing is done twice. What was taken back
  /// was not done.
  fileprivate func stillLeft(
    of paths: [FilePath], by run: RunID, _ chain: Set<RunID>, _ runs: [RunSummary]
  ) throws(FileError) -> [FilePath] {
    func undone(in run: RunID, of paths: Set<FilePath>) throws(FileError) -> Set<FilePath> {
      let done = DoneFiles(try operations(of: run))
      return Set(done.undone(among: Walk.photos(in: Array(paths), recursively: false)).map(\.path))
    }
    var doneBy: [FilePath: RunID] = [:]
    // What each noted that it left.
    var left: [RunID: Set<FilePath>] = [:]
    for other in runs.reversed() {
      if let taken = other.undoes, chain.contains(taken) {
        let back = try undone(in: taken, of: Set(doneBy.filter { $0.value == taken }.keys))
        doneBy = doneBy.filter { !back.contains($0.key) }
      }
      guard chain.contains(other.id) else { continue }
      left[other.id] = try unfinished(of: other.id).map(Set.init)
      guard other.id != run, let retried = other.retried else { continue }
      let offered = (left[retried] ?? Set(paths)).subtracting(doneBy.keys)
      // What it noted is about what it was offered; where that isn't known, or a plan had perhaps less, what it did is.
      let remaining =
        if other.retries == nil, left[retried] != nil, let noted = left[other.id] {
          noted
        } else { try undone(in: other.id, of: offered) }
      for path in offered.subtracting(remaining) { doneBy[path] = other.id }
    }
    return paths.filter { doneBy[$0] == nil }
  }

  /// What the runs of a chain did.
  fileprivate func done(in chain: Set<RunID>) throws(FileError) -> DoneFiles {
    var done = DoneFiles([])
    for run in chain { done.formUnion(DoneFiles(try operations(of: run))) }
    return done
  }
}

extension [RunSummary] {
  /// `run`, the one that it retried, that one's, and all that retried one of these: together they are one attempt.
  fileprivate func chain(of run: RunID) -> Set<RunID> {
    var first: [RunID: RunID] = [:]
    for summary in reversed() { first[summary.id] = summary.retried.map { first[$0] ?? $0 } ?? summary.id }
    return Set(first.filter { $0.value == first[run] }.keys)
  }
}

extension RunSummary {
  /// Whether its command line says so; of a plan that was applied, only the plan knows.
  fileprivate var isSeparate: Bool? { arguments.prefix(2).contains("apply") ? nil : arguments.contains("--separately") }

  /// The run before it that it retried, as its plan or its command line says.
  var retried: RunID? { (retries ?? RunID(retriedBy: arguments)).flatMap { $0 < id ? $0 : nil } }
}

extension RunID {
  /// The run that a command line retries; nil when it retries none.
  init?(retriedBy arguments: [String]) { self.init(in: arguments, behind: "--retry-failed") }

  /// The run that an option of a command line names, the last where there are several.
  init?(in arguments: [String], behind option: String) {
    let numbers = zip(arguments, arguments.dropFirst() + [""]).compactMap { argument, next -> Int64? in
      if argument == option { return Int64(next) }
      return argument.hasPrefix(option + "=") ? Int64(argument.dropFirst(option.count + 1)) : nil
    }
    guard let number = numbers.last else { return nil }
    self.init(number)
  }
}

extension FilePath {
  fileprivate var withoutExtension: FilePath {
    var path = self
    path.extension = nil
    return path
  }

  /// Where it is, symbolic links resolved; nil when there is nothing.
  var resolved: FilePath? {
    guard let found = withPlatformString({ realpath($0, nil) }) else { return nil }
    defer { free(found) }
    return FilePath(platformString: found)
  }
}
