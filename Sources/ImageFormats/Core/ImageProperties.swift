/// The content of a file, as its container records it: modelled on the dictionary of CGImageSourceCopyPropertiesAtIndex, and
/// on PHAsset. Properties that a file doesn't record are nil.
public struct ImageProperties: Hashable, Codable, Sendable {
  /// The format of the content, whatever the file's name.
  public var type: ImageType
  /// The kind of media.
  public var mediaKind: MediaKind
  /// The size of the main image, or of a movie's picture, as stored: before its orientation is applied.
  public var pixelSize: PixelSize?
  /// The orientation as in EXIF, 1…8. It says how the picture has to be turned for display.
  public var orientation: Int?
  /// The duration of a movie, or of one run of an animation.
  public var duration: Duration?
  /// The number of frames of a movie or an animation.
  public var frameCount: Int?
  /// The frames of a movie per second, on average.
  public var frameRate: Double?
  /// The number of pictures that the file offers side by side: pages of a TIFF, images of a HEIF or multi-picture file.
  /// Previews and auxiliary images don't count. 0 in movies and sidecars.
  public var imageCount: Int
  /// Bits per channel.
  public var bitDepth: Int?
  /// The channels of the main image.
  public var colorModel: ColorModel?
  /// The name in the embedded ICC profile: `Display P3`.
  public var profileName: String?
  /// Whether the main image has transparency.
  public var hasAlpha: Bool?
  /// The intended resolution of the main image.
  public var density: PixelDensity?
  /// The coding of the main image or of a movie's picture: `jpeg`, `hvc1`, `av01`, `avc1`, `deflate`.
  public var codec: String?
  /// The images that accompany the main image.
  public var auxiliaryImages: Set<AuxiliaryImage> = []
  /// The ways in which the photo was taken, as far as the file names them.
  public var subtypes: Set<MediaSubtype> = []
  /// The identifier that the photos of one burst share.
  public var burstIdentifier: String?
  /// Named or marked regions of the picture, such as faces.
  public var regions: [ImageRegion] = []

  /// Creates properties of which only the type is known.
  public init(_ type: ImageType) {
    self.type = type
    mediaKind = type.isMovie ? .movie : .image
    imageCount = type.isMovie || type == .xmp ? 0 : 1
  }

  /// Returns the properties of one image of the file.
  /// - Parameter duration: How long the frame of an animation is shown.
  package func image(_ size: PixelSize?, duration: Duration? = nil) -> ImageProperties {
    var image = self
    (image.mediaKind, image.imageCount, image.pixelSize, image.duration) = (.image, 1, size, duration)
    (image.frameCount, image.frameRate) = (nil, nil)
    return image
  }

  /// How a viewer shows the file.
  public var playbackStyle: PlaybackStyle {
    switch mediaKind {
    case .image: .image
    case .animatedImage: .imageAnimated
    case .movie: .video
    case .livePhoto: .livePhoto
    }
  }
}

/// Kinds of media.
@nonexhaustive
public enum MediaKind: String, Codable, Sendable, CaseIterable {
  /// A still picture.
  case image
  /// Several pictures that are shown one after the other: an animated GIF, PNG, WebP or AVIF.
  case animatedImage = "animation"
  /// A movie.
  case movie
  /// A still picture with a movie around the moment of its capture: the still of a Live Photo, or a motion photo.
  case livePhoto = "live-photo"
}

/// How a viewer shows a file, as PHAsset.PlaybackStyle has it.
@nonexhaustive
public enum PlaybackStyle: String, Codable, Sendable, CaseIterable {
  /// A still picture.
  case image
  /// An animation without sound.
  case imageAnimated
  /// A still picture that moves when it is touched.
  case livePhoto
  /// A movie.
  case video
}

/// Models of the colour channels.
@nonexhaustive
public enum ColorModel: String, Codable, Sendable, CaseIterable {
  /// One channel of brightness.
  case gray
  /// Red, green and blue, also as luma and chroma, by a palette, or as a sensor's pattern.
  case rgb
  /// Cyan, magenta, yellow and black.
  case cmyk
  /// CIE L*a*b*.
  case lab
}

/// The number of pixels per inch of a print.
public struct PixelDensity: Hashable, Codable, Sendable {
  /// Pixels per inch from left to right.
  public let horizontal: Double
  /// Pixels per inch from top to bottom.
  public let vertical: Double

  /// Creates a density; returns nil unless both numbers are positive and finite.
  public init?(horizontal: Double, vertical: Double) {
    guard horizontal > 0, vertical > 0, horizontal.isFinite, vertical.isFinite else { return nil }
    (self.horizontal, self.vertical) = (horizontal, vertical)
  }

  /// Creates a density from pixels per metre.
  init?(perMetre horizontal: Double, _ vertical: Double) {
    self.init(horizontal: horizontal * 0.0254, vertical: vertical * 0.0254)
  }
}

/// Images that accompany the main image.
@nonexhaustive
public enum AuxiliaryImage: String, Codable, Sendable, CaseIterable {
  /// The distance of each point from the camera, or a disparity.
  case depth
  /// The brightness that a display with a greater range adds.
  case gainMap = "gain-map"
  /// The outline of a person, or of hair, skin, teeth, the sky.
  case matte
}

/// Ways in which a photo or movie was taken.
@nonexhaustive
public enum MediaSubtype: String, Codable, Sendable, CaseIterable {
  /// Stitched from several pictures, or taken by a camera that sees all around.
  case panorama
  /// With a range of brightness beyond that of usual displays.
  case hdr
  /// One of a burst.
  case burst
  /// Taken from a screen.
  case screenshot
  /// With a blurred background.
  case portrait
  /// A movie that plays slower than it was taken.
  case slowMotion = "slow-motion"
  /// A movie that plays faster than it was taken.
  case timeLapse = "time-lapse"
  /// With one picture for each eye.
  case spatial
}

extension ImageType {
  /// Whether the type is a movie.
  public var isMovie: Bool { [.mov, .mp4, .m4v, .threeGP].contains(self) }
}

extension Duration {
  /// Returns a whole number of units as a duration; nil if there is no such unit, or the duration exceeds a century.
  static func units(_ count: Int, perSecond scale: Int) -> Duration? {
    guard scale > 0, count >= 0, count / scale < 3_155_760_000 else { return nil }
    let rest = count % scale
    return .seconds(count / scale) + .nanoseconds(Int((Double(rest) / Double(scale) * 1e9).rounded()))
  }
}
