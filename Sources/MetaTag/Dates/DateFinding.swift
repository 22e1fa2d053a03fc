package import SystemPackage

/// A contradiction between two dates of one photo, or an invalid date.
public struct DateFinding: Hashable, Sendable {
  /// The kind of the problem.
  @nonexhaustive
  public enum Kind: String, Sendable, CaseIterable {
    /// A date tag contains no valid date, or the tag of its zone no valid zone.
    case malformed
    /// A date is written in another form than its standard defines, but could be read.
    case irregular
    /// A copy of the capture time shows another time.
    case captureTime = "capture-time"
    /// A copy of the capture time shows the same time in another zone.
    case offset
    /// A copy of the capture time with only a day, month or year has another one.
    case captureDay = "capture-day"
    /// The photo was digitized before it was taken, or copies of that date differ.
    case digitizedTime = "digitized-time"
    /// The file was last changed before the picture was taken (EXIF DateTime).
    case modifyTime = "modify-time"
    /// The receiver's time contradicts the date.
    case gpsTime = "gps-time"
    /// The photo was placed by another time of its clock.
    case clock
    /// The headers of a movie record another time than its text.
    case movieHeader = "movie-header"
    /// The headers of a picture in boxes (CR3, sequences), or Canon's timed metadata, record another time.
    case pictureHeader = "picture-header"
    /// A sidecar shows another time.
    case sidecar
    /// The file's name contains another time.
    case fileName = "file-name"
    /// The file's own time is earlier, or that of another zone.
    case fileTime = "file-time"

    /// The name in words, such as `GPS time`.
    var words: String { self == .gpsTime ? "GPS time" : rawValue.replacing("-", with: " ") }
  }

  /// A date with its source.
  package struct Statement: Hashable, Sendable {
    /// The date in the format of `CaptureTime`; a day; or a raw text.
    package let value: String
    /// One of `exif`, `xmp`, `iptc`, `quicktime`, `sidecar`, `journal`, `file`.
    package let source: String
    /// The tag's name in its standard; the sidecar's name and the tag's; `name` or `mtime`; or the journal's run.
    package let tag: String
  }

  /// The kind of the problem.
  package let kind: Kind
  /// The date that contradicts.
  package let statement: Statement
  /// The date that is contradicted; nil if the statement is invalid by itself.
  package let believed: Statement?
  /// Seconds by which the first date is later, if both are on the same scale.
  package let seconds: Int64?

  init(_ kind: Kind, _ statement: Statement, against believed: Statement? = nil, seconds: Int64? = nil) {
    self.kind = kind
    self.statement = statement
    self.believed = believed
    self.seconds = seconds
  }
}

extension DateFinding: CustomStringConvertible {
  /// A text such as `capture-time: photoshop:DateCreated (xmp) is 2024-05-23T19:38:41, 60 min later than
  /// DateTimeOriginal (exif), 2024-05-23T18:38:41`.
  public var description: String {
    let text = "\(kind.rawValue): \(statement.tag) (\(statement.source)) is \(statement.value)"
    guard let believed else { return text }
    let other = "\(believed.tag) (\(believed.source))"
    guard let seconds, seconds != 0 else { return "\(text), but \(other) is \(believed.value)" }
    return "\(text), \(Span(Double(seconds))) \(seconds < 0 ? "earlier" : "later") than \(other), \(believed.value)"
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

/// Facts about a photo's dates from outside its metadata.
package struct DateFacts: Hashable, Sendable {
  /// A sidecar that records the photo's date.
  package struct Sidecar: Hashable, Sendable {
    /// The sidecar's name.
    package let name: String
    /// The sidecar's metadata.
    package let metadata: Metadata
    /// Whether the photo is a raw file whose sidecar takes precedence. The check then covers both together.
    package var isBelieved = false
    /// Whether a run of the journal corrected the date in the sidecar and left the raw file's own unchanged.
    package var isCorrected = false
  }

  /// The file's name.
  package var fileName = ""
  /// The current time: a name with a later day contains no date. With nil, any day is accepted.
  package var now: Instant?
  /// The time of the file's last change.
  package var modified: Instant?
  /// The sidecar, if there is one.
  package var sidecar: Sidecar?
  /// The time in the movie's header.
  package var headerTime: CaptureTime?
  /// The times in the headers of the movie's tracks and their media.
  var trackTimes: [Sourced<CaptureTime>] = []
  /// The times in the headers of a picture in boxes: clock time or UTC.
  var pictureTimes: [Sourced<CaptureTime>] = []
  /// Times from texts that programs write next to the metadata (PNG's `Creation Time`): when they made the file or the
  /// picture.
  var statedTimes: [StatedTime] = []

  /// The error of the camera's clock when the photo was placed.
  package var clock: KnownClock?
  /// The zone for dates without an offset: that of the run that placed the photo, or of its place.
  package var zone: Zone?

  /// The clock settings of a run in the journal that placed a photo by its time and left its dates unchanged.
  package struct KnownClock: Hashable, Sendable {
    /// The run.
    package let run: RunID
    /// The correction to add to the dates; nil if none was given or the run estimated it.
    package let error: TimeShift?
    /// The zone for clocks that record none; nil if none was given.
    package var zone: Zone?
    /// Whether the run was given corrections or photos of correct clocks.
    package var isGiven = false

    /// Creates the clock settings of `run`.
    package init(_ run: RunID, error: TimeShift?) { (self.run, self.error) = (run, error) }
  }

  /// Facts from the journal about files, by their paths as the user named them.
  package struct History: Sendable {
    /// The clock settings for photos unchanged since a run placed them; for raw files, by the paths of their sidecars.
    package var clocks: [FilePath: KnownClock] = [:]
    /// Sidecars with a date by which a run corrected their photos.
    package var corrected: Set<FilePath> = []

    /// Creates an empty history.
    package init() {}
  }

  /// A time in a text with a keyword.
  struct StatedTime: Hashable, Sendable {
    let keyword: String
    let time: CaptureTime
  }

  /// Creates empty facts.
  package init() {}

  /// The date in the file's name.
  var nameDate: NameDate? {
    guard let date = NameDate(fileName: fileName) else { return nil }
    return now.map { date.isFuture(at: $0) } == true ? nil : date
  }
}

/// A sign that a photo's dates were corrected before.
public enum CorrectionSign: Hashable, Sendable {
  /// The time of the photo's position fits the dates.
  case gpsTime(Instant)
  /// The track was at the photo's place at these dates.
  case place
  /// This run moved the dates and was not undone.
  case run(RunID)
}

extension CorrectionSign {
  /// The run that moved the dates.
  var run: RunID? { if case .run(let run) = self { run } else { nil } }
}

extension CorrectionSign: CustomStringConvertible {
  /// A text such as `its GPS time (2024-05-18T08:34:20Z) agrees with its date`.
  public var description: String {
    switch self {
    case .gpsTime(let fix):
      "its GPS time\(CivilTime(secondsSince1970: fix.seconds).map { " (\($0)Z)" } ?? "") agrees with its date"
    case .place: "its location on the track agrees with its date"
    case .run(let run): "run \(run) changed its date"
    }
  }
}
