import Testing

@testable import MetaTag

@Suite("Trouble with a disk")
struct DiskTroubleTests {
  @Test("is told to every group that was on its way, of that disk, and to none that began later")
  func shared() {
    let trouble = DiskTrouble()
    let early = trouble.count
    trouble.add(PhotoError(.io, "first"), on: 7)
    let late = trouble.count
    trouble.add(PhotoError(.io, "second"), on: 8)
    #expect(trouble.first(on: 7, after: early)?.sentence == "first")
    #expect(trouble.first(on: 7, after: late) == nil)
    #expect(trouble.first(on: 8, after: late)?.sentence == "second")
    #expect(trouble.first(on: 9, after: 0) == nil)
  }
}
