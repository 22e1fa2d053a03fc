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
    do {
      let request = try RequestLines.request(PositionRequest.self, CodingKeys.self, in: line)
      // Map widgets may count several turns around the Earth.
      guard abs(request.longitude) <= 36_000 else {
        throw RequestError(.invalidMember, "\"longitude\" is out of range (-36000 to 36000)")
      }
      var writer = JSONWriter(.oneLine)
      try write(request, &writer)
      writer.endLine()
      return writer.take()
    } catch {
      return JSONWriter.failure(
        error, expected: "expected an object with \"latitude\" and \"longitude\" in degrees")
    }
  }
}
