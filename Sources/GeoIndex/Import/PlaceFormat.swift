/// A format of files that hold places.
protocol PlaceFormat: Sendable {
  /// What users call it.
  var name: String { get }
  /// Whether a file that begins so (64 KiB in UTF-8, or all of it) is of this format, told by content.
  func recognizes(_ head: ArraySlice<UInt8>) -> Bool
  /// Gives every place to `take`, in the file's order, whatever the file's length in bounded memory.
  /// - Throws: `.badFile` if the file breaks the format's rules, naming the place.
  func read(_ bytes: inout ByteStream, _ take: (ImportedPlace) throws -> Void) throws
}

/// One entry of a file of places.
enum ImportedPlace {
  /// `entry` says which: `row 17`.
  case place(PlaceDraft, entry: String)
  /// It is no place, but a line or an area.
  case shape
  /// It can't be read at all.
  case bad(entry: String, why: String)
}

/// Every format this version knows; a file is of the first that recognizes it. A new one is one file and one line here.
let placeFormats: [any PlaceFormat] = [KMLPlaces(), GPXPlaces(), GeoJSONPlaces(), DelimitedPlaces()]
