import SystemPackage

extension ImageType {
  /// Endings of other formats, which may be wrong too.
  private static let foreign: Set<String> = ["bmp"]
  private static let known = foreign.union(allCases.flatMap(\.fileExtensions))

  /// What a file of this type should be called instead of `name`; nil when the ending fits, or is none of a picture's.
  /// Capitals stay capitals.
  func rightName(for name: FilePath.Component) -> FilePath.Component? {
    guard let ending = name.extension, ImageType.known.contains(ending.lowercased()),
      !fileExtensions.contains(ending.lowercased()), let usual = fileExtensions.first
    else { return nil }
    let right = ending == ending.uppercased() ? usual.uppercased() : usual
    return FilePath(bytes: name.bytes.dropLast(ending.utf8.count) + Array(right.utf8)).lastComponent
  }

  /// `name` with the usual ending behind it, where it has none; nil where it has one, and for a plain TIFF, which may be
  /// a raw file.
  func wholeName(for name: FilePath.Component) -> FilePath.Component? {
    guard name.extension == nil, ![.tiff, .bigTIFF, .raw, .xmp].contains(self), let usual = fileExtensions.first else {
      return nil
    }
    return FilePath.Component(name.bytes + Array(".\(usual)".utf8))
  }
}
