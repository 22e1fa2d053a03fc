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

  /// The directories that hold such tags.
  package enum Directory: String, Sendable {
    case image = "Image"
    case photo = "Photo"
  }

  package let directory: Directory
  package let number: UInt16
  /// The name in the standard: `LensModel`.
  public let name: String
  package let kind: Kind
  /// The permitted number of values; 1 for a text.
  package let counts: ClosedRange<Int>

  /// exiv2's name: `Exif.Photo.LensModel`.
  public var key: String { "Exif.\(directory.rawValue).\(name)" }

  private init(
    _ directory: Directory, _ number: UInt16, _ name: String, _ kind: Kind, _ counts: ClosedRange<Int> = 1...1
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
    EXIFTag(.image, 0x4749, "RatingPercent", .short),
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

/// Tags that the code refers to by name.
extension EXIFTag {
  static let imageDescription = EXIFTag(.image, 0x010E, "ImageDescription", .ascii)
  package static let make = EXIFTag(.image, TIFFTag.make, "Make", .ascii)
  package static let model = EXIFTag(.image, TIFFTag.model, "Model", .ascii)
  package static let artist = EXIFTag(.image, 0x013B, "Artist", .ascii)
  package static let copyright = EXIFTag(.image, 0x8298, "Copyright", .ascii)
  package static let rating = EXIFTag(.image, 0x4746, "Rating", .short)
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
