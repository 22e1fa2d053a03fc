/// Adding of metadata to a JPEG that has none yet.
package enum JPEGAssembly {
  /// The header of each part of a profile (ICC.1:2010, B.4).
  private static let profileHeader = Array("ICC_PROFILE\0".utf8)
  private static let profilePart = JPEGSegment.longestPayload - 14

  /// Returns the file with the segments in the order in which cameras write them, after JFIF.
  /// - Throws: `.tooLarge` naming what doesn't fit into a JPEG.
  package static func file(
    _ picture: [UInt8], exif: [UInt8], xmp: [UInt8], iptc: [UInt8], profile: [UInt8]
  ) throws(FileError) -> [UInt8] {
    var segments: [UInt8] = []
    if !exif.isEmpty { segments += try segment(0xE1, JPEGSegment.exifHeader, exif, "EXIF") }
    if !xmp.isEmpty { segments += try segment(0xE1, JPEGSegment.xmpHeader, xmp, "XMP") }
    if !iptc.isEmpty {
      // Photoshop resource 0x0404 without a name, padded to an even length.
      let resource = Array("8BIM".utf8) + [4, 4, 0, 0] + UInt32(clamping: iptc.count).bytes(.big) + iptc
      segments += try segment(
        0xED, JPEGSegment.photoshopHeader, resource + [UInt8](repeating: 0, count: iptc.count % 2), "IPTC data")
    }
    let parts = (profile.count + profilePart - 1) / profilePart
    guard parts <= 255 else { throw FileError(.tooLarge, "its ICC profile is too large for a JPEG") }
    for index in 0..<parts {
      let part = profile[index * profilePart..<min((index + 1) * profilePart, profile.count)]
      segments += try JPEGSegment.bytes(0xE2, profileHeader + [UInt8(index + 1), UInt8(parts)] + part)
    }
    let start = JPEGContainer.headEnd(try JPEGSegments(of: Bytes(picture)))
    return picture[..<start] + segments + picture[start...]
  }

  private static func segment(
    _ marker: UInt8, _ header: [UInt8], _ content: [UInt8], _ name: String
  ) throws(FileError) -> [UInt8] {
    guard header.count + content.count <= JPEGSegment.longestPayload else {
      throw FileError(
        .tooLarge, "its \(name) of \(content.count) bytes doesn't fit into a JPEG, which has room for 64 KB")
    }
    return try JPEGSegment.bytes(marker, header + content)
  }
}
