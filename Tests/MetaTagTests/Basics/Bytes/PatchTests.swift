import Testing

@testable import MetaTag

@Suite("Patch")
struct PatchTests {
  let old = Bytes(Array("0123456789".utf8))

  func patch(_ splices: [(Range<Int>, String)], imageData: [Range<Int>] = []) throws(FileError) -> Patch {
    try Patch(splices.map { Splice($0.0, Array($0.1.utf8)) }, to: old.count, imageData: imageData)
  }

  @Test(
    "A patch replaces, inserts, removes and appends bytes, and its inverse restores the old file.",
    arguments: [
      ([(2..<4, "ab")], "01ab456789"),
      ([(0..<0, "ab")], "ab0123456789"),
      ([(10..<10, "ab")], "0123456789ab"),
      ([(3..<7, "")], "012789"),
      ([(8..<9, "x"), (1..<2, "long"), (10..<10, "!")], "0long234567x9!"),
      ([], "0123456789"),
    ] as [([(Range<Int>, String)], String)])
  func applies(splices: [(Range<Int>, String)], new: String) throws {
    let patch = try patch(splices)
    #expect(try patch.applied(to: old) == Array(new.utf8))
    #expect(patch.newCount == new.utf8.count)
    let back = try patch.inverse(of: old)
    #expect(try back.applied(to: Bytes(Array(new.utf8))) == old.array)
  }

  @Test(
    "A patch that overlaps itself, leaves the file or cuts into image data is refused.",
    arguments: [
      ([(2..<4, "a"), (3..<5, "b")], []),
      ([(9..<11, "a")], []),
      ([(4..<5, "a")], [3..<6]),
      ([(4..<4, "a")], [3..<6]),
      ([(0..<10, "a")], [3..<6]),
    ] as [([(Range<Int>, String)], [Range<Int>])])
  func refuses(splices: [(Range<Int>, String)], imageData: [Range<Int>]) {
    #expect(throws: FileError.self) { try patch(splices, imageData: imageData) }
  }

  @Test("A patch may insert at the edges of image data.")
  func insertsAtEdges() throws {
    let patch = try patch([(3..<3, "ab"), (6..<6, "c")], imageData: [3..<6])
    #expect(try patch.applied(to: old) == Array("012ab345c6789".utf8))
  }

  @Test("A patched source reads every range as the applied patch has it.")
  func reads() throws {
    let patch = try patch([(0..<0, "<<"), (2..<4, ""), (5..<6, "five"), (10..<10, ">>")])
    let whole = try patch.applied(to: old)
    let through = PatchedSource(old: old, patch: patch)
    for start in 0...whole.count {
      for end in start...whole.count {
        #expect(try through.bytes(start..<end).array == Array(whole[start..<end]))
      }
    }
    #expect(throws: FileError.self) { try through.bytes(0..<whole.count + 1) }
  }

  @Test("A patch commits in place only if it appends and overwrites bytes within one sector.")
  func commitSector() throws {
    func sector(_ splices: [Splice]) throws -> Range<Int>? {
      try Patch(splices, to: 2_000, imageData: []).commitSector()
    }
    let append = Splice(2_000..<2_000, [1, 2, 3])
    #expect(try sector([Splice(4..<8, [0, 0, 0, 0]), append]) == 0..<512)
    #expect(try sector([Splice(520..<524, [0, 0, 0, 0]), Splice(1_000..<1_001, [1])]) == 512..<1_024)
    #expect(try sector([Splice(510..<514, [0, 0, 0, 0]), append]) == nil)
    #expect(try sector([Splice(4..<8, [0]), append]) == nil)
    #expect(try sector([append]) == nil)
  }
}
