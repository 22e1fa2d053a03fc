/// The names of a place, as defined by IPTC Core. Nil means not recorded.
public struct PlaceNames: Hashable, Codable, Sendable {
  /// Part of a city, or a sight (IPTC 2:92 Sub-location, XMP `Iptc4xmpCore:Location`).
  public var sublocation: String?
  /// IPTC 2:90, XMP `photoshop:City`.
  public var city: String?
  /// Province or state (IPTC 2:95, XMP `photoshop:State`).
  public var state: String?
  /// IPTC 2:101, XMP `photoshop:Country`.
  public var country: String?
  /// ISO 3166 code (IPTC 2:100, XMP `Iptc4xmpCore:CountryCode`).
  public var countryCode: String?

  /// Creates a value without names.
  public init() {}

  /// Whether no name is recorded.
  public var isEmpty: Bool { self == PlaceNames() }
}

extension PlaceNames {
  /// Whether `other` doesn't contradict: it may be less detailed, cut a name short as IIM does, and write the country
  /// code with three letters.
  package func agrees(with other: PlaceNames) -> Bool {
    let code = countryCode.map { CountryLetters.three(of: $0) ?? $0 }
    let otherCode = other.countryCode.map { CountryLetters.three(of: $0) ?? $0 }
    return PlaceNames.agree(sublocation, other.sublocation) && PlaceNames.agree(city, other.city)
      && PlaceNames.agree(state, other.state) && PlaceNames.agree(country, other.country)
      && (code == nil || otherCode == nil || code == otherCode)
  }

  /// Whether the names differ on a level that both record. It may still be the same place, in another language.
  public func isAnotherPlace(than other: PlaceNames) -> Bool {
    if let code = countryCode.flatMap(CountryLetters.three(of:)),
      let otherCode = other.countryCode.flatMap(CountryLetters.three(of:)), code != otherCode
    {
      return true
    }
    // Writers disagree on which name is the city and which a part of it.
    for fields in [[\PlaceNames.sublocation, \.city], [\.state], [\.country]] {
      let (mine, others) = (fields.compactMap { self[keyPath: $0] }, fields.compactMap { other[keyPath: $0] })
      guard !mine.isEmpty, !others.isEmpty else { continue }
      return !mine.contains { name in others.contains { PlaceNames.agree(name.lowercased(), $0.lowercased()) } }
    }
    return false
  }

  /// Whether everything recorded is also in `whole`: IIM and a second packet may have less.
  package func isPart(of whole: PlaceNames) -> Bool {
    func isNew(_ field: KeyPath<PlaceNames, String?>) -> Bool {
      self[keyPath: field] != nil && whole[keyPath: field] == nil
    }
    return whole.agrees(with: self) && !isNew(\.sublocation) && !isNew(\.city) && !isNew(\.state) && !isNew(\.country)
      && !isNew(\.countryCode)
  }

  /// Whether two names agree. IIM cuts names at 32 or 64 bytes, at a character boundary.
  private static func agree(_ name: String?, _ copy: String?) -> Bool {
    guard let name, let copy, name != copy else { return true }
    return copy.utf8.count > 16 && name.hasPrefix(copy)
  }
}

extension PlaceNames: CustomStringConvertible {
  /// The names from the smallest to the largest: `Gion, Kyoto, Japan`.
  public var description: String {
    let names = [sublocation, city, state, country].compactMap(\.self)
    return names.isEmpty ? countryCode ?? "" : names.joined(separator: ", ")
  }
}
