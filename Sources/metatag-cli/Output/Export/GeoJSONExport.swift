import MetaTag

/// A collection of points (RFC 7946): longitude before latitude.
struct GeoJSONExport: ExportFormat {
  let head = "{\"type\":\"FeatureCollection\",\"features\":[\n"
  let tail = "\n]}\n"
  let separator = ",\n"

  func entry(_ photo: ExportedPhoto) -> [UInt8] {
    var writer = JSONWriter()
    writer.object { writer in
      writer.member("type", "Feature")
      writer.key("geometry")
      writer.object { writer in
        writer.member("type", "Point")
        writer.key("coordinates")
        writer.array { writer in
          writer.value(photo.location.coordinate.longitude)
          writer.value(photo.location.coordinate.latitude)
          if let altitude = photo.location.altitude { writer.value(altitude) }
        }
      }
      writer.key("properties")
      writer.object { writer in
        writer.member(path: photo.path)
        writer.member("name", photo.name)
        writer.member("taken", photo.taken)
        writer.member("camera", photo.camera)
      }
    }
    return writer.take()
  }
}
