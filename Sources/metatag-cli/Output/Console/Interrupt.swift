import ArgumentParser
import Glibc
import Synchronization

/// Ctrl-C, or a terminal that closes: the wish to stop. Files that are begun are finished, no new one is begun; a
/// second Ctrl-C stops at once.
enum Interrupt {
  /// The signal that came; 0 where none has.
  private static let wish = Atomic<CInt>(0)
  private static let isListening = Atomic(false)

  /// Says, if the user ends the program before it listens, that it was: work on many photos takes long to prepare.
  static func announce() {
    isListening.store(false, ordering: .relaxed)
    for number in numbers {
      signal(number) { number in
        let words: StaticString = "metatag: interrupted\n"
        _ = write(STDERR_FILENO, words.utf8Start, words.utf8CodeUnitCount)
        signal(number, SIG_DFL)
        raise(number)
      }
    }
  }

  /// SIGINT, SIGTERM, and SIGHUP unless that is ignored (nohup).
  private static var numbers: [CInt] {
    var hangUp = sigaction()
    sigaction(SIGHUP, nil, &hangUp)
    let isIgnored = unsafeBitCast(hangUp.__sigaction_handler.sa_handler, to: Int.self) == 1
    return [SIGINT, SIGTERM] + (isIgnored ? [] : [SIGHUP])
  }

  /// Listens from now on. The flag is made before a handler could be its first user.
  static func listen() {
    wish.store(0, ordering: .relaxed)
    isListening.store(true, ordering: .relaxed)
    for number in numbers {
      signal(number) { number in
        Interrupt.wish.store(number, ordering: .relaxed)
        signal(number, SIG_DFL)
      }
    }
  }

  /// Runs what leaves something behind unless it ends by itself: it asks `isWished`, and returns or throws then. The
  /// program ends afterwards as if nobody had listened; where somebody does already, that is left to them.
  static func settling<Value>(_ work: () throws -> Value) rethrows -> Value {
    guard !isListening.load(ordering: .relaxed) else { return try work() }
    listen()
    defer {
      announce()
      let number = wish.load(ordering: .relaxed)
      if number != 0 {
        // Threads of Swift's own take no signals: the process gets it, and ends before this goes on.
        kill(getpid(), number)
        while true { pause() }
      }
    }
    return try work()
  }

  /// Tells, if the user wanted to stop, how many files of a command that only reads were not done: what it printed
  /// looks whole. Throws the exit status then.
  static func announce(on console: Console, done: Int, of count: Int) throws {
    guard isWished, done < count else { return }
    console.warn("metatag: interrupted: \(count - done) of \(count) files not done")
    throw ExitCode(130)
  }

  /// Whether the user wants to stop.
  static var isWished: Bool { wish.load(ordering: .relaxed) != 0 }
}
