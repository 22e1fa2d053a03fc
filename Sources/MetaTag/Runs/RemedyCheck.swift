/// The check of remedies: one that would be refused, too, is replaced or left out. It plans the edit that the remedy
/// means, so it runs only after an error.
extension OpenFile {
  /// Returns the error with a remedy that gets further than `edit`, or with none.
  func checkingRemedy(of error: FileError, against edit: MetadataEdit) -> FileError {
    switch error.remedy {
    case .clearAll:
      return edit.erasure == nil && allows(.erasingAll) ? error : withoutErasing(error)
    case .dropTimedMetadata:
      var dropping = edit
      dropping.dropsTimedPlaces = true
      switch (allows(dropping), edit.erasure == nil && allows(.erasingAll)) {
      case (true, true): return error
      case (true, false): return error.advising(.dropTimedTrack)
      case (false, true): return error.advising(.clearAll)
      case (false, false): return error.advising(.takeOutTracks)
      }
    case .clearAllOfCopy(orFields: true):
      return allows(.erasingPlaceAndDates) ? error : error.advising(.clearAllOfCopy())
    case .clearLocation:
      return erasingLocation(insteadOf: error)
    case .dropReconstruction:
      var dropping = edit
      dropping.endsReconstruction = true
      return allows(dropping) ? error : error.advising(nil)
    case .useSidecar:
      return isAddition(edit) ? error : error.advising(nil)
    default: return error
    }
  }

  /// Returns why the edit can't be made in the file itself; nil if it can.
  func objection(to edit: MetadataEdit) -> FileError? {
    do throws(FileError) {
      _ = try FileEdit(of: self, by: edit)
      return nil
    } catch {
      return error
    }
  }

  /// Whether the edit can be planned and changes something.
  private func allows(_ edit: MetadataEdit) -> Bool {
    do throws(FileError) { return try FileEdit(planning: edit, of: self) != nil } catch { return false }
  }

  /// Whether the edit only adds values that the file itself doesn't record: those would take precedence over a sidecar's.
  private func isAddition(_ edit: MetadataEdit) -> Bool {
    edit.tags.isEmpty && edit.erasure == nil && edit.following(metadata).isEmpty
  }

  /// Advises to erase all metadata of a JPEG copy, if one can be made.
  private func withoutErasing(_ error: FileError) -> FileError {
    if image.type.isHEIFOrAVIF, (try? PictureSource(image, to: .jpeg)) != nil {
      return error.advising(.clearAllOfCopy())
    }
    return error.advising(nil, "\(error.description); this can't be erased in this file")
  }

  /// Advises to erase the whole location, or what helps against an error in that.
  private func erasingLocation(insteadOf error: FileError) -> FileError {
    objection(to: .erasingLocation).map { error.advising($0.remedy) } ?? error
  }
}

extension MetadataEdit {
  /// The edit that erases all metadata.
  fileprivate static var erasingAll: MetadataEdit {
    var edit = MetadataEdit()
    edit.erasure = Erasure()
    return edit
  }

  /// The edit that erases the location.
  static var erasingLocation: MetadataEdit {
    var edit = MetadataEdit()
    edit.location = .remove
    return edit
  }

  fileprivate static var erasingPlaceAndDates: MetadataEdit {
    var edit = erasingLocation
    edit.erasesDates = true
    return edit
  }
}
