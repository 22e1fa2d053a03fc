extension MetadataEdit {
  /// The same for a sidecar that records `sidecar`, beside a photo that is believed to record `photo`. Where the sidecar
  /// states no time of its own, a date that is moved is the photo's, moved; and one that is set keeps the photo's offset.
  func stated(in sidecar: Metadata, of photo: Metadata) -> MetadataEdit {
    guard dates != .keep, sidecar.captureTimes.isEmpty else { return self }
    var own = self
    switch dates {
    case .set(let time): own.dates = .set((photo.captureTime ?? time).applying(dates) ?? time)
    case .adjust, .keep: own.dates = photo.captureTime?.applying(dates).map { .set($0) } ?? .keep
    }
    return own
  }
}
