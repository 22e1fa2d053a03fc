/// Gives a photo the position and the date that a table has for it.
package struct TablePlanner: Planner {
  /// The row for this photo, or the reason for its absence.
  package let entry: Result<TableEntry, TableFailure>
  /// Whether to replace an existing location and date.
  package var overwrite = Overwrite.keep

  /// Creates a planner that keeps the photo's own values.
  package init(_ entry: Result<TableEntry, TableFailure>) { self.entry = entry }

  /// Whether the row has a position.
  package var isAboutPlaces: Bool { (try? entry.get())?.coordinate != nil }

  /// Proposes the values that the row has and the photo lacks.
  ///
  /// If the photo already has the same position, its other data (speed, precision, time of the fix) stay, except
  /// altitude and direction if the row has them.
  package func propose(for metadata: Metadata) -> Proposal {
    do throws(TableFailure) {
      return propose(try entry.get(), metadata)
    } catch {
      return .skip(.table(error))
    }
  }

  private func propose(_ entry: TableEntry, _ metadata: Metadata) -> Proposal {
    var edit = MetadataEdit()
    var kept: [Reason] = []
    if let wanted = entry.location(replacing: metadata.location), wanted != metadata.location?.recordable {
      if let reason = metadata.keptPlace, overwrite != .replace {
        kept.append(reason)
      } else {
        edit.location = .set(wanted)
      }
    }
    if let time = entry.time, metadata.captureTime != metadata.captureTime?.applying(.set(time)) ?? time {
      if !metadata.isDated(besides: time) || overwrite == .replace {
        edit.dates = .set(time)
      } else {
        kept.append(.hasCaptureTime)
      }
    }
    // A time within the partial date is more precise.
    if let date = entry.partialDate, metadata.captureTime.map({ date.contains($0) }) != true {
      if !metadata.isDated || overwrite == .replace {
        edit.dates = .setPartial(date)
      } else if metadata.captureTime != nil || metadata.partialDates.first?.value != date {
        kept.append(.hasCaptureTime)
      }
    }
    guard edit.isEmpty else { return .change(edit, because: .listed(line: entry.line)) }
    if let why = metadata.malformedPlace, kept.contains(.malformedPlace(why)) { return .skip(.malformedPlace(why)) }
    return .unchanged(kept.first ?? .asWanted)
  }
}

extension TableEntry {
  /// Returns the row's location for a photo that has `old`.
  fileprivate func location(replacing old: Location?) -> Location? {
    guard let coordinate else { return nil }
    var location = Location(coordinate)
    if let old, old.coordinate.isSame(as: coordinate) {
      location = old.recordable
      location.coordinate = coordinate
    }
    location.altitude = altitude ?? location.altitude
    location.imageDirection = direction ?? location.imageDirection
    return location
  }
}

/// A table's values for one photo. Nil values aren't in the table.
package struct TableEntry: Hashable, Sendable {
  /// The number of the row's first line, counted from 1.
  package let line: Int
  /// The photo's position.
  package var coordinate: Coordinate?
  /// The altitude in metres above mean sea level.
  package var altitude: Double?
  /// The direction in which the camera pointed.
  package var direction: Direction?
  /// The time at which the photo was taken.
  package var time: CaptureTime?
  /// The year, month or day when it was taken, if no more is known.
  package var partialDate: PartialDate?

  init(line: Int) { self.line = line }

  /// Whether two rows have the same values.
  func says(asMuchAs other: TableEntry) -> Bool {
    coordinate == other.coordinate && altitude == other.altitude && direction == other.direction && time == other.time
      && partialDate == other.partialDate
  }
}
