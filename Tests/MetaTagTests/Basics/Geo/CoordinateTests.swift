import Testing

@testable import MetaTag

@Suite("Coordinate")
struct CoordinateTests {
  @Test(
    "A coordinate has latitudes to 90 and longitudes to 180 degrees.",
    arguments: [(90, 180), (-90, -180), (0, 0)] as [(Double, Double)])
  func accepts(latitude: Double, longitude: Double) {
    #expect(Coordinate(latitude: latitude, longitude: longitude) != nil)
  }

  @Test(
    "A coordinate beyond these limits is refused.",
    arguments: [(90.0001, 0.0), (-91, 0), (0, 180.0001), (.nan, 0), (0, .nan), (.infinity, 0), (0, -.infinity)]
      as [(Double, Double)])
  func refuses(latitude: Double, longitude: Double) {
    #expect(Coordinate(latitude: latitude, longitude: longitude) == nil)
  }

  @Test("A coordinate has no negative zero.")
  func zero() throws {
    let null = try #require(Coordinate(latitude: -0.0, longitude: -0.0))
    #expect(null.latitude.sign == .plus && null.longitude.sign == .plus)
  }

  @Test(
    "A direction is reduced to one turn.",
    arguments: [(0.0, 0.0), (360, 0), (-90, 270), (725, 5), (-1e-20, 0), (-0.0, 0)] as [(Double, Double)])
  func directions(given: Double, kept: Double) {
    #expect(Direction(degrees: given)?.degrees == kept)
    #expect(Direction(degrees: given)?.degrees.sign == .plus)
  }

  @Test("A direction that isn't finite is refused.", arguments: [Double.nan, .infinity])
  func noDirection(given: Double) { #expect(Direction(degrees: given) == nil) }
}

@Suite("Text of a coordinate")
struct CoordinateTextTests {
  @Test(
    "A coordinate is parsed in every form that people and programs write.",
    arguments: [
      "31.2304,121.4737", "31.2304, 121.4737", "31.2304 121.4737", "+31.2304 +121.4737", "31.2304;121.4737",
      "31°13'49.44\"N 121°28'25.32\"E", "31°13′49.44″N 121°28′25.32″E", "31° 13' 49.44\" N, 121° 28' 25.32\" E",
      "31°13’49.44’’n,121°28’25.32’’e", "31 13 49.44 N 121 28 25.32 E", "31d13'49.44\" 121d28'25.32\"",
      "31°13'49.44\" 121°28'25.32\"", "31 13 49.44 121 28 25.32", "N31 13.824 E121 28.422", "N31°13.824',E121°28.422'",
      "E121 28.422 N31 13.824", "121.4737E 31.2304N", "geo:31.2304,121.4737", "geo:31.2304,121.4737;u=35",
      "GEO:31.2304,121.4737,4.5;crs=wgs84;u=35", "+31.2304+121.4737+004.5/", "+31.2304+121.4737/", "+31.2304+121.4737",
      "+3113.824+12128.422/", "+311349.44+1212825.32/", "+31.2304+121.4737+004.5CRSWGS_84/", "31.2304，121.4737",
      "31.2304、121.4737", "３１．２３０４，１２１．４７３７", "31.2304\u{3000}121.4737", "  31.2304,121.4737\n",
    ])
  func forms(text: String) throws {
    let coordinate = try Coordinate(parsing: text)
    #expect(abs(coordinate.latitude - 31.2304) < 1e-9, "\(coordinate)")
    #expect(abs(coordinate.longitude - 121.4737) < 1e-9, "\(coordinate)")
  }

  @Test(
    "A parsed coordinate keeps its hemisphere.",
    arguments: [
      ("-33.8568,151.2153", -33.8568, 151.2153), ("33.8568S 151.2153E", -33.8568, 151.2153),
      ("−0°0'36\" −0.5°", -0.01, -0.5), ("-0.00001,-0.00001", -0.00001, -0.00001), ("S0 0 36 W0 30", -0.01, -0.5),
      ("-3351-07030/", -33.85, -70.5), ("-90,-180", -90, -180), ("0,0", 0, 0),
    ] as [(String, Double, Double)])
  func hemispheres(text: String, latitude: Double, longitude: Double) throws {
    let coordinate = try Coordinate(parsing: text)
    #expect(abs(coordinate.latitude - latitude) < 1e-12)
    #expect(abs(coordinate.longitude - longitude) < 1e-12)
  }

  @Test("A parsed location includes the altitude and uncertainty in its text.")
  func altitude() throws {
    let geo = try Location(parsing: "geo:31.2304,121.4737,-12.5;u=35")
    #expect(geo.altitude == -12.5 && geo.horizontalError == 35)
    #expect(try Location(parsing: "+31.2304+121.4737+004.5/").altitude == 4.5)
    #expect(try Location(parsing: "31.2304,121.4737").altitude == nil)
  }

  @Test(
    "A coordinate that can't be parsed is refused with a helpful message.",
    arguments: [
      ("121.4737,31.2304", "did you mean 31.2304,121.4737?"), ("geo:121.4737,31.2304", "did you mean"),
      ("+121.4737+031.2304/", "unexpected '/'"), ("91,181", "latitude 91.0 is out of range"),
      ("90.0001,0", "latitude 90.0001 is out of range (-90 to 90)"),
      ("45,181", "longitude 181.0 is out of range"), ("31,2304 121,4737", "two angles"), ("31.2304", "two angles"),
      ("31.2304,121.4737,5", "two angles"), ("", "is missing"), ("Kyoto", "is not a coordinate"),
      ("nan,nan", "is not a coordinate"),
      ("inf,1", "unexpected"), ("0x1p3,2", "unexpected"), ("1e1,2", "only one of the two"),
      ("٣١,١٢١", "unexpected '٣'"), ("１\u{301},2", "unexpected"), ("+１\u{301}+2", "unexpected"),
      ("48:51N 2:17E", "unexpected ':'"), ("48°51M N 2°E", "unexpected 'M'"),
      ("geo:1,2?z=15", "'2?Z=15' is not a number"),
      ("geo:1,2;u=x;crs=moon", "uncertainty"), ("geo:1,2;crs=moon;u=x", "not in WGS 84"),
      ("31°61'N 121°E", "0 to 59"), ("31.5°30'N 121°E", "only the last number"), ("-31°N 121°E", "a sign or a letter"),
      ("31N 121", "two angles"), ("31N 32S", "found two latitudes"), ("31'N 121'E", "in this order"),
      ("geo:1,2;crs=epsg:3857", "not in WGS 84"), ("geo:1", "two or three"), ("geo:1,b", "'B' is not a number"),
      ("31..2,121", "is not a number"), ("1 2 3", "two angles"), (",", "one to three numbers"),
    ])
  func refusals(text: String, sentence: String) {
    let error = #expect(throws: ParseError.self) { try Coordinate(parsing: text) }
    #expect(error?.description.contains(sentence) == true, "\(error?.description ?? "")")
  }
}
