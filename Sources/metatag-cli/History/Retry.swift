import Foundation
import Glibc
import MetaTag
import SystemPackage

/// The arguments of `--retry-failed`.
struct Retry {
  /// The files that the run recorded as left; nil if it crashed first.
  let left: [FilePath]?
  /// The files done by the runs of its chain, to leave out of the files that the user names too.
  let done: DoneFiles
  /// Whether it treated each file as a photo of its own; nil if unknown.
  let isSeparate: Bool?
}

/// The files that a command line names.
struct NamedFiles {
  var inputs: [Walk.Input]
  /// The files done by the retried run and its chain.
  var done: DoneFiles?
  /// Whether to treat each file as a photo of its own, as the retried run did.
  var isSeparate = false
}

/// Files that runs changed, according to the journal.
struct DoneFiles {
  private var paths: Set<FilePath> = []
  /// The names, without extension, of copies made of photos that stayed as they were.
  private var copies: Set<FilePath> = []

  init(_ operations: [JournalOperation]) {
    for operation in operations where operation.state == .committed || operation.state == .cleaned {
      for path in [operation.path, operation.target, operation.origin].compactMap(\.self) {
        paths.insert(path)
        if operation.kind == .creation, operation.origin == nil, path.extension?.lowercased() != "xmp" {
          copies.insert(path.withoutExtension)
        }
      }
    }
  }

  mutating func formUnion(_ other: DoneFiles) {
    paths.formUnion(other.paths)
    copies.formUnion(other.copies)
  }

  /// Returns the inputs that aren't done: neither the file itself, nor a sidecar or copy of it. Sidecars are assigned
  /// to photos as when they are written: a raw file's sidecar isn't that of the JPEG of the same name.
  func undone(among inputs: [Walk.Input]) -> [Walk.Input] {
    let others = inputs.compactMap(\.path.resolved).filter { !paths.contains($0) }
    let counts = Dictionary(others.map { ($0.withoutExtension, 1) }, uniquingKeysWith: +)
    return Photo.reading(inputs).filter { !contains($0, counts) }.map(\.input)
  }

  /// Returns a photo without those of its files that are already done.
  func rest(of photo: Photo, among inputs: [Walk.Input]) -> [Photo] {
    func isDone(_ path: FilePath) -> Bool { path.resolved.map(paths.contains) ?? false }
    guard isDone(photo.input.path) else { return [photo.without(isDone)] }
    let others = Set(photo.companions.compactMap(\.path.resolved)).subtracting(paths)
    return Photo.separately(inputs.filter { $0.path.resolved.map(others.contains) ?? false })
  }

  /// Whether the photo is done: its file, its sidecar or a copy with its name was changed.
  /// - Parameter counts: The number of files of each name that aren't done themselves.
  private func contains(_ photo: Photo, _ counts: [FilePath: Int]) -> Bool {
    guard let path = photo.input.path.resolved else { return false }
    let sidecars = photo.companions.filter { $0.role == .sidecar }.compactMap(\.path.resolved)
    if paths.contains(path) || sidecars.contains(where: paths.contains) { return true }
    let name = path.withoutExtension
    // If several photos have the copy's name, it belongs to the one that can't be changed.
    return copies.contains(name)
      && (counts[name] == 1 || path.extension.map { ImageType.heifExtensions.contains($0.lowercased()) } == true)
  }
}

extension RunID {
  /// Returns the inputs of this run that failed or weren't reached, and the files already done.
  func retry(console: Console) throws -> Retry {
    guard let journal = try Journal.settled(console: console) else {
      throw SetupError("--retry-failed: there is no run \(self): the journal has no runs")
    }
    do throws(FileError) {
      let runs = try journal.runs(limit: .max)
      guard let run = runs.first(where: { $0.id == self }) else {
        throw FileError(.noSuchRun, "there is no run \(self)", remedy: .listRuns)
      }
      let chain = runs.chain(of: self)
      if let paths = try journal.unfinished(of: self) {
        return Retry(
          left: try journal.stillLeft(of: paths, by: self, chain, runs), done: try journal.done(in: chain),
          isSeparate: run.isSeparate)
      }
      if run.state == .running { throw FileError(.runInProgress, "run \(self) is still in progress", remedy: .wait) }
      if let undone = run.undoes {
        throw FileError(.runIsUndo, "run \(self) is an undo", remedy: .undoOriginal(Int(undone.rawValue)))
      }
      return Retry(left: nil, done: try journal.done(in: chain), isSeparate: run.isSeparate)
    } catch {
      throw SetupError("--retry-failed: \(error.words)")
    }
  }
}

extension Journal {
  /// Returns the files that `run` left and no other run of its chain has done since. Undone changes don't count as
  /// done.
  fileprivate func stillLeft(
    of paths: [FilePath], by run: RunID, _ chain: Set<RunID>, _ runs: [RunSummary]
  ) throws(FileError) -> [FilePath] {
    func undone(in run: RunID, of paths: Set<FilePath>) throws(FileError) -> Set<FilePath> {
      let done = DoneFiles(try operations(of: run))
      return Set(done.undone(among: Walk.photos(in: Array(paths), recursively: false)).map(\.path))
    }
    var doneBy: [FilePath: RunID] = [:]
    // The files that each run recorded as left.
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
      // A run's record covers only the inputs it was given. If those are unknown, or a plan may have had fewer, use
      // what it changed.
      let remaining =
        if other.retries == nil, left[retried] != nil, let noted = left[other.id] {
          noted
        } else { try undone(in: other.id, of: offered) }
      for path in offered.subtracting(remaining) { doneBy[path] = other.id }
    }
    return paths.filter { doneBy[$0] == nil }
  }

  /// Returns the files changed by the runs of a chain.
  fileprivate func done(in chain: Set<RunID>) throws(FileError) -> DoneFiles {
    var done = DoneFiles([])
    for run in chain { done.formUnion(DoneFiles(try operations(of: run))) }
    return done
  }
}

extension [RunSummary] {
  /// Returns `run`, the runs it retried, and all runs that retried one of these: together they are one attempt.
  fileprivate func chain(of run: RunID) -> Set<RunID> {
    var first: [RunID: RunID] = [:]
    for summary in reversed() { first[summary.id] = summary.retried.map { first[$0] ?? $0 } ?? summary.id }
    return Set(first.filter { $0.value == first[run] }.keys)
  }
}

extension RunSummary {
  /// Whether its command line has `--separately`; nil for a plan, which only records it itself.
  fileprivate var isSeparate: Bool? { arguments.prefix(2).contains("apply") ? nil : arguments.contains("--separately") }

  /// The earlier run that it retried, according to its plan or command line.
  var retried: RunID? { (retries ?? RunID(retriedBy: arguments)).flatMap { $0 < id ? $0 : nil } }
}

extension RunID {
  /// The run that a command line retries; nil if it doesn't.
  init?(retriedBy arguments: [String]) { self.init(in: arguments, behind: "--retry-failed") }

  /// The run that an option of a command line names, the last one if there are several.
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
}
