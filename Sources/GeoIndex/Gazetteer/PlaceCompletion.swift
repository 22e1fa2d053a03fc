import Synchronization

/// Completes the name of a place while it is typed.
///
/// Whoever reads the keyboard calls `type`; whoever shows the answers goes through them with `for try await`, in one
/// task; places are looked for elsewhere, so that its actor is free meanwhile. Answers come in the order of typing, and
/// one that was overtaken by a newer text while it was looked for is not given at all: a late answer can't replace a
/// newer one. The sequence ends with `finish`, or when its task is cancelled.
public struct PlaceCompletion: AsyncSequence, Sendable {
  /// What was found for a text.
  public struct Answer: Sendable, Hashable {
    /// The text as it was typed.
    public let text: String
    /// The likeliest places, the best first.
    public let results: [SearchResult]
  }

  private let index: Gazetteer
  private let near: (latitude: Double, longitude: Double)?
  private let language: String?
  private let limit: Int
  private let typed: AsyncStream<Text>
  private let input: AsyncStream<Text>.Continuation
  private let latest = Latest()

  /// - Parameters:
  ///   - index: where places are looked for.
  ///   - near: where one looks from, in degrees.
  ///   - language: a BCP 47 tag: results get their names in it, as far as known.
  ///   - limit: how many places at most.
  public init(
    _ index: Gazetteer, near: (latitude: Double, longitude: Double)? = nil, language: String? = nil, limit: Int = 10
  ) {
    (self.index, self.near, self.language, self.limit) = (index, near, language, limit)
    // Only the newest text matters.
    (typed, input) = AsyncStream.makeStream(bufferingPolicy: .bufferingNewest(1))
  }

  /// The text is now this. Never waits.
  public func type(_ text: String) {
    latest.count.withLock { count in
      count += 1
      input.yield(Text(text: text, number: count))
    }
  }

  /// Nothing more is typed.
  public func finish() { input.finish() }

  /// Begins to go through the answers.
  public func makeAsyncIterator() -> Iterator { Iterator(completion: self, typed: typed.makeAsyncIterator()) }

  @concurrent
  private func search(_ text: String) async throws -> [SearchResult] {
    try index.search(text, near: near, language: language, isCompleting: true, limit: limit)
  }

  /// Goes through the answers.
  public struct Iterator: AsyncIteratorProtocol {
    fileprivate let completion: PlaceCompletion
    fileprivate var typed: AsyncStream<Text>.Iterator

    /// The next answer; nil after `finish`. Throws what `Gazetteer.search` throws.
    public mutating func next() async throws -> Answer? {
      while let typed = await typed.next(isolation: #isolation) {
        let results = try await completion.search(typed.text)
        // Whatever was typed meanwhile waits in the stream.
        if completion.latest.count.withLock({ $0 }) == typed.number {
          return Answer(text: typed.text, results: results)
        }
      }
      return nil
    }
  }

  /// What was typed, and as which text of all.
  fileprivate struct Text {
    let text: String
    let number: Int
  }

  /// How many texts were typed.
  private final class Latest: Sendable {
    let count = Mutex(0)
  }
}
