/// A file format, recognized by content and never by the file extension.
public enum ImageType: String, Sendable, CaseIterable {
  /// JPEG (ISO/IEC 10918), with JFIF, EXIF, MPF.
  case jpeg
  /// TIFF 6.0.
  case tiff
  /// TIFF with 64-bit offsets.
  case bigTIFF = "bigtiff"
  /// Adobe Digital Negative, including GoPro's GPR.
  case dng
  /// Nikon raw, including NRW.
  case nef
  /// Sony raw, including SR2 and SRF.
  case arw
  /// Canon RAW version 2.
  case cr2
  /// Pentax raw.
  case pef
  /// Samsung raw.
  case srw
  /// Olympus raw.
  case orf
  /// Panasonic raw, including Leica's RWL.
  case rw2
  /// Phase One raw.
  case iiq
  /// Hasselblad raw.
  case threeFR = "3fr"
  /// Epson raw.
  case erf
  /// Mamiya raw.
  case mef
  /// Kodak raw, including DCR.
  case kdc
  /// The TIFF-based raw format of another camera.
  case raw
  /// Fujifilm raw.
  case raf
  /// Sigma raw.
  case x3f
  /// Minolta raw.
  case mrw
  /// Canon RAW version 1 (CIFF).
  case crw
  /// QuickTime movie.
  case mov
  /// MPEG-4 movie (ISO/IEC 14496-14).
  case mp4
  /// Apple's MPEG-4 movie.
  case m4v
  /// Movie of mobile phones (3GPP TS 26.244, 3GPP2).
  case threeGP = "3gp"
  /// Canon RAW version 3.
  case cr3
  /// HEIF with HEVC coding, as phones write it.
  case heic
  /// HEIF (ISO/IEC 23008-12) with any coding.
  case heif
  /// HEIF with AV1 coding.
  case avif
  /// Portable Network Graphics (ISO/IEC 15948), including animations.
  case png
  /// WebP (RFC 9649), including animations.
  case webp
  /// JPEG XL (ISO/IEC 18181), in boxes or as a bare codestream.
  case jxl
  /// GIF, including animations.
  case gif
  /// JPEG 2000 (ISO/IEC 15444), in boxes or as a bare codestream.
  case jp2
  /// An XMP packet as a file of its own: a sidecar.
  case xmp

  /// The kind of raw file, in the vendor's words: "Nikon NEF". Nil for every other format.
  package var rawKind: String? {
    switch self {
    case .dng: "DNG"
    case .nef: "Nikon NEF"
    case .arw: "Sony ARW"
    case .cr2: "Canon CR2"
    case .cr3: "Canon CR3"
    case .crw: "Canon CRW"
    case .pef: "Pentax PEF"
    case .srw: "Samsung SRW"
    case .orf: "Olympus ORF"
    case .rw2: "Panasonic RW2"
    case .iiq: "Phase One IIQ"
    case .threeFR: "Hasselblad 3FR"
    case .erf: "Epson ERF"
    case .mef: "Mamiya MEF"
    case .kdc: "Kodak"
    case .raw: "camera's"
    case .raf: "Fujifilm RAF"
    case .x3f: "Sigma X3F"
    case .mrw: "Minolta MRW"
    default: nil
    }
  }

  /// Whether the format is a camera's raw format.
  package var isRaw: Bool { rawKind != nil }

  /// The kind of raw file with its article: "an Olympus ORF raw file".
  package var rawName: String? {
    rawKind.map { kind in "\(kind.first.map { "AEIOU".contains($0) } == true ? "an" : "a") \(kind) raw file" }
  }

  /// The name for users.
  public var name: String {
    switch self {
    case .tiff: "TIFF"
    case .bigTIFF: "BigTIFF"
    case .raw: "camera raw"
    case .mov: "QuickTime"
    case .webp: "WebP"
    case .jxl: "JPEG XL"
    case .jp2: "JPEG 2000"
    case .xmp: "XMP sidecar"
    default: rawValue.uppercased()
    }
  }
}
