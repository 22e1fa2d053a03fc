import Testing

@testable import MetaTag

@Suite("A value that a thread of its own works out")
struct BackgroundTests {
  private final class Held: Sendable {
    let number = 7
  }

  @Test("What was held for it is free once it is there")
  func lettingGo() {
    for _ in 0..<2_000 {
      weak var last: Held?
      let value = {
        let held = Held()
        last = held
        return Future { held.number }
      }().value
      #expect(value == 7 && last == nil)
    }
  }

  @Test("work that fails throws its error to the thread that waits for it")
  func failure() throws {
    struct Failure: Error {}
    let failing = Future(catching: { () throws -> Int in throw Failure() })
    #expect(throws: Failure.self) { try failing.get() }
    #expect(try Future(catching: { 7 }).get() == 7)
  }
}
