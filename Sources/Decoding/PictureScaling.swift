/// The size to which a picture is scaled down. It keeps its proportions, and is never enlarged.
public enum PictureScaling: Hashable, Sendable {
  /// Neither side is longer than that of a rectangle.
  case fitting(PixelSize)
  /// Neither side is shorter than that of a rectangle, unless the picture's own is. Nothing is cut off.
  case filling(PixelSize)

  /// Returns a scaling to a length of the longer side, in pixels. Numbers outside 1…65535 count as the nearest.
  public static func maxPixels(_ count: Int) -> PictureScaling {
    let side = min(max(1, count), longestSide)
    return .fitting(PixelSize(width: side, height: side) ?? .smallest)
  }

  /// The longest side that a request can name.
  private static let longestSide = 65_535

  /// The rectangle.
  var box: PixelSize {
    switch self {
    case .fitting(let box), .filling(let box): box
    }
  }

  /// The value in `wire::Scaling`.
  var wireValue: UInt8 {
    switch self {
    case .fitting: 1
    case .filling: 2
    }
  }

  /// Returns the size of an upright picture of this size after scaling.
  public func size(of picture: PixelSize) -> PixelSize {
    let (width, height) = (min(box.width, Self.longestSide), min(box.height, Self.longestSide))
    let isWider = width * picture.height < height * picture.width
    let isFitting = if case .fitting = self { true } else { false }
    func share(_ side: Int, _ part: Int, _ whole: Int) -> Int { max(1, (side * part + whole / 2) / whole) }
    // The side that decides is the relatively longer one if the picture is to fit in, otherwise the shorter one.
    if isWider == isFitting {
      guard width < picture.width else { return picture }
      return PixelSize(width: width, height: share(picture.height, width, picture.width)) ?? picture
    }
    guard height < picture.height else { return picture }
    return PixelSize(width: share(picture.width, height, picture.height), height: height) ?? picture
  }
}
