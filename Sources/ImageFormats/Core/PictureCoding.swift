/// How pixels are coded.
public enum PictureCoding: UInt8, Sendable, CaseIterable {
  /// JPEG (ISO/IEC 10918-1).
  case jpeg = 1
  /// HEVC (ITU-T H.265), which is what HEIC holds.
  case hevc = 2
  /// AV1, which is what AVIF holds.
  case av1 = 4

  /// What users call it.
  public var name: String {
    switch self {
    case .jpeg: "JPEG"
    case .hevc: "HEVC"
    case .av1: "AV1"
    }
  }

  /// Those whose bits are set.
  package static func set(_ bits: UInt32) -> Set<PictureCoding> {
    Set(allCases.filter { bits & UInt32($0.rawValue) != 0 })
  }
}
