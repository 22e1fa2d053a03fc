extension Condition {
  /// Returns the photos that match, in their order; up to `jobs` are read at once. For a photo of several files, the
  /// still is tested, with the time and the position that only a companion records. A photo that can't be read is
  /// included, so that its error gets reported.
  package func photos(among photos: [Photo], jobs: Int) async -> [Photo] {
    var met: [Photo] = []
    _ = await orderedParallelMap(photos, width: max(1, jobs)) { photo in
      (photo, (try? PhotoFacts(photo)).map(isMet) ?? true)
    } consume: { photo, isMet in
      if isMet { met.append(photo) }
    }
    return met
  }
}

extension PhotoFacts {
  fileprivate init(_ photo: Photo) throws(FileError) {
    let joined = try PhotoMetadata(photo)
    self.init(
      path: photo.input.path, type: joined.image.type, size: joined.image.file.count,
      pixelSize: joined.image.properties.pixelSize, metadata: joined.metadata)
  }
}
