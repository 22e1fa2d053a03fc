package import SystemPackage

/// A line that names the files of one photo of a large job.
package struct PhotoLine: Sendable {
  /// The identifier of the line.
  package let id: String
  /// The paths of the photo and of the pictures and movies that belong to it.
  package let paths: [FilePath]
  /// Whether the line says which files belong to the photo.
  package let isWhole: Bool
  /// The version of the program that wrote the line, as far as known.
  package let version: String?
  /// The changes that earlier runs made to the photo.
  package let earlier: EarlierRuns

  /// The changes that earlier runs made to a photo, as far as a planner asks.
  package struct EarlierRuns: Hashable, Sendable {
    /// The run that moved its dates and was not undone.
    package var datedBy: RunID?
    /// Whether one placed it by its present dates.
    package var isPlaced: Bool

    /// Creates a summary.
    package init(datedBy: RunID? = nil, isPlaced: Bool = false) {
      (self.datedBy, self.isPlaced) = (datedBy, isPlaced)
    }
  }

  /// Names the files of a photo.
  package init(_ photo: Photo, _ earlier: EarlierRuns, version: String) {
    paths = photo.pictures
    id = photo.input.path.planID
    (isWhole, self.version, self.earlier) = (true, version, earlier)
  }

  /// Reads a line: a JSON object, or a path.
  /// - Throws: `FileError` with the offset, or `ParseError`, for a line that is neither.
  package init(_ bytes: [UInt8]) throws {
    guard bytes.first == UInt8(ascii: "{") else {
      guard !bytes.isEmpty, !bytes.contains(0) else { throw ParseError("the path is empty or contains a NUL") }
      let path = FilePath(bytes: bytes)
      (id, paths, isWhole, version, earlier) = (path.planID, [path], false, nil, EarlierRuns())
      return
    }
    var json = JSONReader(try InputWindow(SourceStream(Bytes(bytes))))
    let value = try PlanValue(try json.value())
    guard try json.peek() == nil else { throw ParseError("the line has more than one JSON object") }
    var members = try PlanMembers(value, "line")
    let path = try members.path()
    id = try members.text("id") ?? path.planID
    version = try members.text("version")
    let companions = members.take("companions")
    earlier = EarlierRuns(
      datedBy: try members.whole("datedByRun").map { RunID(Int64($0)) }, isPlaced: try members.bool("placedBefore"))
    // A line of facts, or of a file that couldn't be read, names a file, too.
    if members.take("facts") == nil, members.take("outcome") == nil { try members.finish() }
    isWhole = companions != nil
    guard case .list(let values) = companions ?? .list([]) else { throw ParseError("'companions' is not a list") }
    paths =
      [path]
      + (try values.map { value throws(ParseError) in
        var members = try PlanMembers(value, "companions")
        let path = try members.path()
        try members.finish()
        return path
      })
  }

  /// The line.
  package var lineValue: PlanValue {
    .object(
      [("id", .text(id))] + paths[0].planMembers
        + [
          ("version", .text(version)),
          ("companions", isWhole ? .list(paths.dropFirst().map { .object($0.planMembers) }) : nil),
          ("datedByRun", earlier.datedBy.map { .number(Double($0.rawValue)) }),
          ("placedBefore", .bool(ifSo: earlier.isPlaced)),
        ])
  }
}
