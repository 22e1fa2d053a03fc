/// The images of a file that has several, modelled on CGImageSourceGetCount and CGImageSourceCopyPropertiesAtIndex.
extension ImageSource {
  /// The number of images: views of a multi-picture file, pages of a TIFF, pictures of a HEIF file, or frames of an
  /// animation. 1 for other pictures; 0 for movies and sidecars. Headers are read on first use.
  public var count: Int { images.count }

  /// Returns the properties of one image. Those of a frame have the duration for which it is shown, and the size of the
  /// part of the picture that it replaces.
  /// - Parameter index: The position of the image, 0..<`count`. The primary image of a HEIF file is the first.
  /// - Throws: `FileError` of kind `.unsupported` for a position beyond the last image.
  public func properties(at index: Int) throws(FileError) -> ImageProperties {
    let images = images
    guard images.indices.contains(index) else {
      throw FileError(.noSuchImage, "has \(images.count) images, and none at \(index)")
    }
    return images[index]
  }

  private var images: [ImageProperties] {
    knownImages.get {
      let whole = properties
      guard whole.imageCount > 0 else { return [] }
      let images = container.images(whole, layout, source: file)
      return images.isEmpty ? [whole.image(whole.pixelSize)] : images
    }
  }
}
