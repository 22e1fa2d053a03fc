extension [String] {
  /// The words as a shell reads them, quoted where they must be.
  var inShell: String {
    map { word in
      let isPlain = !word.isEmpty && word.allSatisfy { $0.isLetter || $0.isNumber || "-_./+,:=@%".contains($0) }
      return isPlain ? word : "'" + word.replacing("'", with: #"'\''"#) + "'"
    }.joined(separator: " ").printable
  }
}
