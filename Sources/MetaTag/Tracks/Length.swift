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
