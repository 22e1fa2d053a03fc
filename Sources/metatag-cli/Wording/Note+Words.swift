import MetaTag
import SystemPackage

extension Note {
  /// The note in a sentence, and what to do in another.
  var words: String { joined(description, remedy) }

  /// The note without the names of files, under which rows are counted together: `….MP4 has the same name, …`.
  var summary: String {
    let name = file.map { "\(Note.withoutStem($0)) " } ?? ""
    guard case .fixName(let right)? = remedy else { return joined(name + sentence, remedy) }
    return joined(name + sentence, .fixName(Note.withoutStem(right)))
  }

  private static func withoutStem(_ name: String) -> String { "….\(FilePath(name).extension ?? "")" }
}

extension [Note] {
  /// The notes in one sentence after `sentence`, and all remedies in sentences of their own.
  func words(after sentence: String? = nil, _ remedy: Remedy? = nil) -> String {
    let facts = ([sentence].compactMap(\.self) + map(\.description)).joined(separator: "; ")
    return ([remedy] + map(\.remedy)).compactMap { $0?.words }.reduce(facts) { text, remedy in
      text + (text.hasSuffix(".") ? " " : ". ") + remedy
    }
  }
}
