import Foundation
import Glibc
import SystemPackage
import Testing

/// A pseudo-terminal with a program in it.
final class Terminal {
  private let master: FileDescriptor
  private let side: FileDescriptor
  private let process = Process()
  private let output: URL?
  /// The program's output so far.
  private(set) var shown = ""

  /// Runs `program` in the terminal. Standard output goes to a file, as in `$(…)`, if there is one.
  init(
    _ program: String, _ arguments: [String], environment: [String: String], output: URL? = nil,
    size: (Int, Int) = (80, 24)
  ) throws {
    (master, side) = try Self.open()
    self.output = output
    try resize(size.0, size.1)
    try output.map { try Data().write(to: $0) }
    process.executableURL = URL(filePath: "/usr/bin/env")
    // A new session with this controlling terminal.
    process.arguments = ["setsid", "--ctty", "--wait", program] + arguments
    process.environment = ProcessInfo.processInfo.environment.merging(environment) { $1 }
    let handle = FileHandle(fileDescriptor: side.rawValue, closeOnDealloc: false)
    (process.standardInput, process.standardError) = (handle, handle)
    process.standardOutput = try output.map { try FileHandle(forWritingTo: $0) } ?? handle
    try process.run()
  }

  deinit {
    if process.isRunning { process.terminate() }
    try? side.close()
    try? master.close()
  }

  /// Opens both ends of a new one.
  static func open() throws -> (master: FileDescriptor, side: FileDescriptor) {
    let noTerminal = FileDescriptor.OpenOptions(rawValue: O_NOCTTY | O_CLOEXEC)
    let master = try FileDescriptor.open("/dev/ptmx", .readWrite, options: noTerminal)
    // Glibc's module has no unlockpt and ptsname, so this uses TIOCSPTLCK and TIOCGPTN, which they call (ioctl_tty(2)).
    var (locked, number): (CInt, CInt) = (0, 0)
    try #require(ioctl(master.rawValue, 0x4004_5431, &locked) == 0)
    try #require(ioctl(master.rawValue, 0x8004_5430, &number) == 0)
    return (master, try FileDescriptor.open("/dev/pts/\(number)", .readWrite, options: noTerminal))
  }

  func resize(_ columns: Int, _ lines: Int) throws {
    var size = winsize(ws_row: UInt16(lines), ws_col: UInt16(columns), ws_xpixel: 0, ws_ypixel: 0)
    try #require(ioctl(master.rawValue, UInt(TIOCSWINSZ), &size) == 0)
  }

  func type(_ text: String) throws { try type(Array(text.utf8)) }

  func type(_ bytes: [UInt8]) throws { try master.writeAll(bytes) }

  /// Waits until `text` is shown after the last awaited text.
  func wait(for text: String, seconds: Int = 120) throws {
    let end = ContinuousClock.now + .seconds(seconds)
    while !shown.contains(text) {
      guard ContinuousClock.now < end, read(milliseconds: 200) || process.isRunning else { break }
    }
    let range = try #require(
      shown.range(of: text), "\(text.debugDescription) is not in \(shown.suffix(2_000).debugDescription)")
    shown = String(shown[range.upperBound...])
  }

  /// Waits for the program's end.
  func end(seconds: Int = 60) throws -> (status: Int32, output: String) {
    let end = ContinuousClock.now + .seconds(seconds)
    while process.isRunning, ContinuousClock.now < end { _ = read(milliseconds: 50) }
    try #require(!process.isRunning, "it does not end; it shows \(shown.suffix(500).debugDescription)")
    while read(milliseconds: 10) {}
    return (process.terminationStatus, try output.map { try String(contentsOf: $0, encoding: .utf8) } ?? "")
  }

  /// Whether keys go to programs one by one, without echo.
  var isRaw: Bool {
    var state = termios()
    return tcgetattr(side.rawValue, &state) == 0 && state.c_lflag & tcflag_t(ICANON | ECHO) == 0
  }

  /// Sends a signal to the foreground programs.
  func signal(_ number: CInt) {
    var group: pid_t = 0
    if ioctl(master.rawValue, UInt(TIOCGPGRP), &group) == 0, group > 1 { kill(-group, number) }
  }

  private var cut: [UInt8] = []

  private func read(milliseconds: CInt) -> Bool {
    var wish = pollfd(fd: master.rawValue, events: Int16(POLLIN), revents: 0)
    guard poll(&wish, 1, milliseconds) > 0, wish.revents & Int16(POLLIN) != 0 else { return false }
    var bytes = [UInt8](repeating: 0, count: 65_536)
    guard let count = try? bytes.withUnsafeMutableBytes({ try master.read(into: $0) }), count > 0 else { return false }
    // A character may be cut in two.
    cut += bytes[..<count]
    let whole = (0..<4).first { String(validating: cut.dropLast($0), as: UTF8.self) != nil } ?? 0
    shown += String(decoding: cut.dropLast(whole), as: UTF8.self)
    cut = cut.suffix(whole)
    return true
  }
}
