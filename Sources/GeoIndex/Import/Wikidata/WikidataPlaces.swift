import Basics

/// Results of Wikidata's query service: CSV and TSV, SPARQL 1.1 JSON, and its lists of objects. Items are found by the
/// usual names of columns: `item`, `itemLabel`, and any with `Point(longitude latitude)`.
struct WikidataPlaces: PlaceFormat {
  let name = "Wikidata"

  func recognizes(_ head: ArraySlice<UInt8>) -> Bool {
    let text = String(decoding: head, as: UTF8.self)
    let first = text.first { !$0.isWhitespace }
    guard text.contains("wikidata.org/entity/Q"), first != "<" else { return false }
    if first == "{" { return text.contains("\"head\"") && text.contains("\"vars\"") }
    return first == "[" || text.contains("Point(")
  }

  func read(_ file: PlaceFile, _ take: (ImportedPlace) throws -> Void) throws {
    var results = WikidataResults()
    let first = file.window.head.first { $0 > 0x20 }
    if first == UInt8(ascii: "{") || first == UInt8(ascii: "[") {
      var json = JSONReader(file.window)
      try Self.readJSON(&json) { try results.add($0, take) }
    } else {
      try Self.readTable(DelimitedText(file.window)) { try results.add($0, take) }
    }
    try results.finish(take)
  }

  private static func readTable(_ table: DelimitedText, _ body: (WikidataRow) throws -> Void) throws {
    var table = table
    let headings = (try table.next()?.fields ?? []).map { String(decoding: $0, as: UTF8.self) }
    let isTSV = headings.first?.hasPrefix("?") == true
    let columns = headings.map { isTSV ? String($0.drop { $0 == "?" }) : $0 }
    while let record = try table.next() {
      var row = WikidataRow(entry: "row \(record.row)")
      for (column, field) in zip(columns, record.fields) {
        guard let text = String(validating: field, as: UTF8.self) else {
          row.isText = false
          break
        }
        row.values.append((column, isTSV ? plain(text) : text))
      }
      try body(row)
    }
  }

  /// Returns the text of an RDF term as TSV has it: `<address>`, `text@en`, `text^^<type>`.
  private static func plain(_ term: String) -> String {
    if term.hasPrefix("<"), term.hasSuffix(">") { return String(term.dropFirst().dropLast()) }
    if term.hasSuffix(">"), let type = term.firstRange(of: "^^<") { return String(term[..<type.lowerBound]) }
    guard let mark = term.lastIndex(of: "@"), PlaceField.language(term[term.index(after: mark)...]) != nil else {
      return term
    }
    return String(term[..<mark])
  }

  /// Visits the bindings in `results`, or the elements of the outermost list.
  private static func readJSON(_ json: inout JSONReader, _ body: (WikidataRow) throws -> Void) throws {
    var number = 0
    func visit(_ json: inout JSONReader) throws {
      try json.expect("[")
      if try json.skip("]") { return }
      repeat {
        number += 1
        try body(WikidataRow(try json.value(), entry: "result \(number)"))
      } while try json.skip(",")
      try json.expect("]")
    }
    func visitMembers(of path: ArraySlice<String>, _ json: inout JSONReader) throws {
      try json.expect("{")
      if try json.skip("}") { return }
      repeat {
        let name = try json.string()
        try json.expect(":")
        let next = try json.peek()
        if let wanted = path.first, name.elementsEqual(wanted.utf8) {
          if next == UInt8(ascii: "{"), path.count > 1 { try visitMembers(of: path.dropFirst(), &json); continue }
          if next == UInt8(ascii: "["), path.count == 1 { try visit(&json); continue }
        }
        _ = try json.rawValue()
      } while try json.skip(",")
      try json.expect("}")
    }
    if try json.peek() == UInt8(ascii: "[") {
      try visit(&json)
    } else {
      try visitMembers(of: ["results", "bindings"], &json)
    }
  }
}

/// One result: values by the names of columns.
struct WikidataRow {
  let entry: String
  var values: [(column: String, text: String)] = []
  /// Whether it is valid UTF-8.
  var isText = true

  init(entry: String) { self.entry = entry }

  /// Creates a row from a JSON object, whose values are scalars, or objects with a `value`.
  init(_ value: JSONValue, entry: String) {
    self.entry = entry
    for member in value.members ?? [] {
      let scalar = member.value["value"] ?? member.value
      guard let column = String(validating: member.name, as: UTF8.self), let text = scalar.scalarText else { continue }
      values.append((column, text))
    }
  }
}

/// Makes places of results. Results of one item follow each other: one for each of its classes, for example.
private struct WikidataResults {
  private var last: (item: String, place: PlaceDraft, factors: ImportanceFactors, entry: String)?
  private var items: Set<String> = []

  private static let entity = "wikidata.org/entity/Q"
  private static let classes: Set = [
    "instanceoflabel", "instancelabel", "typelabel", "classlabel", "kindlabel", "instanceof", "type", "class", "kind",
  ]

  mutating func add(_ row: WikidataRow, _ take: (ImportedPlace) throws -> Void) throws {
    guard row.isText else { return try take(.bad(entry: row.entry, why: "it is not valid UTF-8")) }
    let values = row.values.filter { !$0.text.isEmpty }
    if values.isEmpty { return }
    let isEntity = { (text: String) in text.contains(Self.entity) }
    let columns = Set(values.map(\.column))
    let main =
      values.first { $0.column == "item" && isEntity($0.text) }
      ?? values.first { isEntity($0.text) && columns.contains($0.column + "Label") }
      ?? values.first { isEntity($0.text) }
    let item = main.map { $0.text.split(separator: "/").last.map(String.init) ?? "" } ?? ""
    var draft = PlaceDraft()
    var factors = ImportanceFactors(hasWikidata: true)
    draft[.id] = item
    fill(&draft, &factors, values, main?.column ?? "item")
    if let same = last, same.item == item, !item.isEmpty {
      last?.place.merge(draft)
      last?.factors.languages = max(same.factors.languages, factors.languages)
      return try take(.duplicate)
    }
    try finish(take)
    guard item.isEmpty || items.insert(item).inserted else { return try take(.duplicate) }
    let name = draft[.name]
    if draft.point == nil, let text = values.first(where: { $0.text.lowercased().hasPrefix("point(") })?.text {
      return try take(.bad(entry: row.entry, why: "'\(text.prefix(60))' is not a valid position"))
    }
    // Places on the Moon, and unknown positions, have other texts. An item without a label is labelled with its number.
    guard draft.point != nil, name == nil || name != item, name?.utf8.count ?? 0 <= PlaceDraft.longest else {
      return try take(.unplaced)
    }
    last = (item, draft, factors, row.entry)
  }

  mutating func finish(_ take: (ImportedPlace) throws -> Void) throws {
    guard var ended = last.take() else { return }
    ended.factors.hasWikipedia = ended.factors.languages > 0
    ended.place.importance = Importance.of(ended.place.kind ?? .own, ended.factors)
    try take(.place(ended.place, entry: ended.entry))
  }

  private func fill(
    _ draft: inout PlaceDraft, _ factors: inout ImportanceFactors, _ values: [(column: String, text: String)],
    _ item: String
  ) {
    for (column, text) in values {
      let plain = column.lowercased()
      if draft.point == nil, let point = PlaceDraft.wellKnownPoint(text) {
        draft.point = point
        continue
      }
      guard !text.contains(Self.entity) else { continue }
      switch plain {
      case item.lowercased() + "label", "label", "name": draft[.name] = text
      case item.lowercased() + "altlabel", "altlabel", "aliases", "alias":
        for name in text.split(separator: ",") { draft.addName(String(name)) }
      case "sitelinks", "sitelinkcount", "linkcount", "links", "sitelink_count":
        factors.languages = Int(text).map { min(max($0, 0), 10_000) } ?? 0
      case "population", "pop", "inhabitants":
        guard let people = PlaceDraft.decimal(text), (1...2e10).contains(people) else { break }
        draft[.population] = "\(Int(people))"
        factors.population = Int(people)
      case "elevation", "altitude", "height", "ele", "elev":
        guard let metres = PlaceDraft.decimal(text), (-12_000...10_000).contains(metres) else { break }
        draft[.altitude] = "\(metres)"
        factors.height = metres
      case "country", "countrylabel", "countrycode": draft[.country] = text
      case let column where Self.classes.contains(column):
        draft[.category] = text
        draft.kind = draft.kind ?? WikidataKinds.table.kind(inWords: text)
      default:
        // `itemLabel_de` and `label_de` are names in German.
        let parts = column.split(separator: "_", maxSplits: 1)
        guard parts.count == 2, ["label", "name", item.lowercased() + "label"].contains(parts[0].lowercased()),
          let language = PlaceField.language(parts[1])
        else { break }
        draft.addName(text, language)
      }
    }
    draft.terms = .wikidata
  }
}

extension PlaceDraft {
  /// Takes over the kind and names of another result for the place.
  fileprivate mutating func merge(_ other: PlaceDraft) {
    kind = kind ?? other.kind
    let known = Set(names)
    for name in other.names where !known.contains(name) { addName(name.text, name.language) }
    if let name = other[.name], name != self[.name], !names.contains(where: { $0.text == name }) { addName(name) }
  }
}
