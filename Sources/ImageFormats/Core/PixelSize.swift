/// The size of a picture as stored, before its orientation is applied.
public struct PixelSize: Hashable, Sendable {
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
  static let smallest = PixelSize(side: 1)

  /// The size with width and height exchanged.
  package var turned: PixelSize { PixelSize(width: height, height: width) ?? self }
}
