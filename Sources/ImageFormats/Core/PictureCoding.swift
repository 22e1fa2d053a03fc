/// A method of coding pixels.
public enum PictureCoding: UInt8, Sendable, CaseIterable {
  /// JPEG (ISO/IEC 10918-1).
  case jpeg = 1
  /// HEVC (ITU-T H.265), used in HEIC.
  case hevc = 2
  /// AV1, used in AVIF.
  case av1 = 4

  /// The name for users.
  public var name: String {
    switch self {
    case .jpeg: "JPEG"
    case .hevc: "HEVC"
    case .av1: "AV1"
    }
  }

  /// Returns the methods whose bits are set.
  package static func set(_ bits: UInt32) -> Set<PictureCoding> {
    Set(allCases.filter { bits & UInt32($0.rawValue) != 0 })
  }
}
