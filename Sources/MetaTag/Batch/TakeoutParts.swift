package import SystemPackage

/// A folder of an export with photos, and another one with their JSON files, of which nobody knows whether they are
/// parts of one export: the exports of two people look the same.
package struct TakeoutParts: Hashable, Sendable {
  /// The one with the photos, down to `Takeout`.
  package let photos: FilePath
  /// The one with their JSON files.
  package let descriptions: FilePath

  /// Nil where both files are in one part, or in two that are called after one and the same export.
  init?(photos: FilePath, descriptions: FilePath) {
    guard let one = photos.part, let other = descriptions.part, one != other else { return nil }
    if let export = one.export, export == other.export { return nil }
    (self.photos, self.descriptions) = (one, other)
  }
}

extension FilePath {
  private var top: ComponentView.Index? { components.lastIndex(of: "Takeout") }

  /// What a folder of an export is called in it, whichever part of the export it was unpacked from.
  var inExport: FilePath { top.map { FilePath(root: nil, components[$0...]) } ?? self }

  /// The part of the export that it is in, down to `Takeout`.
  fileprivate var part: FilePath? { top.map { FilePath(root: root, components[...$0]) } }

  /// What the parts of one export have in common in the names that Google gives their archives, and unpacking makes a
  /// folder's: `takeout-20240518T101112Z` of `takeout-20240518T101112Z-1-002`.
  fileprivate var export: Substring? {
    removingLastComponent().lastComponent?.string.prefixMatch(of: /takeout-\d{8}T\d{6}Z(?=-\d)/)?.output
  }
}
