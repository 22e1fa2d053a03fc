/// Sets all copies of a photo's date to the value of one of them.
public struct CopyDatePlanner: Planner {
  /// The copy that is the source.
  public enum Source: String, Sendable, CaseIterable {
    /// EXIF DateTimeOriginal.
    case exif
    /// The capture time in XMP.
    case xmp
    /// IPTC 2:55 and 2:60.
    case iptc
    /// The date of the movie itself.
    case quicktime
    /// The digitized time, from the namespace that takes precedence.
    case digitized
    /// The time of the last change by a program (EXIF DateTime).
    case modify
  }

  /// The copy that is the source.
  package var source: Source

  /// Creates a planner that copies from `source`.
  package init(from source: Source) { self.source = source }

  /// Proposes the source's date for all copies.
  public func propose(for metadata: Metadata) -> Proposal {
    guard let time = source.time(of: metadata) else { return .skip(source.lackOfTime(in: metadata)) }
    return .dates(.set(time), because: .dated(time))
  }
}

extension CopyDatePlanner.Source {
  /// The name of the source in messages.
  var name: String {
    switch self {
    case .exif: "date in EXIF"
    case .xmp: "date in XMP"
    case .iptc: "date in IPTC"
    case .quicktime: "date of a movie"
    case .digitized: "digitization date"
    case .modify: "modification date in its metadata"
    }
  }

  /// Returns the reason why there is no time of day; it names the day, month or year if one is known.
  fileprivate func lackOfTime(in metadata: Metadata) -> Reason {
    let namespaces: [Namespace] =
      switch self {
      case .exif: [.exif]
      case .xmp: [.xmp, .sidecar]
      case .iptc: [.iptc]
      case .quicktime: [.quickTime]
      case .digitized, .modify: []
      }
    let digitized = self == .digitized ? metadata.digitizedDays.compactMap { PartialDate(dayOf: $0.value) } : []
    let partials = metadata.partialDates.filter { namespaces.contains($0.namespace) }.map(\.value) + digitized
    return partials.first.map { .onlyPartial($0) } ?? .noCopy(self)
  }

  fileprivate func time(of metadata: Metadata) -> CaptureTime? {
    switch self {
    case .exif: metadata.time(in: .exif)
    case .xmp: metadata.time(in: .xmp) ?? metadata.time(in: .sidecar)
    case .iptc: metadata.time(in: .iptc)
    case .quicktime: metadata.time(in: .quickTime)
    case .digitized: metadata.digitizedTimes.first?.value
    case .modify: metadata.modifyTime
    }
  }
}

extension Metadata {
  fileprivate func time(in namespace: Namespace) -> CaptureTime? {
    let copies = captureTimes + overruledTimes
    guard var time = copies.first(where: { $0.namespace == namespace })?.value else { return nil }
    // IPTC has no fractions: keep the known fraction of the same second.
    if time.fraction == nil, let captureTime, captureTime.civil == time.civil { time.fraction = captureTime.fraction }
    return time
  }
}
