import SystemPackage

/// What one file of a photo has and is kept, the others get too: a photo has one place, and its files are told by it.
extension Proposal {
  /// The same, and what the files among `photo` that lack a kept position, or kept names, get of those that have them.
  ///
  /// - Parameter isAboutPlaces: A position is kept whatever else the reason is, or the change.
  func fillingGaps(of photo: OpenPhoto, isAboutPlaces: Bool) -> Proposal {
    switch self {
    case .skip: return self
    case .unchanged(let reason):
      var edit = MetadataEdit()
      edit.fillsGapsOnly = true
      let place = reason.keepsLocation || isAboutPlaces ? photo.file { $0.location != nil } : nil
      let names = reason.keepsNames ? photo.file { !$0.placeNames.isEmpty } : nil
      if let kept = place?.metadata.location { edit.location = .set(kept.recordable) }
      if let kept = names?.metadata.placeNames.first?.value { edit.names = .set(kept) }
      guard !edit.isEmpty, let giver = (place ?? names)?.photo.image.path.lastComponent else { return self }
      return .change(edit, because: .shared(by: giver.string))
    case .change(var edit, let explanation):
      guard edit.fillsGapsOnly || isAboutPlaces, edit.location == .keep,
        let kept = photo.file(where: { $0.location != nil })?.metadata.location
      else { return self }
      edit.location = .set(kept.recordable)
      edit.fillsGapsOnly = true
      return .change(edit, because: explanation)
    }
  }
}

extension OpenPhoto {
  /// The first file that has something, if another hasn't. The names of 0, 0 aren't handed on.
  fileprivate func file(where has: (Metadata) -> Bool) -> FileWithSidecar? {
    let files = [lead] + others
    guard !files.allSatisfy({ has($0.metadata) }) else { return nil }
    return files.first { has($0.metadata) && !$0.metadata.isWithoutFix }
  }
}

extension MetadataEdit {
  /// The same for one file of a photo, which records `metadata`.
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
