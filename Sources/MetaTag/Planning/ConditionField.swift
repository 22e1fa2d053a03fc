package import SystemPackage

/// What is known of a photo when it is asked whether it is meant.
package struct PhotoFacts: Hashable, Sendable {
  /// As it was named.
  package var path: FilePath
  /// Its format.
  package var type: ImageType
  /// Bytes.
  package var size: Int
  /// As it is stored, before its orientation is applied; nil when its container doesn't say.
  package var pixelSize: PixelSize?
  /// What it records.
  package var metadata: Metadata

  /// What is known of a photo.
  package init(path: FilePath, type: ImageType, size: Int, pixelSize: PixelSize?, metadata: Metadata) {
    self.path = path
    self.type = type
    self.size = size
    self.pixelSize = pixelSize
    self.metadata = metadata
  }
}

/// What a condition may ask of a photo.
enum ConditionField: String, Hashable, Sendable, CaseIterable {
  case camera, make, model, lens, serial, name, folder, type, offset
  case city, state, country, title, keyword, description, artist
  case location
  case taken, modified
  case latitude, longitude, altitude, size, width, height, orientation

  enum Kind: Hashable, Sendable {
    case text
    /// It is there, or not.
    case presence
    case date
    case number(Measure)
  }

  /// What a number counts.
  enum Measure: Hashable, Sendable {
    case plain, metres, bytes

    /// Units, and what they are worth; an empty one where a number may stand alone.
    var units: [String: Double] {
      switch self {
      case .plain: ["": 1]
      case .metres: ["m": 1, "km": 1_000, "ft": 0.3048, "mi": 1_609.344]
      case .bytes:
        ["": 1, "b": 1, "kb": 1e3, "mb": 1e6, "gb": 1e9, "kib": 1_024, "mib": 1_048_576, "gib": 1_073_741_824]
      }
    }

    /// A value as it is written, for messages.
    var example: String {
      switch self {
      case .plain: "6"
      case .metres: "500m"
      case .bytes: "10MB"
      }
    }
  }

  var kind: Kind {
    switch self {
    case .camera, .make, .model, .lens, .serial, .name, .folder, .type, .offset, .city, .state, .country, .title,
      .keyword, .description, .artist:
      .text
    case .location: .presence
    case .taken, .modified: .date
    case .altitude: .number(.metres)
    case .size: .number(.bytes)
    case .latitude, .longitude, .width, .height, .orientation: .number(.plain)
    }
  }

  /// Whether every photo has it, so that asking for it alone is a slip.
  var isAlwaysThere: Bool { [.name, .folder, .type, .size].contains(self) }

  /// A comparison as it is written, for messages.
  var example: String {
    switch kind {
    case .text where self == .type: "type == \"jpeg\""
    case .text: "\(rawValue) ~ \"*a*\""
    case .presence: rawValue
    case .date: "\(rawValue) >= 2024-05-01"
    case .number(let measure): "\(rawValue) >= \(measure.example)"
    }
  }
}

extension PhotoFacts {
  /// What a field says; one that says the same in two ways is met by either.
  func texts(_ field: ConditionField) -> [String] {
    switch field {
    // As it calls itself, and as `metatag show` does.
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
    case .width: pixelSize.map { Double($0.width) }
    case .height: pixelSize.map { Double($0.height) }
    case .orientation: metadata.orientation.map { Double($0) }
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
  /// The texts of all copies of a field.
  fileprivate func texts(_ field: PhotoField) -> [String] {
    fields.filter { $0.value.field == field }.map(\.value.description)
  }
}
