/// An error that keeps a command from starting; no photo was changed. The exit status is 2, or 64 for a value that is
/// invalid.
struct SetupError: Error, CustomStringConvertible {
  let description: String
  let isUsage: Bool

  init(_ sentence: String, isUsage: Bool = false) { (description, self.isUsage) = (sentence, isUsage) }
}
