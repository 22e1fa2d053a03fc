import GeoIndex

/// The surroundings of a position as JSON and as a line.
extension PositionInfo {
  /// Writes an object in which unknown values are null.
  /// - Parameters:
  ///   - own: The user's own place at the position.
  ///   - areas: The areas of interest that contain it; nil if they aren't wanted.
  func write(to writer: inout JSONWriter, own: NearestPlace?, areas: [Place]?) {
    let (admin1, locality) = (admin1, locality)
    let city = city(in: admin1, orLocality: locality)
    writer.object { writer in
      writer.optional("country", countryCode) { $1.value($0) }
      writer.optional("admin1", admin1) { admin1, writer in
        writer.object { writer in
          writer.member("name", admin1.name)
          writer.member("code", admin1.code)
        }
      }
      writer.optional("county", county(in: admin1)) { $1.value($0) }
      writer.optional("locality", locality) { $0.write(to: &$1) }
      writer.optional("city", city) { $0.write(to: &$1) }
      writer.key("zones")
      writer.array { writer in zones.forEach { writer.value($0) } }
      writer.optional("sea", seaName) { $1.value($0) }
      writer.optional("offCoastOf", offCoastOf) { $1.value($0) }
      if let areas {
        writer.key("areas")
        writer.array { writer in
          for area in areas {
            writer.object { writer in
              writer.member("id", Int(area.id))
              writer.member("name", area.name)
              writer.member("kind", area.kind.rawValue)
            }
          }
        }
      }
      writer.member("confidence", confidence(in: admin1))
      writer.optional("own", own) { $0.place.write(to: &$1, distance: $0.distance, bearing: $0.bearing) }
    }
  }

  /// The position in words, as far as known: `4.2 km east of Uji, Kyoto, JP`.
  var line: String {
    var words = [admin1?.name, countryCode].compactMap(\.self)
    if let locality {
      words.insert("\(locality.words) \(locality.name)", at: 0)
    } else if let offCoastOf {
      words.append("off the coast of \(offCoastOf)")
    }
    if let seaName { words.append(seaName) }
    return words.isEmpty ? "nothing is known of this place" : words.joined(separator: ", ")
  }
}

extension PositionInfo.Town {
  /// The direction in words: `in`, or `12.3 km east of`.
  var words: String { wordsOfDirection(distance: distance, bearing: bearing) }

  func write(to writer: inout JSONWriter) {
    writer.object { writer in
      writer.member("name", name)
      writer.member("distance", distance.rounded())
      writer.member("bearing", (bearing * 10).rounded() / 10)
      writer.member("id", Int(id))
      writer.member("latitude", latitude)
      writer.member("longitude", longitude)
      writer.member("population", population)
    }
  }
}

extension JSONWriter {
  /// Writes a member whose value is null if unknown.
  mutating func optional<Value>(_ name: JSONKey, _ value: Value?, _ write: (Value, inout JSONWriter) -> Void) {
    key(name)
    if let value { write(value, &self) } else { null() }
  }
}
