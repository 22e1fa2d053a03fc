extension DateCheck {
  /// Returns findings about the sidecar, whose dates are compared as if they were in the file.
  func sidecar(_ believed: Sourced<CaptureTime>) -> [DateFinding] {
    guard let sidecar = facts.sidecar, !sidecar.isBelieved else { return [] }
    var own = Metadata()
    (own.captureTimes, own.digitizedTimes) = ([believed], metadata.digitizedTimes)
    let both = DateCheck(own.joined(with: sidecar.metadata, isRaw: false), DateFacts())
    let found =
      both.copies(believed) + both.additional(believed) + both.partials(believed)
      + both.digitized(believed) + both.digitizedDays(believed)
    return found.filter { $0.statement.source == Namespace.sidecar.rawValue }.map { finding in
      DateFinding(.sidecar, finding.statement.named(sidecar), against: finding.believed, seconds: finding.seconds)
    }
  }

  /// Findings about texts in the sidecar that are no dates.
  var malformedBeside: [DateFinding] {
    guard let sidecar = facts.sidecar, !sidecar.isBelieved else { return [] }
    return sidecar.metadata.malformedDates.map {
      DateFinding(.malformed, DateFinding.Statement(Sourced($0.value, .sidecar, tag: $0.tag)).named(sidecar))
    }
  }
}

extension DateFinding.Statement {
  /// Returns the statement with the sidecar's name before the tag's.
  fileprivate func named(_ sidecar: DateFacts.Sidecar) -> DateFinding.Statement {
    .init(value: value, source: source, tag: "\(sidecar.name) \(tag)")
  }
}
