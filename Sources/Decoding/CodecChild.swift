import CSys
import Glibc
import SystemPackage

/// One running `metatag-codecs` or `metatag-pictures` process: the only places where C and C++ libraries process bytes
/// of a photo. It can neither open nor write files; its input, and the output file for a picture, are passed to it as
/// open descriptors.
///
/// It answers one request at a time. After an error it must not be used again: release it, which terminates the
/// process.
final class CodecChild: Sendable {
  /// The formats it can decode and encode; empty unless it is for pictures.
  let decodable: Set<PictureCoding>
  let encodable: Set<PictureCoding>
  private let process: pid_t
  private let socket: CInt

  /// Starts the program and waits until it has entered its sandbox.
  init(program: FilePath) throws(FileError) {
    var socket: CInt = -1
    let process = program.withPlatformString { csys_spawn_on_socket($0, &socket) }
    guard process > 0 else { throw CodecChild.notStarted(program, -process) }
    do throws(FileError) {
      guard let greeting = try? CodecChild.answer(on: socket, within: .seconds(10), isCancellable: false) else {
        throw FileError(.decoderUnsafe, "the decoder \(program) could not enter its sandbox")
      }
      guard try greeting.u32(0, .little) == CodecWire.version else {
        throw FileError(.decoderMismatch, "the decoder \(program) is from another version", remedy: .reinstall)
      }
      decodable = PictureCoding.set(try greeting.u32(4, .little))
      encodable = PictureCoding.set(try greeting.u32(8, .little))
    } catch {
      CodecChild.end(process, socket)
      throw error
    }
    self.process = process
    self.socket = socket
  }

  deinit { CodecChild.end(process, socket) }

  /// Whether it is waiting for a request. If the process has ended, its socket is readable, because it reports the end.
  var isWaiting: Bool {
    var event = pollfd(fd: socket, events: Int16(POLLIN), revents: 0)
    return poll(&event, 1, 0) == 0
  }

  /// Sends EXIF blocks in the request for libexif to read, and waits for the answer, at most for `limit`.
  func ask(aboutEntriesOf blocks: [[UInt8]], within limit: Duration) throws(FileError) -> Bytes {
    try send(CodecWire.request(aboutEntriesOf: blocks), [])
    return try CodecChild.answer(on: socket, within: limit, isCancellable: false)
  }

  /// Sends a request and waits for its answer, at most for `limit`.
  func ask(_ task: CodecWire.Task, _ blocks: [EXIFBlock], within limit: Duration) throws(FileError) -> Bytes {
    try send(CodecWire.request(task, blocks), blocks.map(\.descriptor))
    return try CodecChild.answer(on: socket, within: limit, isCancellable: false)
  }

  /// Requests the re-encoding of a picture. `blocks` are the file, the output file, and the metadata to include.
  /// Returns early if the task is cancelled.
  func ask(_ recoding: CodecWire.Recoding, _ blocks: [EXIFBlock], within limit: Duration) throws(FileError) -> Bytes {
    try send(CodecWire.request(.recode, blocks, recoding), blocks.map(\.descriptor))
    return try CodecChild.answer(on: socket, within: limit, isCancellable: true)
  }

  private func send(_ request: [UInt8], _ descriptors: [CInt]) throws(FileError) {
    let error = csys_send(socket, request, request.count, descriptors, descriptors.count)
    guard error == 0 else { throw FileError(errno: -error, doing: "send it to the decoder") }
  }

  /// Returns the error for a process that could not be started. If the system's limits are reached, the error says how
  /// to use fewer processes.
  static func notStarted(_ program: FilePath, _ code: CInt) -> FileError {
    let error = FileError(errno: code, doing: "start the decoder \(program)")
    guard [EAGAIN, ENOMEM, EMFILE, ENFILE].contains(code) else { return error }
    return FileError(error.code, error.description, remedy: .fewerProcesses(limit: code == EMFILE ? "-n" : "-u"))
  }

  private static func end(_ process: pid_t, _ socket: CInt) {
    kill(process, SIGKILL)
    while waitpid(process, nil, 0) < 0, errno == EINTR {}
    close(socket)
  }

  private static func answer(
    on socket: CInt, within limit: Duration, isCancellable: Bool
  ) throws(FileError) -> Bytes {
    let deadline = ContinuousClock.now + limit
    var bytes = try receive(CodecWire.headCount, upTo: 4_096, on: socket, by: deadline, isCancellable)
    let head = Bytes(bytes)
    let (status, count) = (CodecWire.Status(rawValue: try head.u32(0, .little)), Int(try head.u32(4, .little)))
    guard let status, count <= CodecWire.longestAnswer else { throw CodecChild.crash }
    let missing = CodecWire.headCount + count - bytes.count
    if missing > 0 { bytes += try receive(missing, upTo: missing, on: socket, by: deadline, isCancellable) }
    guard bytes.count == CodecWire.headCount + count else { throw CodecChild.crash }
    let answer = Bytes(bytes[CodecWire.headCount...], base: 0)
    guard status == .done else {
      throw FileError(status.code, answer.withUnsafeBytes { String(decoding: $0.prefix(256), as: UTF8.self).trimmed })
    }
    return answer
  }

  /// Receives at least `count` bytes, and whatever arrived with them, which for most answers is all of it.
  private static func receive(
    _ count: Int, upTo room: Int, on socket: CInt, by deadline: ContinuousClock.Instant, _ isCancellable: Bool
  ) throws(FileError) -> [UInt8] {
    // The interval in milliseconds at which cancellation is checked.
    let patience: Double = isCancellable ? 100 : 60_000
    var isLate = false
    let bytes = [UInt8](unsafeUninitializedCapacity: room) { buffer, filled in
      while filled < count, !(isCancellable && Task.isCancelled) {
        let left = (deadline - .now) / .milliseconds(1)
        var event = pollfd(fd: socket, events: Int16(POLLIN), revents: 0)
        let ready = left > 0 ? poll(&event, 1, CInt(min(left.rounded(.up), patience))) : 0
        if ready < 0, errno == EINTR { continue }
        isLate = ready == 0 && deadline <= .now
        if ready == 0, !isLate { continue }
        let n = ready > 0 ? recv(socket, buffer.baseAddress! + filled, room - filled, 0) : 0
        if n < 0, errno == EINTR { continue }
        if n <= 0 { break }
        filled += n
      }
    }
    if bytes.count >= count { return bytes }
    if isLate { throw FileError(.decoderTimedOut, "the decoder timed out and was terminated") }
    if isCancellable, Task.isCancelled { throw FileError(.cancelled, "was cancelled") }
    throw CodecChild.crash
  }

  private static let crash = FileError(.decoderCrashed, "the decoder crashed; the photo may be damaged")
}
