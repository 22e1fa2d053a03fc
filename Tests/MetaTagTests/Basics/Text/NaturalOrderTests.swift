import TestSupport
import Testing

@testable import MetaTag

@Suite("Natural order")
struct NaturalOrderTests {
  static let sorted = [
    "a", "a/1.jpg", "a/2.jpg", "a/10.jpg", "a.jpg", "a1", "a01", "a001", "A2", "a2", "a10", "a18446744073709551616",
    "a18446744073709551617", "b/1.jpg", "IMG_2.jpg", "IMG_2 b.jpg", "IMG_9.jpg", "IMG_10.jpg", "img_010b.jpg",
  ]

  @Test("Digits are compared as numbers, whatever the input order.")
  func order() {
    var generator = SeededGenerator(seed: 3)
    let names = Self.sorted.map { Array($0.utf8) }
    let expected = names.sorted { NaturalOrder.precedes($0, $1) }
    for _ in 0..<50 {
      #expect(names.shuffled(using: &generator).sorted { NaturalOrder.precedes($0, $1) } == expected)
    }
    func isBefore(_ a: String, _ b: String) -> Bool { NaturalOrder.precedes(Array(a.utf8), Array(b.utf8)) }
    for (a, b) in [
      ("IMG_2.jpg", "IMG_10.jpg"), ("IMG_9", "img_10"), ("a/10.jpg", "a.jpg"), ("a2/1", "a10/0"), ("01", "1"),
      ("a1", "a1b"), ("A", "a"), ("", "a"), ("a18446744073709551616", "a18446744073709551617"),
    ] {
      #expect(isBefore(a, b) && !isBefore(b, a), "\(a) \(b)")
    }
    #expect(!isBefore("IMG_2.jpg", "IMG_2.jpg"))
  }

  @Test(
    "A bare name sorts before its numbered copies, whatever the file extension.",
    arguments: [
      ["Scan.jpeg", "Scan 1.jpeg", "Scan 2.jpeg"], ["Scan_20240523.jpg", "Scan_20240523 (2).jpg"],
      ["a/scan_1.jpg", "a/scan_1 (2).jpg", "a/scan_1-2.jpg", "a/scan_1.5.jpg", "a/scan_1.10.jpg", "a/scan_2.jpg"],
      ["scan.tif", "scan (1).jpg"], ["scan_1.heic", "scan_1.jpg", "scan_1-2.heic"], ["a.b/1.jpg", "a.c/1.jpg"],
      ["!.jpg", ".jpg"],
    ])
  func fileExtensions(names: [String]) {
    #expect(names.reversed().sorted { NaturalOrder.precedes(Array($0.utf8), Array($1.utf8)) } == names)
  }
}
