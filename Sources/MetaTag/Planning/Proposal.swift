public import SystemPackage

/// A planned change of a photo with its explanation, or the reason for no change.
public enum Proposal: Hashable, Sendable {
  /// The photo is changed.
  case change(MetadataEdit, because: Explanation)
  /// The photo already has the requested values.
  case unchanged(Reason)
  /// The photo can't get the requested values.
  case skip(Reason)
}

/// A job as a pure function of a photo's metadata: the same photo gives the same proposal.
public protocol Planner: Sendable {
  /// Returns the proposal for a photo with `metadata`.
  func propose(for metadata: Metadata) -> Proposal
  /// Returns the proposal for a companion of the photo, whose dates are moved by its own clock.
  func propose(for metadata: Metadata, of companion: FilePath) -> Proposal
  /// Returns the proposal for a companion, for planners that also need the metadata of its photo.
  func propose(for metadata: Metadata, of companion: FilePath, beside photo: Metadata?) -> Proposal
  /// Whether the planner gives photos a place. If it keeps the place of one file, the photo's other files get that
  /// place too.
  var isAboutPlaces: Bool { get }
  /// Whether the planner needs every place in a photo's files and in further pictures (a raw file's preview): these are
  /// added to the metadata.
  var needsEveryPlace: Bool { get }
}

extension Planner {
  /// Returns the proposal for a photo with the same metadata.
  public func propose(for metadata: Metadata, of companion: FilePath) -> Proposal { propose(for: metadata) }

  /// Returns the proposal based on the companion's own clock.
  public func propose(for metadata: Metadata, of companion: FilePath, beside photo: Metadata?) -> Proposal {
    propose(for: metadata, of: companion)
  }

  /// False by default. Planners that keep a photo's place as a reason for no change return true.
  public var isAboutPlaces: Bool { false }

  /// False by default: the photo's own metadata is enough.
  public var needsEveryPlace: Bool { false }
}

/// The basis of a change.
@nonexhaustive
public indirect enum Explanation: Hashable, Sendable {
  /// The track gave the position at the photo's time.
  case matched(TrackMatch, ClockReading)
  /// The user gave the place.
  case placed
  /// The track was at the photo's place at that time.
  case visited(TrackVisit, CaptureTime)
  /// A line of a table contains the values.
  case listed(line: Int)
  /// The dates were repaired for these reasons.
  case repaired(String)
  /// A JSON file of Google Takeout contains the values. Also lists values that aren't written.
  case recorded(by: String, unlike: [TakeoutAmbiguity] = [])
  /// The photo is in these albums. `failure` is the reason why Takeout gives nothing else.
  case inAlbums([String], failure: TakeoutFailure? = nil)
  /// The names were found by the position.
  case named(NamedPlace)
  /// One of the photo's files has the values, and others lack them.
  case shared(by: String)
  /// The position has this basis, and the names were found by it.
  case placedAndNamed(Explanation, NamedPlace)
  /// The position has this basis, and the names of the old position are replaced, or removed if the new ones are empty.
  case movedNamed(Explanation, from: PlaceNames, to: PlaceNames)
  /// A plan contains the change, with its reason.
  case planned(String)
  /// The location is removed.
  case cleared
  /// The dates are removed.
  case datesCleared
  /// The location is made this coarse.
  case coarsened(Coarseness)
  /// Everything is removed.
  case erased
  /// The dates are moved by this shift.
  case shifted(CalendarShift)
  /// The user gave the date.
  case dated(CaptureTime)
  /// The date was given, and the file's name contains this text, which may be another time of that day.
  case datedBeside(String, CaptureTime)
  /// A year, month or day was given.
  case partlyDated(PartialDate)
  /// The values of fields were given.
  case described
  /// This offset is recorded, after moving the clock by the shift.
  case zoned(UTCOffset, moved: TimeShift)
  /// The basis in the words of a client's planner.
  case custom(String)
}

extension Explanation {
  /// The explanations as names that don't change from one version to the next.
  @nonexhaustive
  public enum Code: String, Sendable, CaseIterable {
    /// The track gave the position at the photo's time.
    case matched
    /// The user gave the place.
    case placed
    /// The track was at the photo's place at that time.
    case visited
    /// A line of a table contains the values.
    case listed
    /// The dates were repaired.
    case repaired
    /// A JSON file of Google Takeout contains the values.
    case recorded
    /// The photo is in albums.
    case inAlbums
    /// The names were found by the position.
    case named
    /// One of the photo's files has the values, and others lack them.
    case shared
    /// A plan contains the change.
    case planned
    /// The location is removed.
    case cleared
    /// The dates are removed.
    case datesCleared
    /// The location is made coarser.
    case coarsened
    /// Everything is removed.
    case erased
    /// The dates are moved.
    case shifted
    /// The user gave the date.
    case dated
    /// A year, month or day was given.
    case partlyDated
    /// The values of fields were given.
    case described
    /// A time zone is recorded.
    case zoned
    /// A client's planner gave the basis in its own words.
    case custom
  }

  /// The explanation of the position, or of the other change, without its values.
  public var code: Code {
    switch self {
    case .matched: .matched
    case .placed: .placed
    case .visited: .visited
    case .listed: .listed
    case .repaired: .repaired
    case .recorded: .recorded
    case .inAlbums: .inAlbums
    case .named: .named
    case .shared: .shared
    case .placedAndNamed(let explanation, _), .movedNamed(let explanation, _, _): explanation.code
    case .planned: .planned
    case .custom: .custom
    case .cleared: .cleared
    case .datesCleared: .datesCleared
    case .coarsened: .coarsened
    case .erased: .erased
    case .shifted: .shifted
    case .dated, .datedBeside: .dated
    case .partlyDated: .partlyDated
    case .described: .described
    case .zoned: .zoned
    }
  }

  /// The basis of the position, without its names.
  public var ofPosition: Explanation {
    switch self {
    case .placedAndNamed(let explanation, _), .movedNamed(let explanation, _, _): explanation
    default: self
    }
  }
}

extension Explanation {
  /// Warnings that are shown although the change is made.
  var warnings: [Note] {
    switch self {
    case .recorded(let name, let doubts):
      doubts.map { Note(.unlikeTakeoutFile, $0.sentence(of: name)) }
    case .inAlbums(_, let failure?): [Note(.onlyAlbums, failure.description, remedy: failure.remedy)]
    case .movedNamed(let explanation, _, let new):
      explanation.warnings + [
        new.isEmpty
          ? Note(.placeNamesRemoved, "place names of the old location removed")
          : Note(.placeNamesReplaced, "place names of the old location replaced")
      ]
    case .datedBeside(let text, _):
      [
        Note(
          .timeInName, "its name has \(text) after the day, which may be a time and is not read", remedy: .givePattern)
      ]
    default: []
    }
  }

  /// Whether the photo got only a part of the requested values.
  public var isPartial: Bool { if case .inAlbums(_, .some) = ofPosition { true } else { false } }

  /// A description shared by all photos with the same change; nil if each has a change of its own.
  public var common: String? {
    switch self {
    case .placed, .cleared, .shifted, .dated, .datedBeside, .partlyDated, .zoned, .planned, .custom: description
    default: nil
    }
  }
}

extension Explanation: CustomStringConvertible {
  /// The basis in words.
  public var description: String {
    switch self {
    case .matched(let match, let reading): "\(match); \(reading)" + match.correction(of: reading)
    case .placed: "the given location"
    case .planned(let reason), .custom(let reason): reason
    case .visited(let visit, let time):
      "the track was \(Length(visit.metres)) from its location at \(time), and near it for \(Span(visit.length))"
        + (visit.isOpen ? ", where a recording begins or ends" : "")
    case .listed(let line): "line \(line) of the table"
    case .repaired(let reasons): reasons
    case .recorded(let name, _): "from \(name)"
    case .inAlbums(let names, _): "in " + names.map { "'\($0)'" }.joined(separator: ", ")
    case .named(let place): place.basis
    case .shared(let name): "copied from \(name)"
    case .placedAndNamed(let explanation, let place): "\(explanation); \(place.basis)"
    case .movedNamed(let explanation, _, _): explanation.description
    case .cleared: "the location is removed"
    case .datesCleared: "the dates are removed"
    case .coarsened(let coarseness): "the location is rounded to \(Length(coarseness.metres))"
    case .erased: "its metadata is removed"
    case .shifted(let shift):
      "moved by \(shift)"
        + (shift.anchor.flatMap { shift.clamping($0.civil) } == nil ? "" : ", to the month's last day")
    case .dated(let time), .datedBeside(_, let time): "set to \(time)"
    case .partlyDated(let date): "set to \(date)"
    case .described: "the given values"
    case .zoned(let offset, let shift): "zone \(offset)" + (shift == .zero ? "" : ", clock moved by \(shift)")
    }
  }
}

extension TrackMatch {
  /// Returns a text such as `, 40 s slow` if the camera's clock differed from the receiver's time.
  fileprivate func correction(of reading: ClockReading) -> String {
    let seconds = instant.timeInterval(since: reading.instant)
    return seconds == 0 ? "" : ", \(Span(seconds)) \(seconds > 0 ? "slow" : "fast")"
  }
}

extension Proposal {
  /// Creates the proposal that `plan` returns. If `plan` throws `.asWanted`, the photo is unchanged; for other reasons,
  /// it is skipped.
  init(_ plan: () throws(Reason) -> Proposal) {
    do throws(Reason) {
      self = try plan()
    } catch {
      self = error == .asWanted ? .unchanged(error) : .skip(error)
    }
  }

  /// Returns a proposal that changes only the dates.
  static func dates(_ dates: DateChange, because explanation: Explanation) -> Proposal {
    var edit = MetadataEdit()
    edit.dates = dates
    return .change(edit, because: explanation)
  }

  /// Returns a proposal for the date that `find` returns, unless the photo's own date must stay. A time replaces a
  /// recorded day if it lies on that day: it is more precise and no contradiction.
  static func date(
    for metadata: Metadata, _ overwrite: Overwrite,
    _ find: () throws(Reason) -> (time: CaptureTime, because: Explanation)
  ) -> Proposal {
    guard !metadata.isDated || metadata.knowsOnlyDay || overwrite == .replace else {
      return .unchanged(.hasCaptureTime)
    }
    return Proposal { () throws(Reason) in
      let found = try find()
      guard !metadata.isDated(besides: found.time) || overwrite == .replace else { return .unchanged(.hasCaptureTime) }
      guard metadata.captureTime != found.time else { throw .asWanted }
      return .dates(.set(found.time), because: found.because)
    }
  }
}

extension CaptureTime {
  /// Creates the time that a clock at this offset showed at `instant`.
  /// - Throws: `.outsideCalendar` outside the years 0 to 9999.
  init(_ instant: Instant, at offset: UTCOffset) throws(Reason) {
    guard let civil = CivilTime(secondsSince1970: instant.seconds + Int64(offset.seconds)) else {
      throw .outsideCalendar
    }
    let fraction = instant.nanoseconds == 0 ? nil : SecondFraction(nanoseconds: instant.nanoseconds)
    self.init(civil, fraction: fraction, offset: offset)
  }
}
