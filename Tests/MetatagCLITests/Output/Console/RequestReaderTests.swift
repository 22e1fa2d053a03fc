import Foundation
import Testing

@testable import metatag_cli

@Suite("Requests in their usual form are read without a decoder")
struct RequestReaderTests {
  private func position(_ line: [UInt8]) -> (usual: PositionRequest?, decoded: PositionRequest?) {
    (
      PositionRequest(plain: 0..<line.count, in: line),
      try? RequestLines.request(PositionRequest.self, PositionRequest.CodingKeys.self, in: line)
    )
  }

  private func place(_ line: [UInt8]) -> (usual: PlaceRequest?, decoded: PlaceRequest?) {
    (
      PlaceRequest(plain: 0..<line.count, in: line),
      try? RequestLines.request(PlaceRequest.self, PlaceRequest.CodingKeys.self, in: line)
    )
  }

  static let usualPositions = [
    #"{"latitude":35.02,"longitude":135.75}"#, #"{ "longitude" : -0.5 , "latitude" : -90 }"#,
    "\t {\"latitude\":0,\"longitude\":0.0} \r", #"{"latitude":-0,"longitude":-0.0}"#,
    #"{"latitude":35.011636000000003,"longitude":135.76802900000001}"#,
    #"{"latitude":1,"longitude":2,"when":"2026-07-14T12:00:00"}"#, #"{"when":"","latitude":1,"longitude":2}"#,
    #"{"latitude":95,"longitude":400}"#, #"{"latitude":1,"longitude":9007199254740993}"#,
    #"{"latitude":0.1234567890123456789012345678901234567890,"longitude":123456789012345678901234567890}"#,
    #"{"when":"café 京都 🗻","latitude":1,"longitude":2}"#, "{\"when\":\"\u{7F}\",\"latitude\":1,\"longitude\":2}",
  ]

  static let usualPlaces = [
    #"{"query":"kyoto"}"#, #"{"query":"京都","limit":5,"offset":0,"prefix":true,"language":"en"}"#,
    #"{"query":"x","near":[35.0,-135.7],"in":["JP","South Korea"],"kinds":["city"],"limit":0,"prefix":false}"#,
    #"{"query":"","near":[],"in":[],"kinds":[ ],"limit":99999999999999999}"#, #"{"query":"x","near":[1,2,3]}"#,
  ]

  @Test("The usual form is read, and means the same to the decoder.", arguments: usualPositions)
  func usualPosition(_ line: String) throws {
    let request = position(Array(line.utf8))
    #expect(request.usual != nil && request.usual == request.decoded)
  }

  @Test("The usual form of a search is read, and means the same to the decoder.", arguments: usualPlaces)
  func usualPlace(_ line: String) throws {
    let request = place(Array(line.utf8))
    #expect(request.usual != nil && request.usual == request.decoded)
  }

  @Test("A number is the same to the last bit.")
  func numbers() throws {
    var chance = SystemRandomNumberGenerator()
    for _ in 0..<3_000 {
      let number = Double.random(in: -180...180, using: &chance)
      let digits = Int.random(in: 0...25, using: &chance)
      for text in ["\(number)", String(format: "%.\(digits)f", number)] {
        let request = position(Array("{\"latitude\":\(text),\"longitude\":0}".utf8))
        // Exponents are left to the decoder.
        guard let usual = request.usual else {
          #expect(text.contains("e"))
          continue
        }
        #expect(usual.latitude.bitPattern == request.decoded?.latitude.bitPattern, "\(text)")
      }
    }
  }

  static let oddPositions = [
    "", " ", "{}", "[]", "null", "nonsense", "{", "}", #"{"latitude":1}"#, #"{"latitude":1,"longitude":2"#,
    #"{"latitude":1,"longitude":2}}"#, #"{"latitude":1,"longitude":2} x"#, #"{"latitude":1,"longitude":2,}"#,
    #"{,"latitude":1,"longitude":2}"#, #"{"latitude":1 "longitude":2}"#, #"{"latitude":1;"longitude":2}"#,
    #"{"latitude":1e1,"longitude":1E+2}"#, #"{"latitude":1.5e-3,"longitude":2}"#, #"{"latitude":1e999,"longitude":2}"#,
    #"{"latitude":+1,"longitude":2}"#, #"{"latitude":01,"longitude":2}"#, #"{"latitude":-,"longitude":2}"#,
    #"{"latitude":.5,"longitude":2}"#, #"{"latitude":1.,"longitude":2}"#, #"{"latitude":-01,"longitude":2}"#,
    #"{"latitude":NaN,"longitude":Infinity}"#, #"{"latitude":0x1,"longitude":2}"#, #"{"latitude":1 2,"longitude":2}"#,
    #"{"latitude":"1","longitude":2}"#, #"{"latitude":true,"longitude":2}"#, #"{"latitude":null,"longitude":2}"#,
    #"{"latitude":[1],"longitude":2}"#, #"{"latitude":{},"longitude":2}"#, #"{"latitude":,"longitude":2}"#,
    #"{"latitude":1,"longitude":2,"when":null}"#, #"{"latitude":1,"longitude":2,"when":5}"#,
    #"{"latitude":1,"longitude":2,"when":"a\"b\\c\nd\u0041\ud83d\ude00"}"#,
    #"{"latitude":1,"longitude":2,"when":"\x"}"#,
    #"{"latitude":1,"longitude":2,"when":"\ud83d"}"#, "{\"latitude\":1,\"longitude\":2,\"when\":\"a\tb\"}",
    #"{"latitude":1,"longitude":2,"when":"open}"#, #"{"l\u0061titude":1,"longitude":2}"#,
    #"{"latitude":1,"longitude":2,"foo":3}"#,
    #"{"Latitude":1,"longitude":2}"#, #"{"latitude ":1,"longitude":2}"#, "{\"latitude\t\":1,\"longitude\":2}",
    #"{'latitude':1,'longitude':2}"#,
    #"{latitude:1,longitude:2}"#, #"{"latitude":1,"latitude":3,"longitude":2}"#,
    #"{"latitude":1,"longitude":2,"longitude":3}"#,
    "\u{FEFF}{\"latitude\":1,\"longitude\":2}", "{\"latitude\":1,\u{A0}\"longitude\":2}",
    "{\"latitude\":1,\u{B}\"longitude\":2}", "{\"latitude\":1,\u{0}\"longitude\":2}",
    "{\"latitude\":1,\"longitude\":2}\u{0}",
    #"{"latitude":1,"longitude":2}{"latitude":1,"longitude":2}"#, #"[{"latitude":1,"longitude":2}]"#,
    #"{"latitude":1,"longitude":2}/**/"#, #"{"":1,"longitude":2}"#, #"{"latitude"1,"longitude":2}"#,
    "{\"latitude\":1,\"longitude\":2,\"when\":\"" + String(repeating: "x", count: 70_000) + "\"}",
    String(repeating: "[", count: 5_000), "{\"latitude\":" + String(repeating: "9", count: 400) + ",\"longitude\":1}",
  ]

  static let oddPlaces = [
    #"{"query":"M\u00fcnchen"}"#, #"{"query":"x","limit":1.0}"#, #"{"query":"x","limit":-0}"#,
    #"{"query":"x","limit":-1}"#,
    #"{"query":"x","limit":1e1}"#, #"{"query":"x","limit":99999999999999999999}"#, #"{"query":"x","limit":null}"#,
    #"{"query":"x","prefix":truE}"#, #"{"query":"x","prefix":trueish}"#, #"{"query":"x","prefix":1}"#,
    #"{"query":"x","prefix":true1}"#,
    #"{"query":"x","near":[1,]}"#, #"{"query":"x","near":[,1]}"#, #"{"query":"x","near":[1 2]}"#,
    #"{"query":"x","near":["1"]}"#,
    #"{"query":"x","near":[null]}"#, #"{"query":"x","near":[[1]]}"#, #"{"query":"x","near":[1"#,
    #"{"query":"x","in":["a"b]}"#,
    #"{"query":"x","in":"JP"}"#, #"{"query":"x","in":[1]}"#, #"{"query":"x","kinds":{}}"#, #"{"query":5}"#,
    #"{"limit":3}"#,
  ]

  @Test("What it doesn't know is left to the decoder; what it reads, the decoder reads likewise.")
  func odd() {
    for line in Self.oddPositions + Self.oddPlaces + Self.usualPositions + Self.usualPlaces {
      agree(Array(line.utf8))
    }
    // Not UTF-8.
    for bytes in [[0xFF], [0xC0, 0x80], [0xED, 0xA0, 0x80], [0xE4, 0xBA]] as [[UInt8]] {
      agree(Array("{\"query\":\"".utf8) + bytes + Array("\"}".utf8))
      agree(Array("{\"latitude\":1,\"longitude\":2,\"when\":\"".utf8) + bytes + Array("\"}".utf8))
    }
  }

  @Test("Lines with changed bytes mean the same to the decoder, or are left to it.")
  func changed() {
    var chance = SystemRandomNumberGenerator()
    let letters = Array(#"{}[]",:.-+019eE tfn\/u"#.utf8) + [0, 9, 10, 13, 0x7F, 0x80, 0xC3, 0xFF]
    for line in Self.usualPositions + Self.usualPlaces {
      for _ in 0..<300 {
        var bytes = Array(line.utf8)
        for _ in 0..<Int.random(in: 1...3, using: &chance) {
          let at = Int.random(in: 0..<bytes.count, using: &chance)
          switch Int.random(in: 0..<3, using: &chance) {
          case 0: bytes[at] = letters.randomElement(using: &chance) ?? 0
          case 1: bytes.insert(letters.randomElement(using: &chance) ?? 0, at: at)
          default: bytes.remove(at: at)
          }
        }
        agree(bytes)
      }
    }
  }

  private func agree(_ line: [UInt8]) {
    let (position, place) = (position(line), place(line))
    let text = String(decoding: line.prefix(200), as: UTF8.self)
    #expect(position.usual == nil || position.usual == position.decoded, "\(text)")
    #expect(place.usual == nil || place.usual == place.decoded, "\(text)")
  }

  @Test("Only the range of the line is read.")
  func range() {
    let bytes = Array(#"9{"latitude":1,"longitude":2}9"#.utf8)
    #expect(PositionRequest(plain: 1..<bytes.count - 1, in: bytes) != nil)
    for range in [0..<bytes.count, 1..<bytes.count, 1..<bytes.count - 2, 2..<bytes.count - 1, 1..<1] {
      #expect(PositionRequest(plain: range, in: bytes) == nil)
    }
  }
}
