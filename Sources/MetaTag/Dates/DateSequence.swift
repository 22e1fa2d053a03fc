package import SystemPackage

/// Dates at even steps, for scans and other photos of which only the order is known.
package struct DateSequence: Sendable {
  /// The order of the photos. It never depends on the order of the arguments.
  package enum Order: String, Sendable, CaseIterable {
    /// The order by path, with numbers in natural order: IMG_2 before IMG_10.
    case name
    /// The order by capture time, then by path. Capture times are compared as instants if all of them record their
    /// zone, otherwise as civil times. Photos without a date come last.
    case taken
  }

  /// The first photo's date.
  package var start: CaptureTime
  /// The time from one photo to the next; not zero.
  package var step: TimeShift
  /// The order of the photos.
  package var order = Order.name

  /// Creates a sequence of dates that begins at `start`.
  package init(start: CaptureTime, step: TimeShift) {
    self.start = start
    self.step = step
  }

  /// Returns the date of each photo; nil when the last would be outside the years 0…9999.
  ///
  /// - Parameter taken: The recorded capture times, as far as known.
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
    // If a date has no zone, civil times give the only order that covers all.
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
