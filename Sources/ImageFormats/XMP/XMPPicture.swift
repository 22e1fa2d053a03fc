extension XMPPacket {
  /// Returns the packet for a decoded, upright picture, with existing values of orientation and size updated.
  package func describing(_ size: PixelSize) throws(FileError) -> [UInt8] {
    let facts = [
      "tiff:Orientation": 1, "tiff:ImageWidth": size.width, "tiff:ImageLength": size.height,
      "exif:PixelXDimension": size.width, "exif:PixelYDimension": size.height,
    ]
    var splices: [Splice] = []
    for property in properties where property.isOwn && property.text != nil {
      guard let fact = facts[property.name], property.text != String(fact) else { continue }
      splices.append(try replacement(of: property, with: String(fact)))
    }
    return splices.isEmpty ? bytes : try applying(splices)
  }
}
