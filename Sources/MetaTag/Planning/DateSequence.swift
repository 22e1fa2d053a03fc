package import SystemPackage

/// Dates one step apart, for scans and other photos of which only the order is known.
package struct DateSequence: Sendable {
  /// What the photos are ordered by. It never depends on the order in which they are named.
  package enum Order: String, Sendable, CaseIterable {
    /// Their paths, counted as people do: IMG_2 before IMG_10.
    case name
    /// When they were taken, where all that have a date record its zone, else what their clocks showed; then their
    /// paths. Photos without a date come last.
    case taken
  }

  /// The first photo's date.
  package var start: CaptureTime
  /// From one photo to the next; not zero.
  package var step: TimeShift
  /// What they are ordered by.
  package var order = Order.name

  /// Dates from `start` on.
  package init(start: CaptureTime, step: TimeShift) {
    self.start = start
    self.step = step
  }

  /// Which photo gets which date; nil when the last would leave the years 0…9999.
  ///
  /// - Parameter taken: What the photos record now, where that is known.
  package func dates(
    for photos: [FilePath], taken: [FilePath: CaptureTime] = [:]
  ) -> [FilePath: CaptureTime]? {
    var time: CaptureTime? = start
    var dates: [FilePath: CaptureTime] = [:]
    for path in sorted(photos, taken) {
      guard let date = time else { return nil }
      dates[path] = date
      time = date.adding(step)
    }
    return dates
  }

  private func sorted(_ photos: [FilePath], _ taken: [FilePath: CaptureTime]) -> [FilePath] {
    let rows = photos.map { (path: $0, name: $0.lexicallyNormalized().bytes, time: order == .taken ? taken[$0] : nil) }
    // Where one has no zone, there is no other order of all than by what the clocks showed.
    let areInstants = rows.allSatisfy { $0.time?.offset != nil || $0.time == nil }
    return rows.sorted { a, b in
      switch (a.time, b.time) {
      case (let first?, let second?):
        let zones = areInstants ? (first.offset ?? .utc, second.offset ?? .utc) : (.utc, .utc)
        let (first, second) = (first.instant(at: zones.0), second.instant(at: zones.1))
        if first != second { return first < second }
      case (.some, nil): return true
      case (nil, .some): return false
      case (nil, nil): break
      }
      return NaturalOrder.precedes(a.name, b.name)
    }.map(\.path)
  }
}
