import ArgumentParser
import Glibc
import Synchronization

/// Ctrl-C, or a terminal that closes: the wish to stop. Files that are begun are finished, no new one is begun; a second Ctrl-C stops at once.
enum Interrupt {
  private static let wish = Atomic(false)

  /// Listens from now on to SIGINT, SIGTERM, and SIGHUP unless that is ignored (nohup). The flag is made before a handler
  /// could be its first user.
  static func listen() {
    wish.store(false, ordering: .relaxed)
    var hangUp = sigaction()
    sigaction(SIGHUP, nil, &hangUp)
    let isIgnored = unsafeBitCast(hangUp.__sigaction_handler.sa_handler, to: Int.self) == 1
    for number in [SIGINT, SIGTERM] + (isIgnored ? [] : [SIGHUP]) {
      signal(number) { number in
        Interrupt.wish.store(true, ordering: .relaxed)
        signal(number, SIG_DFL)
      }
    }
  }

  /// Tells, if the user wanted to stop, how many files of a command that only reads were not done: what it printed looks
  /// whole. Throws the exit status then.
  static func tell(on console: Console, done: Int, of count: Int) throws {
    guard isWished else { return }
    console.complain("metatag: interrupted: \(count - done) of \(count) files not done")
    throw ExitCode(130)
  }

  /// Whether the user wants to stop.
  static var isWished: Bool { wish.load(ordering: .relaxed) }
}
