extension Condition {
  /// The photos that are meant, in their order, up to `jobs` read at once. Of a photo of several files the still is
  /// asked, with the time and the place that only a companion records. One that can't be read is among them, so that it
  /// is told of.
  public func photos(among shots: [Shot], jobs: Int) async -> [Shot] {
    var met: [Shot] = []
    _ = await inOrder(shots, width: max(1, jobs)) { shot in
      (shot, (try? PhotoFacts(shot)).map(isMet) ?? true)
    } consume: { shot, isMet in
      if isMet { met.append(shot) }
    }
    return met
  }
}

extension PhotoFacts {
  fileprivate init(_ shot: Shot) throws(PhotoError) {
    let photo = try JoinedPhoto(shot)
    self.init(
      path: shot.input.path, type: photo.image.type, size: photo.image.file.count,
      pixelSize: photo.image.properties.pixelSize, metadata: photo.metadata)
  }
}
