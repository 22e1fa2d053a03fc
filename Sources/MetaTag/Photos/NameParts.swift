import SystemPackage

/// The parts of a file name that show which photo the file may belong to.
struct NameParts {
  enum Kind {
    case still
    /// A picture with another format's extension. If its content is JPEG or HEIF, it counts as a still.
    case otherPicture
    case movie
    case raw
    case adjustments
  }

  var kind: Kind
  /// The name without its file extension, and without the letter that Apple inserts for edited versions. A Pixel's
  /// movie `PXL_1.MP` has its whole name as the stem, like its still `PXL_1.MP.jpg`.
  let stem: [UInt8]
  /// Whether Apple's letter marks the file as edited: `IMG_E1234` for `IMG_1234`.
  let isEdited: Bool

  /// The extensions of raw files, including those that can't be read.
  private static let raws = Set(
    ImageType.rawEndings + ["ari", "cap", "cr3", "crw", "dng", "gpr", "mrw", "raf", "x3f"])

  /// The kinds of files that come in pairs, by file extension.
  private static let kinds: [String: Kind] = {
    let kinds: [String: Kind] = [
      "heic": .still, "heif": .still, "hif": .still, "jpg": .still, "jpeg": .still, "jpe": .still,
      "mov": .movie, "mp4": .movie, "m4v": .movie, "3gp": .movie, pixel: .movie,
      "aae": .adjustments,
    ]
    let others = Walk.extensions.subtracting(raws).subtracting(ImageType.movieExtensions)
    return kinds.merging(raws.map { ($0, Kind.raw) } + others.map { ($0, Kind.otherPicture) }) { known, _ in known }
  }()

  /// The extensions of all files that may belong to others or have a sidecar.
  static let fileExtensions = Walk.extensions.union(kinds.keys).union([sidecar])
  static let sidecar = "xmp"
  /// The extension of a Pixel's movies.
  private static let pixel = "mp"

  private static let prefix = Array("IMG_".utf8)

  /// Parses a name; nil for files that never belong to others.
  init?(_ name: FilePath.Component) {
    guard let ending = name.extension, let kind = NameParts.kinds[ImageType.ending(ending)] else { return nil }
    self.kind = kind
    let stem = NameParts.isPixel(ending) ? name.bytes : Array(name.bytes.dropLast(ending.utf8.count + 1))
    let letter = stem.dropFirst(NameParts.prefix.count).first
    // `IMG_O1234.AAE` contains adjustments of the original.
    let letters = kind == .adjustments ? "EO" : "E"
    let rest = stem.dropFirst(NameParts.prefix.count + 1)
    let isMarked =
      stem.starts(with: NameParts.prefix) && letter.map { letters.utf8.contains($0) } == true
      && rest.first.map { (0x30...0x39).contains($0) } == true
    isEdited = isMarked
    self.stem = isMarked ? NameParts.prefix + rest : stem
  }

  private static func isPixel(_ ending: String) -> Bool { ImageType.ending(ending) == pixel }

  /// Returns what may precede the last dot in the names of files with this stem. It may contain Apple's letters, and
  /// lack the extension of a Pixel's movie.
  static func stems(of stem: [UInt8]) -> [[UInt8]] {
    if let name = FilePath.Component(stem), name.extension.map(isPixel) == true { return [stem, name.stemBytes] }
    guard stem.starts(with: prefix) else { return [stem] }
    return [stem] + "EO".utf8.map { prefix + [$0] + stem.dropFirst(prefix.count) }
  }
}
