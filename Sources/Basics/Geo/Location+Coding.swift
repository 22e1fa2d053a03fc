/// Encodings of positions, so that a client can store them. Decoding refuses values out of range.
extension Coordinate: Codable {
  private enum CodingKeys: String, CodingKey { case latitude, longitude }

  /// Decodes `latitude` and `longitude` in degrees.
  public init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: CodingKeys.self)
    let latitude = try container.decode(Double.self, forKey: .latitude)
    let longitude = try container.decode(Double.self, forKey: .longitude)
    guard let coordinate = Coordinate(latitude: latitude, longitude: longitude) else {
      throw DecodingError.dataCorruptedError(
        forKey: .latitude, in: container, debugDescription: "\(latitude), \(longitude) is not on the Earth")
    }
    self = coordinate
  }

  /// Encodes `latitude` and `longitude` in degrees.
  public func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: CodingKeys.self)
    try container.encode(latitude, forKey: .latitude)
    try container.encode(longitude, forKey: .longitude)
  }
}

extension Direction: Codable {
  private enum CodingKeys: String, CodingKey { case degrees, reference }

  /// Decodes `degrees` and `reference`.
  public init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: CodingKeys.self)
    let degrees = try container.decode(Double.self, forKey: .degrees)
    let reference = try container.decode(Reference.self, forKey: .reference)
    guard let direction = Direction(degrees: degrees, reference: reference) else {
      throw DecodingError.dataCorruptedError(
        forKey: .degrees, in: container, debugDescription: "\(degrees) is not an angle")
    }
    self = direction
  }

  /// Encodes `degrees` and `reference`.
  public func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: CodingKeys.self)
    try container.encode(degrees, forKey: .degrees)
    try container.encode(reference, forKey: .reference)
  }
}

extension Direction.Reference: Codable {}
