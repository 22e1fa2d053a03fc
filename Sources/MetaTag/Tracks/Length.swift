/// A length in metres as text: `35 m`, `1.2 km`, `340 km`.
struct Length: CustomStringConvertible {
  let description: String

  init(_ metres: Double) {
    let metres = min(abs(metres), 1e8).rounded()
    switch metres {
    case ..<1_000: description = "\(Int(metres)) m"
    case ..<100_000: description = "\((metres / 100).rounded() / 10) km"
    default: description = "\(Int((metres / 1_000).rounded())) km"
    }
  }
}

/// A time span in seconds as text: `7.5 s`, `12 min`, `3 h 5 min`, `2 days`; rounded down to the precision shown.
struct Span: CustomStringConvertible {
  let description: String

  init(_ seconds: Double) {
    let tenths = Int64(min((abs(seconds) * 10).rounded(), 1e15))
    let whole = tenths / 10
    switch whole {
    case ..<120: description = "\(whole)" + (tenths % 10 == 0 ? "" : ".\(tenths % 10)") + " s"
    case ..<7_200: description = "\(whole / 60) min"
    case ..<172_800: description = "\(whole / 3_600) h" + (whole % 3_600 >= 60 ? " \(whole % 3_600 / 60) min" : "")
    default: description = "\(whole / 86_400) days"
    }
  }
}
