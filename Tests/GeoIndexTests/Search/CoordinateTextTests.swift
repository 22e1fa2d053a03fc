import Testing

@testable import GeoIndex

@Suite("Coordinates in text")
struct CoordinateTextTests {
  @Test(
    "are read in every usual form",
    arguments: [
      ("35.0116,135.7681", 35.0116, 135.7681), ("35.0116 135.7681", 35.0116, 135.7681),
      ("(-33.86, 151.21)", -33.86, 151.21),
      ("−33.86; 151.21", -33.86, 151.21), ("48,8583 2,2945", 48.8583, 2.2945), ("48.8583N, 2.2945E", 48.8583, 2.2945),
      ("35°00′41.8″N 135°46′05″E", 35.01161, 135.76806), ("N35 00.69 E135 46.09", 35.0115, 135.76817),
      ("33°51'31\"S, 151°12'51\"E", -33.85861, 151.21417), ("2.2945E 48.8583N", 48.8583, 2.2945),
      ("geo:35.0116,135.7681", 35.0116, 135.7681), ("geo:35.0116,135.7681,50;u=35", 35.0116, 135.7681),
      ("https://www.google.com/maps/@48.8583,2.2945,17z", 48.8583, 2.2945), ("8FVC9G8F+6X", 47.36556, 8.52494),
      ("8fvc9g8f+6xq", 47.36556, 8.52498), ("8FVC0000+", 47.5, 8.5), ("90,180", 90, 180),
    ])
  func forms(text: String, latitude: Double, longitude: Double) throws {
    let point = try #require(CoordinateText.point(text))
    #expect(abs(point.latitude - latitude) < 6e-5 && abs(point.longitude - longitude) < 6e-5)
  }

  @Test(
    "are not read into what is none",
    arguments: [
      "", "Kyoto", "35", "35 135", "91,0", "0,181", "35.0N 135.0N", "12 rue", "35°61′N 135°0′E", "ABCDEFGH+IJ",
      "8FVC9G8F+6", "geo:", "1,2,3", "9th of July",
    ])
  func none(text: String) {
    #expect(CoordinateText.point(text) == nil)
  }

  @Test("are a place of their own, the same every time")
  func place() throws {
    let place = try #require(Place(coordinateText: "35.0116,135.7681"))
    #expect((place.kind, place.name, place.countryCode) == (.coordinate, "35.0116, 135.7681", ""))
    #expect(place == Place(coordinateText: "35.0116,135.7681"))
    #expect(place.id != Place(coordinateText: "35.0117,135.7681")?.id)
  }
}
