/// A recorded property of a photo's author, content or camera, apart from place and time. Each is an EXIF tag (CIPA
/// DC-008 3.0), with copies in XMP and IPTC IIM as defined by the Metadata Working Group; but titles and keywords, for
/// which EXIF has no tag, are XMP properties.
public enum PhotoField: String, Hashable, Sendable, CaseIterable {
  /// Title (`dc:title`, IPTC 2:05).
  case title
  /// Keywords (`dc:subject`, IPTC 2:25).
  case keywords
  /// Description of the content (ImageDescription, `dc:description`, IPTC 2:120).
  case description
  /// Authors, separated by semicolons (Artist, `dc:creator`, IPTC 2:80).
  case artist
  /// Copyright notice (Copyright, `dc:rights`, IPTC 2:116).
  case copyright
  /// Stars, 0 to 5 (Rating, `xmp:Rating`).
  case rating
  /// Maker of the camera.
  case make
  /// Model of the camera.
  case model
  /// Maker of the lens.
  case lensMake
  /// Model of the lens.
  case lensModel
  /// F-number.
  case aperture
  /// Exposure time in seconds.
  case shutter
  /// Sensitivity (ISO 12232). Values above 65535, which EXIF's tag can't hold, are in RecommendedExposureIndex.
  case iso
  /// Focal length in millimetres.
  case focalLength
  /// Exposure correction in EV steps.
  case exposureBias
  /// Focal length in millimetres with the same angle of view on 35 mm film.
  case focalLength35mm
  /// Exposure program, which chose aperture and time.
  case program
  /// Metering mode.
  case metering
  /// White balance: automatic or manual.
  case whiteBalance
  /// Whether the flash fired, and why.
  case flash

  /// The EXIF tag that holds the field; nil if its home is XMP.
  public var tag: EXIFTag? {
    switch self {
    case .title, .keywords: nil
    case .description: .imageDescription
    case .artist: .artist
    case .copyright: .copyright
    case .rating: .rating
    case .make: .make
    case .model: .model
    case .lensMake: .lensMake
    case .lensModel: .lensModel
    case .aperture: .fNumber
    case .shutter: .exposureTime
    case .iso: .isoSpeedRatings
    case .focalLength: .focalLength
    case .exposureBias: .exposureBiasValue
    case .focalLength35mm: .focalLengthIn35mmFilm
    case .program: .exposureProgram
    case .metering: .meteringMode
    case .whiteBalance: .whiteBalance
    case .flash: .flash
    }
  }

  /// Returns the field of this tag; nil if the tag isn't a field.
  public init?(_ tag: EXIFTag) {
    guard let field = PhotoField.allCases.first(where: { $0.tag == tag }) else { return nil }
    self = field
  }

  /// The named values; empty if the field has no list of values.
  public var choices: [(name: String, code: Int)] {
    switch self {
    case .program:
      [
        ("manual", 1), ("auto", 2), ("aperture-priority", 3), ("shutter-priority", 4), ("creative", 5), ("action", 6),
        ("portrait", 7), ("landscape", 8),
      ]
    case .metering:
      [
        ("average", 1), ("center-weighted", 2), ("spot", 3), ("multi-spot", 4), ("pattern", 5), ("partial", 6),
        ("other", 255),
      ]
    case .whiteBalance: [("auto", 0), ("manual", 1)]
    case .flash:
      [
        ("none", 0x20), ("no", 0x00), ("fired", 0x01), ("on", 0x09), ("off", 0x10), ("auto-no", 0x18),
        ("auto-fired", 0x19),
      ]
    default: []
    }
  }
}
