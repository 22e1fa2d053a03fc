import ArgumentParser
import Glibc
import Synchronization

/// Handles Ctrl-C and a closed terminal. Files in progress are finished and no new one is started; a second Ctrl-C
/// stops at once.
enum Interrupt {
  /// The signal that arrived, or 0.
  private static let wish = Atomic<CInt>(0)
  private static let isListening = Atomic(false)

  /// Prints a message if the user ends the program before `listen()`: preparing a run over many photos can take a
  /// while.
  static func announce() {
    isListening.store(false, ordering: .relaxed)
    for number in numbers {
      signal(number) { number in
        let words: StaticString = "metatag: interrupted\n"
        _ = write(STDERR_FILENO, words.utf8Start, words.utf8CodeUnitCount)
        // A shell stops a loop only if SIGINT itself ends the program.
        guard number == SIGINT else { _exit(130) }
        signal(number, SIG_DFL)
        raise(number)
      }
    }
  }

  /// SIGINT, SIGTERM, and SIGHUP unless it is ignored (nohup).
  private static var numbers: [CInt] {
    var hangUp = sigaction()
    sigaction(SIGHUP, nil, &hangUp)
    let isIgnored = unsafeBitCast(hangUp.__sigaction_handler.sa_handler, to: Int.self) == 1
    return [SIGINT, SIGTERM] + (isIgnored ? [] : [SIGHUP])
  }

  /// Starts to handle signals. The flag is created first, so that a handler never does it.
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

  /// Runs work that must clean up before the process ends: it checks `isWished`, and returns or throws. Afterwards the
  /// signal takes its usual effect, unless a handler was already installed.
  static func settling<Value>(_ work: () throws -> Value) rethrows -> Value {
    guard !isListening.load(ordering: .relaxed) else { return try work() }
    listen()
    defer {
      announce()
      let number = wish.load(ordering: .relaxed)
      if number != 0 {
        // Swift's own threads block signals, so the process gets it and ends before this continues.
        kill(getpid(), number)
        while true { pause() }
      }
    }
    return try work()
  }

  /// Reports how many files were not done if the user interrupted a command that only reads, because its output looks
  /// complete.
  /// - Throws: The exit status if it was interrupted.
  static func announce(on console: Console, done: Int, of count: Int) throws {
    guard isWished, done < count else { return }
    console.warn("metatag: interrupted: \(count - done) of \(count) files not done")
    throw ExitCode(130)
  }

  /// Whether the user asked to stop.
  static var isWished: Bool { wish.load(ordering: .relaxed) != 0 }
}
