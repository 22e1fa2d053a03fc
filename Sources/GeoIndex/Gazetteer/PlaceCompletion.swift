import Synchronization

/// Completes the name of a place while it is being typed.
///
/// Call `type` with each new text, and read the answers with `for try await` in one task. The search runs off the
/// caller's actor. Answers come in the order of typing; an answer is dropped if a newer text was typed during its
/// search, so a late answer can't replace a newer one. The sequence ends with `finish`, or when its task is cancelled.
public struct PlaceCompletion: AsyncSequence, Sendable {
  /// The results for a text.
  public struct Answer: Sendable, Hashable {
    /// The text as it was typed.
    public let text: String
    /// The most likely places, the best first.
    public let results: [SearchResult]
  }

  private let index: Gazetteer
  private let near: (latitude: Double, longitude: Double)?
  private let language: String?
  private let limit: Int
  private let typed: AsyncStream<Text>
  private let input: AsyncStream<Text>.Continuation
  private let latest = Latest()

  /// Creates a completion, which searches once `typed` gets a text.
  /// - Parameters:
  ///   - index: The gazetteer to search.
  ///   - near: A reference position in degrees; nearer places come first.
  ///   - language: A BCP 47 tag: results get their names in this language, as far as known.
  ///   - limit: The maximum number of places.
  public init(
    _ index: Gazetteer, near: (latitude: Double, longitude: Double)? = nil, language: String? = nil, limit: Int = 10
  ) {
    (self.index, self.near, self.language, self.limit) = (index, near, language, limit)
    // Only the newest text matters.
    (typed, input) = AsyncStream.makeStream(bufferingPolicy: .bufferingNewest(1))
  }

  /// Sets the current text. Never blocks.
  public func type(_ text: String) {
    latest.count.withLock { count in
      count += 1
      input.yield(Text(text: text, number: count))
    }
  }

  /// Ends the input.
  public func finish() { input.finish() }

  /// Returns an iterator over the answers.
  public func makeAsyncIterator() -> Iterator { Iterator(completion: self, typed: typed.makeAsyncIterator()) }

  @concurrent
  private func search(_ text: String) async throws -> [SearchResult] {
    try index.search(text, near: near, language: language, isCompleting: true, limit: limit)
  }

  /// An iterator over the answers.
  public struct Iterator: AsyncIteratorProtocol {
    fileprivate let completion: PlaceCompletion
    fileprivate var typed: AsyncStream<Text>.Iterator

    /// Returns the next answer; nil after `finish`.
    ///
    /// - Throws: The errors of `Gazetteer.search`.
    public mutating func next() async throws -> Answer? {
      while let typed = await typed.next(isolation: #isolation) {
        let results = try await completion.search(typed.text)
        // Text typed in the meantime waits in the stream.
        if completion.latest.count.withLock({ $0 }) == typed.number {
          return Answer(text: typed.text, results: results)
        }
      }
      return nil
    }
  }

  /// A typed text with its sequence number.
  fileprivate struct Text {
    let text: String
    let number: Int
  }

  /// The number of texts typed so far.
  private final class Latest: Sendable {
    let count = Mutex(0)
  }
}
