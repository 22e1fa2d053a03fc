extension IPTCTexts {
  private typealias Number = IPTCData.Number

  /// Creates the names of a place as IIM datasets.
  package init(_ names: PlaceNames, in data: IPTCData) {
    let texts: [(Field, String?)] = [
      (Field(number: Number.city, name: "City", limit: 32), names.city),
      (Field(number: Number.sublocation, name: "Sub-location", limit: 32), names.sublocation),
      (Field(number: Number.state, name: "Province-State", limit: 32), names.state),
      (
        Field(number: Number.countryCode, name: "Country code", limit: 3),
        names.countryCode.flatMap(CountryLetters.three)
      ),
      (Field(number: Number.country, name: "Country", limit: 64), names.country),
    ]
    let stale = data.hasContentLocation(besides: names)
    let contents = stale ? [Field.contentLocationCode, .contentLocationName].map { ($0, nil as String?) } : []
    self.init((texts + contents).map { ($0, $1.map { [$0] } ?? []) }, in: data, whole: "XMP")
    if stale { note(.removed(["IPTC ContentLocation"])) }
  }
}

extension IPTCTexts.Field {
  fileprivate static let contentLocationCode = Self(
    number: IPTCData.Number.contentLocationCode, name: "Content location code", limit: 3)
  fileprivate static let contentLocationName = Self(
    number: IPTCData.Number.contentLocationName, name: "Content location name", limit: 64)
}

extension IPTCData {
  /// Whether the block names places as its subject (IIM 4.2, 2:26 and 2:27), and one of them isn't in `names`.
  fileprivate func hasContentLocation(besides names: PlaceNames) -> Bool {
    let known = [names.sublocation, names.city, names.state, names.country].compactMap(\.self)
    let code = names.countryCode.flatMap(CountryLetters.three)
    return all(Number.contentLocationName).contains { !known.contains(text($0)) }
      || all(Number.contentLocationCode).contains { text($0) != code }
  }
}
