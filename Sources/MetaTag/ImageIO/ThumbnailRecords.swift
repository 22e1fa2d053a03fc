extension ImageSource {
  /// A thumbnail is a picture of its own, and sometimes has metadata of its own, which isn't edited: programs that erase
  /// a photo's place forget it.
  func demandPlainThumbnails(for edit: MetadataEdit) throws(PhotoError) {
    for thumbnail in thumbnails {
      guard let metadata = try? ImageSource(thumbnail, path: path).metadata() else { continue }
      let tellsPlace = edit.erasesPlaces && metadata.tellsPlace
      guard tellsPlace || edit.erasesDates && metadata.tellsDate else { continue }
      let what = tellsPlace ? "a place" : "a date"
      throw PhotoError(
        .refused, "its thumbnail tells \(what) of its own; 'metatag clear --all' erases it", at: thumbnail.base)
    }
  }

  /// EXIF's and Photoshop's. Raw files' previews are edited with them, and what a TIFF's pages hold is looked at there.
  private var thumbnails: [Bytes] {
    guard layout.rawKind == nil else { return [] }
    if type.isTIFFBased {
      guard let block = try? TIFFBlock(source, 0..<source.count),
        let resources = TIFFContainer.resources(of: block)?.resources
      else { return [] }
      return resources.thumbnails
    }
    let blocks = [try? layout.exifBlock(of: source)] + layout.furtherExif.map { try? TIFFBlock(source, $0) }
    let own = blocks.compactMap(\.self).compactMap { block in block.thumbnail.flatMap { try? block.bytes($0) } }
    guard type == .jpeg, let segments = try? JPEGSegments(of: file),
      let resources = try? JPEGPhotoshop(segments, file)?.resources
    else { return own }
    return own + resources.thumbnails
  }
}

extension Metadata {
  /// Whether anything in it names or places where the photo was taken.
  var tellsPlace: Bool {
    !(locations.isEmpty && furtherPlaces.isEmpty && placeNames.isEmpty && namesShown.isEmpty && unreadPlaces.isEmpty)
  }

  /// Whether anything in it says when.
  var tellsDate: Bool {
    !(captureTimes.isEmpty && digitizedTimes.isEmpty && captureDays.isEmpty && partialDates.isEmpty
      && malformedDates.isEmpty && modifyTime == nil)
  }
}
