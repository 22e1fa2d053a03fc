import Synchronization

/// Completes the name of a place while it is being typed.
///
/// Call `type` with each new text, and read the answers with `for await` in one task. The search runs off the
/// caller's actor. Answers come in the order of typing; an answer is dropped if a newer text was typed during its
/// search, so a late answer can't replace a newer one. The sequence ends with `finish`, or when its task is cancelled.
public struct PlaceCompletion: AsyncSequence, Sendable {
  /// The results for a text.
  public struct Answer: Sendable, Hashable {
    /// The text as it was typed.
    public let text: String
    /// The most likely places, the best first. `SearchResult.matchedRanges(of:)` returns the part of a
    /// name that was typed.
    public let results: [SearchResult]
    /// Why there are no results, if the search failed. The next text is searched all the same.
    public let error: GeoIndexError?
  }

  private let index: Gazetteer
  private let query: PlaceQuery
  private let typed: AsyncStream<Text>
  private let input: AsyncStream<Text>.Continuation
  private let latest = Latest()

  /// Creates a completion, which searches once `type` gets a text.
  /// - Parameters:
  ///   - index: The gazetteer to search.
  ///   - query: What limits the search: a reference position, countries, kinds, the language. Its text is ignored.
  public init(_ index: Gazetteer, _ query: PlaceQuery = PlaceQuery("")) {
    var query = query
    query.isCompleting = true
    (self.index, self.query) = (index, query)
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

  private func answer(to text: String) async -> Answer {
    var query = query
    query.text = text
    do throws(GeoIndexError) {
      return Answer(text: text, results: try await index.results(of: query), error: nil)
    } catch {
      return Answer(text: text, results: [], error: error)
    }
  }

  /// An iterator over the answers.
  public struct Iterator: AsyncIteratorProtocol {
    fileprivate let completion: PlaceCompletion
    fileprivate var typed: AsyncStream<Text>.Iterator

    /// Returns the next answer; nil after `finish`.
    public mutating func next() async -> Answer? {
      while let typed = await typed.next(isolation: #isolation) {
        let answer = await completion.answer(to: typed.text)
        // Text typed in the meantime waits in the stream.
        if completion.latest.count.withLock({ $0 }) == typed.number { return answer }
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
