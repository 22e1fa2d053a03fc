/// Why a command could not begin: no photo was touched. Exit status 2.
struct StartError: Error, CustomStringConvertible {
  let description: String

  init(_ sentence: String) { description = sentence }
}
