import GeoIndex
import Testing

@Suite("The reach of an area")
struct AreaReachTests {
  @Test(
    "goes from its position to the farthest point of its border, in kilometres",
    arguments: [
      ("Sicily", 200...400), ("Japan", 1_800...2_300), ("Bavaria", 180...250), ("Crete", 120...180),
      // Towns say nothing of these, or too little: there is one, or none.
      ("Falkland Islands", 200...320), ("Vatican", 1...2), ("French Southern Territories", 1_500...5_000),
      ("Cook Islands", 1_200...1_600), ("Tokelau", 80...200), ("Antarctica", 2_500...6_000),
    ])
  func reach(name: String, kilometres: ClosedRange<Int>) throws {
    let index = try WholeGazetteer.index()
    guard case .one(let area) = try index.resolve(name) else {
      Issue.record("\(name) is not clear")
      return
    }
    let reach = try #require(try index.reach(of: area))
    #expect(kilometres.contains(Int(reach / 1_000)), "\(reach)")
  }

  @Test("isn't known of a town")
  func town() throws {
    let index = try WholeGazetteer.index()
    guard case .one(let kyoto) = try index.resolve("Kyoto") else {
      Issue.record("Kyoto is not clear")
      return
    }
    #expect(try index.reach(of: kyoto) == nil)
  }
}
