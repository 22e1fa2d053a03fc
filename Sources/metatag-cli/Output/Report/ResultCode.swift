/// The codes of changed rows whose reason says what was changed, as names that don't change from one version to the
/// next. If a change is in sidecars only, the row has the code of that note, `inSidecar`.
enum ResultCode: String, CaseIterable {
  /// The file is as it was before the run.
  case restored
  /// The metadata are as before the run; the picture can't be verified.
  case metadataRestored
  /// The file has its old name.
  case nameRestored
  /// The file has its old modification time.
  case fileTimeRestored
  /// The file, which the run had created, is removed.
  case removed
  /// The file, which the run had moved to the trash, is back.
  case takenFromTrash
  /// The file was as before the run already.
  case undoneBefore
  /// The photo doesn't match --where.
  case conditionNotMet
  /// Only companions of the file had to change.
  case onlyCompanions
}
