/// Gives a photo the time and the place that Google Takeout has for it, if it records none itself.
package struct TakeoutPlanner: Planner {
  /// The content of a JSON file, with its name.
  package struct Entry: Hashable, Sendable {
    /// The JSON file's name.
    package let name: String
    /// The content.
    package let record: TakeoutRecord
  }

  /// The entry for this photo, or the reason for its absence.
  package let entry: Result<Entry, TakeoutFailure>
  /// The zone where the photos were taken; Takeout's times, which are in UTC, are converted to it. With nil, the zone
  /// of the photo's place is used, then `zoneElsewhere`; without either, times are written in UTC.
  package var zone: Zone?
  /// The zone for photos whose place is unknown.
  package var zoneElsewhere: Zone?
  /// The albums that contain the photo; they become keywords.
  package var albums: [String] = []
  /// Whether the photo is a movie, which can't hold a description or a rating.
  package var isMovie = false
  /// Whether to use descriptions.
  package var takesDescriptions = false
  /// Whether people become keywords.
  package var takesPeople = false
  /// Whether favourites get five stars.
  package var takesFavorites = false
  /// Whether to use places, not only times.
  package var takesPlaces = true
  /// Whether to replace an existing date and location.
  package var overwrite = Overwrite.keep

  private let zoneOfPlace: @Sendable (Coordinate) -> Zone?

  /// Creates a planner that keeps the photo's own values.
  /// - Parameter zone: Returns the time zone at a place.
  package init(_ entry: Result<Entry, TakeoutFailure>, zone: @escaping @Sendable (Coordinate) -> Zone?) {
    self.entry = entry
    zoneOfPlace = zone
  }

  /// Whether the JSON file has a place that is used.
  package var isAboutPlaces: Bool { takesPlaces && (try? entry.get())?.record.location != nil }

  /// Proposes the values that the JSON file has and the photo lacks.
  package func propose(for metadata: Metadata) -> Proposal {
    Proposal { () throws(Reason) in try plan(metadata) }
  }

  private func plan(_ metadata: Metadata) throws(Reason) -> Proposal {
    var edit = MetadataEdit()
    if !metadata.hasKeywords(albums) { edit.addedKeywords = albums }
    let entry: Entry
    do throws(TakeoutFailure) {
      entry = try self.entry.get()
    } catch {
      guard edit.isEmpty else { return .change(edit, because: .inAlbums(albums, failure: error)) }
      throw .takeout(error)
    }
    let textDoubts = describe(entry.record, metadata, &edit)
    let place = takesPlaces ? entry.record.location : nil
    guard
      entry.record.taken != nil || place != nil || !textDoubts.isEmpty || edit.addedKeywords != albums
        || !edit.fields.isEmpty
    else {
      let failure = TakeoutFailure.empty(entry.name)
      guard edit.isEmpty else { return .change(edit, because: .inAlbums(albums, failure: failure)) }
      throw .takeout(failure)
    }
    var kept: [Reason] = []
    if let place, metadata.location?.isAsGood(as: place) != true {
      if let reason = metadata.keptPlace, overwrite != .replace {
        kept.append(reason)
      } else {
        edit.location = .set(place)
      }
    }
    if let taken = entry.record.taken {
      let time = try shown(
        taken, at: overwrite == .replace ? place ?? metadata.location : metadata.location ?? entry.record.location)
      if !metadata.isDated(besides: time) || overwrite == .replace && !metadata.says(time) {
        edit.dates = .set(time)
      } else if metadata.captureTime?.instant?.seconds != taken.seconds {
        kept.append(.hasCaptureTime)
      }
    }
    let doubts =
      entry.record.doubts(
        of: metadata, keepsDate: edit.dates == .keep, keepsPlace: takesPlaces && edit.location == .keep) + textDoubts
    guard edit.isEmpty else { return .change(edit, because: .recorded(by: entry.name, unlike: doubts)) }
    if let why = metadata.malformedPlace, kept.contains(.malformedPlace(why)) { return .skip(.malformedPlace(why)) }
    return .unchanged(doubts.isEmpty ? kept.first ?? .asWanted : .unlikeTakeout(entry.name, doubts))
  }

  /// Adds description, people and favourite to the edit, as far as they are requested and the photo has no other
  /// values. Returns the values that aren't written.
  private func describe(
    _ record: TakeoutRecord, _ metadata: Metadata, _ edit: inout MetadataEdit
  ) -> [TakeoutAmbiguity] {
    var doubts: [TakeoutAmbiguity] = []
    func recorded(_ field: PhotoField) -> TagValue? { metadata.fields.first { $0.value.field == field }?.value.value }
    if takesPeople {
      let people = record.people.compactMap { try? PhotoField.keyword(parsing: $0) }
      let wanted = people.reduce(into: albums) { if !$0.contains($1) { $0.append($1) } }
      if !metadata.hasKeywords(wanted) { edit.addedKeywords = wanted }
    }
    guard !isMovie else {
      var left: [PhotoField] = []
      if takesDescriptions, record.description != nil { left.append(.description) }
      if takesFavorites, record.isFavorite { left.append(.rating) }
      return left.isEmpty ? [] : [.isMovie(left)]
    }
    if takesDescriptions, let text = record.description {
      do throws(ParseError) {
        let change = try PhotoField.description.change(parsing: text)
        if recorded(.description) == nil || overwrite == .replace && recorded(.description) != change.value {
          edit.fields[.description] = change
        } else if recorded(.description) != change.value {
          doubts.append(.otherDescription)
        }
      } catch {
        doubts.append(.unusableDescription(error.description))
      }
    }
    if takesFavorites, record.isFavorite {
      let ratings = metadata.fields.compactMap { field -> Int? in
        guard field.value.field == .rating, case .whole(let numbers) = field.value.value else { return nil }
        return numbers.first
      }
      let own = ratings.first { $0 != 0 && $0 != 5 }
      if let own, overwrite != .replace {
        doubts.append(.otherRating(own))
      } else if own != nil || !ratings.contains(5) {
        edit.fields[.rating] = .set(.whole([5]))
      }
    }
    return doubts
  }

  /// Returns the time that a clock in the zone of the place showed.
  private func shown(_ instant: Instant, at place: Location?) throws(Reason) -> CaptureTime {
    let zone = zone ?? place.flatMap { zoneOfPlace($0.coordinate) } ?? zoneElsewhere
    return try CaptureTime(instant, at: zone?.offset(at: instant) ?? .utc)
  }
}

extension Metadata {
  /// Whether the photo already has this time, to the second.
  fileprivate func says(_ time: CaptureTime) -> Bool {
    captureTime?.civil == time.civil && captureTime?.offset == time.offset
  }
}

extension Location {
  /// Whether the place is the same and no altitude is missing that the other has.
  fileprivate func isAsGood(as other: Location) -> Bool {
    coordinate.isSame(as: other.coordinate) && (altitude != nil || other.altitude == nil)
  }
}
