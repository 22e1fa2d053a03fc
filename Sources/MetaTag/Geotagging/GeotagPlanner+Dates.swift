/// Corrections of dates together with the location.
extension GeotagPlanner {
  /// Adds the correct dates to an edit: the offset of a clock that was correct, or with `fixesDates` the date and
  /// offset of a corrected clock. The reading of a wrong clock gets no offset, which would turn it into a wrong
  /// instant. A date stays unchanged if its clock isn't known to the minute.
  ///
  /// - Parameter place: The place where the photo was taken.
  func dateTruly(
    _ metadata: Metadata, _ reading: ClockReading, at place: Coordinate?, _ edit: inout MetadataEdit
  ) throws(Reason) {
    let isOffsetNew = recordsOffset && metadata.datedOffsets.isEmpty
    let correction = correction(of: metadata)
    let zone = zoneChange(of: metadata, reading, at: place)
    if correction == .zero, zone == 0 {
      // A clock that may be minutes wrong is not known to be correct.
      guard isOffsetNew, !reading.isVague, reading.uncertainty <= ClockErrors.exactSeconds else { return }
      edit.dates = .adjust(CalendarShift().anchored(at: metadata.captureTime), offset: .set(reading.offset))
    } else if fixesDates, !reading.isVague {
      var shift = CalendarShift(
        TimeShift(seconds: correction.seconds + zone, nanoseconds: correction.nanoseconds))
      if metadata.captureTime?.fraction == nil { shift = shift.wholeSeconds }
      shift = try DatePlanner.checked(shift, metadata)
      edit.dates = .adjust(shift, offset: isOffsetNew ? .set(reading.offset(later: zone)) : .keep)
      edit.movesFilesAlike = true
    }
  }

  /// Returns the seconds by which clocks at a photo's place are ahead of its camera's, if the zone of the camera's
  /// clock is known only from an instant. Such a photo gets the time of its place. Headers of a movie may be in UTC, so
  /// they keep their zone.
  private func zoneChange(of metadata: Metadata, _ reading: ClockReading, at place: Coordinate?) -> Int64 {
    guard fixesDates, recordsOffset, reading.isSynced, metadata.datedOffsets.isEmpty,
      !metadata.captureTimes.contains(where: { $0.namespace == .quickTime }),
      let offset = place.flatMap({ offset(of: $0, at: reading.instant.adding(correction(of: metadata))) })
    else { return 0 }
    return Int64(offset.seconds - reading.offset.seconds)
  }

  /// Returns the proposal for a photo that keeps its place: with `fixesDates`, its date is corrected.
  ///
  /// A position without the time of its fix gets that of the photo, so that a later run recognizes the correction.
  func keepingPlace(of metadata: Metadata, _ why: Reason) -> Proposal {
    guard fixesDates, correction(of: metadata) != .zero else { return .unchanged(why) }
    do throws(Reason) {
      let reading = try reading(of: metadata)
      try requireNotFixed(metadata, reading)
      guard !reading.isVague else { throw .vagueClock(seconds: reading.clockUncertainty, metres: nil) }
      var edit = MetadataEdit()
      try dateTruly(metadata, reading, at: metadata.location?.coordinate, &edit)
      guard case .adjust(let shift, _) = edit.dates else { return .unchanged(why) }
      if metadata.fixTime == nil, var location = metadata.location {
        location.timestamp = reading.instant.adding(correction(of: metadata))
        edit.location = .set(location.recordable)
        edit.keepsCompanions = true
      }
      return .change(edit, because: .shifted(shift))
    } catch {
      return .skip(error)
    }
  }

  /// Throws for a photo whose date was, or may have been, corrected already: another correction would make both its
  /// place and its date wrong.
  ///
  /// A position from a track has the photo's own time: it must be nearer to the corrected time than to the photo's
  /// reading. The camera's own fix is no later than the photo and may be old. A slow clock is still slow if the fix is
  /// later than the reading; a fast clock is still fast if the fix is just before the corrected time. A movie has no
  /// such time: its place must be nearer to the track at the corrected time. A photo whose place fits the track as it
  /// is read, but not as corrected, has a correct clock. If a run moved the dates before, only what can't be true of a
  /// corrected photo counts: the time of its position, unless that may be old.
  ///
  /// If dates are left unchanged, none gets worse: a photo without evidence is placed by the correction. So is one that
  /// a run placed by its present date, which is how a wrong place is corrected.
  func requireNotFixed(_ metadata: Metadata, _ reading: ClockReading) throws(Reason) {
    let correction = correction(of: metadata)
    guard correction != .zero, fixesDates || !isPlacedAsDated || dated != nil else { return }
    let right = reading.instant.adding(correction)
    let shutter = Double(DateCheck.shutterSeconds)
    if let fix = metadata.fixTime {
      let (read, corrected) = (fix.timeInterval(since: reading.instant), fix.timeInterval(since: right))
      let isWrong =
        if metadata.hasTimeOfPhoto() {
          abs(corrected) < abs(read)
        } else if !fixesDates, dated == nil {
          abs(correction.timeInterval) <= shutter || !(-shutter...Self.fixJitter).contains(read)
        } else if correction.timeInterval > 0 {
          read >= Self.fixJitter
        } else if let dated {
          throw .datesFixed(by: .run(dated), correction)
        } else {
          (-min(shutter, -correction.timeInterval / 2)...Self.fixJitter).contains(corrected)
        }
      guard isWrong else { throw .datesFixed(by: .gpsTime(fix), correction) }
    } else if let dated {
      throw .datesFixed(by: .run(dated), correction)
    } else if metadata.captureTimes.first?.namespace == .quickTime, let place = metadata.location?.coordinate {
      let (read, corrected) = (distance(of: place, at: reading.instant), distance(of: place, at: right))
      if fixesDates ? corrected >= read : corrected > read { throw .datesFixed(by: .place, correction) }
    } else if reference == .track, let place = metadata.location?.coordinate {
      // A photo whose position fits neither, or both, gives no evidence.
      let (read, corrected) = (distance(of: place, at: reading.instant), distance(of: place, at: right))
      if read <= Self.fitMetres, corrected > Self.fitMetres { throw .datesFixed(by: .place, correction) }
    }
  }

  /// Metres up to which a photo's own position fits the track.
  private static let fitMetres = 50.0

  /// Seconds by which a fix may seem later than its photo: both times are whole seconds.
  private static let fixJitter = 1.0

  /// Returns the metres from the track's position; infinite if it has none at that time.
  private func distance(of place: Coordinate, at instant: Instant) -> Double {
    (try? track.match(instant, rules: match))?.location.coordinate.distance(to: place) ?? .infinity
  }
}

extension Metadata {
  /// The time at which the position was measured, by the satellites' clock.
  var fixTime: Instant? { location?.timestamp ?? satelliteTimes.first?.value }

  /// Returns the change for another file of the photo: the same shift, and the offset only for files that record none.
  func moving(as dates: DateChange) -> DateChange {
    guard case .adjust(let shift, let offset) = dates, captureTime != nil else { return .keep }
    let isZoned = isDatedByHeaders || !datedOffsets.isEmpty
    return .adjust(shift.anchored(at: captureTime), offset: isZoned ? .keep : offset)
  }
}

extension ClockReading {
  fileprivate func offset(later seconds: Int64) -> UTCOffset {
    UTCOffset(seconds: offset.seconds + Int(seconds)) ?? offset
  }
}
