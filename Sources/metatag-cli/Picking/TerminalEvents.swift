import Dispatch
import GeoIndex
import Glibc

/// What happens while a place is picked, in one sequence.
struct TerminalEvents {
  enum Event: Sendable {
    case typed([UInt8])
    case resized
    case found(PlaceCompletion.Answer)
    case failed(String)
    /// A signal asks to end, or the terminal went away.
    case ended
  }

  let events: AsyncStream<Event>
  let input: AsyncStream<Event>.Continuation
  private let keys: any DispatchSourceRead
  private let signals: [any DispatchSourceSignal]

  /// How long the rest of a sequence that begins with an escape byte may take, in milliseconds: else it is the escape key.
  private static let patience: CInt = 50
  private static let endings = [SIGINT, SIGTERM, SIGHUP, SIGQUIT]

  /// Listens from now on.
  init(descriptor: CInt) {
    let (events, input) = AsyncStream.makeStream(of: Event.self)
    (self.events, self.input) = (events, input)
    let queue = DispatchQueue(label: "metatag.terminal")
    keys = DispatchSource.makeReadSource(fileDescriptor: descriptor, queue: queue)
    keys.setEventHandler { input.yield(Self.read(descriptor).map(Event.typed) ?? .ended) }
    keys.resume()
    signals = (Self.endings + [SIGWINCH]).map { number in
      // The source sees it; what it would do by itself, it does not.
      signal(number, SIG_IGN)
      let source = DispatchSource.makeSignalSource(signal: number, queue: queue)
      source.setEventHandler { input.yield(number == SIGWINCH ? .resized : .ended) }
      source.resume()
      return source
    }
  }

  /// Listens no longer: before the descriptor is closed.
  func stop() {
    keys.cancel()
    for source in signals { source.cancel() }
    for number in Self.endings + [SIGWINCH] { signal(number, SIG_DFL) }
  }

  /// What was typed; nil when nobody can type any more.
  private static func read(_ descriptor: CInt) -> [UInt8]? {
    var (typed, buffer) = ([UInt8](), [UInt8](repeating: 0, count: 4_096))
    repeat {
      let count = Glibc.read(descriptor, &buffer, buffer.count)
      guard count > 0 else { return nil }
      typed += buffer[..<count]
    } while typed.last == 0x1B && hasMore(descriptor)
    return typed
  }

  private static func hasMore(_ descriptor: CInt) -> Bool {
    var wish = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
    return poll(&wish, 1, patience) > 0
  }
}
