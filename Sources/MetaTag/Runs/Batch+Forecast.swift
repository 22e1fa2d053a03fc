/// The forecast of a run, by which a user confirms it.
extension Batch {
  /// Returns the outcome that the photo will have by what the catalog keeps of it; nil if its files must be opened to
  /// know. Errors that only an attempt to write would find aren't foreseen.
  func forecast(_ photo: Photo, _ planner: any Planner) -> Outcome? {
    guard let catalog, photo.planned == nil, !options.fixesExtensions, planner.canForecast,
      let kept = catalog.kept(of: photo)
    else { return nil }
    do throws(FileError) {
      let files = try kept.get()
      if let objection = photo.objection ?? photo.unreadNamesake { throw objection }
      let metadata = OpenPhoto.joined(files[0].metadata, files.dropFirst().map(\.metadata))
      var outcome = Outcome(photo, .changed)
      outcome.before = files[0].metadata
      switch planner.propose(for: metadata).fillingGaps(among: files, isAboutPlaces: planner.isAboutPlaces) {
      case .unchanged(let reason): outcome.leave(reason)
      case .skip(let reason): outcome.status = .skipped(reason)
      case .change(let edit, let explanation):
        outcome.explanation = explanation
        outcome.warnings += explanation.warnings
        if files.count == 1, edit.isRecorded(in: metadata) { outcome.leave(.asWanted) }
      }
      return outcome
    } catch {
      return Outcome(photo, .failed(error))
    }
  }

  /// Returns the outcome of a photo that is known not to meet the condition of the forecast.
  ///
  /// - Parameter opened: The photo's files; nil if they aren't open, so that only what the catalog keeps is known. With
  ///   `isBroken`, they can't be opened, and the photo's own file decides. A photo that can't be read meets every
  ///   condition, so that its error is reported.
  func leavingOut(_ photo: Photo, _ opened: OpenPhoto? = nil, isBroken: Bool = false) -> Outcome? {
    guard let catalog, let condition else { return nil }
    let facts: PhotoFacts
    if let opened, photo.objection == nil {
      facts = PhotoFacts(opened, for: condition)
    } else if isBroken || catalog.kept(of: photo) != nil, let known = try? catalog.facts(of: photo) {
      facts = known
    } else {
      return nil
    }
    guard !condition.isMet(by: facts) else { return nil }
    var outcome = Outcome(photo, .notRun)
    outcome.meetsCondition = false
    return outcome
  }
}

extension PhotoFacts {
  fileprivate init(_ photo: OpenPhoto, for condition: Condition) {
    let image = photo.primary.photo.image
    self.init(
      path: image.path, type: image.type, size: image.file.count,
      properties: condition.needsProperties ? image.properties(with: photo.metadata) : nil, metadata: photo.metadata)
  }
}

extension MetadataEdit {
  /// Whether a photo records the position that the edit sets, with its time, so that nothing would change.
  fileprivate func isRecorded(in metadata: Metadata) -> Bool {
    guard case .set(let new) = location, dates == .keep, names == .keep, let old = metadata.location else {
      return false
    }
    let climb = (new.altitude ?? 0) - (old.altitude ?? 0)
    return new.coordinate.isSame(as: old.coordinate) && (new.altitude == nil) == (old.altitude == nil)
      && abs(climb) < 0.01 && new.timestamp == old.timestamp
  }
}
