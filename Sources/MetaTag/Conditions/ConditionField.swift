package import SystemPackage

/// The facts about a photo against which conditions are evaluated.
package struct PhotoFacts: Hashable, Sendable {
  /// The path as the user named it.
  package var path: FilePath
  /// The format of the file.
  package var type: ImageType
  /// The size of the file in bytes.
  package var size: Int
  /// The properties of the file; nil if no condition needs it.
  package var properties: ImageProperties?
  /// The metadata that the photo records.
  package var metadata: Metadata
  /// Whether terms hold that need more than is here.
  var answers: [Condition.Term: Bool] = [:]

  /// Creates the facts about a photo.
  package init(path: FilePath, type: ImageType, size: Int, properties: ImageProperties?, metadata: Metadata) {
    self.path = path
    self.type = type
    self.size = size
    self.properties = properties
    self.metadata = metadata
  }
}

/// A field of a photo that conditions can test.
enum ConditionField: String, Hashable, Sendable, CaseIterable {
  case camera, make, model, lens, serial, name, folder, type, offset
  case city, state, country, title, keyword, description, artist
  case location
  case taken, modified
  case kind, subtype
  case latitude, longitude, altitude, size, width, height, orientation, duration, rating

  enum Kind: Hashable, Sendable {
    case text
    /// A field that can only be present or absent.
    case presence
    case date
    case number(Measure)
  }

  /// The quantity that a number measures.
  enum Measure: Hashable, Sendable {
    case plain, metres, bytes, seconds

    /// The units with their factors. An empty unit means that a number may have none.
    var units: [String: Double] {
      switch self {
      case .plain: ["": 1]
      case .metres: ["m": 1, "km": 1_000, "ft": Units.foot, "mi": Units.mile]
      case .bytes:
        ["": 1, "b": 1, "kb": 1e3, "mb": 1e6, "gb": 1e9, "kib": 1_024, "mib": 1_048_576, "gib": 1_073_741_824]
      case .seconds: ["s": 1, "min": 60, "h": 3_600]
      }
    }

    /// An example of a value, for messages.
    var example: String {
      switch self {
      case .plain: "6"
      case .metres: "500m"
      case .bytes: "10MB"
      case .seconds: "60s"
      }
    }
  }

  var kind: Kind {
    switch self {
    case .camera, .make, .model, .lens, .serial, .name, .folder, .type, .offset, .city, .state, .country, .title,
      .keyword, .description, .artist, .kind, .subtype:
      .text
    case .location: .presence
    case .taken, .modified: .date
    case .altitude: .number(.metres)
    case .size: .number(.bytes)
    case .duration: .number(.seconds)
    case .latitude, .longitude, .width, .height, .orientation, .rating: .number(.plain)
    }
  }

  /// Whether every photo has the field, so that testing only its presence is a mistake.
  var isAlwaysThere: Bool { [.name, .folder, .type, .size, .kind].contains(self) }

  /// Whether a catalog of photos keeps the field. It doesn't keep texts that may be long, or what is rarely asked about.
  var isKept: Bool { !needsProperties && ![.title, .keyword, .description, .artist, .rating].contains(self) }

  /// Whether the field is one of `ImageProperties`.
  var needsProperties: Bool { [.kind, .subtype, .width, .height, .orientation, .duration].contains(self) }

  /// An example of a comparison, for messages.
  var example: String {
    switch kind {
    case .text where self == .type: "type == \"jpeg\""
    case .text where self == .kind: "kind == \"movie\""
    case .text: "\(rawValue) ~ \"*a*\""
    case .presence: rawValue
    case .date: "\(rawValue) >= 2024-05-01"
    case .number(let measure): "\(rawValue) >= \(measure.example)"
    }
  }
}

extension PhotoFacts {
  /// Returns the texts of a field. If there are several forms, a condition may match any of them.
  func texts(_ field: ConditionField) -> [String] {
    switch field {
    // The camera's own strings, and the name that `metatag show` prints.
    case .camera:
      [
        metadata.model, metadata.model.flatMap { model in metadata.make.map { "\($0) \(model)" } },
        metadata.model == nil ? nil : metadata.cameraModel,
      ].compactMap(\.self)
    case .model: [metadata.model].compactMap(\.self)
    case .make: [metadata.make].compactMap(\.self)
    case .lens: [metadata.lensModel].compactMap(\.self)
    case .serial: [metadata.serialNumber].compactMap(\.self)
    case .name: [path.lastComponent.map { String(decoding: $0.bytes, as: UTF8.self) } ?? ""]
    case .folder: [folder]
    case .type: [type.rawValue]
    case .kind: properties.map { [$0.mediaKind.rawValue] } ?? []
    case .subtype: properties?.subtypes.map(\.rawValue).sorted() ?? []
    case .offset: [metadata.captureTime?.offset?.description].compactMap(\.self)
    case .city: metadata.placeNames.compactMap(\.value.city)
    case .state: metadata.placeNames.compactMap(\.value.state)
    case .country: metadata.placeNames.compactMap(\.value.country)
    case .keyword: metadata.keywords
    case .title: metadata.texts(.title)
    case .description: metadata.texts(.description)
    case .artist: metadata.texts(.artist)
    default: []
    }
  }

  private var folder: String {
    let folder = path.removingLastComponent()
    return folder.isEmpty ? "." : String(decoding: folder.bytes, as: UTF8.self)
  }

  func number(_ field: ConditionField) -> Double? {
    switch field {
    case .latitude: metadata.location?.coordinate.latitude
    case .longitude: metadata.location?.coordinate.longitude
    case .altitude: metadata.location?.altitude
    case .size: Double(size)
    case .width: properties?.pixelSize.map { Double($0.width) }
    case .height: properties?.pixelSize.map { Double($0.height) }
    case .orientation: (properties?.orientation ?? metadata.orientation).map { Double($0) }
    case .duration: properties?.duration.map { $0 / .seconds(1) }
    case .rating: metadata.rating.map { Double($0) }
    default: nil
    }
  }

  func date(_ field: ConditionField) -> CaptureTime? {
    field == .taken ? metadata.captureTime : field == .modified ? metadata.modifyTime : nil
  }

  func has(_ field: ConditionField) -> Bool {
    switch field.kind {
    case .text: !texts(field).isEmpty
    case .presence: metadata.location != nil
    case .date: field == .taken ? metadata.isDated : date(field) != nil
    case .number: number(field) != nil
    }
  }
}

extension Metadata {
  /// The rating, 0…5.
  fileprivate var rating: Int? {
    guard case .whole(let numbers) = value(of: .rating) else { return nil }
    return numbers.first
  }

  /// Returns the texts of all copies of a field.
  fileprivate func texts(_ field: PhotoField) -> [String] {
    fields.filter { $0.value.field == field }.map(\.value.description)
  }
}
