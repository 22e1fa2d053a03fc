import CSys
import Glibc
import SystemPackage

/// One running `metatag-codecs` or `metatag-pictures`: the only places where C and C++ libraries see bytes of a photo.
/// It can neither open nor write anything; what it reads is handed to it as open files, and so is the one for a picture
/// that it makes.
///
/// It answers one request at a time. After an error it must not be used again: let go of it, and it is ended.
final class CodecChild: Sendable {
  /// What it can decode and encode: nothing, unless it is for pictures.
  let decodable: Set<PictureCoding>
  let encodable: Set<PictureCoding>
  private let process: pid_t
  private let socket: CInt

  /// Starts the program and waits until it has locked itself in.
  init(program: FilePath) throws(FileError) {
    var socket: CInt = -1
    let process = program.withPlatformString { csys_spawn_on_socket($0, &socket) }
    guard process > 0 else { throw CodecChild.notStarted(program, -process) }
    do throws(FileError) {
      guard let greeting = try? CodecChild.answer(on: socket, within: .seconds(10), isCancellable: false) else {
        throw FileError(.io, "the decoder \(program) could not lock itself in; what it printed says why")
      }
      guard try greeting.u32(0, .little) == CodecWire.version else {
        throw FileError(.io, "the decoder \(program) belongs to another version of metatag: install both again")
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

  /// Whether it waits for a request. One that ended while nobody asked is readable: there is an end to be read.
  var isWaiting: Bool {
    var event = pollfd(fd: socket, events: Int16(POLLIN), revents: 0)
    return poll(&event, 1, 0) == 0
  }

  /// Has libexif read blocks, which go with the request, and waits for its answer, at most for `limit`.
  func ask(aboutEntriesOf blocks: [[UInt8]], within limit: Duration) throws(FileError) -> Bytes {
    try send(CodecWire.request(aboutEntriesOf: blocks), [])
    return try CodecChild.answer(on: socket, within: limit, isCancellable: false)
  }

  /// Sends a request and waits for its answer, at most for `limit`.
  func ask(_ task: CodecWire.Task, _ blocks: [EXIFBlock], within limit: Duration) throws(FileError) -> Bytes {
    try send(CodecWire.request(task, blocks), blocks.map(\.descriptor))
    return try CodecChild.answer(on: socket, within: limit, isCancellable: false)
  }

  /// Has a picture coded anew: the file, where the result goes, and what goes in beside it. Ends early when the task is
  /// cancelled.
  func ask(_ recoding: CodecWire.Recoding, _ blocks: [EXIFBlock], within limit: Duration) throws(FileError) -> Bytes {
    try send(CodecWire.request(.recode, blocks, recoding), blocks.map(\.descriptor))
    return try CodecChild.answer(on: socket, within: limit, isCancellable: true)
  }

  private func send(_ request: [UInt8], _ descriptors: [CInt]) throws(FileError) {
    let error = csys_send(socket, request, request.count, descriptors, descriptors.count)
    guard error == 0 else { throw FileError(errno: -error, doing: "hand it to the decoder") }
  }

  /// Where the system has no process left, it is told what takes fewer.
  static func notStarted(_ program: FilePath, _ code: CInt) -> FileError {
    let error = FileError(errno: code, doing: "start the decoder \(program)")
    guard [EAGAIN, ENOMEM, EMFILE, ENFILE].contains(code) else { return error }
    return FileError(
      .io,
      error.sentence
        + ": a smaller --jobs starts fewer, and a higher 'ulimit \(code == EMFILE ? "-n" : "-u")' allows more")
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
      throw FileError(status.kind, answer.withUnsafeBytes { String(decoding: $0.prefix(256), as: UTF8.self) })
    }
    return answer
  }

  /// So many bytes, and what has come with them: of most answers all.
  private static func receive(
    _ count: Int, upTo room: Int, on socket: CInt, by deadline: ContinuousClock.Instant, _ isCancellable: Bool
  ) throws(FileError) -> [UInt8] {
    // How long nobody looks whether the task is cancelled, in milliseconds.
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
    if isLate { throw FileError(.unsupported, "the decoder did not finish in time and was ended") }
    if isCancellable, Task.isCancelled { throw FileError(.io, "was given up, as asked") }
    throw CodecChild.crash
  }

  private static let crash = FileError(.unsupported, "the decoder crashed on it; the photo may be damaged")
}
