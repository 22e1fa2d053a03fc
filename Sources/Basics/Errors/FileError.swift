public import Foundation

/// An error that explains why a file was not read or not changed: a code, a position in the file, a sentence, and what
/// helps.
public struct FileError: Error, Hashable, Sendable {
  /// The kinds of errors. Every code belongs to one.
  @nonexhaustive
  public enum Kind: String, Sendable, CaseIterable {
    /// The bytes end before the structure does.
    case truncated
    /// The bytes violate the rules of their format.
    case malformed
    /// The format, or its variant, is not supported by this version.
    case unsupported
    /// The change does not fit into what the format can hold.
    case tooLarge
    /// The change was refused, to protect the photo.
    case refused
    /// Another program changed the file in the meantime.
    case conflict
    /// The system could not read or write.
    case io
  }

  private struct Content: Hashable {
    let code: Code
    let offset: Int?
    let description: String
    let remedy: Remedy?
    /// If one of the photo's files was skipped: the code of the reason.
    let reason: String?
  }

  private final class Box: Sendable {
    let content: Content
    init(_ content: Content) { self.content = content }
  }

  /// The content in one word: many values hold an error, of every file of a run, and most of them hold none.
  private let box: Box

  /// The problem.
  public var code: Code { box.content.code }
  /// The position in the file, in bytes from its start; nil if not applicable.
  public var offset: Int? { box.content.offset }
  /// The problem in a sentence, without the file's name and without a remedy.
  public var description: String { box.content.description }
  /// The remedy; nil if there is none, or if it is unknown.
  public var remedy: Remedy? { box.content.remedy }

  /// The kind of error.
  public var kind: Kind { code.kind }

  /// The code in reports: the one of the reason if one of the photo's files was skipped, otherwise the one of the error.
  public var reportedCode: String { box.content.reason ?? code.rawValue }

  /// Creates an error about a file.
  public init(_ code: Code, _ description: String, at offset: Int? = nil, remedy: Remedy? = nil) {
    self.init(Content(code: code, offset: offset, description: description, remedy: remedy, reason: nil))
  }

  private init(_ content: Content) { box = Box(content) }

  /// Creates the error about one of the photo's files that is skipped, for the reason with this code.
  package init(companionSkipped reason: String, _ description: String, remedy: Remedy?) {
    self.init(
      Content(code: .companionSkipped, offset: nil, description: description, remedy: remedy, reason: reason))
  }

  /// Compares codes, positions, sentences and remedies.
  public static func == (a: FileError, b: FileError) -> Bool { a.box.content == b.box.content }

  /// Hashes what is compared.
  public func hash(into hasher: inout Hasher) { hasher.combine(box.content) }
}

extension FileError: CustomStringConvertible, LocalizedError {
  /// The problem in a sentence.
  public var errorDescription: String? { description }

  /// The remedy, if it is about the client itself: building and finding the helper programs.
  public var recoverySuggestion: String? {
    guard case .installProgram(let name)? = remedy else { return nil }
    return "Build the product \(name). Put it next to the executable, or name its folder with the environment variable "
      + "METATAG_LIBEXEC or with CodecPrograms(in:)."
  }
}

extension FileError {
  /// Returns the same error, with another sentence around its own, and with `remedy` if it has none.
  package func reworded(_ description: String, remedy: Remedy? = nil) -> FileError {
    advising(self.remedy ?? remedy, description)
  }

  /// Returns the same error with another remedy and, if given, another sentence.
  package func advising(_ remedy: Remedy?, _ description: String? = nil) -> FileError {
    let content = box.content
    return FileError(
      Content(
        code: content.code, offset: content.offset, description: description ?? content.description, remedy: remedy,
        reason: content.reason))
  }
}

extension FileError {
  /// The problems, as names that don't change from one version to the next. Those without a case of their own have the
  /// name of their kind.
  @nonexhaustive
  public enum Code: String, Sendable, CaseIterable {
    /// The bytes end before the structure does.
    case truncated
    /// The file has no bytes.
    case emptyFile

    /// The bytes violate the rules of their format.
    case malformed
    /// The journal contradicts itself, or is another program's database.
    case damagedJournal
    /// The journal was written by a newer version.
    case newerJournal

    /// The format, or its variant, is not supported by this version.
    case unsupported
    /// The content is of no known format.
    case unknownFormat
    /// The path leads to a device, a socket or a pipe.
    case notRegularFile
    /// The path leads to a folder.
    case isFolder
    /// The format is only read.
    case readOnlyFormat
    /// The MP4 file is fragmented, so that nothing in it can be moved.
    case fragmentedMovie
    /// The movie has no header that can be read.
    case compressedMovie
    /// The HEIF file has the short form (`mini`).
    case shortHEIF
    /// The HEIF sequence has no room for EXIF.
    case sequenceWithoutRoom
    /// The HEIF file names no picture that metadata could describe.
    case noPrimaryPicture
    /// The items of the HEIF file are stored in a way that can't be changed.
    case itemStorage
    /// The file has no place for the block of metadata.
    case noSlot
    /// A text is not encoded in UTF-8.
    case textEncoding
    /// A property in XMP, or the XMP itself, has a form that isn't changed.
    case xmpForm
    /// The file isn't XMP, although its name says so.
    case notXMP
    /// Photoshop's data in the file have a form that isn't changed.
    case photoshopData
    /// The data are encrypted, or packed by a method that isn't supported.
    case unknownPacking
    /// The tags of the format can't be listed.
    case tagsNotListed
    /// The file has no image at this position.
    case noSuchImage
    /// No decoder for the picture is installed.
    case noDecoder
    /// No encoder for the picture is installed.
    case noEncoder
    /// The file holds no preview.
    case noPreview
    /// The decoder took too long.
    case decoderTimedOut
    /// The decoder crashed.
    case decoderCrashed
    /// The file, folder or archive holds no track.
    case notTrack
    /// The file is not a table.
    case notTable
    /// Two columns could mean the same.
    case ambiguousColumns
    /// A requested column is missing.
    case missingColumn
    /// The times count from a start that is not known.
    case unknownStart

    /// The change, or the data, are larger than the format or this version allows.
    case tooLarge
    /// The file has no room for the change, but a sidecar has.
    case noRoom

    /// The change was refused, to protect the photo.
    case refused
    /// The file ends too soon for a change.
    case incompleteFile
    /// The structure of the file is too tangled to be changed without risk.
    case tangledStructure
    /// The change would move data that must stay where they are.
    case fixedPositions
    /// The file contains nothing but what is to be erased.
    case onlyMetadata
    /// There are more data to erase than the journal keeps for undo.
    case tooMuchToErase
    /// Data that may hold what is to be erased can't be read or can't be erased.
    case notErasable
    /// The change would touch image data, or its splices overlap.
    case imageDataAtRisk
    /// The second reader, or the check of the planned change, found another value than was wanted.
    case verificationFailed
    /// A date would be outside what its format can hold.
    case dateOutOfRange
    /// A value can't be recorded.
    case invalidValue
    /// The format has no place for the field.
    case fieldNotSupported
    /// The JPEG from which the file was made could no longer be reconstructed.
    case losesReconstruction
    /// A JPEG copy would not record everything.
    case incompleteCopy
    /// A sidecar can't hold the tag, or can't take back what the file records.
    case notInSidecar
    /// The file has no sidecar, and none may be created.
    case noSidecar
    /// The photo has several sidecars.
    case severalSidecars
    /// The sidecar has another value where the date belongs.
    case conflictingSidecar
    /// The name of the sidecar would be too long.
    case nameTooLong
    /// One of the photo's files was skipped. `reason` is the code of the reason.
    case companionSkipped
    /// A sidecar that may belong to the photo records what is to be erased.
    case straySidecar
    /// The file belongs to another user or group.
    case foreignOwner
    /// The user may not write the file.
    case notPermitted
    /// The file is write-protected.
    case writeProtected
    /// The file system is mounted read-only.
    case readOnlyVolume
    /// The file or folder is marked immutable or append-only.
    case immutable
    /// A new file could not keep the mode of the old one, or the file system can't hold a time.
    case attributesNotKept
    /// The file has several names, which the change would separate.
    case hardLinked
    /// The file is a symbolic link, which isn't renamed.
    case symbolicLink
    /// A file with the wanted name exists.
    case nameTaken
    /// The journal has no such run.
    case noSuchRun
    /// The run is an undo.
    case runIsUndo
    /// The file was created by the run, and its undo kept no copy.
    case notRestorable
    /// The file that was copied is missing or has changed, so its copy may be the only one.
    case originalMissing
    /// The file system has no trash, or nothing is moved there.
    case notTrashable
    /// The photo is in the folder into which photos are copied.
    case copiesOntoItself
    /// The unfinished run corrected dates by the photo's clock.
    case datesCorrectedByRun
    /// A file is in the plan twice.
    case plannedTwice
    /// A companion is in another folder.
    case companionElsewhere
    /// It is unknown on which side of the equator or of Greenwich the table's positions are.
    case unsignedCoordinates
    /// JSON or XML is nested too deep.
    case nestedTooDeep
    /// A value in JSON or XML is too long, or there are too many of them.
    case valueTooLong
    /// XML has a document type declaration that isn't read.
    case documentTypeDeclaration
    /// An archive unpacks to a suspicious size, or its directory contradicts itself.
    case suspiciousArchive

    /// Another program changed the file in the meantime.
    case conflict
    /// The file became shorter while it was read.
    case changedDuringRead
    /// Another program changed the file during the run.
    case changedDuringRun
    /// The file, or its companions, are not as they were planned.
    case changedSincePlan
    /// The file was changed after the run that is to be undone.
    case modifiedAfterRun
    /// The file's modification time is not the one that the run left.
    case modificationTimeChanged
    /// A later run changed the file.
    case changedByLaterRun
    /// The file is not where the run left it.
    case notAtOriginalPath
    /// Several files could be the one that was moved.
    case ambiguousPath
    /// Another file took the name during the run.
    case nameTakenDuringRun
    /// A file that must not be replaced exists.
    case alreadyExists
    /// Something else has the name of the sidecar.
    case notSidecar
    /// Another process uses the journal.
    case journalBusy
    /// The run is still working.
    case runInProgress

    /// The system could not read or write.
    case io
    /// There is no such file or folder.
    case noSuchFile
    /// The system denies access.
    case permissionDenied
    /// The disk is full, or the user's share of it.
    case diskFull
    /// The system has no memory left.
    case outOfMemory
    /// The run was cancelled.
    case cancelled
    /// A decoder program is not installed.
    case decoderMissing
    /// A decoder program belongs to another version.
    case decoderMismatch
    /// A decoder program could not enter its sandbox.
    case decoderUnsafe
    /// The disk returned other bytes than were written.
    case readBackDiffers
    /// The database of the journal could not be read or written.
    case journalFailed
    /// No name for a new file could be found.
    case noName
    /// Another program has the file open for writing.
    case openForWriting
    /// The file was changed, but the disk failed before that was certain to last, and before it could be taken back.
    case notDurable
    /// Bytes of the file have not been fetched yet.
    case missingBytes
  }
}

extension FileError.Code {
  /// The kind of error.
  public var kind: FileError.Kind {
    switch self {
    case .truncated, .emptyFile: .truncated
    case .malformed, .damagedJournal: .malformed
    case .unsupported, .newerJournal, .unknownFormat, .notRegularFile, .isFolder, .fragmentedMovie, .compressedMovie,
      .shortHEIF, .sequenceWithoutRoom, .noPrimaryPicture, .itemStorage, .noSlot, .textEncoding, .xmpForm, .notXMP,
      .photoshopData, .unknownPacking, .tagsNotListed, .noSuchImage, .noDecoder, .noEncoder, .noPreview,
      .decoderTimedOut,
      .decoderCrashed,
      .notTrack, .notTable, .ambiguousColumns, .missingColumn, .unknownStart:
      .unsupported
    case .tooLarge, .noRoom: .tooLarge
    case .refused, .readOnlyFormat, .incompleteFile, .tangledStructure, .fixedPositions, .onlyMetadata, .tooMuchToErase,
      .conflictingSidecar, .nameTooLong, .companionSkipped, .nestedTooDeep, .valueTooLong, .documentTypeDeclaration,
      .suspiciousArchive, .notErasable, .imageDataAtRisk, .verificationFailed, .dateOutOfRange, .invalidValue,
      .fieldNotSupported, .losesReconstruction, .incompleteCopy, .notInSidecar, .noSidecar, .severalSidecars,
      .straySidecar, .foreignOwner, .notPermitted, .writeProtected, .readOnlyVolume, .immutable, .attributesNotKept,
      .hardLinked, .symbolicLink, .nameTaken, .noSuchRun, .runIsUndo, .notRestorable, .originalMissing, .notTrashable,
      .copiesOntoItself, .datesCorrectedByRun,
      .plannedTwice, .companionElsewhere, .unsignedCoordinates:
      .refused
    case .conflict, .changedDuringRead, .changedDuringRun, .changedSincePlan, .modifiedAfterRun,
      .modificationTimeChanged, .changedByLaterRun, .notAtOriginalPath, .ambiguousPath, .nameTakenDuringRun,
      .alreadyExists, .notSidecar, .journalBusy, .runInProgress, .openForWriting:
      .conflict
    case .io, .noSuchFile, .permissionDenied, .diskFull, .outOfMemory, .cancelled, .decoderMissing, .decoderMismatch,
      .decoderUnsafe, .readBackDiffers, .journalFailed, .noName, .notDurable, .missingBytes:
      .io
    }
  }
}

extension FileError.Code {
  /// Whether the same attempt may succeed a little later: something else was using the file or the journal, or the system
  /// could not read, write or start a program.
  package var isTransient: Bool {
    switch self {
    case .changedDuringRead, .changedDuringRun, .nameTakenDuringRun, .openForWriting, .journalBusy, .runInProgress, .io,
      .diskFull, .outOfMemory, .cancelled, .readBackDiffers, .journalFailed, .decoderTimedOut, .missingBytes:
      true
    default: false
    }
  }
}
