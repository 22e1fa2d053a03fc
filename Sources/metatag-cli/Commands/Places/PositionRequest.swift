import Foundation
import GeoIndex
import MetaTag

/// A request to `place at --jsonl -` and `zone at --jsonl -`.
struct PositionRequest: Decodable {
  enum CodingKeys: String, CodingKey, CaseIterable {
    case latitude, longitude, when
  }

  let latitude: Double
  let longitude: Double
  /// For `zone at`: an instant or a local time.
  let when: String?

  /// Returns the answer to one line of input; `write` writes it.
  static func answer(_ line: [UInt8], _ write: (PositionRequest, inout JSONWriter) throws -> Void) -> [UInt8] {
    var writer = JSONWriter(.oneLine)
    do {
      let request = try RequestLines.request(PositionRequest.self, CodingKeys.self, in: line)
      // Map widgets may count several turns around the Earth.
      guard abs(request.longitude) <= 36_000 else {
        throw SetupError("\"longitude\" is out of range (-36000 to 36000)")
      }
      try write(request, &writer)
    } catch {
      writer = JSONWriter(.oneLine)
      writer.object { writer in
        writer.member("error", sentence(about: error))
        writer.member("code", (error as? GeoIndexError)?.code.rawValue)
      }
    }
    writer.endLine()
    return writer.take()
  }

  private static let expected = "expected an object with \"latitude\" and \"longitude\" in degrees"

  private static func sentence(about error: any Error) -> String {
    switch error {
    case let error as GeoIndexError: error.words
    case let error as ParseError: "\(error)"
    case let error as SetupError: error.description
    case let error as DecodingError: error.flaw(expected)
    default: "not a request: \(expected)"
    }
  }
}
