/// A file format, recognized by content and never by the file extension.
@nonexhaustive
public enum ImageType: String, Codable, Sendable, CaseIterable {
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

  /// Whether it is HEIF or AVIF: a picture that not every program can show, so that a JPEG copy may take its place.
  package var isHEIFOrAVIF: Bool { [.heic, .heif, .avif].contains(self) }

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

extension ImageType {
  /// File extensions of raw files in TIFF form. A file that looks like a plain TIFF may still be one of them, and is
  /// never given another extension.
  package static let rawEndings = [
    "nef", "nrw", "arw", "sr2", "srf", "cr2", "pef", "srw", "orf", "rw2", "rwl", "iiq", "3fr", "fff", "erf", "mef",
    "kdc", "dcr", "dcs", "k25", "mos", "raw",
  ]

  /// File extensions of HEIF and AVIF files.
  public static let heifExtensions = Set([heic, heif, avif].flatMap(\.fileExtensions))

  /// File extensions of movies.
  public static let movieExtensions = Set([mov, mp4, m4v, threeGP].flatMap(\.fileExtensions))

  /// The file extensions that fit the content, the usual one first. Equivalent ones (`.mov` and `.mp4`, `.tif` and
  /// `.dng`) are all accepted.
  public var fileExtensions: [String] {
    let tiff = ["tif", "tiff", "dng"]
    let movies = ["mov", "mp4", "m4v", "3gp", "3gpp", "3g2", "qt", "mp"]
    switch self {
    case .jpeg: return ["jpg", "jpeg", "jpe", "jfif", "mpo"]
    case .tiff, .bigTIFF: return tiff + ImageType.rawEndings
    case .dng: return ["dng", "gpr"] + tiff
    case .nef: return ["nef", "nrw"]
    case .arw: return ["arw", "sr2", "srf"]
    case .rw2: return ["rw2", "rwl", "raw"]
    case .threeFR: return ["3fr", "fff"]
    // Digital backs and early digital cameras named their raw files .tif.
    case .iiq: return ["iiq", "tif", "tiff"]
    case .kdc: return ["kdc", "dcr", "dcs", "k25", "tif", "tiff"]
    case .raw: return ["raw"] + ImageType.rawEndings + tiff
    case .cr2, .cr3, .crw, .pef, .srw, .orf, .erf, .mef, .raf, .x3f, .mrw: return [rawValue]
    case .mov, .mp4, .m4v, .threeGP: return [rawValue] + movies
    case .heic: return ["heic", "heif", "hif", "heics", "heifs"]
    case .heif: return ["heif", "heic", "hif", "heics", "heifs", "avif", "avifs"]
    case .avif: return ["avif", "avifs", "heif", "hif"]
    case .png: return ["png", "apng"]
    case .webp: return ["webp"]
    case .jxl: return ["jxl"]
    case .jp2: return ["jp2", "jpx", "jpf", "jpm", "j2k", "j2c", "jpc"]
    case .gif: return ["gif"]
    case .xmp: return ["xmp"]
    }
  }

  /// The usual file extension: `jpg`.
  public var preferredFileExtension: String { fileExtensions.first ?? rawValue }

  /// The media type (RFC 6838) as servers send it: `image/jpeg`. Most of those of raw files aren't registered.
  public var mimeType: String {
    switch self {
    case .jpeg, .heic, .heif, .avif, .png, .webp, .jxl, .jp2, .gif, .tiff: "image/\(rawValue)"
    case .bigTIFF: "image/tiff"
    case .dng: "image/x-adobe-dng"
    case .nef: "image/x-nikon-nef"
    case .arw: "image/x-sony-arw"
    case .cr2, .cr3, .crw: "image/x-canon-\(rawValue)"
    case .pef: "image/x-pentax-pef"
    case .srw: "image/x-samsung-srw"
    case .orf: "image/x-olympus-orf"
    case .erf: "image/x-epson-erf"
    case .mef: "image/x-mamiya-mef"
    case .raf: "image/x-fujifilm-raf"
    case .x3f: "image/x-sigma-x3f"
    case .rw2: "image/x-panasonic-rw2"
    case .threeFR: "image/x-hasselblad-3fr"
    case .mrw: "image/x-minolta-mrw"
    case .kdc: "image/x-kodak-kdc"
    case .iiq, .raw: "image/x-raw"
    case .mov: "video/quicktime"
    case .mp4: "video/mp4"
    case .m4v: "video/x-m4v"
    case .threeGP: "video/3gpp"
    case .xmp: "application/rdf+xml"
    }
  }

  /// Apple's uniform type identifier: `public.jpeg`. Nil for sidecars; raw files for whose camera Apple has none are
  /// `public.camera-raw-image`.
  public var uniformTypeIdentifier: String? {
    switch self {
    case .jpeg, .heic, .heif, .avif, .png, .tiff: "public.\(rawValue)"
    case .bigTIFF: "public.tiff"
    case .webp: "org.webmproject.webp"
    case .jxl: "public.jpeg-xl"
    case .jp2: "public.jpeg-2000"
    case .gif: "com.compuserve.gif"
    case .dng: "com.adobe.raw-image"
    case .nef: "com.nikon.raw-image"
    case .arw: "com.sony.arw-raw-image"
    case .cr2, .cr3, .crw: "com.canon.\(rawValue)-raw-image"
    case .pef: "com.pentax.raw-image"
    case .srw: "com.samsung.raw-image"
    case .orf: "com.olympus.or-raw-image"
    case .raf: "com.fuji.raw-image"
    case .rw2: "com.panasonic.rw2-raw-image"
    case .threeFR: "com.hasselblad.3fr-raw-image"
    case .erf: "com.epson.raw-image"
    case .mrw: "com.konicaminolta.raw-image"
    case .mef, .x3f, .kdc, .iiq, .raw: "public.camera-raw-image"
    case .mov: "com.apple.quicktime-movie"
    case .mp4: "public.mpeg-4"
    case .m4v: "com.apple.m4v-video"
    case .threeGP: "public.3gpp"
    case .xmp: nil
    }
  }

  /// Normalizes a file extension as in `fileExtensions`: to lower case, and `MP~2` to `mp`. Pixel phones use `MP~2` for
  /// the movie of the second picture when several were taken at once.
  package static func ending(_ text: String) -> String {
    let text = text.lowercased()
    return text.hasPrefix("mp~") && text.count > 3 && text.dropFirst(3).allSatisfy(\.isNumber) ? "mp" : text
  }
}

/// A method of coding pixels.
@nonexhaustive
public enum PictureCoding: UInt8, Sendable, CaseIterable {
  /// JPEG (ISO/IEC 10918-1).
  case jpeg = 1
  /// HEVC (ITU-T H.265), used in HEIC.
  case hevc = 2
  /// AV1, used in AVIF.
  case av1 = 4
  /// PNG (ISO/IEC 15948).
  case png = 8
  /// WebP (RFC 9649).
  case webp = 16
  /// TIFF, with one of the compressions of libtiff.
  case tiff = 32
  /// GIF (GIF89a).
  case gif = 64
  /// JPEG XL (ISO/IEC 18181-1).
  case jxl = 128

  /// The name for users.
  public var name: String {
    switch self {
    case .jpeg: "JPEG"
    case .hevc: "HEVC"
    case .av1: "AV1"
    case .png: "PNG"
    case .webp: "WebP"
    case .tiff: "TIFF"
    case .gif: "GIF"
    case .jxl: "JPEG XL"
    }
  }

  /// Returns the methods whose bits are set.
  package static func set(_ bits: UInt32) -> Set<PictureCoding> {
    Set(allCases.filter { bits & UInt32($0.rawValue) != 0 })
  }
}

/// The size of a picture as stored, before its orientation is applied.
public struct PixelSize: Hashable, Codable, Sendable {
  /// Columns, at least 1.
  public let width: Int
  /// Rows, at least 1.
  public let height: Int

  /// Creates a size; returns nil unless both numbers are at least 1.
  public init?(width: Int, height: Int) {
    guard width > 0, height > 0 else { return nil }
    self.width = width
    self.height = height
  }

  private init(side: Int) { (width, height) = (side, side) }

  /// One pixel.
  package static let smallest = PixelSize(side: 1)

  /// `4032 × 3024`.
  package var description: String { "\(width) × \(height)" }

  /// The size with width and height exchanged.
  package var turned: PixelSize { PixelSize(width: height, height: width) ?? self }
}

/// A file's coded picture, with the properties that are needed to decode it and to code it again.
package struct CodedPicture: Sendable {
  /// The file, or a modified copy that decoders support better.
  package var bytes: any ByteSource
  /// The item of a HEIF file; 0 in formats with one picture.
  package var item = 0
  /// A smaller version of the picture, coded in the same way: the item of a HEIF file.
  package var thumbnail: Int?
  package var coding: PictureCoding
  /// The size as displayed; before the rotation that EXIF records, if the decoder leaves that to its caller.
  package var size: PixelSize
  /// Whether the decoder turns the picture upright.
  package var isUpright: Bool
  /// Whether the colour resolution is higher than 4:2:0.
  package var hasFullChroma: Bool
  /// The colour primaries of ITU-T H.273; 2 is unknown.
  package var primaries: Int
  /// The transfer characteristics of ITU-T H.273; 2 is unknown.
  package var transfer: Int
  /// The ICC profile; empty for sRGB, or if the decoder reads it.
  package var profile: [UInt8]
  /// The features that a file of another format, made from the picture, can't hold.
  package var losses: [Note]
}
