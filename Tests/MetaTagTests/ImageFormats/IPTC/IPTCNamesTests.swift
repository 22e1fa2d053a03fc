@testable import ImageFormats
import Testing

@testable import MetaTag

@Suite("Place names in IPTC")
struct IPTCNamesTests {
  static let utf8Mark = IPTCSample.dataset(1, 90, [0x1B, 0x25, 0x47])
  static let latin1Caption = IPTCSample.dataset(2, 120, [0x5A, 0xFC, 0x72, 0x69, 0x63, 0x68])

  static func city(_ name: String) -> PlaceNames { PlaceNames(city: name, state: nil, country: nil, code: nil) }

  @Test(
    "Names are written in the block's encoding, which changes only if no other text depends on it.",
    arguments: [
      ("ASCII", IPTCSample.block([]), "Kyoto", "Kyoto", false),
      ("ASCII becomes UTF-8", IPTCSample.block([]), "Kraków", "Kraków", true),
      ("UTF-8", utf8Mark + IPTCSample.block([]), "京都", "京都", true),
      ("Latin-1", latin1Caption, "Zürich", "Zürich", false), ("not in Latin-1", latin1Caption, "京都", nil, false),
      ("UTF-8 that doesn't say so", IPTCSample.block([(105, "Schlüssel")]), "京都", "京都", true),
      ("empty", [], "京都", "京都", true),
    ] as [(String, [UInt8], String, String?, Bool)])
  func encoding(name: String, block: [UInt8], city: String, wanted: String?, isUTF8: Bool) throws {
    let new = try IPTCSample.edited(block, .naming(Self.city(city))) ?? block
    let (old, data) = (try IPTCData(Bytes(block)), try IPTCData(Bytes(new)))
    #expect(try IPTCSample.metadata(new).placeNames.first?.value.city == wanted)
    #expect(data.isUTF8 == isUTF8)
    #expect(data.all(0x0278).map(data.text) == old.all(0x0278).map(old.text))
    #expect(IPTCTexts(Self.city(city), in: old).notes.isEmpty == (wanted != nil))
    #expect(try IPTCSample.edited(new, .naming(Self.city(city))) == nil)
  }

  @Test(
    "A long name is cut at a character boundary, and a note says so.",
    arguments: [
      ("Llanfairpwllgwyngyllgogerychwyrndrobwll", "Llanfairpwllgwyngyllgogerychwyrn"),
      ("aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaé", "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa"),
      ("クルンテープマハーナコーン", "クルンテープマハーナ"), ("aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa", nil),
    ] as [(String, String?)])
  func limits(city: String, cut: String?) throws {
    let block = Self.utf8Mark + IPTCSample.block([])
    let new = try #require(try IPTCSample.edited(block, .naming(Self.city(city))))
    let names = try #require(try IPTCSample.metadata(new).placeNames.first?.value)
    #expect(names.city == cut ?? city)
    #expect(IPTCTexts(Self.city(city), in: try IPTCData(Bytes(block))).notes.count == (cut == nil ? 0 : 1))
    #expect(names.isPart(of: Self.city(city)))
  }

  @Test("New names remove a content location of the old place, and a note says so.")
  func contentLocation() throws {
    for (code, name, isStale) in [("FRA", "Paris", true), ("JPN", "Paris", true), ("JPN", "Kyoto", false)] {
      let block = IPTCSample.block([(26, code), (27, name), (90, name)])
      let new = try IPTCData(Bytes(try #require(try IPTCSample.edited(block, .naming(XMPNamesTests.gion)))))
      let left = [0x021A, 0x021B].flatMap { new.all($0).map(new.text) }
      #expect(left == (isStale ? [] : [code, name]))
      let notes = IPTCTexts(XMPNamesTests.gion, in: try IPTCData(Bytes(block))).notes
      #expect(notes == (isStale ? [.removed(["IPTC ContentLocation"])] : []))
    }
  }

  @Test("A content location that stays while the photo moves is reported.", arguments: [true, false])
  func staleContent(isMoved: Bool) throws {
    var photo = try IPTCSample.metadata(IPTCSample.block([(26, "FRA"), (27, "Paris")]))
    photo.locations = [Sourced(Location(try .at(48.86, 2.33)), .exif, tag: "GPSLatitude")]
    var edit = MetadataEdit()
    edit.location = .set(Location(isMoved ? try .at(35.03, 135.72) : try .at(48.86, 2.3301)))
    #expect(edit.staleNames(of: photo).count == (isMoved ? 1 : 0))
    edit.names = .remove
    #expect(edit.staleNames(of: photo).isEmpty)
  }

  @Test("New names replace all old ones in order, and missing ones are removed.")
  func replacing() throws {
    let block = IPTCSample.block([(90, "Oldtown"), (90, "Older"), (92, "Market"), (101, "Oldland")])
    let names = PlaceNames(city: "Kyoto", state: "Kyoto", country: "Japan", code: "JP")
    let data = try IPTCData(Bytes(try #require(try IPTCSample.edited(block, .naming(names)))))
    let wanted: [UInt16] = [0x0200, 0x025A, 0x025F, 0x0264, 0x0265, 0x0278]
    #expect(data.datasets.map(\.number) == wanted)
    #expect(data.datasets.dropFirst().map(data.text) == ["Kyoto", "Kyoto", "JPN", "Japan", "Caption"])
  }

  @Test(
    "A country code becomes the three letters that IPTC uses.",
    arguments: [
      ("TW", "TWN"), ("XK", "XKX"), ("VA", "VAT"), ("AQ", "ATA"), ("de", "DEU"), ("GBR", "GBR"), ("ZZ", nil),
    ] as [(String, String?)])
  func letters(code: String, three: String?) { #expect(CountryLetters.three(of: code) == three) }
}
