extension Int {
  /// `1 place`, `2 places`.
  func pluralized(_ one: String, _ many: String? = nil) -> String { "\(self) \(self == 1 ? one : many ?? one + "s")" }
}
