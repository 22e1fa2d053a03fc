/// GeoJSON (RFC 7946): lines with a time for each position (`coordTimes`, `times`, also in `coordinateProperties`, as
/// converters write them) and points with a time among their properties (including Overland's, and those of photos by
/// `metatag export`).
struct GeoJSON: JSONTrackFormat {
  let name = "GeoJSON"
  let lists: [StaticString] = ["features", "locations"]

  func recognizes(_ head: [UInt8]) -> Bool { isJSON(head) && head.contains("\"Feature") }

  func take(_ element: JSONValue, into builder: inout TrackBuilder) {
    guard let geometry = element["geometry"], let coordinates = geometry["coordinates"] else { return }
    let properties = element["properties"] ?? .null
    if geometry["type"]?.isText("Point") == true {
      let point = GeoJSON.point(coordinates.numbers ?? [], properties)
      if point.instant == nil, point.rejection == nil { builder.notePlace() }
      return point.finish(into: &builder)
    }
    let times =
      properties["coordTimes"] ?? properties["times"] ?? properties["coordinateProperties"]?["times"]
      ?? properties["coordinateProperties"]?["coordTimes"] ?? .null
    if geometry["type"]?.isText("LineString") == true {
      GeoJSON.takeLine(coordinates, times, into: &builder)
    } else if geometry["type"]?.isText("MultiLineString") == true {
      for (index, line) in coordinates.elements.enumerated() {
        let own = index < times.elements.count ? times.elements[index] : .null
        GeoJSON.takeLine(line, own, into: &builder)
      }
    }
  }

  private static func takeLine(_ line: JSONValue, _ times: JSONValue, into builder: inout TrackBuilder) {
    builder.endSegment()
    let times = times.elements
    for (index, position) in line.elements.enumerated() {
      var draft = draft(position.numbers ?? [])
      if index < times.count { draft.take(time: times[index]) }
      draft.finish(into: &builder)
    }
    builder.endSegment()
  }

  private static func point(_ position: [Double], _ properties: JSONValue) -> PointDraft {
    var draft = draft(position)
    let names: [StaticString] = ["time", "timestamp", "datetime", "date_time", "when", "tst", "taken"]
    draft.take(time: names.lazy.compactMap { properties[$0] }.first)
    draft.altitude = draft.altitude ?? properties["altitude"]?.number ?? properties["ele"]?.number
    draft.accuracy = properties["horizontal_accuracy"]?.number ?? properties["accuracy"]?.number
    // Overland's speed is in m/s, and −1 if unknown; others don't name their unit.
    if properties["horizontal_accuracy"] != nil {
      draft.speed = properties["speed"]?.number
      draft.course = properties["course"]?.number.flatMap { $0 < 0 ? nil : $0 }
    }
    return draft
  }

  private static func draft(_ position: [Double]) -> PointDraft {
    var draft = PointDraft()
    guard position.count >= 2 else { return draft }
    (draft.longitude, draft.latitude) = (position[0], position[1])
    draft.altitude = position.count > 2 ? position[2] : nil
    return draft
  }
}
