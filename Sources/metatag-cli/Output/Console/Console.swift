import Foundation
import Glibc
import MetaTag
import Synchronization
import SystemPackage

/// The standard output and standard error of the tool.
///
/// Output is buffered, on a terminal line by line. If the reader goes away (`metatag show … | head`), the rest is
/// dropped silently; work on photos that has begun continues.
final class Console: Sendable {
  /// The version of the tool, as `--version` prints it and the journal records it.
  static let version = "0.2.0-dev"

  /// A colour of text on a terminal.
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
  /// Whether standard output is a terminal.
  let isTerminal: Bool
  /// The width of the terminal in columns; nil if standard output isn't one.
  let columns: Int?
  private let errorsAreWatched: Bool
  private let usesColour: Bool

  /// Respects `NO_COLOR` and `TERM=dumb` in the environment.
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
    // https://no-color.org: set and not empty.
    usesColour = isTerminal && isCapable && (environment["NO_COLOR"] ?? "").isEmpty
  }

  /// A console whose texts are thrown away.
  static var silent: Console {
    let null = (try? FileDescriptor.open("/dev/null", .writeOnly, options: .closeOnExec)) ?? .standardError
    return Console(output: null, errors: null)
  }

  /// Makes `write` fail with EPIPE instead of ending the process. Call once, before anything is written.
  static func surviveBrokenPipes() { signal(SIGPIPE, SIG_IGN) }

  /// Whether the reader of the output is gone, so that a command that only prints can stop.
  var isClosed: Bool { state.withLock { $0.failure == .brokenPipe } }

  /// Opens missing standard streams. Otherwise the next file opened, perhaps a photo, would get the number of a closed
  /// stream, and the output would be written into it. Call before any file is opened.
  static func keepStandardStreams() {
    for stream in STDIN_FILENO...STDERR_FILENO where fcntl(stream, F_GETFD) == -1 {
      // Read-only, so that writing fails visibly. open() returns the lowest free number, which is the missing one.
      _ = Glibc.open("/dev/null", O_RDONLY)
    }
  }

  /// Closes files that the calling program left open for writing. The program may still write to them, and the kernel would
  /// take this process for the writer. Call this while the process has only one thread.
  static func closeForeignFiles() {
    // An argument may name such a descriptor.
    guard !Argv.words.contains(where: { $0.hasPrefix("/dev/fd/") || $0.hasPrefix("/proc/") }) else { return }
    let numbers = ((try? Directory("/proc/self/fd").names()) ?? []).compactMap { CInt($0.string) }
    for number in numbers where number > STDERR_FILENO {
      var status = stat()
      guard fstat(number, &status) == 0, status.st_mode & S_IFMT == S_IFREG,
        fcntl(number, F_GETFL) & O_ACCMODE != O_RDONLY
      else { continue }
      close(number)
    }
  }

  /// Raises the limit of open files to the maximum. A group of photos with raw files and sidecars needs more than the
  /// usual 1,024.
  static func allowManyFiles() {
    var limit = rlimit()
    guard getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit) == 0 else { return }
    limit.rlim_cur = max(limit.rlim_cur, min(limit.rlim_max, 1 << 16))
    _ = setrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit)
  }

  // MARK: Output

  /// Writes bytes to standard output unchanged: JSON, CSV.
  func write(_ bytes: [UInt8]) {
    state.withLock { state in
      wipe(&state)
      state.pending.append(contentsOf: bytes)
      if isTerminal || state.pending.count >= 1 << 16 { flush(&state) }
    }
  }

  /// Prints a line. Text from files must be made `printable` first.
  func print(_ line: String = "") { write(Array(line.utf8) + [0x0A]) }

  /// Returns the text in a colour, if colours are used.
  func paint(_ text: String, _ colour: Colour?) -> String {
    guard usesColour, let colour else { return text }
    return "\u{1B}[\(colour.rawValue)m\(text)\u{1B}[0m"
  }

  /// Prints a line on standard error, after all output so far.
  func warn(_ line: String) {
    state.withLock { state in
      wipe(&state)
      flush(&state)
      _ = try? errors.writeAll(Array(line.utf8) + [0x0A])
    }
  }

  /// Prints a question on standard error, without a line break.
  func prompt(_ question: String) {
    state.withLock { state in
      wipe(&state)
      flush(&state)
      _ = try? errors.writeAll(Array(question.utf8))
    }
  }

  /// Writes all pending output.
  /// - Throws: The error that kept output from being written, except a broken pipe.
  func finish() throws(Errno) {
    let failure = state.withLock { state in
      wipe(&state)
      flush(&state)
      return state.failure
    }
    if let failure, failure != .brokenPipe { throw failure }
  }

  // MARK: Files left out in folders

  /// Adds to the files that were left out in folders, for the summary.
  func keep(_ leftOut: Walk.LeftOut) { state.withLock { $0.leftOut += leftOut } }

  /// Returns the files that were left out in folders, once.
  func takeLeftOut() -> Walk.LeftOut {
    state.withLock { state in
      defer { state.leftOut = Walk.LeftOut() }
      return state.leftOut
    }
  }

  /// Prints what was left out in folders on standard error, for commands whose output has no summary.
  func reportLeftOut() {
    if let sentence = takeLeftOut().sentence { warn(sentence) }
  }

  // MARK: Progress

  /// Starts showing progress, on a terminal.
  func begin(_ progress: Progress) { state.withLock { $0.progress = progress } }

  /// Advances the progress by one file, or to `done`.
  func advance(to done: Int? = nil) {
    state.withLock { state in
      let now = ContinuousClock.now
      if let before = state.progress?.done { state.progress?.done = done ?? before + 1 }
      guard errorsAreWatched, let line = state.progress?.nextLine(at: now, columns: errorColumns) else { return }
      state.showsProgress = true
      _ = try? errors.writeAll(Array("\r\(line)\u{1B}[K".utf8))
    }
  }

  /// Shows a line until the next output, on a terminal.
  func show(_ line: String) {
    state.withLock { state in
      guard errorsAreWatched else { return }
      state.showsProgress = true
      _ = try? errors.writeAll(Array("\r\(line.prefix(max(0, errorColumns - 1)))\u{1B}[K".utf8))
    }
  }

  /// Prints a line on standard error unless a terminal shows progress.
  func note(_ line: String) {
    if !errorsAreWatched { warn(line) }
  }

  /// Removes the progress line.
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

  /// Writes all pending output, because a program waits for an answer.
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

/// An error that keeps a command from starting; no photo was changed. The exit status is 2, or 64 for a value that is
/// invalid.
struct SetupError: Error, CustomStringConvertible {
  let description: String
  let isUsage: Bool

  init(_ sentence: String, isUsage: Bool = false) { (description, self.isUsage) = (sentence, isUsage) }
}
