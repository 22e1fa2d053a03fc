import Testing

@testable import MetaTag

@Suite("Future")
struct BackgroundTests {
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
}
