import Foundation
import GeoIndex
import TestSupport
import Testing

@testable import metatag_cli

struct PlaceListTests {
  let home: Place
  let kyoto: Place

  init() throws {
    let scratch = try Scratch()
    let own = try UserPlaces(directory: scratch.url)
    home = try own.pin("home", latitude: 1, longitude: 2, in: nil)
    kyoto = try own.pin("京都の長い名前 e\u{301}🗼", latitude: 35, longitude: 135.7, in: nil)
  }

  private func list() -> PlaceList { PlaceList(recents: [kyoto], pins: [home, kyoto]) }

  @Test("Without text, recent places come first, then the other pins.")
  func offered() {
    var list = list()
    #expect(list.rows.map(\.place) == [kyoto, home])
    #expect(list.press(.down) == .goOn && list.press(.enter) == .take(home))
  }

  @Test("An answer to an older text is not shown.")
  func late() {
    var list = list()
    #expect(list.press(.text("k")) == .ask("k") && list.press(.text("y")) == .ask("ky"))
    #expect(list.show([], for: "k") == .goOn)
    #expect(list.rows.count == 2)
    #expect(list.show([], for: "ky") == .goOn)
    #expect(list.rows.isEmpty && list.press(.enter) == .goOn)
    #expect(list.press(.eraseAll) == .goOn && list.rows.count == 2)
  }

  @Test("Erasing removes a visible character or a word.")
  func erasing() {
    var list = list()
    _ = list.press(.text("San Jose\u{301} "))
    #expect(list.press(.eraseCharacter) == .ask("San Jose\u{301}"))
    #expect(list.press(.eraseCharacter) == .ask("San Jos"))
    #expect(list.press(.eraseWord) == .ask("San "))
    #expect(list.press(.eraseWord) == .goOn && list.text.isEmpty)
    #expect(list.press(.escape) == .leave && list.press(.interrupt) == .interrupt)
  }

  @Test("No line is wider than the screen, whatever is typed.", arguments: [1, 2, 5, 9, 12, 20, 200], [1, 2, 3, 24])
  func narrow(columns: Int, lines: Int) {
    var list = list()
    let empty = list.screen(columns: columns, lines: lines, isMarked: false)
    #expect(empty.lines.count <= lines && empty.cursor < columns)
    #expect(empty.lines.allSatisfy { $0.displayWidth <= columns })
    _ = list.press(.text(String(repeating: "京都", count: 60) + "\u{1B}[2J"))
    let typed = list.screen(columns: columns, lines: lines, isMarked: false)
    #expect(typed.lines.allSatisfy { $0.displayWidth <= columns && !$0.contains("\u{1B}") } && typed.cursor < columns)
  }
}
