/// A format of track files.
protocol TrackFormat: Sendable {
  /// What users call it.
  var name: String { get }
  /// Whether `bytes` (UTF-8 where it is text) is of this format, told by content.
  func recognizes(_ bytes: [UInt8]) -> Bool
  /// Gives every point to `builder`, in the file's order.
  func read(_ bytes: [UInt8], into builder: inout TrackBuilder) throws(PhotoError)
}

/// Every track format this version knows. A new one is one file and one line here.
let trackFormats: [any TrackFormat] = [GPX()]
