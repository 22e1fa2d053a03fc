import Basics
import Foundation
import TestSupport
import Testing

@testable import GeoIndex

@Suite("Results of Wikidata's query service")
struct WikidataTests {
  let kept: Kept

  init() throws { kept = try Kept() }

  private static let entity = "http://www.wikidata.org/entity/"

  private func read(_ text: String) throws -> [PlaceDraft] {
    let file = try PlaceFile(kept.scratch.write(Array(text.utf8), as: "a").path)
    let head = file.window.head
    let format = try #require(placeFormats.first { $0.recognizes(head) })
    #expect(format.name == "Wikidata")
    var found: [PlaceDraft] = []
    try format.read(file) { if case .place(let draft, _) = $0 { found.append(draft) } }
    return found
  }

  private static let table =
    "item,itemLabel,itemAltLabel,coord,sitelinks,population,elevation,instanceOfLabel,countryLabel,itemLabel_de\n"
    + "\(entity)Q243,Eiffel Tower,\"Tour Eiffel, La dame\",Point(2.2945 48.8583),180,,,thing,France,Eiffelturm\n"
    + "\(entity)Q243,Eiffel Tower,,Point(2.2945 48.8583),180,,,lattice tower,France,Eiffelturm\n"

  private static let verbose =
    #"{"head":{"vars":["item","itemLabel"]},"results":{"bindings":["#
    + #"{"item":{"type":"uri","value":"\#(entity)Q243"},"itemLabel":{"xml:lang":"en","type":"literal","value":"Eiffel Tower"},"#
    + #""itemAltLabel":{"value":"Tour Eiffel, La dame"},"coord":{"value":"Point(2.2945 48.8583)"},"sitelinks":{"value":"180"},"#
    + #""instanceOfLabel":{"value":"lattice tower"},"countryLabel":{"value":"France"},"itemLabel_de":{"value":"Eiffelturm"}}]}}"#

  private static let list =
    #"[{"item":"\#(entity)Q243","itemLabel":"Eiffel Tower","itemAltLabel":"Tour Eiffel, La dame","coord":"Point(2.2945 48.8583)","#
    + #""sitelinks":"180","instanceOfLabel":"lattice tower","countryLabel":"France","itemLabel_de":"Eiffelturm"}]"#

  private static let tabs =
    "?item\t?itemLabel\t?itemAltLabel\t?coord\t?sitelinks\t?instanceOfLabel\t?countryLabel\t?itemLabel_de\n"
    + "<\(entity)Q243>\t\"Eiffel Tower\"@en\t\"Tour Eiffel, La dame\"@en\t"
    + "\"Point(2.2945 48.8583)\"^^<http://www.opengis.net/ont/geosparql#wktLiteral>\t180\t\"lattice tower\"@en\t"
    + "\"France\"@en\t\"Eiffelturm\"@de\n"

  @Test("CSV, TSV and both forms of JSON have the same places.", arguments: [table, verbose, list, tabs])
  func forms(text: String) throws {
    let drafts = try read(text)
    #expect(drafts.count == 1)
    let draft = try #require(drafts.first)
    #expect(draft[.id] == "Q243" && draft[.name] == "Eiffel Tower" && draft.kind == .tower)
    #expect(draft.point?.latitude == 48.8583 && draft.point?.longitude == 2.2945 && draft[.country] == "France")
    #expect(Set(draft.names.map(\.text)) == ["Tour Eiffel", "La dame", "Eiffelturm"])
    #expect(draft.names.contains(.init(text: "Eiffelturm", language: "de")))
    #expect(draft.importance ?? 0 > 0.6 && draft.terms == .wikidata)
  }

  @Test("Items on other planets, without a position or without a label are left out.")
  func unplaced() throws {
    let report = try kept.importText(
      "place,placeLabel,location\n\(Self.entity)Q1,A,Point(1 2)\n"
        + "\(Self.entity)Q2,B,<http://www.wikidata.org/entity/Q405> Point(1 2)\n\(Self.entity)Q3,C,\n"
        + "\(Self.entity)Q4,Q4,Point(1 2)\n\(Self.entity)Q1,A,Point(1 2.5)\n")
    #expect(report.imported == 1 && report.unplaced == 3 && report.duplicates == 1)
  }
}
