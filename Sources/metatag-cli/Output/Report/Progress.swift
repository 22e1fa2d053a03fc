/// How far a run is, in one line with rate and time left.
struct Progress: Sendable {
  /// What there is to do.
  let total: Int
  /// How much of it is done.
  var done = 0
  /// What is counted.
  private let unit: String
  private let start: ContinuousClock.Instant
  private var lastLine: ContinuousClock.Instant?

  init(total: Int, unit: String = "files", start: ContinuousClock.Instant = .now) {
    self.total = total
    self.unit = unit
    self.start = start
  }

  /// The line to show now, or nil when the last one is younger than a tenth of a second.
  mutating func nextLine(at now: ContinuousClock.Instant, columns: Int) -> String? {
    if let lastLine, lastLine.duration(to: now) < .milliseconds(100) { return nil }
    lastLine = now
    return line(at: now, columns: columns)
  }

  /// `312 of 4120 files, 410/s, 9 s left`, cut to the terminal's width.
  func line(at now: ContinuousClock.Instant, columns: Int) -> String {
    var line = "\(done) of \(total) \(unit)"
    let elapsed = start.duration(to: now) / .seconds(1)
    if done > 0, elapsed > 0 {
      let rate = Double(done) / elapsed
      line += rate >= 10 ? ", \(Int(rate))/s" : ", \(Int(rate * 10) / 10).\(Int(rate * 10) % 10)/s"
      // The first half second says little about the rest.
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
