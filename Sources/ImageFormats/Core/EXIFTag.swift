/// An EXIF tag that can be set by its name (CIPA DC-008 3.0). Excluded are tags that describe pixel storage,
/// orientation, place and time, or positions of other data.
public struct EXIFTag: Hashable, Sendable {
  /// The storage type of the values.
  package enum Kind: Sendable {
    case ascii, short, long, rational, signedRational
    /// A text after eight bytes that name its encoding (EXIF 3.0, 4.6.6, UserComment).
    case comment
    /// A one-byte number of type UNDEFINED.
    case code
  }

  /// The directory of the tag.
  public let directory: EXIFDirectory
  /// The number in the standard: 0xA434.
  public let number: UInt16
  /// The name in the standard: `LensModel`.
  public let name: String
  package let kind: Kind
  /// The permitted number of values; 1 for a text.
  package let counts: ClosedRange<Int>

  /// exiv2's name: `Exif.Photo.LensModel`.
  public var key: String { "Exif.\(directory.name).\(name)" }

  private init(
    _ directory: EXIFDirectory, _ number: UInt16, _ name: String, _ kind: Kind, _ counts: ClosedRange<Int> = 1...1
  ) {
    (self.directory, self.number, self.name, self.kind, self.counts) = (directory, number, name, kind, counts)
  }

  /// All tags by their keys.
  package static let all: [String: EXIFTag] = Dictionary(uniqueKeysWithValues: list.map { ($0.key, $0) })

  private static let list: [EXIFTag] = [
    .imageDescription, .make, .model, .artist, .copyright, .exposureTime, .fNumber, .exposureProgram, .isoSpeedRatings,
    .sensitivityType, .standardOutputSensitivity, .recommendedExposureIndex, .isoSpeed, .isoSpeedLatitudeyyy,
    .isoSpeedLatitudezzz, .shutterSpeedValue, .apertureValue, .exposureBiasValue, .meteringMode, .flash, .focalLength,
    .whiteBalance, .focalLengthIn35mmFilm, .lensMake, .lensModel,
    EXIFTag(.image, 0x010D, "DocumentName", .ascii),
    EXIFTag(.image, 0x0131, "Software", .ascii),
    EXIFTag(.image, 0x013C, "HostComputer", .ascii),
    .rating,
    .ratingPercent,
    EXIFTag(.photo, 0x8824, "SpectralSensitivity", .ascii),
    EXIFTag(.photo, 0x9203, "BrightnessValue", .signedRational),
    EXIFTag(.photo, 0x9205, "MaxApertureValue", .rational),
    EXIFTag(.photo, 0x9206, "SubjectDistance", .rational),
    EXIFTag(.photo, 0x9208, "LightSource", .short),
    EXIFTag(.photo, 0x9214, "SubjectArea", .short, 2...4),
    EXIFTag(.photo, 0x9286, "UserComment", .comment),
    EXIFTag(.photo, 0xA004, "RelatedSoundFile", .ascii),
    EXIFTag(.photo, 0xA20B, "FlashEnergy", .rational),
    EXIFTag(.photo, 0xA20E, "FocalPlaneXResolution", .rational),
    EXIFTag(.photo, 0xA20F, "FocalPlaneYResolution", .rational),
    EXIFTag(.photo, 0xA210, "FocalPlaneResolutionUnit", .short),
    EXIFTag(.photo, 0xA215, "ExposureIndex", .rational),
    EXIFTag(.photo, 0xA217, "SensingMethod", .short),
    EXIFTag(.photo, 0xA300, "FileSource", .code),
    EXIFTag(.photo, 0xA301, "SceneType", .code),
    EXIFTag(.photo, 0xA401, "CustomRendered", .short),
    EXIFTag(.photo, 0xA402, "ExposureMode", .short),
    EXIFTag(.photo, 0xA404, "DigitalZoomRatio", .rational),
    EXIFTag(.photo, 0xA406, "SceneCaptureType", .short),
    EXIFTag(.photo, 0xA407, "GainControl", .short),
    EXIFTag(.photo, 0xA408, "Contrast", .short),
    EXIFTag(.photo, 0xA409, "Saturation", .short),
    EXIFTag(.photo, 0xA40A, "Sharpness", .short),
    EXIFTag(.photo, 0xA40C, "SubjectDistanceRange", .short),
    EXIFTag(.photo, 0xA420, "ImageUniqueID", .ascii),
    EXIFTag(.photo, 0xA430, "CameraOwnerName", .ascii),
    EXIFTag(.photo, TIFFTag.bodySerialNumber, "BodySerialNumber", .ascii),
    EXIFTag(.photo, 0xA432, "LensSpecification", .rational, 4...4),
    EXIFTag(.photo, 0xA435, "LensSerialNumber", .ascii),
  ]
}

/// The directories of an EXIF block (CIPA DC-008 3.0, 4.6.3).
@nonexhaustive
public enum EXIFDirectory: Sendable, CaseIterable {
  /// IFD0, which describes the image: `Make`, `Orientation`.
  case image
  /// The EXIF directory, which describes the exposure: `ExposureTime`, `LensModel`.
  case photo
  /// The GPS directory.
  case gps

  /// exiv2's name of the directory.
  var name: String {
    switch self {
    case .image: "Image"
    case .photo: "Photo"
    case .gps: "GPSInfo"
    }
  }
}

/// Tags that the code refers to by name.
extension EXIFTag {
  static let imageDescription = EXIFTag(.image, 0x010E, "ImageDescription", .ascii)
  package static let make = EXIFTag(.image, TIFFTag.make, "Make", .ascii)
  package static let model = EXIFTag(.image, TIFFTag.model, "Model", .ascii)
  package static let artist = EXIFTag(.image, 0x013B, "Artist", .ascii)
  package static let copyright = EXIFTag(.image, 0x8298, "Copyright", .ascii)
  package static let rating = EXIFTag(.image, 0x4746, "Rating", .short)
  static let ratingPercent = EXIFTag(.image, 0x4749, "RatingPercent", .short)
  static let exposureTime = EXIFTag(.photo, 0x829A, "ExposureTime", .rational)
  static let fNumber = EXIFTag(.photo, 0x829D, "FNumber", .rational)
  static let exposureProgram = EXIFTag(.photo, 0x8822, "ExposureProgram", .short)
  static let isoSpeedRatings = EXIFTag(.photo, 0x8827, "ISOSpeedRatings", .short)
  static let sensitivityType = EXIFTag(.photo, 0x8830, "SensitivityType", .short)
  static let standardOutputSensitivity = EXIFTag(.photo, 0x8831, "StandardOutputSensitivity", .long)
  static let recommendedExposureIndex = EXIFTag(.photo, 0x8832, "RecommendedExposureIndex", .long)
  static let isoSpeed = EXIFTag(.photo, 0x8833, "ISOSpeed", .long)
  static let isoSpeedLatitudeyyy = EXIFTag(.photo, 0x8834, "ISOSpeedLatitudeyyy", .long)
  static let isoSpeedLatitudezzz = EXIFTag(.photo, 0x8835, "ISOSpeedLatitudezzz", .long)
  static let shutterSpeedValue = EXIFTag(.photo, 0x9201, "ShutterSpeedValue", .signedRational)
  static let apertureValue = EXIFTag(.photo, 0x9202, "ApertureValue", .rational)
  static let exposureBiasValue = EXIFTag(.photo, 0x9204, "ExposureBiasValue", .signedRational)
  static let meteringMode = EXIFTag(.photo, 0x9207, "MeteringMode", .short)
  package static let flash = EXIFTag(.photo, 0x9209, "Flash", .short)
  package static let focalLength = EXIFTag(.photo, 0x920A, "FocalLength", .rational)
  package static let whiteBalance = EXIFTag(.photo, 0xA403, "WhiteBalance", .short)
  static let focalLengthIn35mmFilm = EXIFTag(.photo, 0xA405, "FocalLengthIn35mmFilm", .short)
  package static let lensMake = EXIFTag(.photo, 0xA433, "LensMake", .ascii)
  package static let lensModel = EXIFTag(.photo, TIFFTag.lensModel, "LensModel", .ascii)
}

extension EXIFTag {
  /// Returns the tag of this name: `Exif.Photo.LensModel`.
  /// - Throws: `ParseError` for other names, with the nearest name, or another remedy.
  public static func named(_ key: String) throws(ParseError) -> EXIFTag {
    if let tag = all[key] { return tag }
    if key.hasPrefix("Exif.GPSInfo.") {
      throw ParseError("'\(key)' is a location tag", remedy: .giveOrClearLocation)
    }
    if ["DateTime", "OffsetTime", "SubSecTime"].contains(where: { key.contains("." + $0) }) {
      throw ParseError("'\(key)' is a date tag", remedy: .changeDates)
    }
    if key.hasPrefix("Exif.Image.XP") {
      throw ParseError(
        "'\(key)' is the Windows copy of a title, author, description or keywords, and changes with them",
        remedy: .setFields)
    }
    let nearest = all.keys.map { (EditDistance.between(key.prefix(80).lowercased(), $0.lowercased()), $0) }.min {
      $0 < $1
    }
    throw ParseError(
      "'\(key)' is not an EXIF tag that can be set by name", remedy: .didYouMean([nearest?.1].compactMap(\.self)))
  }

  /// Parses `text` as a value of the tag's type; an empty text removes the tag.
  /// - Throws: `ParseError` when it isn't of the tag's type.
  public func change(parsing text: String) throws(ParseError) -> Change<TagValue> {
    if let field = PhotoField(self) { return try field.change(parsing: text) }
    let text = text.trimmed
    guard !text.isEmpty else { return .remove }
    if kind == .ascii || kind == .comment {
      return .set(.text(try text.requirePrintable(multiline: kind == .comment)))
    }
    let words = try text.withASCIIDigits().split(separator: " ")
    guard counts.contains(words.count) else {
      let range = counts.count == 1 ? "\(counts.lowerBound)" : "\(counts.lowerBound) to \(counts.upperBound)"
      throw ParseError("\(key) takes \(range) value\(counts == 1...1 ? "" : "s"), not \(words.count)")
    }
    if let limit = kind.limit {
      let numbers = words.compactMap { word in word.utf8.allSatisfy { (0x30...0x39).contains($0) } ? Int(word) : nil }
      guard numbers.count == words.count, numbers.allSatisfy({ $0 <= limit }) else {
        throw ParseError("'\(text)' is not valid for \(key): expected a whole number from 0 to \(limit)")
      }
      return .set(.whole(numbers))
    }
    let fractions = words.compactMap { word in
      let parts = word.split(separator: "/", omittingEmptySubsequences: false).map { Fraction(decimal: $0) }
      return parts.count == 1
        ? parts[0] : parts.count == 2 ? parts[0].flatMap { a in parts[1].flatMap(a.divided) } : nil
    }
    let isSigned = kind == .signedRational
    let fits = fractions.allSatisfy { fraction in
      isSigned
        ? max(Int64(fraction.numerator.magnitude), fraction.denominator) <= Int32.max : fraction.numerator >= 0
    }
    guard fractions.count == words.count, fits else {
      throw ParseError("'\(text)' is not valid for \(key): expected a \(isSigned ? "" : "positive ")number or fraction")
    }
    return .set(.fractions(fractions))
  }
}

extension EXIFTag.Kind {
  /// The largest whole number of the type; nil for types other than whole numbers.
  package var limit: Int? {
    switch self {
    case .code: Int(UInt8.max)
    case .short: Int(UInt16.max)
    case .long: Int(UInt32.max)
    case .ascii, .comment, .rational, .signedRational: nil
    }
  }
}
