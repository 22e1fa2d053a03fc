package import SystemPackage

/// A line about one file of a large job: what a worker read in it, or that it couldn't read it.
package struct FactsLine: Sendable {
  /// The line of a file that couldn't be read.
  private let failure: PlanValue?
  /// The identifier of the line.
  package let id: String
  /// The path of the file.
  package let path: FilePath
  /// The version of the program that wrote the line; nil for a file that couldn't be read.
  package let version: String?
  /// The facts that the file records; nil if it couldn't be read.
  package let facts: FileFacts?

  /// Reads a line.
  /// - Parameter cameras: The cameras of other lines.
  /// - Throws: `FileError` with the offset, or `ParseError`, for a line that isn't one.
  package init(_ bytes: [UInt8], sharing cameras: inout FileFacts.SharedCameras) throws {
    var json = JSONReader(try InputWindow(SourceStream(Bytes(bytes))))
    let value = try PlanValue(try json.value())
    guard try json.peek() == nil else { throw ParseError("the line has more than one JSON object") }
    var members = try PlanMembers(value, "line")
    path = try members.path()
    id = try members.text("id") ?? path.planID
    guard let facts = members.take("facts") else {
      guard try members.text("outcome") != nil else { throw ParseError("the line has neither 'facts' nor 'outcome'") }
      (version, self.facts, failure) = (nil, nil, value)
      return
    }
    failure = nil
    version = try members.required("version", try members.text("version"))
    try members.finish()
    self.facts = try FileFacts(path: path, plan: facts, sharing: &cameras)
  }

  /// The line.
  package var value: PlanValue { failure ?? facts?.lineValue(id: id, version: version ?? "") ?? .null }
}

extension FileFacts {
  /// Returns the line about the file.
  package func lineValue(id: String, version: String) -> PlanValue {
    .object(
      [("id", .text(id))] + path.planMembers + [("version", .text(version)), ("facts", planValue)])
  }

  private var planValue: PlanValue {
    let metadata = metadata
    let times = metadata.captureTimes.map { time in
      PlanValue.object([
        ("time", .text(time.value.description)), ("in", .text(time.namespace.rawValue)),
        ("header", .bool(ifSo: time.tag == "mvhd")),
      ])
    }
    return .object([
      ("movie", .bool(ifSo: isMovie)), ("misnamedStill", .bool(ifSo: isMisnamedStill)),
      ("contentIdentifier", .text(contentIdentifier)), ("make", .text(metadata.make)), ("model", .text(metadata.model)),
      ("serialNumber", .text(metadata.serialNumber)),
      ("times", times.isEmpty ? nil : .list(times)), ("location", metadata.locations.first.map(Self.value)),
    ])
  }

  private static func value(_ recorded: Sourced<Location>) -> PlanValue {
    let location = recorded.value
    return .object([
      ("latitude", .number(location.coordinate.latitude)), ("longitude", .number(location.coordinate.longitude)),
      ("altitude", .number(location.altitude)), ("error", .number(location.horizontalError)),
      ("dop", .number(location.dilutionOfPrecision)), ("fix", location.timestamp.map { .number(Double($0.seconds)) }),
      (
        "fixNanoseconds",
        location.timestamp.flatMap { $0.nanoseconds == 0 ? nil : .number(Double($0.nanoseconds)) }
      ),
      ("ofTrack", .bool(ifSo: location.hasMethodOfTrack)), ("in", .text(recorded.namespace.rawValue)),
    ])
  }

  fileprivate init(path: FilePath, plan value: PlanValue, sharing cameras: inout SharedCameras) throws(ParseError) {
    var members = try PlanMembers(value, "facts")
    var metadata = Metadata()
    (metadata.make, metadata.model) = (try members.text("make"), try members.text("model"))
    metadata.serialNumber = try members.text("serialNumber")
    if let values = try members.list("times") {
      metadata.captureTimes = try values.map { value throws(ParseError) in try Sourced(plan: value) }
    }
    if let location = members.take("location") { metadata.locations = [try Sourced(plan: location)] }
    let (isMovie, identifier) = (try members.bool("movie"), try members.text("contentIdentifier"))
    let isMisnamedStill = try members.bool("misnamedStill")
    try members.finish()
    self.init(
      path: path, isMovie: isMovie, isMisnamedStill: isMisnamedStill, contentIdentifier: identifier, metadata: metadata,
      sharing: &cameras)
  }
}

extension Sourced<CaptureTime> {
  fileprivate init(plan value: PlanValue) throws(ParseError) {
    var members = try PlanMembers(value, "times")
    let text = try members.required("time", try members.text("time"))
    guard let time = CaptureTime(iso: text) else { throw ParseError("'time' is not a time: \(text)") }
    let (namespace, isHeader) = (try members.namespace(), try members.bool("header"))
    try members.finish()
    self.init(time, namespace, tag: isHeader ? "mvhd" : "")
  }
}

extension Sourced<Location> {
  fileprivate init(plan value: PlanValue) throws(ParseError) {
    var members = try PlanMembers(value, "location")
    let latitude = try members.required("latitude", try members.number("latitude"))
    let longitude = try members.required("longitude", try members.number("longitude"))
    guard let coordinate = Coordinate(latitude: latitude, longitude: longitude) else {
      throw ParseError("'location' is not on the Earth: \(latitude), \(longitude)")
    }
    var location = Location(coordinate, altitude: try members.number("altitude"))
    location.horizontalError = try members.number("error")
    location.dilutionOfPrecision = try members.number("dop")
    let nanoseconds = try members.whole("fixNanoseconds") ?? 0
    guard (0..<1_000_000_000).contains(nanoseconds) else { throw ParseError("'fixNanoseconds' is not below a second") }
    if let seconds = try members.whole("fix") {
      location.timestamp = Instant(seconds: Int64(seconds), nanoseconds: Int32(nanoseconds))
    }
    if try members.bool("ofTrack") { location.processingMethod = Location.methodsOfTrack.first }
    let namespace = try members.namespace()
    try members.finish()
    self.init(location, namespace, tag: "")
  }
}

extension PlanMembers {
  fileprivate mutating func namespace() throws(ParseError) -> Namespace {
    let text = try required("in", try text("in"))
    guard let namespace = Namespace(rawValue: text) else { throw ParseError("'in' must not be \(text)") }
    return namespace
  }
}
