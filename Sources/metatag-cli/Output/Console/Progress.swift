/// The progress of a run, with rate and remaining time, in one line.
struct Progress: Sendable {
  /// The total count.
  let total: Int
  /// The count that is done.
  var done = 0
  /// The noun for the count.
  private let unit: String
  private let start: ContinuousClock.Instant
  private var lastLine: ContinuousClock.Instant?

  init(total: Int, unit: String = "files", start: ContinuousClock.Instant = .now) {
    self.total = total
    self.unit = unit
    self.start = start
  }

  /// Returns the line to show now, or nil if the last one is less than a tenth of a second old.
  mutating func nextLine(at now: ContinuousClock.Instant, columns: Int) -> String? {
    if let lastLine, lastLine.duration(to: now) < .milliseconds(100) { return nil }
    lastLine = now
    return line(at: now, columns: columns)
  }

  /// Returns the line, cut to the terminal's width: `312 of 4120 files, 410/s, 9 s left`.
  func line(at now: ContinuousClock.Instant, columns: Int) -> String {
    var line = "\(done) of \(total) \(unit)"
    let elapsed = start.duration(to: now) / .seconds(1)
    if done > 0, elapsed > 0 {
      let rate = Double(done) / elapsed
      line += rate >= 10 ? ", \(Int(rate))/s" : ", \(Int(rate * 10) / 10).\(Int(rate * 10) % 10)/s"
      // The rate is unreliable during the first half second.
      if elapsed >= 0.5, done < total {
        line += ", " + Progress.text(seconds: Int((Double(total - done) / rate).rounded(.up))) + " left"
      }
    }
    return String(line.prefix(max(0, columns - 1)))
  }

  private static func text(seconds: Int) -> String {
    switch seconds {
    case ..<60: "\(seconds) s"
    case ..<3_600: "\(seconds / 60) min \(seconds % 60) s"
    default: "\(seconds / 3_600) h \(seconds / 60 % 60) min"
    }
  }
}
