import Dispatch
import GeoIndex
import Glibc

/// The keys, results and signals while a place is picked, in one sequence.
struct TerminalEvents: ~Copyable {
  enum Event: Sendable {
    case typed([UInt8])
    case resized
    case found(PlaceCompletion.Answer)
    case failed(String)
    /// A signal asked to end, or the terminal is gone.
    case ended
  }

  let events: AsyncStream<Event>
  let input: AsyncStream<Event>.Continuation
  private let sources: [any DispatchSourceRead]
  private let listening = DispatchGroup()
  private let signals: SignalPipe

  /// The time to wait for the rest of an escape sequence, in milliseconds, before it counts as the Escape key.
  private static let patience: CInt = 50
  private static let fileExtensions = [SIGINT, SIGTERM, SIGHUP, SIGQUIT]

  /// Starts reading.
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

  /// Stops reading. A descriptor may be closed only when no thread waits for it.
  deinit {
    for source in sources { source.cancel() }
    listening.wait()
  }

  /// Returns the bytes typed; nil if the terminal is closed.
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

/// A key on a terminal.
enum Key: Hashable, Sendable {
  /// Typed or pasted text.
  case text(String)
  case enter, escape, interrupt
  case up, down, pageUp, pageDown, first, last
  case eraseCharacter, eraseWord, eraseAll
}

/// Decodes the bytes that a terminal sends (ECMA-48; xterm's bracketed paste) into keys, however they are split.
struct KeyDecoder {
  private var pending: [UInt8] = []
  private var isPasting = false

  private static let pasteEnd = Array("\u{1B}[201~".utf8)

  /// Returns the keys that these bytes complete. An escape byte at the end is the Escape key, because the caller has
  /// waited for more.
  mutating func keys(_ bytes: [UInt8]) -> [Key] {
    pending += bytes
    var keys: [Key] = []
    while let key = next() {
      if case .text(let more)? = key, case .text(let text)? = keys.last {
        keys[keys.count - 1] = .text(text + more)
      } else if let key {
        keys.append(key)
      }
    }
    return keys
  }

  /// Returns nil if no complete key is left, and `.some(nil)` for a key without a meaning here.
  private mutating func next() -> Key?? {
    if isPasting, pending.starts(with: Self.pasteEnd) {
      pending.removeFirst(Self.pasteEnd.count)
      isPasting = false
    }
    guard let first = pending.first else { return nil }
    if first == 0x1B {
      // The rest of the end of a paste will follow.
      if isPasting, Self.pasteEnd.starts(with: pending) { return nil }
      return isPasting ? take(1, nil) : escape()
    }
    guard first >= 0x20, first != 0x7F else { return take(1, isPasting ? .text(" ") : Self.controls[first]) }
    guard first >= 0x80 else { return take(1, .text(String(UnicodeScalar(first)))) }
    let length = first >= 0xF0 ? 4 : first >= 0xE0 ? 3 : 2
    let character = pending.prefix(length)
    if let text = String(validating: character, as: UTF8.self) { return take(length, .text(text)) }
    let isCut = first >= 0xC2 && character.count < length && character.dropFirst().allSatisfy { $0 & 0xC0 == 0x80 }
    return isCut ? nil : take(1, nil)
  }

  private mutating func take(_ count: Int, _ key: Key?) -> Key?? {
    pending.removeFirst(count)
    return .some(key)
  }

  private mutating func escape() -> Key?? {
    guard pending.count > 1 else { return take(1, .escape) }
    switch pending[1] {
    case 0x1B: return take(1, .escape)
    case UInt8(ascii: "O"):
      guard pending.count > 2 else { return nil }
      return take(3, Self.finals[pending[2]])
    case UInt8(ascii: "["):
      guard let end = pending[2...].firstIndex(where: { (0x40...0x7E).contains($0) }) else {
        // No key sends this many bytes.
        return pending.count > 32 ? take(2, nil) : nil
      }
      let body = String(decoding: pending[2...end], as: UTF8.self)
      if body == "200~" { isPasting = true }
      return take(end + 1, Self.numbered[body] ?? Self.finals[pending[end]])
    // A key with Alt, which has no meaning here.
    default: return take(2, nil)
    }
  }

  private static let controls: [UInt8: Key] = [
    0x03: .interrupt, 0x04: .escape, 0x08: .eraseCharacter, 0x09: .down, 0x0A: .enter, 0x0D: .enter, 0x0E: .down,
    0x10: .up, 0x15: .eraseAll, 0x17: .eraseWord, 0x7F: .eraseCharacter,
  ]

  private static let finals: [UInt8: Key] = [
    UInt8(ascii: "A"): .up, UInt8(ascii: "B"): .down, UInt8(ascii: "H"): .first, UInt8(ascii: "F"): .last,
    UInt8(ascii: "M"): .enter, UInt8(ascii: "Z"): .up,
  ]

  private static let numbered: [String: Key] = [
    "1~": .first, "4~": .last, "5~": .pageUp, "6~": .pageDown, "7~": .first, "8~": .last,
  ]
}
