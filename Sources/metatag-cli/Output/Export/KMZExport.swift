import MetaTag

/// KML with small pictures, in a zip archive (OGC 07-147r2, annex C). The pictures go out one by one; the document,
/// which names them, comes last.
struct KMZExport: ExportDocument {
  private var zip = StoredZip()
  private var document: [UInt8]
  private var pictures = 0
  private let format = KMLExport()

  init() { document = Array(format.head.utf8) }

  func begin() -> [UInt8] { [] }

  mutating func add(_ photo: ExportedPhoto) -> [UInt8] {
    guard let thumbnail = photo.thumbnail else {
      document += format.entry(photo)
      return []
    }
    pictures += 1
    let name = "files/\(pictures).jpg"
    document += format.entry(photo, picture: name)
    return zip.file(name, thumbnail)
  }

  mutating func end() -> [UInt8] {
    document += Array(format.tail.utf8)
    return zip.file("doc.kml", document) + zip.end()
  }
}
