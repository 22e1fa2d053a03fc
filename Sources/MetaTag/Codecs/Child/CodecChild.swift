import CSys
import Glibc
import SystemPackage

/// One running `metatag-codecs`: the only place where C and C++ libraries see bytes of a photo. It can neither open nor
/// write anything; what it reads is handed to it as open files.
///
/// It answers one request at a time. After an error it must not be used again: let go of it, and it is ended.
final class CodecChild: Sendable {
  private let process: pid_t
  private let socket: CInt

  /// Starts the program and waits until it has locked itself in.
  init(program: FilePath) throws(PhotoError) {
    var socket: CInt = -1
    let process = program.withPlatformString { csys_spawn_on_socket($0, &socket) }
    guard process > 0 else { throw PhotoError(errno: -process, doing: "start the decoder \(program)") }
    self.process = process
    self.socket = socket
    guard let greeting = try? answer(within: .seconds(10)) else {
      throw PhotoError(.io, "the decoder \(program) could not lock itself in; what it printed says why")
    }
    guard try greeting.u32(0, .little) == CodecWire.version else {
      throw PhotoError(.io, "the decoder \(program) belongs to another version of metatag: install both again")
    }
  }

  deinit {
    kill(process, SIGKILL)
    while waitpid(process, nil, 0) < 0, errno == EINTR {}
    close(socket)
  }

  /// Whether it waits for a request. One that ended while nobody asked is readable: there is an end to be read.
  var isWaiting: Bool {
    var event = pollfd(fd: socket, events: Int16(POLLIN), revents: 0)
    return poll(&event, 1, 0) == 0
  }

  /// Sends a request and waits for its answer, at most for `limit`.
  func ask(_ task: CodecWire.Task, _ blocks: [EXIFBlock], within limit: Duration) throws(PhotoError) -> Bytes {
    let request = CodecWire.request(task, blocks)
    let descriptors = blocks.map(\.descriptor)
    let error = csys_send(socket, request, request.count, descriptors, descriptors.count)
    guard error == 0 else { throw PhotoError(errno: -error, doing: "hand it to the decoder") }
    return try answer(within: limit)
  }

  private func answer(within limit: Duration) throws(PhotoError) -> Bytes {
    let deadline = ContinuousClock.now + limit
    let head = try receive(CodecWire.headCount, by: deadline)
    let (status, count) = (CodecWire.Status(rawValue: try head.u32(0, .little)), Int(try head.u32(4, .little)))
    guard let status, count <= CodecWire.longestAnswer else { throw CodecChild.crash }
    let answer = try receive(count, by: deadline)
    guard status == .done else {
      throw PhotoError(status.kind, answer.withUnsafeBytes { String(decoding: $0.prefix(256), as: UTF8.self) })
    }
    return answer
  }

  private func receive(_ count: Int, by deadline: ContinuousClock.Instant) throws(PhotoError) -> Bytes {
    var isLate = false
    let bytes = [UInt8](unsafeUninitializedCapacity: count) { buffer, filled in
      while filled < count {
        let left = (deadline - .now) / .milliseconds(1)
        var event = pollfd(fd: socket, events: Int16(POLLIN), revents: 0)
        let ready = left > 0 ? poll(&event, 1, CInt(min(left.rounded(.up), 60_000))) : 0
        if ready < 0, errno == EINTR { continue }
        isLate = ready == 0 && deadline <= .now
        if ready == 0, !isLate { continue }
        let n = ready > 0 ? recv(socket, buffer.baseAddress! + filled, count - filled, 0) : 0
        if n < 0, errno == EINTR { continue }
        if n <= 0 { break }
        filled += n
      }
    }
    guard bytes.count == count else {
      throw isLate ? PhotoError(.unsupported, "the decoder did not finish in time and was ended") : CodecChild.crash
    }
    return Bytes(bytes)
  }

  private static let crash = PhotoError(.unsupported, "the decoder crashed on it; the photo may be damaged")
}
