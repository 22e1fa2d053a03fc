/// Words for kinds of places, as people type them before or after a name, or alone: `Bahnhof Zoo`, `Bled castle`,
/// `museum Berlin`.
struct KindWords {
  /// The kinds that the words denote.
  let kinds: Set<Place.Kind>
  /// All kinds of places that have such a word in their name: a palace may be called a castle, and a tower a gate.
  let named: Set<Place.Kind>
  /// The other words; empty if there are none.
  let rest: [Substring]

  /// Finds the words for a kind at the beginning or at the end of a text; nil if there are none.
  init?(_ text: some StringProtocol) {
    let words = Substring(text).split { $0.isWhitespace || ",;".contains($0) }
    guard let found = Self.split(words) else { return nil }
    self = found
  }

  private init(_ entry: Entry, rest: [Substring]) { (kinds, named, self.rest) = (entry.kinds, entry.named, rest) }

  private static func split(_ words: [Substring]) -> KindWords? {
    guard (1...12).contains(words.count) else { return nil }
    for count in (1...min(3, words.count)).reversed() {
      if let entry = table[key(words.prefix(count))] {
        // Castle of the Moors.
        let rest = words.dropFirst(count).drop { isGlue($0) }
        // A word for a kind may be the beginning of a name: `rio de`.
        return rest.isEmpty && count < words.count || isKind(rest) ? nil : KindWords(entry, rest: Array(rest))
      }
      if let entry = table[key(words.suffix(count))] {
        let rest = words.dropLast(count)
        return isKind(rest) ? nil : KindWords(entry, rest: Array(rest))
      }
    }
    return nil
  }

  /// Returns the key of a name without its words for a kind, if it has some: `Lake Ohrid` is Ohrid.
  static func bareKey(_ name: String) -> [UInt8]? {
    guard let words = KindWords(name), !words.rest.isEmpty else { return nil }
    var folding = Folding()
    return folding.keyBytes(words.rest.joined(separator: " "))
  }

  /// Whether these words too denote a kind: Faro Airport is not a lighthouse (`faro`).
  private static func isKind(_ words: ArraySlice<Substring>) -> Bool {
    !words.isEmpty && words.count <= 3 && table[key(words)] != nil
  }

  private static func key(_ words: ArraySlice<Substring>) -> String {
    words.map { $0.lowercased() }.joined(separator: " ")
  }

  /// Whether a word only joins two others.
  private static func isGlue(_ word: some StringProtocol) -> Bool { glue.contains(word.lowercased()) }

  private static let glue = Set(
    """
    of the de del della delle dei di da do dos das du des d' la le les el los las al von vom der des van het in im at on \
    near bei nahe beim près à en cerca nel nella vicino em perto w na u v i у в на рядом возле
    """.split(separator: " ").map(String.init))

  private struct Entry {
    var kinds: Set<Place.Kind> = []
    var named: Set<Place.Kind> = []
  }

  private static let table: [String: Entry] = {
    var table: [String: Entry] = [:]
    for (kinds, words) in lines {
      for word in words.split(separator: ",") {
        let word = word.split(whereSeparator: \.isWhitespace).joined(separator: " ")
        if let first = kinds.first { table[word, default: Entry()].kinds.insert(first) }
        table[word, default: Entry()].named.formUnion(kinds)
      }
    }
    return table
  }()

  /// Words of several languages, with plurals. Of the kinds, the word alone denotes the first.
  private static let lines: [(kinds: [Place.Kind], words: String)] = [
    (
      [.peak, .volcano, .range],
      """
      mountain, mountains, mount, mt, mt., peak, peaks, summit, hill, berg, berge, gipfel, mont, montagne, pic, monte, \
      montaña, pico, cerro, monti, montagna, cima, montanha, serra, гора, горы, góra, dağ, dağı, gunung, fjell, 山, 산
      """
    ),
    (
      [.range],
      """
      range, mountain range, mountains, hills, gebirge, massif, sierra, cordillera, serra, chaîne, хребет, горы, góry
      """
    ),
    (
      [.volcano, .peak],
      "volcano, volcanoes, vulkan, vulkane, volcan, volcán, volcanes, vulcano, vulcani, vulcão, вулкан, 火山"
    ),
    (
      [.lake],
      """
      lake, lakes, see, seen, lac, lacs, lago, laghi, lagos, laguna, lagoon, lagoa, meer, loch, lough, reservoir, dam, \
      stausee, embalse, озеро, озёра, озера, jezioro, jezero, göl, gölü, danau, järvi, sjö, vatn, 湖, 호수
      """
    ),
    (
      [.river],
      "river, rivers, fluss, rivière, fleuve, río, rio, fiume, rivier, река, rzeka, nehir, nehri, sungai, canal, kanal, 江, 川, 河, 강"
    ),
    (
      [.waterfall],
      """
      waterfall, waterfalls, falls, fall, wasserfall, wasserfälle, cascade, cascades, chute, chutes, cascada, cascadas, \
      catarata, cataratas, salto, cascata, cascate, cachoeira, foss, waterval, водопад, wodospad, şelale, şelalesi, air \
      terjun, 滝, 瀑布, 폭포
      """
    ),
    (
      [.island],
      """
      island, islands, isle, isles, isle of, insel, inseln, île, îles, ile, isla, islas, isola, isole, ilha, ilhas, \
      eiland, остров, острова, wyspa, otok, ada, adası, pulau, ø, ön, 島, 岛, 섬
      """
    ),
    (
      [.beach],
      "beach, beaches, strand, strände, plage, plages, playa, playas, spiaggia, spiagge, praia, praias, пляж, plaża, plaj, plajı, pantai, 海滩, ビーチ, 해수욕장"
    ),
    (
      [.bay],
      "bay, gulf, sound, fjord, strait, straits, sea, ocean, bucht, golf, baie, golfe, bahía, bahia, golfo, baia, залив, бухта, море, teluk, zatoka, 湾"
    ),
    (
      [.cape],
      "cape, cap, cabo, capo, kap, headland, point, peninsula, halbinsel, presqu'île, península, penisola, мыс, полуостров, 岬, 角"
    ),
    ([.desert], "desert, wüste, désert, desierto, deserto, woestijn, пустыня, pustynia, çöl, çölü, 沙漠, 사막"),
    (
      [.park],
      """
      national park, national parks, nationalpark, park, parks, np, nature reserve, reserve, game reserve, provincial \
      park, state park, parc national, parc, parque nacional, parque, parco nazionale, parco, naturpark, национальный \
      парк, парк, заповедник, park narodowy, milli parkı, taman nasional, 公园, 公園, 国立公園, 국립공원
      """
    ),
    (
      [.cave],
      "cave, caves, cavern, caverns, höhle, grotte, grottes, cueva, cuevas, gruta, grotta, grotte, пещера, jaskinia, mağara, mağarası, goa, 洞, 동굴"
    ),
    (
      [.park, .region, .landmark, .river],
      "canyon, gorge, valley, schlucht, gorges, tal, vallée, valle, gola, garganta, каньон, долина, ущелье"
    ),
    (
      [.museum],
      """
      museum, museums, museen, gallery, art gallery, art museum, musée, musee, musées, museo, museos, musei, museu, \
      museus, pinakothek, музей, музеи, галерея, muzeum, müze, müzesi, 博物馆, 博物館, 美術館, 美术馆, 박물관, 미술관
      """
    ),
    (
      [.castle, .palace, .ruin],
      """
      castle, castles, fort, fortress, citadel, burg, burgen, schloss, schlösser, schloß, festung, château, chateau, \
      châteaux, castillo, castillos, castello, castelli, castelo, castelos, kasteel, slott, slot, hrad, zamek, kale, \
      kalesi, замок, крепость, кремль, kremlin, alcázar, alcazaba, 城, 성
      """
    ),
    (
      [.palace, .castle],
      """
      palace, palaces, palais, palast, paläste, palacio, palacios, palazzo, palazzi, palácio, paleis, дворец, pałac, \
      saray, sarayı, istana, villa, schloss, 宫, 宮殿, 궁, 궁전
      """
    ),
    (
      [.church, .landmark, .monument],
      """
      church, churches, cathedral, cathedrals, basilica, abbey, monastery, chapel, minster, convent, priory, kirche, \
      kirchen, dom, münster, kloster, stift, abtei, kapelle, église, eglise, cathédrale, cathedrale, basilique, abbaye, \
      monastère, chapelle, iglesia, catedral, basílica, monasterio, ermita, chiesa, duomo, cattedrale, abbazia, \
      monastero, igreja, sé, mosteiro, kerk, церковь, собор, храм, монастырь, лавра, kościół, katedra, kilise, kilisesi, \
      教堂, 教会, 성당
      """
    ),
    (
      [.temple, .ruin, .landmark],
      """
      temple, temples, shrine, shrines, pagoda, stupa, wat, candi, pura, tempel, templo, templos, tempio, templi, mandir, \
      храм, пагода, 寺, 神社, 寺庙, 사찰
      """
    ),
    (
      [.mosque, .monument],
      "mosque, mosques, moschee, mosquée, mezquita, moschea, mesquita, мечеть, meczet, cami, camii, masjid, 清真寺"
    ),
    ([.synagogue], "synagogue, synagogues, synagoge, sinagoga, синагога, sinagog"),
    (
      [.monument, .landmark, .ruin],
      """
      monument, monuments, memorial, statue, tomb, mausoleum, denkmal, mahnmal, grab, monumento, monumentos, estatua, \
      памятник, мемориал, мавзолей, pomnik, anıt, anıtı, türbesi, 纪念碑, 기념비
      """
    ),
    (
      [.ruin, .landmark, .castle],
      "ruins, ruin, ruine, ruinen, ruines, ruinas, rovine, archaeological site, archeological site, ancient city, развалины"
    ),
    (
      [.bridge, .landmark],
      "bridge, bridges, viaduct, aqueduct, brücke, brücken, pont, ponts, puente, puentes, ponte, ponti, brug, мост, most, köprü, köprüsü, 橋, 桥, 다리, 대교"
    ),
    (
      [.tower, .landmark, .monument],
      """
      tower, towers, skyscraper, lighthouse, gate, turm, türme, leuchtturm, tor, tour, phare, torre, torres, faro, toren, \
      башня, маяк, ворота, wieża, kule, kulesi, menara, 塔, タワー, 타워
      """
    ),
    (
      [.theatre, .landmark],
      "theatre, theater, theatres, opera, opera house, concert hall, oper, opernhaus, philharmonie, théâtre, opéra, teatro, teatros, театр, опера, teatr, 剧院, 劇場, 극장"
    ),
    (
      [.stadium],
      "stadium, stadiums, arena, stadion, stade, estadio, estádio, stadio, stadyumu, стадион, circuit, 体育场, スタジアム, 경기장"
    ),
    (
      [.themePark],
      "theme park, theme parks, amusement park, freizeitpark, parc d'attractions, parque de atracciones, parque temático, parco divertimenti, water park, 游乐园, 遊園地"
    ),
    (
      [.zoo],
      "zoo, zoos, aquarium, aquariums, tierpark, tiergarten, zoológico, bioparco, acquario, зоопарк, аквариум, 动物园, 動物園, 水族館, 동물원"
    ),
    (
      [.garden, .park],
      "garden, gardens, botanical garden, botanic garden, botanic gardens, garten, gärten, botanischer garten, jardin, jardins, jardin botanique, jardín, jardines, giardino, giardini, orto botanico, jardim, tuin, сад, ogród, bahçesi, 庭園, 花园, 정원"
    ),
    (
      [.square, .landmark],
      "square, squares, platz, place, plaza, piazza, praça, plein, площадь, plac, meydanı, meydan, 广场, 広場, 광장"
    ),
    (
      [.street, .landmark],
      "street, streets, avenue, boulevard, road, straße, strasse, gasse, rue, calle, via, viale, rua, avenida, улица, проспект, ulica, caddesi, market, bazaar, souk, markt, marché, mercado, mercato, рынок, pasar, 街, 市场, 市場, 시장"
    ),
    (
      [.quarter],
      "quarter, district, neighborhood, neighbourhood, old town, viertel, altstadt, quartier, barrio, quartiere, bairro, район, dzielnica, mahallesi"
    ),
    (
      [.university],
      "university, universities, college, universität, uni, université, universidad, università, universidade, universiteit, университет, uniwersytet, üniversitesi, universitas, 大学, 대학교"
    ),
    (
      [.library],
      "library, libraries, bibliothek, bibliothèque, biblioteca, библиотека, biblioteka, kütüphanesi, 图书馆, 図書館, 도서관"
    ),
    (
      [.station, .metro],
      """
      station, railway station, train station, central station, bahnhof, hauptbahnhof, hbf, bf, gare, gare centrale, \
      estación, estacion, estación de tren, stazione, stazione centrale, estação, station centraal, centraal, вокзал, \
      станция, dworzec, gar, garı, stasiun, subway station, bus station, metro station, underground station, metro, \
      u-bahn, tube, subway, 駅, 站, 车站, 火车站, 역
      """
    ),
    ([.ferry], "ferry, ferry terminal, port, harbour, harbor, hafen, fähre, puerto, porto, порт"),
    ([.pass], "pass, passes, mountain pass, col, paso, puerto, passo, joch, sattel, перевал, przełęcz, 峠"),
    ([.hotel], "hotel, hotels, hostel, гостиница, hôtel"),
    ([.restaurant], "restaurant, restaurants, ristorante, restaurante, ресторан"),
    ([.cafe], "café, cafe, cafes, cafés, caffè, кафе"),
    ([.hut], "hut, huts, mountain hut, hütte, hütten, refuge, rifugio, refugio, хижина, schronisko"),
    (
      [.airport],
      "airport, airports, airfield, air base, air field, army air field, airstrip, flughafen, flughäfen, aéroport, aeropuerto, aeroporto, аэропорт, lotnisko, havalimanı, bandara, 机场, 空港, 공항"
    ),
    ([.region], "region, landscape, coast, valley, küste, côte, costa, побережье"),
    ([.admin2], "county, département, departement, provincia, landkreis, kreis, district, província"),
  ]
}

extension Place.Kind {
  /// The kind that an English word denotes, singular or plural (`museum`, `churches`); nil if there is none.
  public init?(word: some StringProtocol) {
    let word = word.lowercased().replacing(" ", with: "-")
    let singulars = [
      word, word.hasSuffix("ies") ? word.dropLast(3) + "y" : nil, word.hasSuffix("es") ? String(word.dropLast(2)) : nil,
      word.hasSuffix("s") ? String(word.dropLast()) : nil,
    ]
    guard let kind = singulars.compactMap({ $0.flatMap { Place.Kind(rawValue: $0) } }).first else { return nil }
    self = kind
  }
}
