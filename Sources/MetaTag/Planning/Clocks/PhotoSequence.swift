package import SystemPackage

/// A photo of a run with its path. Cameras number their photos in the order in which they take them.
package struct NumberedPhoto: Sendable {
  /// The path of the file.
  package let path: FilePath
  /// The metadata of the photo.
  package let metadata: Metadata

  /// Creates a numbered photo.
  package init(path: FilePath, metadata: Metadata) {
    self.path = path
    self.metadata = metadata
  }
}

/// The photos of a run in the order in which their cameras numbered them. It resolves a time that can mean several
/// instants if only one of them lies between those of the photos before and after, or if only one is within two minutes
/// of a photo next to it.
final class PhotoSequence: Sendable {
  /// An offset determined by neighbouring photos.
  struct Decision: Hashable, Codable, Sendable {
    let offset: UTCOffset
    /// The names of the files that determined it.
    let neighbours: [String]
  }

  /// A photo in doubt.
  struct Key: Hashable, Comparable, Codable {
    let body: CameraBody
    let time: CaptureTime

    static func < (a: Key, b: Key) -> Bool { (a.body, a.time) < (b.body, b.time) }
  }

  /// The attributes that files with a common numbering share.
  private struct Series: Hashable {
    let body: CameraBody
    let folder: FilePath
    let prefix: [UInt8]
  }

  private struct Member {
    let number: Int
    let name: String
    let key: Key
    var offsets: [UTCOffset]

    func instant(_ offset: UTCOffset) -> Instant { key.time.instant(at: offset) }
    var first: Instant? { offsets.map(instant).min() }
    var last: Instant? { offsets.map(instant).max() }
  }

  /// Maximum difference between neighbouring numbers; beyond it, the counter may have been reset.
  private static let farthest = 500
  /// Seconds by which photos of a burst may be numbered out of order.
  private static let disorder = 60.0
  /// Maximum seconds between photos that belong together.
  private static let burst = 120.0

  private let photos: @Sendable () -> any Sequence<NumberedPhoto>
  private let decided = Lazily<[Key: Decision]>()

  /// Creates a sequence that calls `photos` once, when the first time is in doubt.
  init(_ photos: @escaping @Sendable () -> any Sequence<NumberedPhoto>) { self.photos = photos }

  /// Creates a sequence whose times in doubt are all decided.
  convenience init(deciding decisions: [Key: Decision]) {
    self.init { [NumberedPhoto]() }
    _ = decided.get { decisions }
  }

  /// Returns the offsets of all times in doubt that neighbours determine.
  func allDecisions(offsets: (Metadata) -> [UTCOffset]) -> [Key: Decision] { decided.get { decisions(offsets) } }

  /// Returns the offset of the photo's clock; nil when its neighbours don't determine it.
  ///
  /// - Parameter offsets: Returns the possible offsets of a photo's clock: one if there is no doubt, none if nothing is
  ///   known.
  func decision(about photo: Metadata, offsets: (Metadata) -> [UTCOffset]) -> Decision? {
    guard let time = photo.captureTime else { return nil }
    return allDecisions(offsets: offsets)[Key(body: CameraBody(of: photo), time: time)]
  }

  private func decisions(_ offsets: (Metadata) -> [UTCOffset]) -> [Key: Decision] {
    var series: [Series: [Member]] = [:]
    for photo in photos() {
      guard let time = photo.metadata.captureTime, let (prefix, number) = photo.path.lastComponent?.numbered else {
        continue
      }
      let possible = offsets(photo.metadata)
      guard !possible.isEmpty else { continue }
      let body = CameraBody(of: photo.metadata)
      let name = Series(body: body, folder: photo.path.removingLastComponent(), prefix: prefix)
      series[name, default: []].append(
        Member(
          number: number, name: photo.path.lastComponent?.string ?? "", key: Key(body: body, time: time),
          offsets: possible))
    }
    var decided: [Key: Decision] = [:]
    var contradicted: Set<Key> = []
    for members in series.values {
      for (key, decision) in PhotoSequence.decisions(in: members) {
        // Two photos that show the same time, before and after clocks went back, can't be distinguished.
        if let other = decided.updateValue(decision, forKey: key), other.offset != decision.offset {
          contradicted.insert(key)
        }
      }
    }
    return decided.filter { !contradicted.contains($0.key) }
  }

  private static func decisions(in members: [Member]) -> [(Key, Decision)] {
    let sorted = members.sorted { ($0.number, $0.name) < ($1.number, $1.name) }
    var found = sorted
    let doubtful = Set(sorted.filter { $0.offsets.count > 1 }.map(\.key))
    guard bound(&found, doubtful, by: \.first, keeps: { $0.timeInterval(since: $1) >= -disorder }) else { return [] }
    found.reverse()
    guard bound(&found, doubtful, by: \.last, keeps: { $0.timeInterval(since: $1) <= disorder }) else { return [] }
    found.reverse()
    joinBursts(&found)
    return zip(sorted, found).enumerated().compactMap { index, pair in
      guard pair.0.offsets.count > 1, pair.1.offsets.count == 1, let offset = pair.1.offsets.first else { return nil }
      let neighbours = [index - 1, index + 1].filter(sorted.indices.contains).map { sorted[$0].name }
      return (pair.0.key, Decision(offset: offset, neighbours: neighbours))
    }
  }

  /// Drops instants that lie on the wrong side of the photo before. If no instant remains, the clock was set and the
  /// order of times restarts; but if the time of such a photo is in doubt, returns false, as these numbers give no
  /// evidence.
  private static func bound(
    _ members: inout [Member], _ doubtful: Set<Key>, by edge: (Member) -> Instant?, keeps: (Instant, Instant) -> Bool
  ) -> Bool {
    var limit: Instant?
    for index in members.indices {
      if index > 0, abs(members[index].number - members[index - 1].number) > farthest { limit = nil }
      let member = members[index]
      let kept = member.offsets.filter { offset in limit.map { keeps(member.instant(offset), $0) } ?? true }
      if kept.isEmpty, doubtful.contains(member.key) { return false }
      if !kept.isEmpty { members[index].offsets = kept }
      limit = edge(members[index])
    }
    return true
  }

  private static func joinBursts(_ members: inout [Member]) {
    for indices in [Array(members.indices), members.indices.reversed()] {
      for (before, index) in zip(indices, indices.dropFirst()) where members[index].offsets.count > 1 {
        guard abs(members[index].number - members[before].number) <= 3, members[before].offsets.count == 1,
          let sure = members[before].first
        else { continue }
        let near = members[index].offsets.filter { abs(members[index].instant($0).timeInterval(since: sure)) <= burst }
        if near.count == 1 { members[index].offsets = near }
      }
    }
  }
}

extension FilePath.Component {
  /// The prefix and the number of a name: `DSC_` and 41 for `DSC_0041.JPG`; nil without a number of three to nine
  /// digits at the end of the stem.
  var numbered: (prefix: [UInt8], number: Int)? {
    let digits = UInt8(ascii: "0")...UInt8(ascii: "9")
    let stem = Array((self.stem.utf8))
    guard let end = stem.lastIndex(where: digits.contains) else { return nil }
    let begin = stem[...end].lastIndex { !digits.contains($0) }.map { $0 + 1 } ?? 0
    guard (3...9).contains(end + 1 - begin), let number = Int(String(decoding: stem[begin...end], as: UTF8.self)) else {
      return nil
    }
    return (Array(stem[..<begin]), number)
  }
}
