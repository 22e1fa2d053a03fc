/// Something a user should know about a photo that was read or changed: what is not read, what a change leaves behind or
/// takes away, how the photo's files were grouped.
public struct Note: Hashable, Sendable {
  /// The notes as names that don't change from one version to the next.
  @nonexhaustive
  public enum Code: String, Sendable, CaseIterable {
    // Notes on reading

    /// A date tag contains no valid date.
    case invalidDate
    /// A tag contains no valid time zone.
    case invalidTimeZone
    /// Two copies of a value differ.
    case conflictingCopies
    /// A block of metadata is not read, and perhaps not edited.
    case unreadBlock
    /// A block of metadata can't be parsed and stays as it is.
    case invalidBlock
    /// The file ends too soon.
    case truncatedFile
    /// A check sum in the file is wrong.
    case wrongChecksum
    /// The file's extension doesn't fit its content.
    case wrongExtension
    /// The file has a C2PA manifest, which any edit invalidates.
    case manifest
    /// The position 0, 0 is ignored.
    case noFixIgnored
    /// A position can't be read.
    case unreadablePosition
    /// The positions in telemetry are not read.
    case unreadTelemetry
    /// Only values of the same length can be changed.
    case fixedLengths
    /// A text that looks like a capture time is not read as one.
    case unreadDateText

    // The photo's files

    /// A file of the photo is treated as a separate photo.
    case separatePhoto
    /// The file has another name, too.
    case otherName
    /// A file may be a sidecar of the photo, and is ignored.
    case ambiguousSidecar
    /// One of the photo's files can't be read.
    case unreadableCompanion
    /// The file keeps its name.
    case nameKept

    // Notes on data that stay

    /// Data stay that may contain a date.
    case mayKeepDate
    /// Data stay that may contain a location.
    case mayKeepLocation
    /// A part of the file keeps its own location.
    case locationKept
    /// A text with coordinates stays.
    case coordinatesKept
    /// A text with a date stays.
    case dateTextKept
    /// A date stays as it is.
    case dateKept
    /// Names of the old place stay.
    case placeNamesKept
    /// A text stays as it is although its copy changes.
    case textKept
    /// The file itself records another value, which takes precedence.
    case overruled

    // Further changes

    /// Details of the old place are removed.
    case placeDetailsRemoved
    /// The names of the old place are replaced.
    case placeNamesReplaced
    /// The names of the old place are removed.
    case placeNamesRemoved
    /// Visible parts, layers or tracks are removed.
    case partsRemoved
    /// The colours will look different.
    case coloursChanged
    /// The picture was encoded again, although it had the format already.
    case recoded
    /// The picture was scaled down.
    case scaledDown
    /// The new file has fewer bits per channel.
    case depthReduced
    /// The new file lacks further pictures: a gain map, a depth map, a sequence.
    case picturesLost
    /// The new file lacks the movie of the motion photo.
    case movieLost
    /// The new file lacks the C2PA manifest.
    case manifestLost
    /// The new file lacks XMP beyond 64 KB.
    case xmpLost
    /// The JPEG from which the file was made can no longer be reconstructed.
    case reconstructionLost
    /// A text is shortened, or can't be written in one of its copies.
    case textCut
    /// Texts in other languages change with the text.
    case otherLanguages
    /// Other programs will not find what was written.
    case hiddenFromOthers
    /// The maker note can only be read with the old name of the maker.
    case makerNoteUnreadable
    /// The change goes into a sidecar.
    case inSidecar
    /// The date in movie headers changes.
    case headerDateChanged

    // Warnings

    /// The location is 0, 0, which usually means that there was no fix.
    case noFixWritten
    /// The date is in the future.
    case dateInFuture
    /// The date was moved to the last day of its month.
    case lastDayOfMonth
    /// The file name may contain a time, which is not read.
    case timeInName
    /// Google Takeout has values that are not written.
    case unlikeTakeoutFile
    /// Google Takeout has only albums for the photo.
    case onlyAlbums
  }

  /// The code of the note.
  public let code: Code
  /// The name of another file that the note is about; nil if it is about the photo itself.
  public let file: String?
  /// The note in a sentence, without the file's name and without a remedy.
  public let sentence: String
  /// The remedy; nil if there is none, or if nothing has to be done.
  public let remedy: Remedy?

  /// Creates a note.
  package init(_ code: Code, _ sentence: String, file: String? = nil, remedy: Remedy? = nil) {
    (self.code, self.sentence, self.file, self.remedy) = (code, sentence, file, remedy)
  }

  /// The note about the further images of a JPEG file.
  package static let furtherImages = Note(
    .unreadBlock, "has additional images (MPF), whose metadata is not read, only erased")

  /// The loss of a motion photo's movie.
  package static let movieLost = Note(.movieLost, "the movie of the motion photo")

  /// Creates the note about details of the old place that are removed.
  package static func removed(_ details: [String]) -> Note {
    Note(.placeDetailsRemoved, "loses details of the old location: \(details.joined(separator: ", "))")
  }

  /// Returns the note of a companion with this name, as a note of its photo.
  package func about(_ name: String) -> Note {
    file == nil ? Note(code, sentence, file: name, remedy: remedy) : self
  }
}

extension Note: CustomStringConvertible {
  /// The note in a sentence, without a remedy.
  public var description: String { (file.map { "\($0) " } ?? "") + sentence }
}
