package import SystemPackage

/// Two dates of one photo that contradict each other, or one that is none.
public struct DateFinding: Hashable, Sendable {
  /// What is wrong.
  public enum Kind: String, Sendable, CaseIterable {
    /// A date tag holds a text that is no date, or the tag of its zone one that is no zone.
    case malformed
    /// A date is written otherwise than its standard says; it could be read.
    case irregular
    /// A copy of the capture time shows another time.
    case captureTime = "capture-time"
    /// A copy of the capture time shows the same time in another zone.
    case offset
    /// A copy of the capture time that has only a day, a month or a year has another one.
    case captureDay = "capture-day"
    /// It was digitized before it was taken, or copies of that date differ.
    case digitizedTime = "digitized-time"
    /// The file was last changed before the picture was taken (EXIF DateTime).
    case modifyTime = "modify-time"
    /// The receiver's time doesn't fit.
    case gpsTime = "gps-time"
    /// The photo was placed by another time of its clock.
    case clock
    /// The headers of a movie say another time than its text.
    case movieHeader = "movie-header"
    /// The headers of a picture in boxes (CR3, sequences), or Canon's timed metadata, say another time.
    case pictureHeader = "picture-header"
    /// A sidecar shows another time.
    case sidecar
    /// The file's name tells another time.
    case fileName = "file-name"
    /// The file's own time is earlier, or that of another zone.
    case fileTime = "file-time"
  }

  /// What is said, and where.
  package struct Statement: Hashable, Sendable {
    /// The date, as `CaptureTime` writes it; a day; or a raw text.
    package let value: String
    /// `exif`, `xmp`, `iptc`, `quicktime`, `sidecar`, `file`.
    package let source: String
    /// The tag's name in its standard; the sidecar's name; `name` or `mtime`.
    package let tag: String
  }

  /// What is wrong.
  package let kind: Kind
  /// What contradicts.
  package let statement: Statement
  /// What it contradicts; nil where it is wrong by itself.
  package let believed: Statement?
  /// By how many seconds the first is later, where both are of one scale.
  package let seconds: Int64?

  init(_ kind: Kind, _ statement: Statement, against believed: Statement? = nil, seconds: Int64? = nil) {
    self.kind = kind
    self.statement = statement
    self.believed = believed
    self.seconds = seconds
  }
}

extension DateFinding: CustomStringConvertible {
  /// `capture-time: photoshop:DateCreated (xmp) says 2024-05-23T19:38:41, DateTimeOriginal (exif) 2024-05-23T18:38:41
  /// (1 h later)`.
  public var description: String {
    var text = "\(kind.rawValue): \(statement.tag) (\(statement.source)) says \(statement.value)"
    if let believed { text += ", \(believed.tag) (\(believed.source)) \(believed.value)" }
    if let seconds, seconds != 0 { text += " (\(Span(Double(seconds))) \(seconds < 0 ? "earlier" : "later"))" }
    return text
  }
}

extension DateFinding.Statement {
  init(_ copy: Sourced<CaptureTime>) {
    self.init(value: "\(copy.value)", source: copy.namespace.rawValue, tag: copy.tag)
  }

  init(_ copy: Sourced<CivilTime>) {
    self.init(value: copy.value.dayText, source: copy.namespace.rawValue, tag: copy.tag)
  }

  init(_ copy: Sourced<XMPDate>) {
    self.init(value: "\(copy.value)", source: copy.namespace.rawValue, tag: copy.tag)
  }

  init(_ copy: Sourced<PartialDate>) {
    self.init(value: "\(copy.value)", source: copy.namespace.rawValue, tag: copy.tag)
  }

  init(_ copy: Sourced<String>) { self.init(value: copy.value, source: copy.namespace.rawValue, tag: copy.tag) }
}

/// What is known of a photo's dates besides what stands in it.
package struct DateFacts: Hashable, Sendable {
  /// A file beside the photo that states its date.
  package struct Sidecar: Hashable, Sendable {
    /// Its name.
    package let name: String
    /// What it says.
    package let metadata: Metadata
    /// The photo is a raw file, of which the sidecar is believed: what is checked is what both record together.
    package var isBelieved = false
    /// A run of the journal corrected the date in it, and left the raw file's own.
    package var isCorrected = false
  }

  /// The file's name.
  package var fileName = ""
  /// When it is asked: a name that tells a later day tells no date. Nil believes any.
  package var now: Instant?
  /// When the file was last changed.
  package var modified: Instant?
  /// The sidecar, if there is one.
  package var sidecar: Sidecar?
  /// What a movie's header says.
  package var headerTime: CaptureTime?
  /// What the headers of its tracks and their media say.
  var trackTimes: [Sourced<CaptureTime>] = []
  /// What the headers of a picture in boxes say: its clock, or UTC.
  var pictureTimes: [Sourced<CaptureTime>] = []
  /// What texts say that programs write beside metadata (PNG's `Creation Time`): when they made the file, or the
  /// picture.
  var statedTimes: [StatedTime] = []

  /// What its clock was wrong by when it was placed.
  package var clock: KnownClock?
  /// The zone by which its dates are read where they record none: that of the run that placed it, or of its place.
  package var zone: Zone?

  /// What a run of the journal was told of the clock of a photo that it placed by its time, and whose dates it left.
  package struct KnownClock: Hashable, Sendable {
    /// Which run.
    package let run: RunID
    /// What must be added to the dates; nil where it was told nothing, or found it out.
    package let error: TimeShift?
    /// The zone of clocks that record none; nil where it was not told.
    package var zone: Zone?
    /// Whether it was told something of clocks: what to add, or photos of right ones.
    package var isTold = false

    /// What `run` was told.
    package init(_ run: RunID, error: TimeShift?) { (self.run, self.error) = (run, error) }
  }

  /// Facts from the journal about files, by their paths as the user named them.
  package struct History: Sendable {
    /// The clocks of photos that are as a run left them which placed them; of raw files, by their sidecars' paths.
    package var clocks: [FilePath: KnownClock] = [:]
    /// Sidecars that have the date by which a run corrected their photos.
    package var corrected: Set<FilePath> = []

    /// Nothing known.
    package init() {}
  }

  /// A time in a text with a keyword.
  struct StatedTime: Hashable, Sendable {
    let keyword: String
    let time: CaptureTime
  }

  /// Nothing known.
  package init() {}

  /// What the file's name tells.
  var nameDate: NameDate? {
    guard let date = NameDate(fileName: fileName) else { return nil }
    return now.map { date.isFuture(at: $0) } == true ? nil : date
  }
}
