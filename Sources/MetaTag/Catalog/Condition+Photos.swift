extension Condition {
  /// Returns the photos that match, in their order; up to `jobs` are read at once. For a photo of several files, the
  /// still is tested, with the time and the position that only a companion records. A photo that can't be read is
  /// included, so that its error gets reported.
  ///
  /// - Parameter catalog: The catalog of the run, created for this condition; nil if nothing else asks about the
  ///   photos, so that they needn't be kept.
  package func photos(among photos: [Photo], jobs: Int, _ catalog: PhotoCatalog? = nil) async -> [Photo] {
    var met: [Photo] = []
    _ = await orderedParallelMap(photos, width: max(1, jobs)) { photo in
      let facts = try? catalog.map { catalog throws(FileError) in try catalog.facts(of: photo) } ?? PhotoFacts(photo)
      return (photo, facts.map(isMet) ?? true)
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
      pixelSize: joined.image.layout.pixelSize, metadata: joined.metadata)
  }
}
