import Dispatch
import Foundation
import MetaTag
import Synchronization
import SystemPackage

/// Writes answers to standard output without waiting for their reader, because some engines send all rows before they
/// read the first answer.
///
/// Up to 64 KiB of answers wait in memory, and the rest in a temporary file.
final class AnswerQueue: Sendable {
  private struct State {
    /// The oldest answers that aren't written.
    var first: [UInt8] = []
    /// The answers after them; nil if there were never so many.
    var rest: TemporaryFile?
    /// The number of bytes of `rest` that were taken.
    var taken = 0
    var isEnded = false
    var failure: Errno?
  }

  private let output: FileDescriptor
  /// The folder of the temporary file.
  private let folder: FilePath
  private let state = Mutex(State())
  private let isNew = DispatchSemaphore(value: 0)
  private let isDone = DispatchSemaphore(value: 0)
  private static let most = 1 << 16

  /// Creates an empty queue.
  /// - Parameter folder: The folder of the temporary file. It is created when the file is needed.
  init(to output: FileDescriptor = .standardOutput, spillingInto folder: FilePath) {
    (self.output, self.folder) = (output, folder)
    if !startThread({ self.serve() }) { DispatchQueue.global().async { self.serve() } }
  }

  /// Whether the reader is gone.
  var isClosed: Bool { state.withLock { $0.failure != nil } }

  /// Adds an answer.
  func add(_ bytes: [UInt8]) {
    state.withLock { state in
      let isSpilled = state.rest.map { $0.count > state.taken } ?? false
      // If no file can be written, waiting in memory is better than losing an answer.
      guard isSpilled || state.first.count >= Self.most, spill(bytes, &state) else { return state.first += bytes }
    }
    isNew.signal()
  }

  /// Waits until the reader has taken all answers.
  /// - Throws: The error that kept answers from being written.
  func finish() throws(Errno) {
    state.withLock { $0.isEnded = true }
    isNew.signal()
    isDone.wait()
    if let failure = state.withLock(\.failure) { throw failure }
  }

  /// Adds bytes to the file; returns whether it could.
  private func spill(_ bytes: [UInt8], _ state: inout State) -> Bool {
    do {
      if state.rest == nil {
        try folder.createFolder(mode: 0o700, called: "the cache's folder")
        state.rest = try TemporaryFile(in: folder.string)
      }
      try state.rest?.append(bytes)
      return true
    } catch {
      return false
    }
  }

  private func serve() {
    while let next = next() {
      guard !next.isEmpty else {
        isNew.wait()
        continue
      }
      do {
        try output.writeAll(next)
      } catch {
        state.withLock { state in
          state.failure = error as? Errno ?? .ioError
          state.first = []
        }
        break
      }
    }
    isDone.signal()
  }

  /// Returns the oldest answers; nothing if there are none yet, and nil if there will be none.
  private func next() -> [UInt8]? {
    state.withLock { state in
      if !state.first.isEmpty { return state.first.take() }
      guard let rest = state.rest, rest.count > state.taken else { return state.isEnded ? nil : [] }
      var bytes = [UInt8](repeating: 0, count: min(Self.most, rest.count - state.taken))
      do {
        let count = try rest.read(into: &bytes, at: state.taken)
        guard count == bytes.count else { throw Errno.ioError }
        state.taken += count
        if state.taken == rest.count {
          try rest.removeAll()
          state.taken = 0
        }
        return bytes
      } catch {
        state.failure = .ioError
        return nil
      }
    }
  }
}

extension [UInt8] {
  /// Returns the bytes and leaves none.
  fileprivate mutating func take() -> [UInt8] {
    defer { self = [] }
    return self
  }
}
