/// The EXIF tags of an edit in a plan file: by their names, with the values in the syntax of `metatag set --set`.
extension MetadataEdit {
  var planTags: PlanValue? {
    let named = fields.compactMap { field, change in field.tag.map { ($0, change) } }
    let all = tags.merging(named) { first, _ in first }
    guard !all.isEmpty else { return nil }
    return .object(
      all.sorted { $0.key.key < $1.key.key }.map { ($0.key.key, $0.value.planValue { .text($0.planText) }) })
  }

  mutating func read(planTags value: PlanValue) throws(ParseError) {
    guard case .members(let members) = value else { throw ParseError("'tags' is not an object") }
    for member in members {
      let tag = try EXIFTag.named(member.name)
      let change: Change<TagValue>
      switch member.value {
      case .null: change = .remove
      case .text(let text):
        change = try tag.change(parsing: text)
        guard change != .remove else { throw ParseError("'\(member.name)' in 'tags' is empty: null removes it") }
      default: throw ParseError("'\(member.name)' in 'tags' is not a text")
      }
      let field = PhotoField(tag)
      guard field.map({ fields[$0] == nil }) ?? (tags[tag] == nil) else {
        throw ParseError("'\(member.name)' stands twice in 'tags'")
      }
      if let field { fields[field] = change } else { tags[tag] = change }
    }
  }
}

extension MetadataEdit {
  /// Reads title and keywords, which are no tags.
  mutating func readTitleAndKeywords(_ members: inout PlanMembers) throws(ParseError) {
    switch members.take("title") {
    case nil: break
    case .null?: fields[.title] = .remove
    case .text(let text)?:
      fields[.title] = try PhotoField.title.change(parsing: text)
      guard fields[.title] != .remove else { throw ParseError("'title' is empty: null removes it") }
    default: throw ParseError("'title' in 'change' is not a text")
    }
    var wanted = members.take("keywords")
    // An empty list removes the keywords, as `--keywords ""` does.
    if case .list(let words)? = wanted, words.isEmpty { wanted = .null }
    let keywords = try Change(plan: wanted) { value throws(ParseError) in
      TagValue.list(try MetadataEdit.keywords(value, "keywords"))
    }
    if keywords != .keep { fields[.keywords] = keywords }
    if let value = members.take("addKeywords") {
      guard keywords == .keep else { throw ParseError("'keywords' and 'addKeywords' exclude each other") }
      addedKeywords = try MetadataEdit.keywords(value, "addKeywords")
    }
  }

  private static func keywords(_ value: PlanValue, _ name: String) throws(ParseError) -> [String] {
    guard case .list(let values) = value, !values.isEmpty else {
      throw ParseError("'\(name)' in 'change' is not a list of texts")
    }
    var keywords: [String] = []
    for value in values {
      guard case .text(let text) = value else {
        throw ParseError("'\(name)' in 'change' has something that is no text")
      }
      keywords = keywords.adding([try PhotoField.keyword(parsing: text)])
    }
    return keywords
  }
}

extension TagValue {
  /// The texts of a list.
  var planTexts: [PlanValue] { if case .list(let texts) = self { texts.map { .text($0) } } else { [] } }

  /// The value in the syntax of `EXIFTag.change(parsing:)`.
  var planText: String {
    switch self {
    case .text(let text): text
    case .list(let texts): texts.joined(separator: ", ")
    case .whole(let numbers): numbers.map(String.init).joined(separator: " ")
    case .fractions(let fractions): fractions.map { $0.decimal ?? "\($0)" }.joined(separator: " ")
    }
  }
}

extension Fraction {
  /// The exact value in decimal digits, if it has one short enough to be read back: `2.8`, `-.333333333`.
  fileprivate var decimal: String? {
    var scale: Int64 = 1
    for places in 0...9 {
      if scale % denominator == 0 {
        let digits = "\(numerator.magnitude * UInt64(scale / denominator))"
        let padded = String(repeating: "0", count: max(0, places - digits.count)) + digits
        let point = padded.index(padded.endIndex, offsetBy: -places)
        return (numerator < 0 ? "-" : "") + padded[..<point] + (places > 0 ? "." + padded[point...] : "")
      }
      scale *= 10
    }
    return nil
  }
}
