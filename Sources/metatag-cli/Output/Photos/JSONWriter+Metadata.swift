import MetaTag

extension JSONWriter {
  /// Every copy of a value, each with where it stands; `write` adds the value's own members.
  mutating func member<Value>(
    _ name: String, _ copies: [Sourced<Value>], write: (inout JSONWriter, Value) -> Void
  ) {
    guard !copies.isEmpty else { return }
    key(name)
    array { writer in
      for copy in copies {
        writer.object { writer in
          writer.member("namespace", copy.namespace.rawValue)
          writer.member("tag", copy.tag)
          write(&writer, copy.value)
        }
      }
    }
  }

  /// A field under its name: keywords as a list, all others as they are written on the command line.
  mutating func member(_ field: RecordedField) {
    guard case .list(let texts) = field.value else { return member(field.field.rawValue, field.description) }
    key(field.field.rawValue)
    array { writer in texts.forEach { writer.value($0) } }
  }

  mutating func member(_ name: String, _ location: Location) {
    key(name)
    object { $0.members(location) }
  }

  mutating func member(_ name: String, _ names: PlaceNames) {
    key(name)
    object { $0.members(names) }
  }

  /// Degrees, metres, metres per second; directions clockwise from north.
  mutating func members(_ location: Location) {
    member("latitude", location.coordinate.latitude)
    member("longitude", location.coordinate.longitude)
    member("altitude", location.altitude)
    member("imageDirection", location.imageDirection?.degrees)
    member("imageDirectionReference", location.imageDirection?.reference.rawValue)
    member("track", location.track?.degrees)
    member("trackReference", location.track?.reference.rawValue)
    member("speed", location.speed)
    member("horizontalError", location.horizontalError)
    member("dilutionOfPrecision", location.dilutionOfPrecision)
    member("timestamp", location.timestamp?.inUTC)
    member("processingMethod", location.processingMethod)
  }

  mutating func members(_ names: PlaceNames) {
    member("sublocation", names.sublocation)
    member("city", names.city)
    member("state", names.state)
    member("country", names.country)
    member("countryCode", names.countryCode)
  }
}
