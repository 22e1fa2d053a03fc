import GeoIndex

/// What stands on the screen while a place is picked, and what keys do to it.
struct PlaceList {
  /// A place that can be taken.
  struct Row: Hashable {
    let place: Place
    /// Its name, as one looks for it.
    let name: String
    /// What tells it from others of its name.
    let detail: String
  }

  /// What follows from a key.
  enum Step: Hashable {
    case goOn
    /// The text is another: its answer must come.
    case ask(String)
    case take(Place)
    case leave
    case interrupt
  }

  private(set) var text = ""
  private(set) var rows: [Row]
  private(set) var selected = 0
  /// Shown while nothing is typed.
  private let offered: [Row]
  /// The answer to the text isn't there yet.
  private var isWaiting = false
  /// Keys that are about rows which aren't there yet.
  private var waiting: [Key] = []

  /// Characters.
  private static let longest = 200
  /// How far the keys for pages go.
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

  /// Shows what was found, if it is for the text that was asked for last.
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

  /// The lines of a screen, none wider than it, and the column in the first one where the next character goes.
  /// - Parameter isMarked: the row that is chosen is shown in reverse, not only with a `>`.
  func screen(columns: Int, lines: Int, isMarked: Bool) -> (lines: [String], cursor: Int) {
    // A cursor behind the last column would be on the next line.
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
    if lines > 1 { screen.append("up, down: choose   enter: take   escape: leave".cut(to: columns)) }
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

  /// What it is, or which import it comes from.
  fileprivate var origin: String { kind == .city || kind == .coordinate ? "" : own?.source ?? kind.rawValue }
}
