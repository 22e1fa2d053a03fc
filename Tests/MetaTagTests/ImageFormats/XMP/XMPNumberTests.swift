@testable import ImageFormats
import Testing

@testable import MetaTag

struct XMPNumberTests {
  @Test(
    "An angle is read in every form that programs write.",
    arguments: [
      ("33,27.40734072S", -33.456789012), ("33,27,24.4S", -33.45677777777778), ("33.5", 33.5), ("-33.5", -33.5),
      ("+33.5", 33.5), ("33.5 s", -33.5), ("0,0.0N", 0), ("90,0N", 90), (" 12.25N", 12.25),
      ("33,60.0N", nil), ("33,27", nil), ("33,27W", nil), ("-33.5S", nil), ("33,-1N", nil), ("33,1,2,3N", nil),
      ("", nil), ("N", nil), ("inf", nil), ("nan", nil), ("0x1p3", nil), ("1e2", nil), (",1N", nil), ("33,N", nil),
      ("31/1 12/1N", nil), ("1.2.3N", nil),
    ] as [(String, Double?)])
  func angles(text: String, degrees: Double?) {
    let value = Double(
      xmpAngle: String(text.trimmingBlanks), positive: "N", negative: "S", reference: nil)
    guard let degrees, let value else {
      #expect(value == degrees)
      return
    }
    #expect(abs(value - degrees) < 1e-12)
  }

  @Test("A separate hemisphere property applies if the value has no letter.")
  func reference() {
    #expect(Double(xmpAngle: "33.5", positive: "N", negative: "S", reference: "S") == -33.5)
    #expect(Double(xmpAngle: "33,30", positive: "N", negative: "S", reference: "South") == -33.5)
    #expect(Double(xmpAngle: "33,30N", positive: "N", negative: "S", reference: "S") == 33.5)
  }

  @Test(
    "An angle is written as ExifTool writes it.",
    arguments: [
      (46.5, "46,30.0N"), (-33.45678901, "33,27.4073406S"), (0.1, "0,6.0N"), (-0.1, "0,6.0S"), (0, "0,0.0N"),
      (29.999999999999, "30,0.0N"), (89.99999999999, "90,0.0N"), (12.3456789012, "12,20.74073407N"),
    ])
  func writtenAngles(degrees: Double, text: String) {
    #expect(degrees.xmpAngle(positive: "N", negative: "S") == text)
  }

  @Test("A written angle is read back to within a ten-thousandth of a millimetre.")
  func roundTrip() throws {
    for step in -18_000...18_000 {
      let degrees = Double(step) / 100 + Double(step % 97) * 1e-6
      guard abs(degrees) <= 180 else { continue }
      let text = degrees.xmpAngle(positive: "E", negative: "W")
      let back = try #require(Double(xmpAngle: text, positive: "E", negative: "W", reference: nil))
      #expect(abs(back - degrees) < 2e-10)
    }
  }

  @Test(
    "A number is rational or decimal.",
    arguments: [
      ("25/2", 12.5), ("-25/2", -12.5), ("12.5", 12.5), ("+1252.12", 1252.12), ("0/1", 0), ("1/0", nil), ("", nil),
      ("/", nil), ("1/", nil), ("1/2/3", nil), ("inf", nil), (".", nil), ("12 m", nil), ("٣", nil),
    ] as [(String, Double?)])
  func numbers(text: String, value: Double?) {
    #expect(Double(xmp: text) == value)
  }

  @Test(
    "A rational has the smallest terms.",
    arguments: [
      (12.5, "25/2"), (0, "0/1"), (3.25, "13/4"), (12.345, "2469/200"), (100, "100/1"), (1.0 / 3, "333333/1000000"),
      (-1, nil), (.infinity, nil), (.nan, nil), (1e10, nil),
    ] as [(Double, String?)])
  func rationals(value: Double, text: String?) {
    #expect(value.xmpRational == text)
  }
}
