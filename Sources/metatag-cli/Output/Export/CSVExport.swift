import MetaTag
import SystemPackage

/// A table (RFC 4180); degrees are signed, north and east positive.
struct CSVExport: ExportFormat {
  let head = "path,latitude,longitude,altitude,taken,camera\r\n"
  let tail = ""
  let separator = ""

  func entry(_ photo: ExportedPhoto) -> [UInt8] {
    var writer = CSVWriter()
    let place = photo.location.coordinate
    writer.field(path: photo.path)
    for field in [
      "\(place.latitude)", "\(place.longitude)", photo.location.altitude.map { "\($0)" }, photo.taken,
      photo.camera,
    ] { writer.field(field) }
    writer.endRow()
    return writer.take()
  }
}

extension FilePath {
  /// The path as a reference in a document (RFC 3986): every byte that is no plain character as %XX.
  var uriReference: String {
    let plain = Set("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-._~/".utf8)
    return rawBytes.reduce(into: "") { text, byte in
      text +=
        plain.contains(byte)
        ? String(UnicodeScalar(byte)) : "%" + (byte < 16 ? "0" : "") + String(byte, radix: 16, uppercase: true)
    }
  }
}
