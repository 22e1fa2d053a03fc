/// Gives a photo the position and the date that a table has for it.
package struct TablePlanner: Planner {
  /// What the table says of this photo, or why it says nothing.
  package let entry: Result<TableEntry, TableFailure>
  /// What becomes of a location, and of a date, that is there.
  package var overwrite = Overwrite.keep

  /// The default: what the photo records is kept.
  package init(_ entry: Result<TableEntry, TableFailure>) { self.entry = entry }

  /// Whether the row has a position.
  package var isAboutPlaces: Bool { (try? entry.get())?.coordinate != nil }

  /// What the row says and the photo doesn't.
  ///
  /// A position that the photo has already keeps what else is known of it (speed, precision, time of the fix), except
  /// altitude and direction where the row tells them.
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
    // A time that lies in it says more.
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
  /// The location that it means for a photo which has `old`.
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
