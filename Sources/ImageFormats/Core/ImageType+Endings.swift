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
  package var fileExtensions: [String] {
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

  /// Normalizes a file extension as in `fileExtensions`: to lower case, and `MP~2` to `mp`. Pixel phones use `MP~2` for
  /// the movie of the second picture when several were taken at once.
  package static func ending(_ text: String) -> String {
    let text = text.lowercased()
    return text.hasPrefix("mp~") && text.count > 3 && text.dropFirst(3).allSatisfy(\.isNumber) ? "mp" : text
  }
}
