import SystemPackage
import Testing

@testable import MetaTag

@Suite("Names by stem")
struct NamesByStemTests {
  @Test("The names of a stem are found, whatever sorts between them.")
  func find() throws {
    let names = ["a.jpg", "a.b.jpg", "a-1.jpg", "a.mov", "A.jpg", "b.jpg", "a.b.mov", "none", "a", "ab.jpg"]
    let table = NamesByStem(names.compactMap { FilePath.Component($0) })
    #expect(table[Array("a".utf8)].map(\.string) == ["a.jpg", "a.mov"])
    #expect(table[Array("a.b".utf8)].map(\.string) == ["a.b.jpg", "a.b.mov"])
    #expect(table[Array("A".utf8)].map(\.string) == ["A.jpg"])
    #expect(table[Array("none".utf8)].isEmpty && table[[]].isEmpty && NamesByStem([])[[]].isEmpty)
    #expect(Set(table.all.map(\.string)) == Set(names).subtracting(["none", "a"]))
  }

  @Test("Names that aren't UTF-8 are found by their bytes.")
  func bytes() throws {
    let name = try #require(FilePath.Component([0xE9, 0x2E, 0x6A]))
    #expect(NamesByStem([name])[[0xE9]] == [name])
  }
}
