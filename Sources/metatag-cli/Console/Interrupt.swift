import ArgumentParser
import Glibc
import Synchronization

/// Ctrl-C, or a terminal that closes: the wish to stop. Files that are begun are finished, no new one is begun; a second Ctrl-C stops at once.
enum Interrupt {
  private static let wish = Atomic(false)

  /// Says, if the user ends the program before it listens, that no photo was begun: work on many takes long to prepare.
  static func announce() {
    for number in [SIGINT, SIGTERM, SIGHUP] where !isIgnored(number) {
      signal(number) { number in
        let words: StaticString = "metatag: interrupted: no photo was begun\n"
        _ = write(STDERR_FILENO, words.utf8Start, words.utf8CodeUnitCount)
        signal(number, SIG_DFL)
        raise(number)
      }
    }
  }

  private static func isIgnored(_ number: CInt) -> Bool {
    var action = sigaction()
    sigaction(number, nil, &action)
    return unsafeBitCast(action.__sigaction_handler.sa_handler, to: Int.self) == 1
  }

  /// Listens from now on to SIGINT, SIGTERM, and SIGHUP unless that is ignored (nohup). The flag is made before a handler
  /// could be its first user.
  static func listen() {
    wish.store(false, ordering: .relaxed)
    for number in [SIGINT, SIGTERM] + (isIgnored(SIGHUP) ? [] : [SIGHUP]) {
      signal(number) { number in
        Interrupt.wish.store(true, ordering: .relaxed)
        signal(number, SIG_DFL)
      }
    }
  }

  /// Tells, if the user wanted to stop, how many files of a command that only reads were not done: what it printed looks
  /// whole. Throws the exit status then.
  static func tell(on console: Console, done: Int, of count: Int) throws {
    guard isWished, done < count else { return }
    console.complain("metatag: interrupted: \(count - done) of \(count) files not done")
    throw ExitCode(130)
  }

  /// Whether the user wants to stop.
  static var isWished: Bool { wish.load(ordering: .relaxed) }
}
