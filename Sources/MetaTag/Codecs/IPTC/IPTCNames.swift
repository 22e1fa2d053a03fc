/// The names of a place as IIM datasets: in which encoding, and how much of them fits.
struct IPTCNames {
  /// What the datasets are to hold; nil: there shall be none. In ascending order.
  private(set) var values: [(number: UInt16, bytes: [UInt8]?)] = []
  /// Whether the block must say from now on that it is UTF-8.
  private(set) var declaresUTF8 = false
  /// What could not be written as it was given.
  private(set) var notices: [String] = []

  private enum Encoding { case utf8, latin1 }

  private typealias Number = IPTCData.Number
  /// The most bytes of a name (IIM 4.2, 2:90 to 2:101).
  private static let limits: [(number: UInt16, field: String, limit: Int)] = [
    (Number.city, "City", 32), (Number.sublocation, "Sub-location", 32), (Number.state, "Province-State", 32),
    (Number.countryCode, "Country code", 3), (Number.country, "Country", 64),
  ]

  /// A block that doesn't say that it is UTF-8 is read as Latin-1. It becomes UTF-8 where nothing in it but ASCII could
  /// be read otherwise then; else it stays Latin-1, and a name that Latin-1 can't spell is left out.
  init(_ names: PlaceNames, in data: IPTCData) {
    let texts = [
      names.city, names.sublocation, names.state, names.countryCode.flatMap(CountryLetters.three), names.country,
    ]
    let isASCII = texts.allSatisfy { $0?.utf8.allSatisfy { $0 < 0x80 } ?? true }
    declaresUTF8 = !isASCII && !data.isUTF8 && data.isASCII
    let encoding = data.isUTF8 || declaresUTF8 ? Encoding.utf8 : .latin1
    for (field, text) in zip(IPTCNames.limits, texts) {
      guard let text else {
        values.append((field.number, nil))
        continue
      }
      let bytes = IPTCNames.encoded(text, encoding, limit: field.limit)
      values.append((field.number, bytes?.bytes))
      if bytes == nil {
        notices.append("its IPTC is in Latin-1, in which \(field.field) can't be written; XMP has it")
      } else if bytes?.isCut == true {
        notices.append("\(field.field) is cut to \(field.limit) bytes in IPTC; XMP has all of it")
      }
    }
  }

  /// As many whole characters as fit; nil when the encoding lacks one.
  private static func encoded(
    _ text: String, _ encoding: Encoding, limit: Int
  ) -> (bytes: [UInt8], isCut: Bool)? {
    var bytes: [UInt8] = []
    for character in text {
      let next: [UInt8]
      switch encoding {
      case .utf8: next = Array(character.utf8)
      case .latin1:
        next = character.unicodeScalars.compactMap { UInt8(exactly: $0.value) }
        guard next.count == character.unicodeScalars.count else { return nil }
      }
      guard bytes.count + next.count <= limit else { return (bytes, true) }
      bytes += next
    }
    return (bytes, false)
  }
}

extension IPTCData {
  /// Whether no text in it has a character beyond ASCII. Datasets that hold no text don't count.
  var isASCII: Bool {
    datasets.allSatisfy { dataset in
      Number.binary.contains(dataset.number) || dataset.number == Number.characterSet
        || (try? bytes.bytes(dataset.value).array.allSatisfy { $0 < 0x80 }) ?? false
    }
  }

  /// The splices that make these the names; insertions come first.
  func splices(_ names: IPTCNames) -> [Splice] {
    var insertions: [Splice] = []
    var changes: [Splice] = []
    var values = names.values
    if names.declaresUTF8 { values.insert((Number.characterSet, [0x1B, 0x25, 0x47]), at: 0) }
    for (number, value) in values {
      let old = all(number)
      changes += old.dropFirst(value == nil ? 0 : 1).map { Splice($0.range, []) }
      guard let value else { continue }
      let dataset: [UInt8] = [0x1C] + number.bytes(.big) + UInt16(clamping: value.count).bytes(.big) + value
      if let first = old.first {
        let isSame = (try? bytes.bytes(first.value).array) == value
        if !isSame { changes.append(Splice(first.range, dataset)) }
      } else {
        let next = datasets.first { $0.number > number }?.range.lowerBound
        let place = next ?? datasets.last?.range.upperBound ?? 0
        insertions.append(Splice(place..<place, dataset))
      }
    }
    return insertions + changes
  }
}
