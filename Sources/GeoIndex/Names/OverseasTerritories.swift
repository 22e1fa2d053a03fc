/// Territories with their own ISO 3166-1 codes whose places are also written with another country: San Juan, USA is in
/// PR.
enum OverseasTerritories {
  /// Returns the codes of a country's territories.
  static func of(_ country: UInt16) -> Set<UInt16> { all[country] ?? [] }

  private static let all: [UInt16: Set<UInt16>] = {
    let territories = [
      "AU": "CC CX HM NF", "CN": "HK MO", "DK": "FO GL", "FI": "AX",
      "FR": "BL GF GP MF MQ NC PF PM RE TF WF YT",
      "GB": "AI BM FK GG GI GS IM IO JE KY MS PN SH TC VG", "NL": "AW BQ CW SX", "NO": "BV SJ", "NZ": "CK NU TK",
      "US": "AS GU MP PR UM VI",
    ]
    return Dictionary(
      uniqueKeysWithValues: territories.map { country, codes in
        (NameIndex.countryCode(country), Set(codes.split(separator: " ").map { NameIndex.countryCode($0) }))
      })
  }()
}
