import Testing

@testable import MetaTag

@Suite("Future")
struct FutureTests {
  private final class Held: Sendable {
    let number = 7
  }

  @Test("A future releases its closure once the value is computed.")
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
