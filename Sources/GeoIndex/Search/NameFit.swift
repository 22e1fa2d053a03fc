import Foundation

/// How well names fit what was typed when their keys are equal.
struct NameFit {
  private let tables: NameTables
  private let language: String
  private let isCode: Bool
  /// Whether sets of languages have the wanted one.
  private var known: [UInt32: Bool] = [0: false]

  init(_ tables: NameTables, _ request: SearchRequest) {
    self.tables = tables
    language = request.language
    let typed = request.text.trimmingCharacters(in: .whitespaces)
    isCode = (2...4).contains(typed.utf8.count) && typed.utf8.allSatisfy { (0x41...0x5A).contains($0) }
  }

  /// Up to 1 for a name; more for a code that was typed in capitals.
  mutating func whole(_ alias: Int, length: Int) -> Float {
    let flags = tables.aliasFlags[alias]
    if flags & NameIndex.code != 0 {
      guard isCode else { return 0.5 }
      return length == 3 ? 1.5 : 1.2
    }
    return 1 - foreignness(alias)
  }

  /// What a name loses that isn't the place's own: little if the wanted language says so, more if another does, most if nobody
  /// knows who says so.
  mutating func foreignness(_ alias: Int) -> Float {
    if tables.aliasFlags[alias] & NameIndex.own != 0 { return 0 }
    let set = tables.aliasLanguages[alias]
    guard set != 0 else { return 0.16 }
    if let isWanted = known[set] { return isWanted ? 0.03 : 0.12 }
    let isWanted = tables.text(at: set).split(separator: ",").contains { Naming.fit($0, language) > 0 }
    known[set] = isWanted
    return isWanted ? 0.03 : 0.12
  }
}
