/// Which JSON files in a folder of Google Takeout are about which of its photos, told by their names and by the titles
/// in them: pure, and certain or not at all.
///
/// The number that both have must be the same. Then what is told by more of the name goes first: the photo's whole
/// name; its name with an ending that is cut or missing; as much as the cut at 46 characters left; its name with the
/// ending of another format. An edited copy goes with its original, a movie without JSON file of its own with the still
/// beside it. Who has two candidates has none.
struct TakeoutNames {
  /// A JSON file.
  struct Description {
    var name: [UInt8]
    /// The title in it: the photo's name before Takeout changed what file systems don't like.
    var title: TakeoutTitle?
    /// What is the same in all JSON files about one photo: its address in Google Photos.
    var identity: String?
  }

  /// For each photo, its JSON file's index, or why there is none.
  let matches: [Result<Int, TakeoutFailure>]
  /// JSON files that are about no photo.
  let orphans: [Int]

  init(photos: [[UInt8]], descriptions: [Description]) {
    let (photos, descriptions) = TakeoutNames.inOneSpelling(photos, descriptions)
    var matching = TakeoutMatching(photos, descriptions)
    matching.matchWholeNames()
    matching.matchCutNames()
    matching.matchMovies()
    matching.matchEdited()
    matches = matching.found.map { $0 ?? .failure(.noDescription) }
    let used = Set(matches.compactMap { try? $0.get() })
    orphans = descriptions.indices.filter { !used.contains($0) }
  }

  /// The names with all accents spelled alike, as unpacking changes them, unless that makes one of two.
  private static func inOneSpelling(
    _ photos: [[UInt8]], _ descriptions: [Description]
  ) -> ([[UInt8]], [Description]) {
    let names = photos.map(TakeoutTitle.composed)
    let others = descriptions.map { description in
      var description = description
      description.name = TakeoutTitle.composed(description.name)
      return description
    }
    guard Set(names).count == Set(photos).count,
      Set(others.map(\.name)).count == Set(descriptions.map(\.name)).count
    else { return (photos, descriptions) }
    return (names, others)
  }
}
