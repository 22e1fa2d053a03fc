/// Compares thumbnails from which metadata was erased.
enum ThumbnailWitness {
  /// Whether two JPEG files of equal length show the same picture: they differ only in the contents of their APPn and
  /// comment segments.
  static func isSamePicture(_ old: [UInt8], _ new: [UInt8]) -> Bool {
    guard old.count == new.count, old.starts(with: [0xFF, 0xD8]), new.starts(with: [0xFF, 0xD8]) else { return false }
    var at = 2
    while at + 4 <= old.count, old[at] == 0xFF, old[at..<at + 4].elementsEqual(new[at..<at + 4]) {
      let (marker, length) = (old[at + 1], Int(old[at + 2]) << 8 + Int(old[at + 3]))
      let end = at + 2 + length
      guard length >= 2, end <= old.count, marker != startOfScan else { break }
      let holdsMetadata = (0xE0...0xEF).contains(marker) || marker == comment
      guard holdsMetadata || old[at..<end].elementsEqual(new[at..<end]) else { return false }
      at = end
    }
    return old[at...].elementsEqual(new[at...])
  }

  private static let startOfScan: UInt8 = 0xDA
  private static let comment: UInt8 = 0xFE
}
