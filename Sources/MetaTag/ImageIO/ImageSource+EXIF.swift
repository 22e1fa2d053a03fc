/// The values of a photo's EXIF tags as they are stored.
extension ImageSource {
  /// Returns the stored value of an EXIF tag; nil if the photo has none, or none that can be read.
  ///
  /// ```swift
  /// if case .text(let serial) = image.exifValue(of: try .named("Exif.Photo.BodySerialNumber")) { print(serial) }
  /// ```
  public func exifValue(of tag: EXIFTag) -> EXIFValue? { exifValue(ofTag: tag.number, in: tag.directory) }

  /// Returns the stored value of the EXIF tag with a number; nil if the photo has none, or none that can be read.
  ///
  /// ```swift
  /// let compression = image.exifValue(ofTag: 0x9102, in: .photo)
  /// ```
  public func exifValue(ofTag number: UInt16, in directory: EXIFDirectory) -> EXIFValue? {
    (try? layout.exifBlock(of: source))?.exifValue(of: number, in: directory)
  }

  /// Returns the numbers of the EXIF tags in a directory, in the order of the file.
  public func exifTags(in directory: EXIFDirectory) -> [UInt16] {
    (try? layout.exifBlock(of: source))?.tags(in: directory) ?? []
  }
}
