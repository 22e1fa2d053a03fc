/// Assigns the JSON files in a folder of Google Takeout to its photos, by their names and by the titles in them. The
/// result depends only on these, and is certain or absent.
///
/// The numbers in both names must be equal. Then matches by a greater part of the name go first: the photo's whole
/// name; its name with a cut or missing file extension; the part that the cut at 46 characters left; its name with the
/// file extension of another format. An edited copy gets the JSON file of its original, a movie without its own that of
/// the still with the same name. A photo with two candidates gets none.
struct TakeoutNames {
  /// A JSON file.
  struct Description {
    var name: [UInt8]
    /// The title in the file: the photo's name before Takeout replaced characters that file systems don't support.
    var title: TakeoutTitle?
    /// The value that is equal in all JSON files about one photo: its address in Google Photos.
    var identity: String?
  }

  /// For each photo, the index of its JSON file, or the reason for its absence.
  let matches: [Result<Int, TakeoutFailure>]
  /// The JSON files that belong to no photo.
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

  /// Returns the names with accents in one normal form, as unpacking may change them; returns the names unchanged if
  /// two would become equal.
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
