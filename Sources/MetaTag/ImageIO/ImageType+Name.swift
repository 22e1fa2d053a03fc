import SystemPackage

/// File names with the extension of the type.
extension ImageType {
  /// Extensions of other formats, which may be wrong too.
  private static let foreign: Set<String> = ["bmp"]
  private static let known = foreign.union(allCases.flatMap(\.fileExtensions))

  /// Returns the right name for a file of this type; nil if the extension of `name` fits, or isn't that of a picture.
  /// Capitals stay capitals.
  func rightName(for name: FilePath.Component) -> FilePath.Component? {
    guard let ending = name.extension, ImageType.known.contains(ending.lowercased()),
      !fileExtensions.contains(ending.lowercased()), let usual = fileExtensions.first
    else { return nil }
    let right = ending == ending.uppercased() ? usual.uppercased() : usual
    return FilePath(bytes: name.bytes.dropLast(ending.utf8.count) + Array(right.utf8)).lastComponent
  }

  /// Returns `name` with the usual extension appended; nil if it has an extension, and for a plain TIFF, which may be a
  /// raw file.
  func wholeName(for name: FilePath.Component) -> FilePath.Component? {
    guard name.extension == nil, ![.tiff, .bigTIFF, .raw, .xmp].contains(self), let usual = fileExtensions.first else {
      return nil
    }
    return FilePath.Component(name.bytes + Array(".\(usual)".utf8))
  }
}
