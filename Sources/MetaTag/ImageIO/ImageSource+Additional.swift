/// The metadata of a photo's further pictures: previews in a raw file, images and movies after the main picture.
extension ImageSource {
  /// The EXIF blocks that can be read.
  var exifBlocks: [TIFFBlock] { layout.exifBlocks(of: source) }

  /// Returns the metadata of further pictures. Reading them all takes time; call this only if no location must be
  /// missed.
  func additionalPictures() throws(FileError) -> [Metadata] {
    let pictures = try container.additionalPictures(layout, source: file)
    var seen: Set<Range<Int>> = []
    var found = try additionalBlocks() + [placesAlongTheWay].compactMap(\.self)
    for picture in pictures where seen.insert(picture).inserted {
      let part = try SourcePart(file, picture)
      if let image = try? ImageSource(part, path: path) {
        found += [image.metadata(), image.placesAlongTheWay].compactMap(\.self)
      } else if try part.seemsToBeginWithMetadata {
        found.append(.withPlace(unread: "an embedded picture has metadata that can't be read"))
      }
    }
    return found
  }

  /// Metadata with a place that isn't read, if a movie records positions along the way.
  private var placesAlongTheWay: Metadata? {
    let data = layout.quickTime
    guard let track = data?.telemetry ?? data?.timedPlaces.first ?? data?.places else { return nil }
    return .withPlace(unread: "the positions in \(track) are not read")
  }

  /// Returns the EXIF metadata that `metadata()` doesn't read: in a second segment of a JPEG, and in directories of
  /// thumbnails.
  private func additionalBlocks() throws(FileError) -> [Metadata] {
    var found: [Metadata] = []
    for block in exifBlocks {
      let pointers = try TIFFReferences(of: block).directories.compactMap { $0[TIFFTag.gpsIFD] }
      let additional = pointers.compactMap(block.directory(of:)).filter { $0.range != block.gps?.range }
      if additional.contains(where: { $0.entries.contains { $0.tag != GPSTag.versionID } }) {
        found.append(.withPlace(unread: "an additional EXIF directory has its own position"))
      }
    }
    for range in layout.unreadEXIF {
      guard let block = try? TIFFBlock(source, range) else { continue }
      var metadata = Metadata()
      EXIF.read(block, into: &metadata)
      found.append(metadata)
    }
    return found
  }
}

extension Metadata {
  /// Returns metadata that record only that there is a place that isn't read.
  fileprivate static func withPlace(unread reason: String) -> Metadata {
    var metadata = Metadata()
    metadata.unreadPlaces = [Sourced(reason, .exif, tag: "GPSLatitude")]
    return metadata
  }

  /// Adds locations and times of the other eye of a stereo pair, which has the same camera.
  mutating func addPlacesAndTimes(of other: Metadata) {
    locations += other.locations
    additionalPlaces += other.additionalPlaces
    unreadPlaces += other.unreadPlaces
    malformedPlaces += other.malformedPlaces
    satelliteTimes += other.satelliteTimes
    captureTimes += other.captureTimes
    digitizedTimes += other.digitizedTimes
    malformedDates += other.malformedDates
    malformedOffsets += other.malformedOffsets
    irregularDates += other.irregularDates
    notes += other.notes
  }
}
