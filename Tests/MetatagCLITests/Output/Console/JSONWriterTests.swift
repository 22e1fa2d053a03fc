import Foundation
import SystemPackage
import Testing

@testable import metatag_cli

struct JSONWriterTests {
  @Test("One-line and pretty output have the same content.")
  func styles() throws {
    func document(_ style: JSONWriter.Style) -> String {
      var writer = JSONWriter(style)
      writer.object { writer in
        writer.member("name", "Kyoto")
        writer.member("nothing", nil as String?)
        writer.key("list")
        writer.array { writer in
          writer.value(1)
          writer.object { $0.member("deep", true) }
          writer.array { _ in }
          writer.null()
        }
        writer.key("empty")
        writer.object { _ in }
      }
      return String(decoding: writer.take(), as: UTF8.self)
    }
    #expect(document(.oneLine) == #"{"name":"Kyoto","list":[1,{"deep":true},[],null],"empty":{}}"#)
    #expect(
      document(.pretty) == """
        {
          "name": "Kyoto",
          "list": [
            1,
            {
              "deep": true
            },
            [],
            null
          ],
          "empty": {}
        }
        """)
  }

  @Test(
    "Text is read back unchanged.",
    arguments: ["", "plain", "quote \" and \\", "line\nbreak\r\t\u{0}\u{1B}[31m\u{7F}", "京都 🗻 e\u{301}", "\u{2028}"])
  func text(_ text: String) throws {
    var writer = JSONWriter()
    writer.array { $0.value(text) }
    let bytes = writer.take()
    #expect(!bytes.contains { $0 < 0x20 || $0 == 0x7F })
    #expect(try JSONSerialization.jsonObject(with: Data(bytes)) as? [String] == [text])
  }

  @Test(
    "Numbers are written without a locale, and non-finite ones as null.",
    arguments: [
      (0.1, "0.1"), (-33.8568, "-33.8568"), (1e21, "1e+21"), (0, "0.0"), (.nan, "null"), (-.infinity, "null"),
    ] as [(Double, String)])
  func numbers(_ number: Double, _ text: String) {
    var writer = JSONWriter()
    writer.value(number)
    #expect(String(decoding: writer.take(), as: UTF8.self) == text)
  }

  @Test("Numbers with few decimals are written like others.")
  func shortDecimals() {
    var chance = SystemRandomNumberGenerator()
    var numbers: [Double] = [
      0, -0.0, 1, -1, 0.1, 0.5, 0.001, 0.0001, 0.00001, 0.00101, 0.99999, 0.999999, 1e9, 1e9 + 0.5, 999_999_999.99999,
      1e14, 999_999_999_999_999, 1e15, 1e16, 9_007_199_254_740_992, 1e22, .leastNonzeroMagnitude,
      .greatestFiniteMagnitude, 38.10361,
      140.035,
      0.1 + 0.2, 1.00001.nextUp, 1.00001.nextDown, 1 / 3,
    ]
    for _ in 0..<20_000 {
      let number = Double.random(in: -400...400, using: &chance)
      numbers += [number, (number * 10).rounded() / 10, (number * 1e4).rounded() / 1e4, (number * 1e5).rounded() / 1e5]
      numbers += [(number * 1e7).rounded(), (number * 1e5).rounded() / 1e7, Double(Int(number * 1e5)) / 1e5.nextUp]
    }
    for number in numbers {
      var writer = JSONWriter()
      writer.value(number)
      #expect(String(decoding: writer.take(), as: UTF8.self) == number.description)
    }
  }

  @Test(
    "A name that isn't UTF-8 is repaired for reading and added in base64.",
    arguments: [
      (Array("a.jpg".utf8), #"{"path":"a.jpg"}"#),
      ([0xFF, 0x2E, 0x6A], "{\"path\":\"\u{FFFD}.j\",\"pathBytes\":\"/y5q\"}"),
      ([0x61, 0xE4], "{\"path\":\"a\u{FFFD}\",\"pathBytes\":\"YeQ=\"}"),
      ([0xE9], "{\"path\":\"\u{FFFD}\",\"pathBytes\":\"6Q==\"}"),
    ] as [([UInt8], String)])
  func paths(_ name: [UInt8], _ json: String) {
    var writer = JSONWriter()
    writer.object { $0.member(path: FilePath(rawBytes: name)) }
    #expect(String(decoding: writer.take(), as: UTF8.self) == json)
  }

  @Test("A long array can be written in pieces.")
  func pieces() {
    var writer = JSONWriter()
    writer.open("[")
    var text = ""
    for number in 1...3 {
      writer.value(number)
      text += String(decoding: writer.take(), as: UTF8.self)
    }
    writer.close("]")
    writer.endLine()
    #expect(text + String(decoding: writer.take(), as: UTF8.self) == "[1,2,3]\n")
  }
}
