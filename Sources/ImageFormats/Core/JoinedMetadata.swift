extension Metadata {
  /// Joins the metadata of a file and its sidecar, including all copies. For a raw file (`isRaw`) the sidecar has
  /// priority, because programs leave raw files unchanged and put changes into a sidecar. Otherwise the file has
  /// priority, and the sidecar fills gaps.
  package func joined(with sidecar: Metadata, isRaw: Bool) -> Metadata {
    let other = sidecar.ofSidecar
    var whole = isRaw ? other.followed(by: self) : followed(by: other)
    (whole.modifyTime, whole.orientation) = (modifyTime, orientation ?? sidecar.orientation)
    whole.notes = notes + other.notes
    if isRaw, other.knowsNoTime {
      (whole.overruledTimes, whole.captureTimes) = (captureTimes, [])
    }
    // A new place for a raw file doesn't change the direction of the camera.
    if isRaw, !whole.locations.isEmpty, whole.locations[0].value.imageDirection == nil {
      whole.locations[0].value.imageDirection = location?.imageDirection
    }
    return whole
  }

  /// The metadata of the file without its sidecar.
  package var withoutSidecar: Metadata {
    var own = self
    own.keep { $0 != .sidecar }
    own.captureTimes += own.overruledTimes
    own.overruledTimes = []
    return own
  }

  private var ofSidecar: Metadata {
    var other = self
    other.setNamespace(.sidecar)
    other.notes = notes.map { Note($0.code, "its sidecar: \($0)", remedy: $0.remedy) }
    return other
  }

  /// Appends the copies of `other` to the own ones.
  private func followed(by other: Metadata) -> Metadata {
    var whole = self
    whole.captureTimes += other.captureTimes
    whole.digitizedTimes += other.digitizedTimes
    whole.partialDates += other.partialDates
    whole.additionalDates += other.additionalDates
    whole.additionalPlaces += other.additionalPlaces
    whole.unreadPlaces += other.unreadPlaces
    whole.malformedPlaces += other.malformedPlaces
    whole.satelliteTimes += other.satelliteTimes
    whole.digitizedDays += other.digitizedDays
    whole.malformedDates += other.malformedDates
    whole.malformedOffsets += other.malformedOffsets
    whole.irregularDates += other.irregularDates
    whole.locations += other.locations
    whole.placeNames += other.placeNames
    whole.namesShown += other.namesShown
    whole.fields += other.fields
    whole.contentLocations += other.contentLocations
    whole.movieOffset = movieOffset ?? other.movieOffset
    whole.make = make ?? other.make
    whole.model = model ?? other.model
    whole.serialNumber = serialNumber ?? other.serialNumber
    whole.lensModel = lensModel ?? other.lensModel
    return whole
  }

  private mutating func setNamespace(_ namespace: Namespace) {
    captureTimes.set(namespace)
    digitizedTimes.set(namespace)
    partialDates.set(namespace)
    additionalDates.set(namespace)
    additionalPlaces.set(namespace)
    unreadPlaces.set(namespace)
    malformedPlaces.set(namespace)
    satelliteTimes.set(namespace)
    digitizedDays.set(namespace)
    malformedDates.set(namespace)
    malformedOffsets.set(namespace)
    irregularDates.set(namespace)
    locations.set(namespace)
    placeNames.set(namespace)
    namesShown.set(namespace)
    fields.set(namespace)
  }

  private mutating func keep(_ isKept: (Namespace) -> Bool) {
    captureTimes.removeAll { !isKept($0.namespace) }
    digitizedTimes.removeAll { !isKept($0.namespace) }
    partialDates.removeAll { !isKept($0.namespace) }
    additionalDates.removeAll { !isKept($0.namespace) }
    additionalPlaces.removeAll { !isKept($0.namespace) }
    unreadPlaces.removeAll { !isKept($0.namespace) }
    malformedPlaces.removeAll { !isKept($0.namespace) }
    satelliteTimes.removeAll { !isKept($0.namespace) }
    digitizedDays.removeAll { !isKept($0.namespace) }
    malformedDates.removeAll { !isKept($0.namespace) }
    malformedOffsets.removeAll { !isKept($0.namespace) }
    irregularDates.removeAll { !isKept($0.namespace) }
    locations.removeAll { !isKept($0.namespace) }
    placeNames.removeAll { !isKept($0.namespace) }
    namesShown.removeAll { !isKept($0.namespace) }
    fields.removeAll { !isKept($0.namespace) }
  }
}

extension Array {
  fileprivate mutating func set<Value>(_ namespace: Namespace) where Element == Sourced<Value> {
    for index in indices { self[index].namespace = namespace }
  }
}
