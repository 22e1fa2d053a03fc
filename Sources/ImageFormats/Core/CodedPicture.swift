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
  /// The ICC profile; empty for sRGB.
  package var profile: [UInt8]
  /// The features that a file of another format, made from the picture, can't hold, in words.
  package var losses: [String]
}
