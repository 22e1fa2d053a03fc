import SystemPackage

/// Files that may be the only originals of photos.
extension Leftover {
  /// Returns the scratch files in folders, and removes those that are superfluous because a photo holds all of them.
  /// - Parameter journal: The user's journal. If there is none, or if it can't be read, every file is another journal's.
  package static func all(
    in folders: some Sequence<FilePath>, of journal: Journal?, removing: Bool
  ) throws(FileError) -> [Leftover] {
    try all(in: folders, of: journal, removing: removing) { Walk.isPhoto(FilePath(root: nil, [$0])) }
  }

  /// Gives the file a visible name. It is named after its photo, or after one in its folder with the same picture:
  /// `IMG_1-recovered.JPG`.
  package func restore() throws(FileError) -> FilePath {
    let image = try? ImageSource(path)
    let folder = path.removingLastComponent()
    let names =
      (try? Directory(folder).names())?.sorted { ($0.bytes.count, $0.string) < ($1.bytes.count, $1.string) } ?? []
    let digest = image.flatMap { $0.pictureDigest }
    let photo =
      photo?.lastComponent
      ?? names.first { name in
        guard let digest, !name.isHidden else { return false }
        return (try? ImageSource(folder.appending(name)))?.pictureDigest == digest
      }
    let stem = photo.flatMap { FilePath(root: nil, [$0]).stem } ?? "photo"
    let ending = photo?.extension ?? image?.type.preferredFileExtension ?? "tmp"
    guard let name = FilePath.Component("\(stem)-recovered.\(ending)") else {
      throw FileError(.noName, "could not find a name for the new file")
    }
    return try rename(to: name)
  }
}

extension Journal {
  /// Returns the newest run that left something next to photos, also if the journal has lost it. The next run needs a
  /// higher number.
  package func newestRunThatLeft(beside paths: some Sequence<FilePath>) throws(FileError) -> RunID? {
    let folders = Set(paths.map { $0.removingLastComponent() })
    return try Leftover.all(in: folders, of: self, removing: false).compactMap(\.run).max()
  }
}

extension ImageSource {
  /// The SHA-256 of the image data; nil if the file has none, or can't be read.
  fileprivate var pictureDigest: [UInt8]? {
    let ranges = layout.imageData
    return ranges.isEmpty ? nil : try? file.digest(ranges)
  }
}
