/// Data of a TIFF that may record a place or a date and is neither read nor edited.
extension TIFFContainer {
  /// Positions of GeoTIFF (OGC 19-008r4, 7.1.2): tie points, transformation, parameters and texts.
  package static let geoTags: Set<UInt16> = [33_922, 34_264, 34_736, 34_737]
  /// XML with arbitrary texts.
  private static let gdalMetadata: UInt16 = 42_112

  static func findUnedited(in block: TIFFBlock, _ references: TIFFReferences, _ layout: inout Layout) {
    func first(_ tags: Set<UInt16>) -> Int? {
      references.directories.lazy.compactMap { page in page.entries.first { tags.contains($0.tag) }?.position }.first
    }
    if let place = first(geoTags) {
      layout.blocks.append(
        Block(
          .unreadPlace("GeoTIFF's tags tell where it lies"), place..<place,
          access: .opaque(remedy: Block.clearingAll), mayHold: .place, name: "the tags of GeoTIFF"))
    } else if references.hasScatteredPlaces {
      layout.blocks.append(
        Block(.unreadPlace("its further pages have positions of their own"), 0..<0, access: .erasable))
    }
    if let place = first([gdalMetadata]) { layout.blocks.append(.unread("GDAL's metadata", at: place)) }
    guard let place = block.ifd0[TIFFTag.photoshop]?.value?.lowerBound else { return }
    guard let resources = resources(of: block)?.resources else {
      return layout.blocks.append(.unreadPhotoshop(at: place))
    }
    if resources.holdsOthers {
      layout.blocks.append(.unread("EXIF or XMP among its Photoshop resources", at: place))
    }
  }
}
