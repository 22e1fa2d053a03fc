import Basics

/// KML 2.2 (OGC 07-147r2): the placemarks that have exactly one point. The names of folders become categories; lines,
/// areas and models are counted.
struct KMLPlaces: PlaceFormat {
  let name = "KML"

  func recognizes(_ head: ArraySlice<UInt8>) -> Bool { XMLScanner.root(of: head) == "kml" }

  func read(_ input: InputWindow, _ take: (ImportedPlace) throws -> Void) throws {
    var reader = XMLReader(input, splitsText: true)
    var number = 0
    var folders: [(name: String?, depth: Int)] = []
    var placemark: Placemark?
    var text = ElementText()
    while try reader.next() {
      let xml = reader.scanner
      let name = String(decoding: xml.localName, as: UTF8.self)
      switch xml.kind {
      case .start where name == "Placemark" && placemark == nil:
        number += 1
        placemark = Placemark(depth: xml.depth)
        placemark?.draft[.id] = xml.attribute("id")
      case .start where name == "Folder" && placemark == nil: folders.append((nil, xml.depth))
      case .start:
        placemark?.begin(name)
        let depth = placemark?.depth ?? folders.last?.depth
        let isCoordinates = name == "coordinates" && placemark?.isPoint == true
        text.begin(isCoordinates ? .position : name == "name" && xml.depth == depth.map { $0 + 1 } ? .name : nil)
      case .text: text.append(try xml.unescapedBytes(xml.range))
      case .cdata: text.append(xml.bytes[xml.range])
      case .end:
        if let field = text.end() {
          guard let value = text.value else {
            throw ElementText.unreadable(placemark == nil ? "the name of a folder" : "placemark \(number)")
          }
          if placemark == nil {
            folders.indices.last.map { folders[$0].name = value }
          } else if field == .position {
            placemark?.coordinates = value
          } else {
            placemark?.draft[field] = value
          }
        }
        placemark?.end(name)
        if let ended = placemark, xml.depth < ended.depth {
          try take(ended.place(in: folders.compactMap(\.name), entry: "placemark \(number)"))
          placemark = nil
        }
        if let folder = folders.last, xml.depth < folder.depth { folders.removeLast() }
      }
    }
  }
}

/// A `Placemark` while it is read.
private struct Placemark {
  let depth: Int
  var draft = PlaceDraft()
  /// The text `longitude,latitude[,altitude]`.
  var coordinates: String?
  private(set) var isPoint = false
  private var hasShape = false
  private var points = 0

  private static let shapes: Set = ["LineString", "LinearRing", "Polygon", "Model", "Track", "MultiTrack"]

  init(depth: Int) { self.depth = depth }

  mutating func begin(_ name: String) {
    if name == "Point" { (isPoint, points) = (true, points + 1) }
    if Self.shapes.contains(name) { hasShape = true }
  }

  mutating func end(_ name: String) {
    if name == "Point" { isPoint = false }
  }

  func place(in folders: [String], entry: String) -> ImportedPlace {
    guard points > 0 else { return hasShape ? .shape : .bad(entry: entry, why: "it has no position") }
    guard points == 1 else { return .bad(entry: entry, why: "it has \(points) points, expected one") }
    let numbers = (coordinates ?? "").split(separator: ",", omittingEmptySubsequences: false).map {
      PlaceDraft.decimal($0.filter { !$0.isWhitespace })
    }
    guard (2...3).contains(numbers.count), let longitude = numbers[0], let latitude = numbers[1],
      let point = Coordinate(latitude: latitude, longitude: longitude)
    else { return .bad(entry: entry, why: "its coordinates are not a valid longitude,latitude") }
    var draft = draft
    draft.point = point
    // Programs write zero if they don't know the altitude.
    if numbers.count == 3, let altitude = numbers[2], altitude != 0 { draft[.altitude] = "\(altitude)" }
    draft[.category] = folders.joined(separator: "/")
    return .place(draft, entry: entry)
  }
}
