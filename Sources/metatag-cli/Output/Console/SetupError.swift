/// Why a command could not begin: no photo was touched. Exit status 2, or 64 where a value was typed that can't be
/// one.
struct SetupError: Error, CustomStringConvertible {
  let description: String
  let isUsage: Bool

  init(_ sentence: String, isUsage: Bool = false) { (description, self.isUsage) = (sentence, isUsage) }
}
