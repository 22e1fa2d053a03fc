extension MetadataEdit {
  /// The same for a sidecar that records `sidecar`, beside a photo that is believed to record `photo`. Where the sidecar
  /// states no time of its own, a date that is moved is the photo's, moved; and one that is set keeps the photo's offset.
  func stated(in sidecar: Metadata, of photo: Metadata) -> MetadataEdit {
    guard dates != .keep, !sidecar.isDated else { return self }
    var own = self
    switch dates {
    case .set(let time): own.dates = .set((photo.captureTime ?? time).applying(dates) ?? time)
    case .adjust(let shift, _):
      let partial = photo.partialDates.first.flatMap { shift.moving($0.value) }
      own.dates = photo.captureTime?.applying(dates).map { .set($0) } ?? partial.map { .setPartial($0) } ?? .keep
    case .keep, .setPartial: break
    }
    return own
  }
}
