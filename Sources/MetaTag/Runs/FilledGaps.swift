import SystemPackage

/// Gaps in one file of a photo, filled from its other files: a photo has one location, and each of its files should
/// record it.
extension Proposal {
  /// Returns the proposal with additions for files of a photo that lack a position, or place names, that other files
  /// have and that the change keeps.
  ///
  /// - Parameters:
  ///   - files: The photo's files, its own first, with their metadata.
  ///   - isAboutPlaces: Whether the planner deals with locations; then a position is kept whatever else the proposal
  ///     says.
  func fillingGaps(among files: [(path: FilePath, metadata: Metadata)], isAboutPlaces: Bool) -> Proposal {
    /// Returns the first file that satisfies `has`, if another file doesn't. The names of 0, 0 aren't passed on.
    func file(where has: (Metadata) -> Bool) -> (path: FilePath, metadata: Metadata)? {
      guard !files.allSatisfy({ has($0.metadata) }) else { return nil }
      return files.first { has($0.metadata) && !$0.metadata.isWithoutFix }
    }
    switch self {
    case .skip: return self
    case .unchanged(let reason):
      var edit = MetadataEdit()
      edit.fillsGapsOnly = true
      let place = reason.keepsLocation || isAboutPlaces ? file { $0.location != nil } : nil
      let names = reason.keepsNames ? file { !$0.placeNames.isEmpty } : nil
      if let kept = place?.metadata.location { edit.location = .set(kept.recordable) }
      if let kept = names?.metadata.placeNames.first?.value { edit.names = .set(kept) }
      guard !edit.isEmpty, let giver = (place ?? names)?.path.lastComponent else { return self }
      return .change(edit, because: .shared(by: giver.string))
    case .change(var edit, let explanation):
      guard edit.fillsGapsOnly || isAboutPlaces, edit.location == .keep,
        let kept = file(where: { $0.location != nil })?.metadata.location
      else { return self }
      edit.location = .set(kept.recordable)
      edit.fillsGapsOnly = true
      return .change(edit, because: explanation)
    }
  }
}

extension MetadataEdit {
  /// Returns the edit for one file of a photo, which records `metadata`.
  func own(for metadata: Metadata) -> MetadataEdit {
    guard fillsGapsOnly else { return self }
    var own = self
    if metadata.location != nil || metadata.malformedPlace != nil { own.location = .keep }
    if !metadata.placeNames.isEmpty { own.names = .keep }
    return own
  }
}

extension Reason {
  fileprivate var keepsLocation: Bool {
    switch self {
    case .hasLocation, .hasLocationAndNames, .notBetter: true
    default: false
    }
  }

  fileprivate var keepsNames: Bool {
    switch self {
    case .hasNames, .hasLocationAndNames, .keepsNames: true
    default: false
    }
  }
}
