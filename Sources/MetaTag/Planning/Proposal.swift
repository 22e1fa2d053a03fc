public import SystemPackage

/// What is to become of a photo: a change with its reasons, or the reason for none.
public enum Proposal: Hashable, Sendable {
  /// Change it.
  case change(MetadataEdit, because: Explanation)
  /// It has already what is asked for.
  case unchanged(Reason)
  /// It can't be given what is asked for.
  case skip(Reason)
}

/// A job, as a pure function of what a photo records: the same photo gives the same proposal.
public protocol Planner: Sendable {
  /// What is to become of a photo that records `metadata`.
  func propose(for metadata: Metadata) -> Proposal
  /// The same for a companion of the photo, whose dates are moved by its own clock.
  func propose(for metadata: Metadata, of companion: FilePath) -> Proposal
  /// Proposes a change of a companion, for planners that also need the metadata of its photo.
  func propose(for metadata: Metadata, of companion: FilePath, beside photo: Metadata?) -> Proposal
  /// Whether it gives photos a place: where it keeps the one that a file has, the photo's other files get that too.
  var isAboutPlaces: Bool { get }
  /// Whether it must not miss a place that one of a photo's files tells, or a further picture in one (a raw file's
  /// preview): these are added to what the photo records.
  var asksEveryPlace: Bool { get }
}

extension Planner {
  /// As for a photo.
  public func propose(for metadata: Metadata, of companion: FilePath) -> Proposal { propose(for: metadata) }

  /// By the companion's own clock alone.
  public func propose(for metadata: Metadata, of companion: FilePath, beside photo: Metadata?) -> Proposal {
    propose(for: metadata, of: companion)
  }

  /// It is not, but where its reason for leaving a photo is the place that this has.
  public var isAboutPlaces: Bool { false }

  /// What the photo itself records is enough.
  public var asksEveryPlace: Bool { false }
}

/// What a change rests on.
public indirect enum Explanation: Hashable, Sendable {
  /// The track was there at the photo's time.
  case matched(TrackMatch, ClockReading)
  /// The place was given.
  case placed
  /// The track was at the photo's place then.
  case visited(TrackVisit, CaptureTime)
  /// This line of a table says it.
  case listed(line: Int)
  /// The dates are mended, for these reasons.
  case repaired(String)
  /// This JSON file of Google Takeout says it, and what isn't written.
  case recorded(by: String, unlike: [TakeoutAmbiguity] = [])
  /// It is in these albums; why Takeout tells nothing else.
  case inAlbums([String], lack: TakeoutFailure? = nil)
  /// The place was found by its position.
  case named(NamedPlace)
  /// This one of its files has it, and others don't.
  case shared(by: String)
  /// The position was found so, and its names by it.
  case placedAndNamed(Explanation, NamedPlace)
  /// The position was found so, and the names of the old one follow, or go where the new ones are empty.
  case movedNamed(Explanation, from: PlaceNames, to: PlaceNames)
  /// A plan says it, and why.
  case planned(String)
  /// The location is to go.
  case cleared
  /// The dates are to go.
  case datesCleared
  /// The location is made as coarse as this.
  case coarsened(Coarseness)
  /// Everything is to go.
  case erased
  /// The dates are moved by this much.
  case shifted(CalendarShift)
  /// The date was given.
  case dated(CaptureTime)
  /// The date was given, and the file's name has this, which may be another time of that day.
  case datedBeside(String, CaptureTime)
  /// The year or month was given.
  case partlyDated(PartialDate)
  /// Fields were given.
  case described
  /// This offset is recorded, after moving the clock by so much.
  case zoned(UTCOffset, moved: TimeShift)
}

extension Explanation {
  /// What the position rests on, without its names.
  public var ofPosition: Explanation {
    switch self {
    case .placedAndNamed(let explanation, _), .movedNamed(let explanation, _, _): explanation
    default: self
    }
  }
}

extension Explanation {
  /// What should be looked at, although the change is made.
  var warning: String? {
    switch self {
    case .recorded(let name, let doubts) where !doubts.isEmpty:
      doubts.map { $0.sentence(of: name) }.joined(separator: "; ")
    case .inAlbums(_, let lack?): lack.sentence
    case .movedNamed(let explanation, _, let new):
      [
        explanation.warning,
        new.isEmpty
          ? "names of the old place removed" : "names of the old place replaced",
      ].compactMap(\.self).joined(separator: "; ")
    case .datedBeside(let text, _):
      "its name has \(text) behind the day, which may be a time and is not read; --pattern reads it"
    default: nil
    }
  }

  /// Whether more was asked for than the photo could be given.
  public var isPartial: Bool { if case .inAlbums(_, .some) = ofPosition { true } else { false } }

  /// What many photos have in common that are changed alike; nil where each has a change of its own.
  public var common: String? {
    switch self {
    case .placed, .cleared, .shifted, .dated, .datedBeside, .partlyDated, .zoned, .planned: description
    default: nil
    }
  }
}

extension Explanation: CustomStringConvertible {
  /// In words.
  public var description: String {
    switch self {
    case .matched(let match, let reading): "\(match); \(reading)" + match.correction(of: reading)
    case .placed: "the place that was given"
    case .planned(let reason): reason
    case .visited(let visit, let time):
      "the track was \(Length(visit.metres)) from its place at \(time), and near it for \(Span(visit.length))"
        + (visit.isOpen ? ", where a recording begins or ends" : "")
    case .listed(let line): "line \(line) of the table"
    case .repaired(let reasons): reasons
    case .recorded(let name, _): "\(name) says so"
    case .inAlbums(let names, _): "in " + names.map { "'\($0)'" }.joined(separator: ", ")
    case .named(let place): place.basis
    case .shared(let name): "\(name) has it, its other files get it"
    case .placedAndNamed(let explanation, let place): "\(explanation); \(place.basis)"
    case .movedNamed(let explanation, _, _): explanation.description
    case .cleared: "the location is removed"
    case .datesCleared: "the dates are removed"
    case .coarsened(let coarseness): "the location is made as coarse as \(Length(coarseness.metres))"
    case .erased: "everything that describes it is removed"
    case .shifted(let shift):
      "moved by \(shift)"
        + (shift.anchor.flatMap { shift.clamping($0.civil) } == nil ? "" : ", to the month's last day")
    case .dated(let time), .datedBeside(_, let time): "set to \(time)"
    case .partlyDated(let date): "set to \(date)"
    case .described: "the values that were given"
    case .zoned(let offset, let shift): "zone \(offset)" + (shift == .zero ? "" : ", clock moved by \(shift)")
    }
  }
}

extension TrackMatch {
  /// `, 40 s slow` where the camera's clock was not that of the receiver.
  fileprivate func correction(of reading: ClockReading) -> String {
    let seconds = instant.timeInterval(since: reading.instant)
    return seconds == 0 ? "" : ", \(Span(seconds)) \(seconds > 0 ? "slow" : "fast")"
  }
}
