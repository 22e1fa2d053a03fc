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

  /// Whether the user wants to stop.
  static var isWished: Bool { wish.load(ordering: .relaxed) }
}
