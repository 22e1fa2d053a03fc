import Basics

/// The waypoints of GPX 1.0 and 1.1. Tracks and routes are lines; their points are not places.
struct GPXPlaces: PlaceFormat {
  let name = "GPX"

  func recognizes(_ head: ArraySlice<UInt8>) -> Bool { XMLScanner.root(of: head) == "gpx" }

  func read(_ file: PlaceFile, _ take: (ImportedPlace) throws -> Void) throws {
    var reader = XMLReader(file.window, splitsText: true)
    var number = 0
    var waypoint: (draft: PlaceDraft, depth: Int)?
    var text = ElementText()
    while try reader.next() {
      let xml = reader.scanner
      switch xml.kind {
      case .start:
        let name = String(decoding: xml.localName, as: UTF8.self)
        if name == "wpt", waypoint == nil {
          number += 1
          var draft = PlaceDraft()
          draft[.latitude] = xml.attribute("lat")
          draft[.longitude] = xml.attribute("lon")
          waypoint = (draft, xml.depth)
        } else if name == "trk" || name == "rte", xml.depth == 2 {
          try take(.shape)
        } else {
          text.begin(waypoint.map { xml.depth == $0.depth + 1 } == true ? Self.fields[name] : nil)
        }
      case .text: text.append(try xml.unescapedBytes(xml.range))
      case .cdata: text.append(xml.bytes[xml.range])
      case .end:
        if let field = text.end() {
          guard let value = text.value else { throw ElementText.unreadable("waypoint \(number)") }
          waypoint?.draft[field] = value
        }
        guard let ended = waypoint, xml.depth < ended.depth else { continue }
        try take(.place(ended.draft, entry: "waypoint \(number)"))
        waypoint = nil
      }
    }
  }

  private static let fields: [String: PlaceField] = ["name": .name, "ele": .altitude, "type": .category]
}

/// The text of an element without child elements.
struct ElementText {
  private var field: PlaceField?
  private var bytes: [UInt8] = []

  /// The maximum length; longer text is not useful.
  private static let longest = 4_096

  /// The text; nil if it isn't UTF-8.
  var value: String? {
    bytes.count > Self.longest ? String(decoding: bytes, as: UTF8.self) : String(validating: bytes, as: UTF8.self)
  }

  static func unreadable(_ entry: String) -> GeoIndexError {
    GeoIndexError(
      .badFile, "\(entry) is not valid UTF-8, and the file declares no other encoding", remedy: .convertToUTF8)
  }

  mutating func begin(_ field: PlaceField?) { (self.field, bytes) = (field, []) }

  mutating func append(_ piece: ArraySlice<UInt8>) {
    if field != nil, bytes.count <= Self.longest { bytes += piece }
  }

  /// Ends the element; returns the field that `value` belongs to, if any.
  mutating func end() -> PlaceField? {
    defer { field = nil }
    return field
  }
}
