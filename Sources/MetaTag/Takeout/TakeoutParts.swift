package import SystemPackage

/// A folder of an export with photos, and another with their JSON files, which may or may not be parts of one export:
/// the exports of two people look the same.
package struct TakeoutParts: Hashable, Sendable {
  /// The folder with the photos, down to `Takeout`.
  package let photos: FilePath
  /// The folder with their JSON files, down to `Takeout`.
  package let descriptions: FilePath

  /// Creates a pair; nil if both files are in one part, or in two parts that are named after the same export.
  init?(photos: FilePath, descriptions: FilePath) {
    guard let one = photos.part, let other = descriptions.part, one != other else { return nil }
    if let export = one.export, export == other.export { return nil }
    (self.photos, self.descriptions) = (one, other)
  }
}

extension FilePath {
  private var top: ComponentView.Index? { components.lastIndex(of: "Takeout") }

  /// The folder's path within the export, whichever part of it was unpacked.
  var inExport: FilePath { top.map { FilePath(root: nil, components[$0...]) } ?? self }

  /// The part of the export that contains the folder, down to `Takeout`.
  fileprivate var part: FilePath? { top.map { FilePath(root: root, components[...$0]) } }

  /// The prefix that parts of one export share in the names of Google's archives, and so of unpacked folders:
  /// `takeout-20240518T101112Z` in `takeout-20240518T101112Z-1-002`.
  fileprivate var export: Substring? {
    removingLastComponent().lastComponent?.string.prefixMatch(of: /takeout-\d{8}T\d{6}Z(?=-\d)/)?.output
  }
}
