/// A change of the position in a packet that has one.
struct XMPLocationChange {
  private let packet: XMPPacket
  private let new: Location
  private let old: Location?
  private let keepsCompanions: Bool
  /// Whether the position's companions are written even if they are missing, because this packet is their only place.
  private let addsAll: Bool
  private var found: [Splice] = []

  init(to new: Location, in packet: XMPPacket, keepsCompanions: Bool, addsAll: Bool) {
    self.packet = packet
    self.new = new
    self.keepsCompanions = keepsCompanions
    self.addsAll = addsAll
    old = packet.location
  }

  /// The properties that describe only the old position, and that a new one doesn't have.
  private static let companions = [
    "GPSDestBearing", "GPSDestBearingRef", "GPSDestDistance", "GPSDestDistanceRef", "GPSSatellites", "GPSStatus",
    "GPSMeasureMode", "GPSDifferential", "GPSAreaInformation",
  ].map { "exif:" + $0 }

  /// Returns the splices. A packet without a position gets none; details of another position are removed.
  mutating func splices() throws(FileError) -> [Splice] {
    let anchor = packet.own("exif:GPSLatitude") ?? packet.own("exif:GPSLongitude")
    if let anchor { try setCoordinate(beside: anchor) }
    let stays = anchor != nil && found.isEmpty
    for field in fields { try change(field, beside: anchor) }
    if !stays {
      // The letters are in the values now.
      for name in ["exif:GPSLatitudeRef", "exif:GPSLongitudeRef"] { remove(name) }
      if packet.own("exif:GPSMapDatum") != nil, packet.value("exif:GPSMapDatum") != "WGS-84" {
        try set("exif:GPSMapDatum", "WGS-84")
      }
      if keepsCompanions {
        // The status "V" means that the receiver had no fix. It doesn't apply to a position given now.
        if packet.value("exif:GPSStatus") == "V" { remove("exif:GPSStatus") }
      } else {
        for name in XMPLocationChange.companions { remove(name) }
      }
    }
    found += packet.makerPlaces(otherThan: new.coordinate).map { Splice($0.range, []) }
    return found
  }

  private mutating func setCoordinate(beside anchor: XMPProperty) throws(FileError) {
    let coordinate = new.coordinate
    try put(
      "exif:GPSLatitude", coordinate.latitude.xmpAngle(positive: "N", negative: "S"), beside: anchor,
      unless: { packet, text in
        packet.latitude(of: text).map { abs($0 - coordinate.latitude) <= 1e-8 } ?? false
      })
    try put(
      "exif:GPSLongitude", coordinate.longitude.xmpAngle(positive: "E", negative: "W"), beside: anchor,
      unless: { packet, text in
        packet.longitude(of: text).map { abs($0 - coordinate.longitude) <= 1e-8 } ?? false
      })
  }

  /// A companion of a position, and its reference.
  private struct Field {
    let name: String
    let text: String?
    var reference: String?
    var isSame = false
    /// Whether it is added if it is missing.
    var isAdded = false
    /// Whether it is removed if the new position lacks it.
    var isCompanion = true
  }

  private var fields: [Field] {
    [
      Field(
        name: "exif:GPSAltitude", text: new.altitude.flatMap { abs($0).xmpRational },
        reference: (new.altitude ?? 0) < 0 ? "1" : "0", isSame: areSame(old?.altitude, new.altitude), isAdded: true),
      Field(
        name: "exif:GPSSpeed", text: new.speed.flatMap { ($0 * 3.6).xmpRational }, reference: "K",
        isSame: areSame(old?.speed, new.speed)),
      Field(
        name: "exif:GPSTrack", text: new.track.flatMap { $0.degrees.xmpRational },
        reference: new.track?.reference.rawValue, isSame: areSame(old?.track, new.track)),
      Field(
        name: "exif:GPSImgDirection", text: new.imageDirection.flatMap { $0.degrees.xmpRational },
        reference: new.imageDirection?.reference.rawValue, isSame: areSame(old?.imageDirection, new.imageDirection),
        isCompanion: false),
      Field(
        name: "exif:GPSHPositioningError", text: new.horizontalError.flatMap(\.xmpRational),
        isSame: areSame(old?.horizontalError, new.horizontalError)),
      Field(
        name: "exif:GPSDOP", text: new.dilutionOfPrecision.flatMap(\.xmpRational),
        isSame: areSame(old?.dilutionOfPrecision, new.dilutionOfPrecision)),
      Field(
        name: "exif:GPSTimeStamp", text: new.timestamp.flatMap(\.xmpText),
        isSame: new.timestamp != nil && old?.timestamp == new.timestamp),
      Field(
        name: "exif:GPSProcessingMethod", text: new.processingMethod,
        isSame: old?.processingMethod == new.processingMethod),
    ]
  }

  private mutating func change(_ field: Field, beside anchor: XMPProperty?) throws(FileError) {
    let reference = field.name + "Ref"
    guard let text = field.text else {
      guard field.isCompanion, !keepsCompanions else { return }
      remove(field.name)
      remove(reference)
      return
    }
    let isAdded = field.isAdded || addsAll
    guard !field.isSame, let anchor = packet.own(field.name) ?? (isAdded ? anchor : nil) else { return }
    try put(field.name, text, beside: anchor)
    if let letter = field.reference { try put(reference, letter, beside: anchor) }
  }

  private func areSame(_ old: Double?, _ new: Double?) -> Bool {
    guard let old, let new else { return false }
    return abs(old - new) <= 1e-6
  }

  private func areSame(_ old: Direction?, _ new: Direction?) -> Bool {
    old?.reference == new?.reference && areSame(old?.degrees, new?.degrees)
  }

  /// Makes `text` the value of the property, which is added if it is missing.
  private mutating func put(
    _ name: String, _ text: String, beside anchor: XMPProperty,
    unless isSame: (XMPPacket, String) -> Bool = { _, _ in false }
  ) throws(FileError) {
    if packet.own(name) == nil {
      found.append(packet.insertion(of: name, text, behind: anchor))
    } else {
      try set(name, text, unless: isSame)
    }
  }

  private mutating func set(
    _ name: String, _ text: String, unless isSame: (XMPPacket, String) -> Bool = { _, _ in false }
  ) throws(FileError) {
    for property in packet.properties where property.isOwn && property.name == name {
      if let value = property.value, value == text || isSame(packet, value) { continue }
      found.append(try packet.replacement(of: property, with: text))
    }
  }

  private mutating func remove(_ name: String) {
    for property in packet.properties where property.isOwn && property.name == name {
      found.append(Splice(property.range, []))
    }
  }
}

extension Instant {
  /// The instant in UTC: `2024-05-23T09:38:41.5Z`; nil outside the years 0…9999.
  fileprivate var xmpText: String? {
    CivilTime(secondsSince1970: seconds).map { civil in
      "\(CaptureTime(civil, fraction: nanoseconds == 0 ? nil : SecondFraction(nanoseconds: nanoseconds)))Z"
    }
  }
}

/// Positions in the namespaces of drone makers.
extension XMPPacket {
  /// Returns the properties to remove when the picture is put at `coordinate` and they record another place, because it
  /// would be unclear which one is right. Their altitudes are removed too.
  func makerPlaces(otherThan coordinate: Coordinate) -> [XMPProperty] {
    let own = additionalPlaces.filter { $0.tag.hasPrefix(":") && $0.tag.lowercased().hasSuffix("latitude") }
    guard own.contains(where: { $0.place?.isSame(as: coordinate) != true }) else { return [] }
    return properties.filter { $0.isOwn && $0.name.hasPrefix(":") && $0.holdsLocation }
  }

  /// Returns the notes on these positions.
  package func notes(onPlace edit: MetadataEdit) -> [Note] {
    guard case .set(let location) = edit.location, !edit.erasesOldPlace else { return [] }
    var notes: [Note] = []
    let names = makerPlaces(otherThan: location.coordinate).map { $0.name.dropFirst() }
    if !names.isEmpty {
      notes.append(.removed(names.map { "\($0) in XMP" }))
    }
    if edit.wantedNames == nil, !createdPlaces(otherThan: location.coordinate).isEmpty {
      notes.append(.removed(["the position in LocationCreated"]))
    }
    return notes
  }
}

/// Positions in IPTC's structure of the place where a picture was taken.
extension XMPPacket {
  /// Returns the splices that remove a position so far from `coordinate` that names would belong to another place.
  /// Names stay, because a separate command changes them.
  func createdPlaces(otherThan coordinate: Coordinate) -> [Splice] {
    var splices: [Splice] = []
    for (index, property) in properties.enumerated() where property.isOwn && property.name == XMPNames.created {
      let fields = fields(of: index)
      let stale = fields.filter { field in
        guard field.name.hasPrefix("exif:GPS") else { return false }
        let item = fields.filter { $0.outer?.item == field.outer?.item }
        let recorded = XMPNames.position(in: item) ?? location?.coordinate
        return recorded.map { $0.distance(to: coordinate) > XMPNamesChange.samePlace } ?? true
      }
      let isWhole = stale.count == fields.count && !stale.isEmpty && !property.holdsOthers
      splices += (isWhole ? [property] : stale).map { Splice($0.range, []) }
    }
    return splices
  }
}
