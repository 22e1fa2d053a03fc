import Dispatch
import GeoIndex
import Glibc

/// What happens while a place is picked, in one sequence.
struct TerminalEvents: ~Copyable {
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
  private let sources: [any DispatchSourceRead]
  private let listening = DispatchGroup()
  private let signals: SignalPipe

  /// How long the rest of a sequence that begins with an escape byte may take, in milliseconds: else it is the escape
  /// key.
  private static let patience: CInt = 50
  private static let fileExtensions = [SIGINT, SIGTERM, SIGHUP, SIGQUIT]

  /// Listens from now on.
  init(descriptor: CInt) throws {
    let (events, input) = AsyncStream.makeStream(of: Event.self)
    (self.events, self.input) = (events, input)
    signals = try SignalPipe(Self.fileExtensions + [SIGWINCH])
    let signalled = signals.descriptor
    let queue = DispatchQueue(label: "metatag.terminal")
    let keys = DispatchSource.makeReadSource(fileDescriptor: descriptor, queue: queue)
    keys.setEventHandler { input.yield(Self.read(descriptor).map(Event.typed) ?? .ended) }
    let numbers = DispatchSource.makeReadSource(fileDescriptor: signalled, queue: queue)
    numbers.setEventHandler {
      for number in Self.read(signalled) ?? [] { input.yield(CInt(number) == SIGWINCH ? .resized : .ended) }
    }
    sources = [keys, numbers]
    for source in sources {
      listening.enter()
      source.setCancelHandler { [listening] in listening.leave() }
      source.resume()
    }
  }

  /// Listens no longer: a descriptor may be closed only when nothing waits for it.
  deinit {
    for source in sources { source.cancel() }
    listening.wait()
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
