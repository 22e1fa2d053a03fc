/// Established English names that the gazetteer lacks, doesn't mark as English, or has only in an outdated form.
struct EnglishNames {
  /// The names of towns, by GeoNames id.
  let towns: [Int64: String]
  /// The names of regions, by codes like `JP.22`.
  let regions: [String: String]

  static let shipped = EnglishNames(table)

  private init(_ table: String) {
    let lines = table.split(separator: "\n").map { $0.split(separator: " ", maxSplits: 1).map(String.init) }
    let towns = lines.compactMap { line in Int64(line[0]).map { ($0, line[1]) } }
    self.towns = Dictionary(uniqueKeysWithValues: towns)
    regions = Dictionary(uniqueKeysWithValues: lines.filter { Int64($0[0]) == nil }.map { ($0[0], $0[1]) })
  }

  private static let table = """
    5128581 New York
    2886242 Cologne
    3067696 Prague
    2867714 Munich
    2761369 Vienna
    498817 Saint Petersburg
    3171728 Padua
    2523083 Syracuse
    1790645 Xiamen
    1790630 Xi'an
    2659811 Lucerne
    2800931 Bruges
    400666 Rhodes
    2548885 Fez
    6325494 Quebec City
    2510911 Seville
    1817993 Anqing
    1790587 Xiangyang
    292968 Abu Dhabi
    292672 Sharjah
    1526273 Astana
    1673820 Kaohsiung
    1668355 Tainan
    1835553 Suwon
    551487 Kazan
    480060 Tver
    698740 Odesa
    104515 Mecca
    3521081 Puebla
    3991164 Querétaro
    3687925 Cali
    1715348 Davao
    1497337 Norilsk
    523523 Nalchik
    CZ.52 Prague
    CZ.78 South Moravia
    CZ.79 South Bohemia
    CZ.81 Karlovy Vary Region
    CZ.82 Hradec Králové Region
    CZ.83 Liberec Region
    CZ.84 Olomouc Region
    CZ.85 Moravia-Silesia
    CZ.86 Pardubice Region
    CZ.87 Pilsen Region
    CZ.89 Ústí nad Labem Region
    RU.66 Saint Petersburg
    RU.42 Leningrad Oblast
    RU.06 Arkhangelsk Oblast
    RO.10 Bucharest
    DE.01 Baden-Württemberg
    DE.08 Rhineland-Palatinate
    AZ.09 Baku
    BE.BRU Brussels
    IT.02 Basilicata
    IT.10 Marche
    ES.54 Castilla-La Mancha
    ES.55 Castile and León
    """
}
