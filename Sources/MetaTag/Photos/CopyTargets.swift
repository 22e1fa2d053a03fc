import SystemPackage

/// The paths of the copies of a photo's files.
struct CopyTargets: Sendable {
  /// The copies, by the paths of the files.
  var paths: [FilePath: FilePath]
  /// Why the photo can't be copied.
  let objection: FileError?
}
