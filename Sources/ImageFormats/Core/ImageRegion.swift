/// A region of a picture that someone has named or marked, such as a face.
public struct ImageRegion: Hashable, Codable, Sendable {
  /// Kinds of regions.
  @nonexhaustive
  public enum Kind: String, Codable, Sendable, CaseIterable {
    /// A person's face.
    case face = "Face"
    /// A pet.
    case pet = "Pet"
    /// The area on which the camera focused.
    case focus = "Focus"
    /// A bar code.
    case barCode = "BarCode"
  }

  /// The name of the person or thing; nil if it has none.
  public let name: String?
  /// The kind of thing that it shows; nil if that is not recorded.
  public let kind: Kind?
  /// The left edge as a part of the picture's width, 0…1, in the stored orientation.
  public let x: Double
  /// The upper edge as a part of the picture's height, 0…1.
  public let y: Double
  /// The width as a part of the picture's width, 0…1.
  public let width: Double
  /// The height as a part of the picture's height, 0…1.
  public let height: Double
}
