import Foundation
import GeoIndex
import MetaTag

/// What a program asks `place at --jsonl -` and `zone at --jsonl -`.
struct PositionRequest: Decodable {
  enum CodingKeys: String, CodingKey, CaseIterable {
    case latitude, longitude, when
  }

  let latitude: Double
  let longitude: Double
  /// `zone at`: an instant, or a civil time there.
  let when: String?

  /// The line that answers a request's line with what `write` has to say.
  static func answer(_ line: [UInt8], _ write: (PositionRequest, inout JSONWriter) throws -> Void) -> [UInt8] {
    var writer = JSONWriter(.oneLine)
    do {
      let request = try RequestLines.request(PositionRequest.self, CodingKeys.self, in: line)
      // Maps that go round and round say more than one turn.
      guard abs(request.longitude) <= 36_000 else {
        throw SetupError("\"longitude\" takes degrees, of a hundred turns at most")
      }
      try write(request, &writer)
    } catch {
      writer = JSONWriter(.oneLine)
      writer.object { writer in writer.member("error", sentence(about: error)) }
    }
    writer.endLine()
    return writer.take()
  }

  private static let expected = "an object with \"latitude\" and \"longitude\" in degrees is expected"

  private static func sentence(about error: any Error) -> String {
    switch error {
    case let error as GeoIndexError: error.description
    case let error as ParseError: "\(error)"
    case let error as SetupError: error.description
    case let error as DecodingError: error.flaw(expected)
    default: "not a request: \(expected)"
    }
  }
}
