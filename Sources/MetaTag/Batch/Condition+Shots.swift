extension Condition {
  /// The photos that are meant, in their order, up to `jobs` read at once. Of a photo of several files the still is
  /// asked, with the time and the place that only a companion records. One that can't be read is among them, so that it
  /// is told of.
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
