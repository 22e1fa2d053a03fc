import Basics
import Foundation
import TestSupport
import Testing

@testable import GeoIndex

@Suite("Dumps of GeoNames")
struct GeoNamesTests {
  let kept: Kept

  init() throws { kept = try Kept() }

  private static func row(
    _ id: Int, _ name: String, _ code: String, names: String = "", country: String = "AT", region: String = "09",
    population: Int = 0, elevation: String = "", model: String = "-9999"
  ) -> String {
    let codes = code.split(separator: ".", omittingEmptySubsequences: false)
    return [
      "\(id)", name, name, names, "48.2", "16.3", "\(codes[0])", "\(codes[1])", country, "", region, "", "", "",
      "\(population)", elevation, model, "Europe/Vienna", "2020-01-01",
    ].joined(separator: "\t") + "\n"
  }

  private static let dump =
    row(1, "Vienna", "P.PPLC", names: "Wien,Vindobona,Vienne", population: 1_691_468, model: "193")
    + row(2, "Großglockner", "T.PK", elevation: "3798") + row(3, "A \"quoted\" name", "S.MUS")
    + row(4, "Bank", "S.BANK") + row(5, "Vienna", "A.ADM1")

  private func drafts(_ text: String, as name: String = "XX.txt") throws -> [PlaceDraft] {
    let file = try PlaceFile(kept.scratch.write(Array(text.utf8), as: name).path)
    var found: [PlaceDraft] = []
    try GeoNamesPlaces().read(file) { if case .place(let draft, _) = $0 { found.append(draft) } }
    return found
  }

  @Test("A dump is read, and so is its zip archive.", arguments: [false, true])
  func dump(isZipped: Bool) throws {
    let bytes = Array(Self.dump.utf8)
    let report = try kept.importBytes(
      isZipped ? try ZipSample.archive([("readme.txt", Array("readme".utf8)), ("AT.txt", bytes)]) : bytes)
    #expect(report.format == "GeoNames" && report.imported == 5 && report.bad == 0 && report.terms == .geoNames)
    let places = try kept.all()
    #expect(places.map(\.name) == ["A \"quoted\" name", "Bank", "Großglockner", "Vienna", "Vienna"])
    #expect(Set(places.map(\.kind)) == [.museum, .own, .peak, .capital, .admin1])
    #expect(places[1].own?.category == "S.BANK" && places[2].own?.altitude == 3_798)
    #expect(places.allSatisfy { $0.countryCode == "AT" && $0.timeZone == "Europe/Vienna" })
    #expect(places.first { $0.kind == .capital }?.population == 1_691_468)
  }

  @Test(
    "Names and regions of tables in the same folder are joined, the preferred names first.", arguments: [false, true])
  func joined(isZipped: Bool) throws {
    let names = Array(
      [
        "10\t1\t\tVindo\t\t\t\t\t\t", "11\t1\tla\tVindobona\t\t\t\t1\t\t", "12\t1\tde\tWien\t\t\t\t\t\t",
        "13\t1\tzh-Hant\t維也納\t1\t\t\t\t\t", "14\t1\tlink\thttps://en.wikipedia.org/wiki/Vienna\t\t\t\t\t\t",
        "15\t2\tde\tGlockner\t\t\t1\t\t\t", "16\t1\twkdt\tQ1741\t\t\t\t\t\t", "17\t99\tde\tAnderswo\t\t\t\t\t\t",
        "18\t1\tpost\t1010\t\t\t\t\t\t", "19\t1\tfr\tVienne\t\t\t\t\t\t",
      ].joined(separator: "\n").utf8)
    // The real archive has the table of languages, too.
    let zip = try ZipSample.archive([("iso-languagecodes.txt", [65]), ("alternateNamesV2.txt", names)])
    _ = try kept.scratch.write(isZipped ? zip : names, as: "alternateNamesV2.\(isZipped ? "zip" : "txt")")
    _ = try kept.scratch.write(Array("AT.09\tVienna State\tVienna\t2761367\n".utf8), as: "admin1CodesASCII.txt")
    let drafts = try drafts(Self.dump)
    #expect(
      drafts[0].names == [
        .init(text: "維也納", language: "zh-Hant"), .init(text: "Wien", language: "de"),
        .init(text: "Vienne", language: "fr"), .init(text: "Vindobona", language: "la"),
      ])
    #expect(drafts[0][.region] == "Vienna State" && drafts[1].names == [.init(text: "Glockner", language: "de")])
    #expect(drafts[0].importance ?? 0 > drafts[3].importance ?? 1)
  }

  @Test("Postal codes are named by their code, and rows of one code are one place.")
  func postcodes() throws {
    let text =
      "DE\t01067\tDresden\tSachsen\tSN\t\t00\tDresden, Stadt\t14612\t51.0575\t13.7171\t4\n"
      + "DE\t01067\tFriedrichstadt\tSachsen\tSN\t\t00\t\t\t51.06\t13.72\t\n"
      + "DE\t01069\tDresden\tSachsen\tSN\t\t00\t\t\t51.04\t13.74\t\nFR\t01069\tX\t\t\t\t\t\t\t46\t5\t1\n"
    let report = try kept.importText(text)
    #expect(report.imported == 3 && report.duplicates == 1 && report.format == "GeoNames")
    let places = try kept.all()
    #expect(places.map(\.name) == ["01067", "01069", "01069"] && places.allSatisfy { $0.kind == .postcode })
    #expect(try drafts(text)[0].names.map(\.text) == ["Dresden", "Friedrichstadt"])
  }

  @Test(
    "Tables without positions are refused by name.",
    arguments: [
      ("1284819\t2994701\t\tRoc Mélé\t\t\t\t\t\t\n", "alternate names"),
      ("US.CA\tCalifornia\tCalifornia\t5332921\n", "table of regions"),
      ("US.CA.001\tAlameda\tAlameda\t1\n", "table of regions"),
      ("A.ADM1\tfirst-order administrative division\ta primary division\n", "feature codes"),
    ])
  func tables(text: String, part: String) throws {
    let error = #expect(throws: GeoIndexError.self) { try kept.importText(text) }
    #expect(error?.description.contains(part) == true && error?.remedy == .importGeoNamesDump, "\(error as Any)")
  }

  @Test("A line that isn't complete is named.")
  func bad() throws {
    let report = try kept.importText(Self.dump + "6\tX\tX\n" + Self.row(7, "Y", "T.PK"), skipsBadEntries: true)
    #expect(report.flaws == ["line 6: it has 3 columns, expected 19"] && report.imported == 6)
  }
}
