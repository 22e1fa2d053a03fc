import SystemPackage
import TestSupport
import Testing

@testable import MetaTag

struct ConditionTests {
  /// IMG_7.JPG of an X-T4, in Zermatt, on 2024-05-01 at 10:30:15.5 +02:00.
  static var photo: PhotoFacts {
    var metadata = Metadata()
    metadata.model = "X-T4"
    metadata.make = "FUJIFILM"
    metadata.orientation = 6
    metadata.captureTimes =
      (try? CaptureTime(parsing: "2024-05-01T10:30:15.5+02:00")).map { [Sourced($0, .exif, tag: "")] } ?? []
    metadata.locations =
      Coordinate(latitude: 46.0207, longitude: 7.7491)
      .map { [Sourced(Location($0, altitude: 1_608), .exif, tag: "")] } ?? []
    metadata.fields = [Sourced(RecordedField(.rating, .whole([4])), .exif, tag: "")]
    var properties = ImageProperties(.jpeg)
    properties.pixelSize = PixelSize(width: 6_240, height: 4_160)
    properties.orientation = 6
    properties.subtypes = [.hdr]
    return PhotoFacts(
      path: "alps/IMG_7.JPG", type: .jpeg, size: 5_000_000, properties: properties, metadata: metadata)
  }

  static var blank: PhotoFacts {
    var properties = ImageProperties(.mov)
    properties.duration = .seconds(75)
    return PhotoFacts(path: "b.heic", type: .heic, size: 10, properties: properties, metadata: Metadata())
  }

  @Test(
    "A condition is evaluated for a photo and for one that records nothing.",
    arguments: [
      (#"camera == "X-T4" && location && taken >= 2024-05-01"#, true, false),
      (#"camera == "x-t4""#, false, false), (#"camera ~ "x-t?""#, true, false), (#"camera ~ '*t4'"#, true, false),
      (#"camera ~ "fuji*""#, true, false), (#"camera == "FUJIFILM X-T4""#, true, false),
      (#"camera != "FUJIFILM X-T4""#, false, true), (#"model ~ "fuji*""#, false, false),
      (#"camera ~ "x""#, false, false), (#"make != "Canon""#, true, true), ("camera", true, false),
      ("!lens", true, true), (#"lens == """#, false, false), ("!location", false, true), ("!!location", true, false),
      ("offset", true, false), (#"offset == "+0200""#, true, false), (#"offset != "+09:00""#, true, true),
      (#"name == "IMG_7.JPG""#, true, false), (#"name ~ "*.heic""#, false, true),
      (#"folder == "alps""#, true, false), (#"folder == ".""#, false, true),
      (#"kind == "Movie""#, false, true), (#"kind == "image""#, true, false), ("duration", false, true),
      ("duration > 1 min", false, true), ("duration <= 75s", false, true), ("duration != 75s", true, false),
      ("rating >= 4", true, false), ("rating == 5", false, false), (#"subtype == "hdr""#, true, false),
      (#"type == "JPEG""#, true, false), (#"type != "heic""#, true, false),
      ("taken == 2024", true, false), ("taken == 2024-05", true, false), ("taken == 2024-05-01", true, false),
      ("taken == 2024-05-01T10:30", true, false), ("taken == 2024-05-01T10:30:15", true, false),
      ("taken == 2024-05-01T10:30:16", false, false), ("taken == 2024-05-01T08:30Z", true, false),
      ("taken == 2024-05-01T10:30Z", false, false), ("taken > 2024-05", false, false),
      ("taken >= 2024-05", true, false),
      ("taken < 2024-05-01T10:30:15", false, false), ("taken <= 2024-05-01T10:30:15", true, false),
      ("taken > 2024-05-01T10:30:14", true, false), ("taken != 2024", false, true), ("taken < 2025", true, false),
      ("modified", false, false), ("altitude > 1.6km", true, false), ("altitude > 5280ft", false, false),
      ("latitude >= 46 && longitude < +7.75", true, false), ("latitude < -1", false, false),
      ("size == 5MB", true, false), ("size < 1KiB", false, true),
      ("width == 6240 && height == 4160", true, false), ("orientation == 6", true, false),
      ("orientation != 6", false, true), ("within(46.02,7.75,5km)", true, false),
      ("within(46.02, 7.75, 50m)", false, false), ("!within(46.02,7.75,5km)", false, true),
      (#"camera == "no" || location && size > 1"#, true, false),
      (#"(camera == "no" || location) && size < 1"#, false, false),
      (#"camera == "X-T4"||!location"#, true, true),
    ])
  func meaning(_ text: String, _ photo: Bool, _ blank: Bool) throws {
    let condition = try Condition(parsing: text)
    #expect(condition.isMet(by: Self.photo) == photo)
    #expect(condition.isMet(by: Self.blank) == blank)
  }

  @Test(
    "A syntax error is reported with its column and a hint.",
    arguments: [
      ("", "missing"), ("camera = \"X\"", "column 8: unexpected '='"),
      ("camera == X-T4", "column 11: the text 'X-T4' has no quotes"),
      ("camera < \"X\"", "column 8"),
      ("camera == \"X-T4", "column 11: unterminated text"), ("camra == \"X\"", "column 1: unknown field 'camra'"),
      ("location == \"Bern\"", "column 10"), ("taken > yesterday", "column 9: 'yesterday' is not a valid date"),
      ("taken == 2024-02-30", "'2024-02-30' is not a valid date"), ("taken == 2024-5", "column 10"),
      ("taken == 24", "column 10"),
      ("taken ~ \"2024*\"", "column 7"), ("altitude > 500", "column 12: 500 has no unit"),
      ("altitude > 500yd", "'yd' is not a valid unit"), ("size > ten", "column 8"),
      ("size", "column 1: every photo has a size"),
      ("type == \"bmp\"", "'bmp' is not a type"), ("offset == \"Tokyo\"", "not an offset"),
      ("width > height", "'height' is not a number"),
      ("location location", "column 10: unexpected 'location' after a condition"),
      ("location and taken", "column 10: 'and' is not an operator"),
      ("not location", "column 1: 'not' is not an operator"),
      ("(location", "column 10: ')' is missing at the end"),
      ("location &&", "unexpected end of the condition"), ("location & taken", "column 10: unexpected '&'"),
      ("location)", "column 9"),
      ("taken=>2024", "column 6: unexpected '=>'"), ("size =< 5MB", "column 6: unexpected '=<'"),
      ("taken > \"2024\"", "column 9: the date '2024' is in quotes"),
      ("within(46.4,194.1,5km)", "longitude is -180 to 180"),
      ("within(91,0,1km)", "column 8: 91.0,0.0 is not a place: latitude"),
      ("within(46,7,5)", "column 13: 5 has no unit"),
      ("within(46,7)", "latitude, longitude and distance"), ("within(46,7,-5km)", "can't be negative"),
      ("latitude == 1e5", "'e5' is not a valid unit"),
      ("\u{1F4F7} == \"X\"", "column 1"),
    ])
  func errors(_ text: String, _ part: String) throws {
    let error = #expect(throws: ParseError.self) { try Condition(parsing: text) }
    #expect(error?.description.contains(part) == true, "\(error?.description ?? "")")
  }

  @Test(
    "A syntax error has a remedy.",
    arguments: [
      ("", .writeLike("camera == \"X-T4\" && !location")), ("camera = \"X\"", .write("==")),
      ("camera == X-T4", .quote("X-T4")), ("camera < \"X\"", .useOneOf(["==", "!=", "~"])),
      ("location == \"Bern\"", .writeLike("location", or: ["!location", "within(46.02,7.75,5km)"])),
      ("taken > yesterday", .writeLike("2024", or: ["2024-05", "2024-05-01", "2024-05-01T10:00"])),
      ("taken > \"2024\"", .write("2024")), ("taken ~ \"2024*\"", .writeLike("taken >= 2024-05-01")),
      ("altitude > 500", .writeLike("500m")), ("altitude > 500yd", .writeLike("500m")),
      ("size > ten", .writeLike("10MB")), ("size", .writeLike("size >= 10MB")), ("width > height", .writeLike("6")),
      ("type == \"bmp\"", .useOneOf(ImageType.allCases.map(\.rawValue))),
      ("offset == \"Tokyo\"", .writeLike("\"+09:00\"")), ("location location", .joinConditions),
      ("location and taken", .write("&&")), ("location or taken", .write("||")), ("not location", .write("!")),
      ("location & taken", .write("&&")), ("location &&", .writeLike("camera == \"X-T4\"", or: ["location"])),
      ("taken=>2024", .write(">=")), ("size =< 5MB", .write("<=")), ("camera ==", .writeLike("camera ~ \"*a*\"")),
      ("within(Kyoto, 20km)", .writeLike("within(\"Kyoto\", 20km)")), ("place()", .writeLike("place(\"Kyoto\")")),
      ("\u{1F4F7} == \"X\"", .quote("\u{1F4F7}")), ("camera == \"X-T4", nil), ("(location", nil),
      ("within(46,7,-5km)", nil),
    ] as [(String, Remedy?)])
  func remedies(_ text: String, _ remedy: Remedy?) {
    let error = #expect(throws: ParseError.self) { try Condition(parsing: text) }
    #expect(error?.remedy == remedy, "\(error?.description ?? "")")
  }

  @Test("An unknown field has all fields as its remedy.")
  func unknownField() throws {
    let error = #expect(throws: ParseError.self) { try Condition(parsing: "camra == \"X\"") }
    guard case .useOneOf(let names)? = error?.remedy else { throw ParseError("no remedy") }
    #expect(names == ConditionField.allCases.map(\.rawValue) + ["place(\"Kyoto\")", "within(\"Kyoto\", 20km)"])
  }

  @Test("An error about a place keeps its remedy, and gets the column.")
  func placeError() {
    let error = #expect(throws: ParseError.self) {
      try Condition(parsing: "place(\"Kioto\")") { name throws(ParseError) in
        throw ParseError("no place is named '\(name)'", remedy: .didYouMean(["Kyoto"]))
      }
    }
    #expect(error?.description == "column 7: no place is named 'Kioto'" && error?.remedy == .didYouMean(["Kyoto"]))
  }

  @Test("Depth and length are bounded, and a long row of conditions isn't deep.")
  func bounds() throws {
    let deep = { (count: Int) in
      String(repeating: "(", count: count) + "location" + String(repeating: ")", count: count)
    }
    #expect(try Condition(parsing: deep(64)).isMet(by: Self.photo))
    for text in [deep(65), deep(100), deep(4_000), String(repeating: "!", count: 5_000) + "location"] {
      #expect(throws: ParseError.self) { try Condition(parsing: text) }
    }
    #expect(throws: ParseError.self) { try Condition(parsing: String(repeating: " ", count: 10_001)) }
    let row = Array(repeating: "location", count: 800).joined(separator: "&&")
    #expect(try Condition(parsing: row).isMet(by: Self.photo))
  }

  @Test("A blank may precede a unit, and nothing else.")
  func blankBeforeUnit() throws {
    for (spaced, joined) in [("altitude > 685 m", "altitude > 685m"), ("within(46, 7, 5 km)", "within(46,7,5km)")] {
      #expect(try Condition(parsing: spaced) == Condition(parsing: joined))
    }
    #expect(throws: ParseError.self) { try Condition(parsing: "altitude > 685 location") }
    #expect(throws: ParseError.self) { try Condition(parsing: "altitude > 685m m") }
  }

  @Test("All of several conditions must hold, and without any every photo matches.")
  func all() throws {
    let both = [try Condition(parsing: "location || lens"), try Condition(parsing: "orientation == 6")]
    #expect(Condition(all: both).isMet(by: Self.photo) && !Condition(all: both).isMet(by: Self.blank))
    #expect(Condition(all: []).isMet(by: Self.blank))
  }

  @Test("A pattern that could match in many ways doesn't take exponential time.")
  func patterns() {
    let pattern = Glob(String(repeating: "*a", count: 200) + "b")
    let time = processorTime { #expect(!pattern.matches(String(repeating: "a", count: 5_000))) }
    #expect(time < .seconds(20))
    #expect(Glob("a\\*b").matches("A*B") && !Glob("a\\*b").matches("axb") && Glob("**").matches(""))
  }

  /// A condition as text, and its value if the atoms have the values of `truth`.
  private static func random(
    _ generator: inout SeededGenerator, depth: Int
  ) -> (text: String, truth: Bool) {
    let blank = ["", " "].randomElement(using: &generator) ?? ""
    switch depth == 0 ? 0 : Int.random(in: 0...3, using: &generator) {
    case 1:
      let inner = random(&generator, depth: depth - 1)
      return ("!\(blank)(\(inner.text))", !inner.truth)
    case 2, 3:
      let isAll = Bool.random(using: &generator)
      let parts = (0..<Int.random(in: 2...4, using: &generator)).map { _ in random(&generator, depth: depth - 1) }
      let text = parts.map { "(\($0.text))" }.joined(separator: blank + (isAll ? "&&" : "||") + blank)
      return (text, isAll ? parts.allSatisfy(\.truth) : parts.contains(where: \.truth))
    default:
      let number = Int.random(in: -3...9, using: &generator)
      let atoms: [(String, Bool)] = [
        ("orientation\(blank)<\(blank)\(number)", 6 < number), ("orientation != \(number)", number != 6),
        ("orientation>=\(number)", 6 >= number), ("location", true), ("lens", false),
      ]
      return atoms.randomElement(using: &generator) ?? ("location", true)
    }
  }

  @Test("Random conditions have the value of a naive evaluation.")
  func property() throws {
    var generator = SeededGenerator(seed: 6)
    for _ in 0..<3_000 {
      let (text, truth) = Self.random(&generator, depth: 4)
      #expect(try Condition(parsing: text).isMet(by: Self.photo) == truth, "\(text)")
    }
  }

  @Test("Precedence without parentheses is that of the grammar.")
  func precedence() throws {
    for bits in 0..<8 {
      let atoms = (0..<3).map { bits >> $0 & 1 == 1 ? "location" : "lens" }
      let (a, b, c) = (bits & 1 == 1, bits & 2 == 2, bits & 4 == 4)
      let cases = [
        ("\(atoms[0]) || \(atoms[1]) && \(atoms[2])", a || b && c),
        ("\(atoms[0]) && \(atoms[1]) || \(atoms[2])", a && b || c),
        ("!\(atoms[0]) && \(atoms[1]) || !\(atoms[2])", !a && b || !c),
      ]
      for (text, truth) in cases { #expect(try Condition(parsing: text).isMet(by: Self.photo) == truth, "\(text)") }
    }
  }
}
