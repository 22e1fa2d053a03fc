extension ImageSource {
  /// What the two halves of a Live Photo, and no other files, have in common: Apple's maker note says it in the still,
  /// the key `com.apple.quicktime.content.identifier` in the movie.
  var contentIdentifier: String? {
    if let data = layout.quickTime {
      return QuickTime(data, source).text(.key("com.apple.quicktime.content.identifier"))
    }
    guard let block = try? layout.exifBlock(of: source), let entry = block.directory(.exif)?[0x927C],
      let note = block.raw(entry)
    else { return nil }
    return AppleMakerNote.contentIdentifier(in: note)
  }
}

extension ImageType {
  /// Whether it moves.
  var isMovie: Bool { [.mov, .mp4, .m4v, .threeGP].contains(self) }
}
