import Foundation
import Glibc
import MetaTag
import Synchronization
import SystemPackage

/// The only standard output and standard error of the tool.
///
/// Output is collected and goes out in large pieces, on a terminal line by line. When whoever reads it goes away
/// (`metatag show … | head`), the rest is dropped without a word; work on photos that has begun goes on.
final class Console: Sendable {
  /// The version of the tool, as `--version` prints it and the journal records it.
  static let version = "0.2.0-dev"

  /// A colour a word may have on a terminal.
  enum Colour: String, Sendable {
    case red = "31"
    case green = "32"
    case yellow = "33"
    case dim = "2"
  }

  private struct State {
    var pending: [UInt8] = []
    var failure: Errno?
    var progress: Progress?
    var showsProgress = false
    var leftOut = Walk.LeftOut()
  }

  private let output: FileDescriptor
  private let errors: FileDescriptor
  private let state = Mutex(State())
  /// Whether someone watches the output.
  let isTerminal: Bool
  /// Columns that a line on standard output may have; nil where nobody watches it.
  let columns: Int?
  private let errorsAreWatched: Bool
  private let usesColour: Bool

  /// `NO_COLOR` and `TERM=dumb` in the environment are respected.
  init(
    output: FileDescriptor = .standardOutput, errors: FileDescriptor = .standardError,
    environment: [String: String] = ProcessInfo.processInfo.environment
  ) {
    self.output = output
    self.errors = errors
    isTerminal = isatty(output.rawValue) == 1
    columns =
      isTerminal
      ? TerminalSize.columns(in: environment) ?? (TerminalSize(of: output) ?? .usual).columns : nil
    let isCapable = environment["TERM"] != "dumb"
    errorsAreWatched = isatty(errors.rawValue) == 1 && isCapable
    // https://no-color.org: present and not empty.
    usesColour = isTerminal && isCapable && (environment["NO_COLOR"] ?? "").isEmpty
  }

  /// A broken pipe becomes an answer of `write` instead of the end of the process. Once, before anything is written.
  static func surviveBrokenPipes() { signal(SIGPIPE, SIG_IGN) }

  /// Whether nobody reads the output any more: a command that only shows may stop.
  var isClosed: Bool { state.withLock { $0.failure == .brokenPipe } }

  /// Whoever closed one of the standard streams would else have the next file that is opened, a photo perhaps, under
  /// its number, and our words in it. Before any file is opened.
  static func keepStandardStreams() {
    for stream in STDIN_FILENO...STDERR_FILENO where fcntl(stream, F_GETFD) == -1 {
      // Read only: what can't be said is noticed. The lowest free number is the one that is missing.
      _ = Glibc.open("/dev/null", O_RDONLY)
    }
  }

  /// As many open files as the machine lets this process have: a group of photos with their raw files and sidecars
  /// needs more than the 1,024 that most shells allow at first.
  static func allowManyFiles() {
    var limit = rlimit()
    guard getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit) == 0 else { return }
    limit.rlim_cur = max(limit.rlim_cur, min(limit.rlim_max, 1 << 16))
    _ = setrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit)
  }

  // MARK: Output

  /// Sends bytes to standard output as they are: JSON, CSV.
  func write(_ bytes: [UInt8]) {
    state.withLock { state in
      wipe(&state)
      state.pending.append(contentsOf: bytes)
      if isTerminal || state.pending.count >= 1 << 16 { flush(&state) }
    }
  }

  /// Prints a line. What comes from files must have been made `printable`.
  func print(_ line: String = "") { write(Array(line.utf8) + [0x0A]) }

  /// The text in a colour, where colours are shown.
  func paint(_ text: String, _ colour: Colour?) -> String {
    guard usesColour, let colour else { return text }
    return "\u{1B}[\(colour.rawValue)m\(text)\u{1B}[0m"
  }

  /// Prints a line on standard error, after what standard output has so far.
  func warn(_ line: String) {
    state.withLock { state in
      wipe(&state)
      flush(&state)
      _ = try? errors.writeAll(Array(line.utf8) + [0x0A])
    }
  }

  /// Shows a question on standard error; the answer stands behind it.
  func prompt(_ question: String) {
    state.withLock { state in
      wipe(&state)
      flush(&state)
      _ = try? errors.writeAll(Array(question.utf8))
    }
  }

  /// Sends out what is pending. Throws what kept output from being written, a reader that went away aside.
  func finish() throws(Errno) {
    let failure = state.withLock { state in
      wipe(&state)
      flush(&state)
      return state.failure
    }
    if let failure, failure != .brokenPipe { throw failure }
  }

  // MARK: Files that folders have besides

  /// Keeps what was left out in folders for the summary.
  func keep(_ leftOut: Walk.LeftOut) { state.withLock { $0.leftOut += leftOut } }

  /// Hands over what was left out in folders, once.
  func takeLeftOut() -> Walk.LeftOut {
    state.withLock { state in
      defer { state.leftOut = Walk.LeftOut() }
      return state.leftOut
    }
  }

  /// Says on standard error what was left out in folders: of commands whose output has no summary.
  func reportLeftOut() {
    if let sentence = takeLeftOut().sentence { warn(sentence) }
  }

  // MARK: Progress

  /// Shows from now on how far the work is, on a terminal.
  func begin(_ progress: Progress) { state.withLock { $0.progress = progress } }

  /// One more file is done; or so much of what is counted.
  func advance(to done: Int? = nil) {
    state.withLock { state in
      let now = ContinuousClock.now
      if let before = state.progress?.done { state.progress?.done = done ?? before + 1 }
      guard errorsAreWatched, let line = state.progress?.nextLine(at: now, columns: errorColumns) else { return }
      state.showsProgress = true
      _ = try? errors.writeAll(Array("\r\(line)\u{1B}[K".utf8))
    }
  }

  /// Shows a line for as long as nothing else is said, on a terminal.
  func show(_ line: String) {
    state.withLock { state in
      guard errorsAreWatched else { return }
      state.showsProgress = true
      _ = try? errors.writeAll(Array("\r\(line.prefix(max(0, errorColumns - 1)))\u{1B}[K".utf8))
    }
  }

  /// Prints a line on standard error where no terminal shows how far the work is.
  func note(_ line: String) {
    if !errorsAreWatched { warn(line) }
  }

  /// Takes the progress line away.
  func endProgress() {
    state.withLock { state in
      wipe(&state)
      state.progress = nil
    }
  }

  // MARK: Inside the lock

  private func wipe(_ state: inout State) {
    guard state.showsProgress else { return }
    state.showsProgress = false
    _ = try? errors.writeAll(Array("\r\u{1B}[K".utf8))
  }

  /// Sends what was collected: whoever asked waits for it.
  func flush() { state.withLock { flush(&$0) } }

  private func flush(_ state: inout State) {
    defer { state.pending.removeAll(keepingCapacity: true) }
    guard state.failure == nil, !state.pending.isEmpty else { return }
    do {
      try output.writeAll(state.pending)
    } catch {
      state.failure = error as? Errno ?? .ioError
    }
  }

  private var errorColumns: Int { (TerminalSize(of: errors) ?? .usual).columns }
}
