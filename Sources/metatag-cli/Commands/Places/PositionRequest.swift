import Foundation
import GeoIndex
import MetaTag

/// A request to `place at --jsonl -` and `zone at --jsonl -`.
struct PositionRequest: Decodable, Equatable {
  enum CodingKeys: String, CodingKey, CaseIterable {
    case latitude, longitude, when, areas
  }

  let latitude: Double
  let longitude: Double
  /// For `zone at`: an instant or a local time.
  let when: String?
  /// For `place at`: whether the areas of interest are wanted.
  let areas: Bool?

  /// Reads a request in its usual form; nil if it has another one.
  init?(plain line: Range<Int>, in bytes: [UInt8]) {
    var (latitude, longitude): (Double?, Double?)
    var (when, areas): (String?, Bool?)
    let isPlain = RequestReader.readMembers(of: line, in: bytes, CodingKeys.self) { key, reader in
      switch key {
      case .latitude: reader.read(&latitude)
      case .longitude: reader.read(&longitude)
      case .when: reader.read(&when)
      case .areas: reader.read(&areas)
      }
    }
    guard isPlain, let latitude, let longitude else { return nil }
    (self.latitude, self.longitude, self.when, self.areas) = (latitude, longitude, when, areas)
  }

  /// Writes the answer to one line of input.
  /// - Parameters:
  ///   - request: The request in the line, if that has the usual form.
  ///   - find: Finds the answer.
  ///   - write: Writes it as an object.
  static func answer<Found>(
    _ line: Range<Int>, in bytes: [UInt8], _ request: PositionRequest?, to writer: inout JSONWriter,
    find: (PositionRequest) throws -> Found, write: (Found, inout JSONWriter) -> Void
  ) {
    do {
      let request = try request ?? RequestLines.request(PositionRequest.self, CodingKeys.self, in: bytes[line])
      // Map widgets may count several turns around the Earth.
      guard abs(request.longitude) <= 36_000 else {
        throw RequestError(.invalidMember, "\"longitude\" is out of range (-36000 to 36000)")
      }
      write(try find(request), &writer)
      writer.endLine()
    } catch {
      writer.failure(error, expected: "expected an object with \"latitude\" and \"longitude\" in degrees")
    }
  }
}

/// The requests in lines that have arrived. Those that follow a request are known when it is answered, so that what they
/// need can be prefetched.
struct PositionRequests {
  /// The requests in their usual form, each with the beginning of its line.
  private var requests: [(start: Int, request: PositionRequest)] = []
  private var next = 0

  /// Reads the requests in lines.
  init(_ lines: [Range<Int>] = [], in bytes: [UInt8] = []) {
    requests.reserveCapacity(lines.count)
    for line in lines {
      if let request = PositionRequest(plain: line, in: bytes) { requests.append((line.lowerBound, request)) }
    }
  }

  /// Returns the request in a line, if it has the usual form. The lines are taken in their order.
  mutating func take(_ line: Range<Int>, prefetchingFrom index: Gazetteer) -> PositionRequest? {
    guard next < requests.count, requests[next].start == line.lowerBound else { return nil }
    if next + Gazetteer.prefetched < requests.count {
      index.prefetchReverse { number in
        let request = requests[next + number].request
        return (request.latitude, request.longitude)
      }
    }
    defer { next += 1 }
    return requests[next].request
  }
}
