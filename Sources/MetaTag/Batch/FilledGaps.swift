import SystemPackage

/// What one file of a photo has and is kept, the others get too: a photo has one place, and its files are told by it.
extension Proposal {
  /// The same, and what the files among `photo` that lack a kept position, or kept names, get of those that have them.
  ///
  /// - Parameter isAboutPlaces: A position is kept whatever else the reason is, or the change.
  func fillingGaps(of photo: OpenShot, isAboutPlaces: Bool) -> Proposal {
    switch self {
    case .skip: return self
    case .unchanged(let reason):
      var edit = MetadataEdit()
      edit.fillsGapsOnly = true
      let place = reason.keepsLocation || isAboutPlaces ? photo.file(with: \.locations) : nil
      let names = reason.keepsNames ? photo.file(with: \.placeNames) : nil
      if let kept = place?.metadata.location { edit.location = .set(kept) }
      if let kept = names?.metadata.placeNames.first?.value { edit.names = .set(kept) }
      guard !edit.isEmpty, let giver = (place ?? names)?.photo.image.path.lastComponent else { return self }
      return .change(edit, because: .shared(by: giver.string))
    case .change(var edit, let explanation):
      guard edit.fillsGapsOnly || isAboutPlaces, edit.location == .keep,
        let kept = photo.file(with: \.locations)?.metadata.location
      else { return self }
      edit.location = .set(kept)
      edit.fillsGapsOnly = true
      return .change(edit, because: explanation)
    }
  }
}

extension OpenShot {
  /// The first file with such values, if another has none. 0, 0 is what devices write without a fix: it isn't handed on.
  fileprivate func file<Value>(with values: KeyPath<Metadata, [Value]>) -> OpenFile? {
    let files = [lead] + others
    guard files.contains(where: { $0.metadata[keyPath: values].isEmpty }) else { return nil }
    return files.first {
      !$0.metadata[keyPath: values].isEmpty && $0.metadata.location.map { !$0.coordinate.isNoFix } ?? true
    }
  }
}

extension MetadataEdit {
  /// The same for one file of a photo, which records `metadata`.
  func own(for metadata: Metadata) -> MetadataEdit {
    guard fillsGapsOnly else { return self }
    var own = self
    if !metadata.locations.isEmpty { own.location = .keep }
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

  fileprivate var keepsNames: Bool { self == .hasNames || self == .hasLocationAndNames }
}
