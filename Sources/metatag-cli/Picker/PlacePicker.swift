import ArgumentParser
import GeoIndex
import SystemPackage

/// Lets the user pick a place on the terminal.
struct PlacePicker {
  let completion: PlaceCompletion
  let recents: [Place]
  let pins: [Place]
  let environment: [String: String]

  /// Returns the chosen place, or nil if the user left.
  /// - Throws: `ExitCode` 130 after Ctrl-C or a signal.
  func pick() async throws -> Place? {
    let screen = try Screen(environment: environment)
    return try await pick(on: screen)
  }

  private func pick(on screen: borrowing Screen) async throws -> Place? {
    let terminal = try TerminalEvents(descriptor: screen.descriptor.rawValue)
    let (completion, input, events) = (completion, terminal.input, terminal.events)
    return try await withThrowingTaskGroup(of: Void.self) { group in
      group.addTask {
        for await answer in completion {
          input.yield(answer.error.map { .failed("\($0.words)") } ?? .found(answer))
        }
      }
      defer { completion.finish() }
      var (list, decoder) = (PlaceList(recents: recents, pins: pins), KeyDecoder())
      show(list, on: screen)
      for await event in events {
        var steps: [PlaceList.Step] = []
        switch event {
        case .typed(let bytes): for key in decoder.keys(bytes) { steps.append(list.press(key)) }
        case .found(let answer): steps = [list.show(answer.results, for: answer.text)]
        case .failed(let why): throw SetupError(why)
        case .resized: break
        case .ended: throw ExitCode(130)
        }
        for step in steps {
          switch step {
          case .goOn: break
          case .ask(let text): completion.type(text)
          case .take(let place): return place
          case .leave: return nil
          case .interrupt: throw ExitCode(130)
          }
        }
        show(list, on: screen)
      }
      return nil
    }
  }

  private func show(_ list: PlaceList, on screen: borrowing Screen) {
    let size = screen.size
    // https://no-color.org: some consider reverse video a colour.
    let isMarked = (environment["NO_COLOR"] ?? "").isEmpty
    let drawn = list.screen(columns: size.columns, lines: size.lines, isMarked: isMarked)
    screen.draw(drawn.lines, cursor: drawn.cursor)
  }
}

/// The state of the screen while a place is picked, and the effect of keys.
struct PlaceList {
  /// A place that can be chosen.
  struct Row: Hashable {
    let place: Place
    /// Its name in the language of the search.
    let name: String
    /// Region and country, to tell it from others of the same name.
    let detail: String
  }

  /// The effect of a key.
  enum Step: Hashable {
    case goOn
    /// The text changed: search for it.
    case ask(String)
    case take(Place)
    case leave
    case interrupt
  }

  private(set) var text = ""
  private(set) var rows: [Row]
  private(set) var selected = 0
  /// The rows shown before anything is typed.
  private let offered: [Row]
  /// Whether the search for the text is still running.
  private var isWaiting = false
  /// Keys to handle when the search is done.
  private var waiting: [Key] = []

  /// The greatest number of characters.
  private static let longest = 200
  /// The number of rows that Page Up and Page Down move.
  private static let page = 10

  init(recents: [Place], pins: [Place]) {
    let kept = recents.map { Row(place: $0, name: $0.name, detail: $0.detail) }
    let known = Set(recents.map(\.id))
    offered =
      kept + pins.filter { !known.contains($0.id) }.map { Row(place: $0, name: "@" + $0.name, detail: $0.detail) }
    rows = offered
  }

  mutating func press(_ key: Key) -> Step {
    switch key {
    case .interrupt: return .interrupt
    case .escape: return .leave
    case .text(let typed): return edit(text + typed.filter { !$0.isNewline })
    case .eraseCharacter: return edit(String(text.dropLast()))
    case .eraseAll: return edit("")
    case .eraseWord:
      let words = text.reversed().drop(while: \.isWhitespace).drop { !$0.isWhitespace }
      return edit(String(words.reversed()))
    default:
      if isWaiting {
        waiting.append(key)
        return .goOn
      }
      return move(key)
    }
  }

  /// Shows results, if they are for the current text.
  mutating func show(_ results: [SearchResult], for asked: String) -> Step {
    guard isWaiting, asked == text else { return .goOn }
    rows = results.map(Row.init)
    (selected, isWaiting) = (0, false)
    defer { waiting = [] }
    for key in waiting {
      let step = move(key)
      if step != .goOn { return step }
    }
    return .goOn
  }

  private mutating func edit(_ new: String) -> Step {
    let new = String(new.prefix(Self.longest))
    guard new != text else { return .goOn }
    (text, waiting) = (new, [])
    isWaiting = new.contains { !$0.isWhitespace }
    if isWaiting { return .ask(new) }
    (rows, selected) = (offered, 0)
    return .goOn
  }

  private mutating func move(_ key: Key) -> Step {
    guard !rows.isEmpty else { return .goOn }
    switch key {
    case .enter: return .take(rows[selected].place)
    case .up: selected = max(0, selected - 1)
    case .down: selected = min(rows.count - 1, selected + 1)
    case .pageUp: selected = max(0, selected - Self.page)
    case .pageDown: selected = min(rows.count - 1, selected + Self.page)
    case .first: selected = 0
    case .last: selected = rows.count - 1
    default: break
    }
    return .goOn
  }

  // MARK: The screen

  /// Returns the lines of the screen, none wider than `columns`, and the column of the cursor in the first line.
  /// - Parameter isMarked: Whether to show the chosen row in reverse, not only with a `>`.
  func screen(columns: Int, lines: Int, isMarked: Bool) -> (lines: [String], cursor: Int) {
    // Past the last column, the cursor would wrap to the next line.
    let prompt = "place: ".cut(to: columns - 1)
    let room = max(0, columns - 1 - prompt.displayWidth)
    var typed = text.printable
    while typed.displayWidth > room { typed.removeFirst() }
    var screen = [prompt + typed]
    let height = max(0, lines - 2)
    let start = max(0, min(selected - height / 2, rows.count - height))
    for (index, row) in rows.enumerated().dropFirst(start).prefix(height) {
      let line = (index == selected ? "> " : "  ") + row.name.printable
      let whole = (row.detail.isEmpty ? line : "\(line)  \(row.detail.printable)").cut(to: columns)
      screen.append(index == selected && isMarked ? "\u{1B}[7m\(whole)\u{1B}[0m" : whole)
    }
    if rows.isEmpty, height > 0 {
      screen.append((isWaiting ? "" : text.isEmpty ? "  type a name" : "  nothing found").cut(to: columns))
    }
    if lines > 1 { screen.append("up, down: choose   enter: accept   escape: cancel".cut(to: columns)) }
    return (screen, prompt.displayWidth + typed.displayWidth)
  }
}

extension PlaceList.Row {
  fileprivate init(_ result: SearchResult) {
    let place = result.place
    let isPin = place.own?.source == "pins"
    let alias = place.matchedName == result.name || place.kind == .coordinate ? "" : " (\(place.matchedName))"
    self.init(
      place: place, name: (isPin ? "@" : "") + result.name + alias,
      detail: [result.admin1 ?? "", result.country, place.origin].filter { !$0.isEmpty }.joined(separator: ", "))
  }
}

extension Place {
  fileprivate var detail: String { [admin1 ?? "", country, origin].filter { !$0.isEmpty }.joined(separator: ", ") }

  /// Its kind, or the import it comes from.
  fileprivate var origin: String { kind == .city || kind == .coordinate ? "" : own?.source ?? kind.rawValue }
}
