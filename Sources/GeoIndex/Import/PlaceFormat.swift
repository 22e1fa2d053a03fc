import Basics

/// A file format that contains places.
protocol PlaceFormat: Sendable {
  /// The name of the format for users.
  var name: String { get }
  /// Whether a file that begins with `head` (64 KiB in UTF-8, or all of it) has this format, judged by its content.
  func recognizes(_ head: ArraySlice<UInt8>) -> Bool
  /// Passes every place to `take`, in the order of the file (of PBF, areas before lines and points), with bounded memory
  /// whatever the file's size. For PBF, that is a few bytes for each object that is a place.
  ///
  /// A text is read from `file.window`, once. A format whose parts refer to each other opens `file.source()` instead.
  /// - Throws: `FileError`, or `.badFile`, if the file breaks the rules of the format; the message identifies the place.
  func read(_ file: PlaceFile, _ take: (ImportedPlace) throws -> Void) throws
}

/// One entry of a file of places.
enum ImportedPlace {
  /// A place. `entry` identifies it: `row 17`.
  case place(PlaceDraft, entry: String)
  /// A line or an area without a name, or a track.
  case shape
  /// An object of a database that can't be a place: its position is missing, or its name is too long.
  case unplaced
  /// Another object for a place that the file already has.
  case duplicate
  /// An entry that can't be read.
  case bad(entry: String, why: String)
}

/// All supported formats; a file has the first one that recognizes it. A new format needs one file and one line here.
let placeFormats: [any PlaceFormat] = [
  OSMPlaces(), KMLPlaces(), GPXPlaces(), WikidataPlaces(), GeoJSONPlaces(), GeoNamesPlaces(), DelimitedPlaces(),
]
