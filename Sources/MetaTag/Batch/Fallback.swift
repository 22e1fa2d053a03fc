import Synchronization
public import SystemPackage

/// What a run does about a HEIF or AVIF file that can't be changed itself: a JPEG beside it that has all its metadata
/// and the change, or a sidecar that tells the change. The file stays as it is.
public struct Fallback: Sendable {
  /// What is written instead.
  public enum Choice: String, Sendable, CaseIterable {
    /// A JPEG; a sidecar where there is no decoder.
    case jpeg
    /// An XMP sidecar.
    case sidecar
    /// Nothing: the file is reported as failed.
    case fail
  }

  /// What is written instead.
  public var choice: Choice
  /// Of the JPEG, 1…100.
  public var quality: Int
  private let codecs: Codecs

  /// The JPEGs are made with what is installed, or with `codecs`.
  public init(_ choice: Choice, quality: Int = 95, codecs: PictureCodecs? = nil) {
    (self.choice, self.quality) = (choice, quality)
    self.codecs = Codecs(codecs)
  }

  /// What is to stand in for `photo`, which can't be changed because of `error`; that error where nothing can.
  func substitute(
    for photo: OpenFile, by edit: MetadataEdit, because error: FileError
  ) throws(FileError) -> Substitution {
    guard choice != .fail, [.heic, .heif, .avif].contains(photo.image.type) else { throw error }
    guard [.unsupported, .tooLarge, .refused, .malformed].contains(error.kind) else { throw error }
    guard edit.location != .remove else {
      throw FileError(
        error.kind, "\(error.sentence); no copy is made of it, because the place would stay in the original",
        at: error.offset)
    }
    let copy: JPEGCopy
    do throws(FileError) {
      guard choice == .jpeg else { throw error }
      copy = try photo.image.jpegCopy(quality: quality, codecs: codecs.installed)
    } catch let obstacle {
      // What no decoder can read either is no photo of a rare kind, but a broken one.
      guard error.kind != .malformed else { throw error }
      guard obstacle.kind != .io else { throw obstacle }
      return .sidecar(obstacle: choice == .jpeg && obstacle != error ? obstacle : nil)
    }
    return .copy(try Copy(copy, of: photo, by: edit, because: error))
  }
}

/// What is installed, asked for once, when it is first needed.
private final class Codecs: Sendable {
  private let known: Mutex<PictureCodecs?>

  init(_ codecs: PictureCodecs?) { known = Mutex(codecs) }

  var installed: PictureCodecs {
    known.withLock { known in
      let codecs = known ?? (try? PictureCodecs()) ?? .none
      known = codecs
      return codecs
    }
  }
}

/// What was written instead of a photo.
public struct Substitute: Hashable, Sendable {
  /// What it is.
  public enum Kind: String, Sendable {
    /// A copy as JPEG.
    case jpeg
    /// An XMP sidecar.
    case sidecar
  }

  /// What it is.
  public let kind: Kind
  /// Where it is.
  public internal(set) var path: FilePath
  /// Whether it is a new file; else a sidecar that was there is changed.
  public let isNew: Bool
  /// Why the photo itself could not be changed.
  public let reason: FileError
  /// What the photo has and the copy hasn't, in words.
  public let losses: [String]
  /// Why there is no JPEG, where there should be one.
  public let obstacle: FileError?
}
