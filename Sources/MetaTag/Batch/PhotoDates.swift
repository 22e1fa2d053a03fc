import Glibc
import SystemPackage

/// A photo's dates, and those beside it, as far as they are recorded anywhere.
public struct PhotoDates: Sendable {
  /// What stands in it.
  public let metadata: Metadata
  /// What is known of its file.
  public let facts: DateFacts

  /// Reads a photo, and its sidecar if it has one.
  /// - Throws: `PhotoError` when the photo can't be read.
  public init(_ shot: Shot) throws(PhotoError) {
    if let failure = shot.input.failure { throw failure }
    let path = shot.input.path
    let file = try FileSource(path)
    let image = try ImageSource(file, path: path)
    metadata = image.metadata()
    var facts = DateFacts()
    facts.fileName = path.lastComponent?.string ?? ""
    let modified = file.status.st_mtim
    facts.modified = Instant(seconds: Int64(modified.tv_sec), nanoseconds: Int32(modified.tv_nsec))
    facts.headerTime = image.movieHeaderTime
    let sidecars = shot.companions.filter { $0.role == .sidecar && shot.owner(of: $0.path) == path }
    // Where two could be meant, neither is asked.
    if let own = sidecars.first, sidecars.count == 1, let sidecar = try? OpenPhoto(sidecarAt: own.path) {
      facts.sidecar = DateFacts.Sidecar(name: own.path.lastComponent?.string ?? "", metadata: sidecar.metadata)
    }
    self.facts = facts
  }

  /// All contradictions.
  public var findings: [DateFinding] { DateCheck(metadata, facts).findings }
}

extension ImageSource {
  /// What a movie's header says; UTC by the standard.
  fileprivate var movieHeaderTime: CaptureTime? { layout.quickTime.flatMap { QuickTime($0, source).headerTime } }
}
