package import SystemPackage

/// A line that names the files of one photo of a large job.
package struct PhotoLine: Sendable {
  /// The identifier of the line.
  package let id: String
  /// The paths of the photo and of the pictures and movies that belong to it.
  package let paths: [FilePath]
  /// Other names (hard links) of these files.
  package let otherNames: [FilePath]
  /// Whether the line says which files belong to the photo.
  package let isWhole: Bool
  /// The version of the program that wrote the line, as far as known.
  package let version: String?
  /// The changes that earlier runs made to the photo.
  package let earlier: EarlierRuns
  /// The bytes that are here of files that are partial.
  package let present: [(path: FilePath, ranges: [Range<Int>])]

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
    (paths, otherNames) = (photo.pictures, photo.otherNames)
    id = photo.input.path.planID
    (isWhole, self.version, self.earlier, present) = (true, version, earlier, [])
  }

  /// Reads a line: a JSON object, or a path.
  /// - Throws: `FileError` with the offset, or `ParseError`, for a line that is neither.
  package init(_ bytes: [UInt8]) throws {
    guard bytes.first == UInt8(ascii: "{") else {
      guard !bytes.isEmpty, !bytes.contains(0) else { throw ParseError("the path is empty or contains a NUL") }
      let path = FilePath(bytes: bytes)
      (id, paths, isWhole, version, earlier, present) = (path.planID, [path], false, nil, EarlierRuns(), [])
      otherNames = []
      return
    }
    var json = JSONReader(try InputWindow(SourceStream(Bytes(bytes))))
    let value = try PlanValue(try json.value())
    guard try json.peek() == nil else { throw ParseError("the line has more than one JSON object") }
    var members = try PlanMembers(value, "line")
    let path = try members.path()
    id = try members.text("id") ?? path.planID
    version = try members.text("version")
    let companions = try members.paths("companions")
    otherNames = try members.paths("otherNames") ?? []
    earlier = EarlierRuns(
      datedBy: try members.whole("datedByRun").map { RunID(Int64($0)) }, isPlaced: try members.bool("placedBefore"))
    present = try (members.list("have") ?? []).map { value throws(ParseError) in
      var members = try PlanMembers(value, "have")
      let path = try members.path()
      let ranges = try (members.list("ranges") ?? []).map { value throws(ParseError) in try Range(plan: value) }
      try members.finish()
      return (path, ranges)
    }
    // A line of facts, or of a file that couldn't be read, names a file, too.
    if members.take("facts") == nil, members.take("outcome") == nil { try members.finish() }
    isWhole = companions != nil
    paths = [path] + (companions ?? [])
  }

  /// Returns the missing bytes of its files that were to be read: a list of files and ranges; nil if there are none.
  package func need(of files: PartialFiles) -> PlanValue? {
    let missing = present.map { ($0.path, files.missing(in: $0.path)) }.filter { !$1.isEmpty }
    guard !missing.isEmpty else { return nil }
    return .list(
      missing.map { path, ranges in
        .object(path.planMembers + [("ranges", .list(ranges.map(\.planValue)))])
      })
  }

  /// The line.
  package var lineValue: PlanValue {
    .object(
      [("id", .text(id))] + paths[0].planMembers
        + [
          ("version", .text(version)),
          ("companions", isWhole ? .list(paths.dropFirst().map { .object($0.planMembers) }) : nil),
          ("otherNames", otherNames.isEmpty ? nil : .list(otherNames.map { .object($0.planMembers) })),
          ("datedByRun", earlier.datedBy.map { .number(Double($0.rawValue)) }),
          ("placedBefore", .bool(ifSo: earlier.isPlaced)),
        ])
  }
}

extension PlanMembers {
  /// Takes a list of objects that each have a path; nil if there is none.
  fileprivate mutating func paths(_ name: String) throws(ParseError) -> [FilePath]? {
    try list(name)?.map { value throws(ParseError) in
      var members = try PlanMembers(value, name)
      let path = try members.path()
      try members.finish()
      return path
    }
  }
}

extension Range<Int> {
  /// Reads a range: the position of the first byte, and the one after the last.
  fileprivate init(plan value: PlanValue) throws(ParseError) {
    guard case .list(let bounds) = value, bounds.count == 2, case .number(let lower) = bounds[0],
      case .number(let upper) = bounds[1], let lower = Int(exactly: lower), let upper = Int(exactly: upper),
      0 <= lower, lower <= upper
    else { throw ParseError("'ranges' has something else than pairs of positions, the first not after the second") }
    self = lower..<upper
  }

  fileprivate var planValue: PlanValue { .list([.number(Double(lowerBound)), .number(Double(upperBound))]) }
}
