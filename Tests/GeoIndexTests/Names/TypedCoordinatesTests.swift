import Basics
import TestSupport
import Testing

@testable import GeoIndex

@Suite("Coordinates typed into a search")
struct TypedCoordinatesTests {
  @Test(
    "Coordinates are read in every usual form.",
    arguments: [
      ("35.0116,135.7681", 35.0116, 135.7681), ("35.0116 135.7681", 35.0116, 135.7681),
      ("(-33.86, 151.21)", -33.86, 151.21),
      ("−33.86; 151.21", -33.86, 151.21), ("48,8583 2,2945", 48.8583, 2.2945), ("48.8583N, 2.2945E", 48.8583, 2.2945),
      ("35°00′41.8″N 135°46′05″E", 35.01161, 135.76806), ("N35 00.69 E135 46.09", 35.0115, 135.76817),
      ("33°51'31\"S, 151°12'51\"E", -33.85861, 151.21417), ("2.2945E 48.8583N", 48.8583, 2.2945),
      ("geo:35.0116,135.7681", 35.0116, 135.7681), ("geo:35.0116,135.7681,50;u=35", 35.0116, 135.7681),
      ("https://www.google.com/maps/@48.8583,2.2945,17z", 48.8583, 2.2945), ("8FVC9G8F+6X", 47.36556, 8.52494),
      ("３５° 1′N 135°E", 35.01667, 135), ("35.1N,１３５．7E", 35.1, 135.7),
      ("３５．５，１３５", 35.5, 135), ("31.2304、121.4737", 31.2304, 121.4737),
      ("48 30 15N 2:15:30E", 48.50417, 2.25833), ("48°30’15’’N 2°E", 48.50417, 2),
      ("N 48° 30 E 2", 48.5, 2),
      ("8fvc9g8f+6xq", 47.36556, 8.52498), ("8FVC0000+", 47.5, 8.5), ("90,180", 90, 180),
      ("8FVC9G8F+6X Zürich", 47.36556, 8.52494), ("8FVC9G8F+6X, Zürich", 47.36556, 8.52494),
      ("38 deg 52' 48.00\" N, 77 deg 2' 12.00\" W", 38.88, -77.03667), ("+35.0116+135.7681/", 35.0116, 135.7681),
      ("-3500.7-13546.1", -35.01167, -135.76833), ("+350041.8+1354605-012.5CRSWGS_84/", 35.01161, 135.76806),
      ("-33°51'31\" 151°12'51\"", -33.85861, 151.21417), ("−33°51′, 151°12′", -33.85, 151.2),
      ("-0°30'0\" 10°0'0\"", -0.5, 10), ("lat: 35.0116, lon: 135.7681", 35.0116, 135.7681),
      ("{\"lng\":135.7681,\"lat\":-35.0116}", -35.0116, 135.7681), ("latitude=35&longitude=-135.5", 35, -135.5),
      ("geo:35.0116,135.7681?z=15", 35.0116, 135.7681), ("geo:0,0?q=35.0116,135.7681(Kyoto)", 35.0116, 135.7681),
      ("geo:0,0", 0, 0), ("geo:1,2?q=Kyoto", 1, 2), ("GEO:35,135;crs=WGS84;u=10", 35, 135),
      ("https://www.openstreetmap.org/#map=15/35.0116/-135.7681", 35.0116, -135.7681),
      ("https://www.openstreetmap.org/?mlat=35.01&mlon=135.76#map=15/35/135", 35.01, 135.76),
      ("48 51.504, 2 17.67", 48.8584, 2.2945), ("-33 51.5, 151 12.5", -33.85833, 151.20833),
      ("485130N 0021740E", 48.85833, 2.29444), ("4851N00217W", 48.85, -2.28333),
      ("485130.5S, 0021740E", -48.85847, 2.29444),
      // A decimal comma, if it can't be anything else.
      ("48°51′23,8″ N 2°21′7,9″ E", 48.85661, 2.35219), ("48,8583° N, 2,2945° E", 48.8583, 2.2945),
      ("N 48°51,504' E 2°17,67'", 48.8584, 2.2945), ("-33°51'30,6\" 151°12'50,4\"", -33.85850, 151.21400),
      ("48,8583, 2,2945", 48.8583, 2.2945), ("48,8583°; 2,2945°", 48.8583, 2.2945),
      ("48,51.504N 2,17.67E", 48.8584, 2.2945), ("48,51,30N 2,17,40E", 48.85833, 2.29444),
      ("48.85 North, 2.35 East", 48.85, 2.35), ("48° 51' Nord 2° 21' Ost", 48.85, 2.35),
      ("48.85° south 2.35° ouest", -48.85, -2.35), ("48°51'N 2°21' Ouest", 48.85, -2.35),
      ("48 degrees 51 minutes north, 2 degrees 21 minutes east", 48.85, 2.35),
      ("48 Grad 51 Min. 30 Sek. Nord, 2 Grad 21 Minuten Ost", 48.85833, 2.35),
      ("North 48.85 West 2.35", 48.85, -2.35), ("33,8583 Süd 151,2045 Ost", -33.8583, 151.2045),
      ("北緯35度41分 東経139度41分", 35.68333, 139.68333), ("南纬33度51分31秒 东经151度12分51秒", -33.85861, 151.21417),
      ("https://www.openstreetmap.org/?mlon=135.76&mlat=35.01#map=15/35/135", 35.01, 135.76),
      ("https://maps.apple.com/?ll=35.0393,135.7292&sll=51.5000,-0.1200&q=X", 35.0393, 135.7292),
      (
        "https://www.google.com/maps/place/X/@35.03,135.72,17z/data=!3m1!8m2!3d35.0393!4d135.7292!16z", 35.0393,
        135.7292
      ),
      ("https://www.google.com/maps/place/35.0393,135.7292/@35.03,135.72,17z", 35.0393, 135.7292),
      ("https://www.google.com/maps/search/?api=1&query=47.5951518%2C-122.3316393", 47.59515, -122.33164),
      ("https://maps.google.com/?q=47,8", 47, 8),
      ("https://bing.com/maps?cp=47.6062~-122.3321&lvl=12", 47.6062, -122.3321),
      ("https://yandex.com/maps/213/moscow/?ll=37.617%2C55.755&z=12", 55.755, 37.617),
      ("https://yandex.ru/maps/?ll=37.5,55.5&whatshere[point]=37.617%2C55.755&whatshere[zoom]=17", 55.755, 37.617),
      ("https://yandex.com.tr/harita/?ll=29,41&whatshere%5Bpoint%5D=29.01%2C41.02", 41.02, 29.01),
      ("https://yandex.ru/maps/?pt=37.617,55.755&ll=37,55", 55.755, 37.617),
      ("https://2gis.ru/moscow/geo/4504/37.617,55.755", 55.755, 37.617),
      ("https://2gis.ru/moscow/geo/4504/37.617%2C55.755?m=37.5%2C55.5%2F16", 55.755, 37.617),
      ("https://2gis.kz/almaty?m=76.9,43.25/16.5", 43.25, 76.9),
      ("https://waze.com/ul?ll=40.7589,-73.9851", 40.7589, -73.9851),
      ("https://www.google.co.jp/maps?q=35,135", 35, 135),
      ("http://maps.google.com/maps?saddr=1.0,2.0&q=loc:35.0116,+135.7681", 35.0116, 135.7681),
    ])
  func forms(text: String, latitude: Double, longitude: Double) throws {
    let point = try #require(TypedCoordinates.point(text))
    #expect(abs(point.latitude - latitude) < 6e-5 && abs(point.longitude - longitude) < 6e-5)
  }

  @Test(
    "Text that isn't a coordinate is not read as one.",
    arguments: [
      "", "Kyoto", "35", "35 135", "91,0", "0,181", "35.0N 135.0N", "12 rue", "35°61′N 135°0′E", "ABCDEFGH+IJ",
      "8FVC9G8F+6", "geo:", "1,2,3", "9th of July",
      "geo:35.0,135.0;crs=moon", "geo:0,0?q=Kyoto", "geo:91,0", "9G8F+6X", "9G8F+6X Zürich", "9G8F+6XZürich", "9G8F+6",
      "9G8+6XX", "+95.0+135.0/", "+3575.0+13500.0/", "-33°61' 151°12'", "lat: 35", "lat: 35, lon: 135, alt: 7",
      "geo:0,0?q=", "geo:0,0?q=%28Home%29", "geo:0,0?q=geo:47,8", "https://maps.apple.com/?sll=51.5,-0.12",
      "https://www.google.com/maps/dir/47.37,8.54/46.95,7.45/", "https://example.org/?q=Kyoto", "https://a.b/?q=95,8",
      "48 61.5, 2 17.67", "48 51, 2 17", "486130N 0021740E", "48513N 0021740E", "北緯35度41分", "platform 3 lon 4",
      "https://example.org/#map=15/95/135", "35°61'O 12°N",
      // Maps with an unknown order of latitude and longitude.
      "https://example.org/?q=47,8", "https://map.example/@47.5,8.5,15z", "https://example.org/47.5,8.5",
      "https://notyandex.example/?ll=37.617,55.755", "https://yandex.ru/maps/?text=Moscow",
      // Digits that don't belong to the number before them.
      "४७.5N 10E", "47½N 10E", "35.1N,१३५.7E", "٣٥.٠N 135E1", "४851N00217W", "47², 8",
      // Signs after the wrong part, and decimals before the last part.
      "48°30\"N 2°15\"E", "N5' E3'", "48'30\"N 2°E", "48.5 30 N 2.5 30 E", "48.5°30'N 2°E", "48°30°N 2°E",
      "48.53.2N 2E", "48''N 2''E", "48°30'15'N 2°E",
    ])
  func none(text: String) {
    #expect(TypedCoordinates.point(text) == nil)
  }

  @Test(
    "Some forms are coordinates only as a value, and some only in a search.",
    arguments: [
      // In a search, these can be house numbers, years or other numbers.
      ("34 60", true, false), ("48.85-2.35", true, false), ("48 51 2 17", true, false), ("48°2°", true, false),
      // Characters that only look like a sign, and repeated signs.
      ("48˚51'N 2˚17'E", true, false), ("48.85,–2.35", true, false), ("48°51´N 2°17´E", true, false),
      ("48°°N 2°E", true, false), ("48 N, E 2", true, false), ("48N E2", true, false),
      // In a value, a decimal comma or a word would be a guess.
      ("48,85 2,35", false, true), ("48:51:30N 2:17:40E", false, true), ("48°51M N 2°17M E", false, true),
      ("N: 48 E: 2", false, true), ("48 deg N, 2 deg E", false, true), ("(48.85, 2.35)", false, true),
      ("485130N 0021740E", false, true), ("lat 48 lon 2", false, true), ("48°51.5'30\" 2°17'10\"", false, true),
      // Map apps write more than the standards allow.
      ("+48.5+002.5CRSEPSG_4326/", false, true), ("+48.5+002.5CRSWGS_84", false, true),
      ("geo:48,2?z=15", false, true), ("geo:48,2;u=x", false, true),
      ("+48.5+002.5crswgs_84/", true, false), ("+48.5+002.5CRSWGS_84/", true, true), ("geo:48,2,100;u=5", true, true),
      ("48:51:N 2E", false, false), ("48::51N 2E", false, false), ("48:°51N 2E", false, false),
      ("N48: E2", false, false),
    ] as [(String, Bool, Bool)])
  func uses(text: String, isValue: Bool, isTyped: Bool) {
    #expect(((try? Coordinate(parsing: text)) != nil) == isValue)
    #expect(!TypedCoordinates.readings(text).isEmpty == isTyped)
  }

  @Test("An O may be east or west, so it gives two locations.")
  func east() {
    let readings = TypedCoordinates.readings("52°31'N 13°24'O")
    #expect(readings.map { $0.longitude.rounded() } == [13, -13])
    #expect(TypedCoordinates.point("52°31'N 13°24'O") == nil)
    let meridian = Place.all(coordinateText: "N 48.85 O 0")
    #expect(meridian.map(\.name) == ["48.85, 0.0"])
  }

  @Test("A comma may separate minutes or be a decimal separator, so it gives two locations.")
  func commas() {
    let readings = TypedCoordinates.readings("48,51N 2,18E")
    #expect(readings.map { ($0.latitude * 100).rounded() } == [4885, 4851])
    #expect(readings.map { ($0.longitude * 100).rounded() } == [230, 218])
    // 75 can't be minutes, and both letters have one meaning.
    #expect(TypedCoordinates.readings("48,75N 2,30E") == [Coordinate(clampingLatitude: 48.75, longitude: 2.3)])
    #expect(TypedCoordinates.readings("48,51 Nord 2,18 O").count == 4)
  }

  @Test(
    "Very long text is not searched for coordinates.",
    arguments: [
      "1" + String(repeating: " ", count: 1 << 20) + "x", "geo:0,0?" + String(repeating: " ", count: 1 << 20) + "x;",
      "http" + String(repeating: "@1.0", count: 1 << 18), String(repeating: "QQ2G+27 ", count: 1 << 17) + "Kyoto",
    ])
  func long(text: String) {
    let time = processorTime {
      #expect(TypedCoordinates.point(text) == nil)
      #expect(PlusCode(text) == nil)
    }
    #expect(time < .seconds(20))
  }

  @Test(
    "A short Plus Code is the nearest one to the place after it.",
    arguments: [
      // Across the edge of a degree, a twentieth, the antimeridian, and at a pole.
      ("9G8F+6X", 47.37, 8.54, 47.36556, 8.52494), ("9G8F+6X", 47.99, 8.01, 48.36556, 7.52494),
      ("9G8F+6X", 46.99, 8.54, 47.36556, 8.52494), ("8F+6X", 47.36, 8.53, 47.36556, 8.52494),
      ("CWC8+R9", 37.39, -122.08, 37.42206, -122.08406), ("2222+22", 10.01, 179.99, 10.00006, -179.99994),
      ("X2X2+X2", 90, 0, 89.99994, 0.00006),
    ])
  func shortPlusCodes(code: String, latitude: Double, longitude: Double, north: Double, east: Double) throws {
    let code = try #require(PlusCode(code))
    #expect(code.center == nil)
    let center = code.center(near: Coordinate(clampingLatitude: latitude, longitude: longitude))
    #expect(abs(center.latitude - north) < 2e-5 && abs(center.longitude - east) < 2e-5)
  }

  @Test("A coordinate is a place, the same every time.")
  func place() throws {
    let place = try #require(Place.all(coordinateText: "35.0116,135.7681").first)
    #expect((place.kind, place.name, place.countryCode) == (.coordinate, "35.0116, 135.7681", ""))
    #expect([place] == Place.all(coordinateText: "35.0116,135.7681"))
    #expect(place.id != Place.all(coordinateText: "35.0117,135.7681").first?.id)
  }
}
