extension IPTCTexts {
  private typealias Number = IPTCData.Number

  /// The names of a place as IIM datasets.
  init(_ names: PlaceNames, in data: IPTCData) {
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
    self.init(texts.map { ($0, $1.map { [$0] } ?? []) }, in: data, whole: "XMP")
  }
}
