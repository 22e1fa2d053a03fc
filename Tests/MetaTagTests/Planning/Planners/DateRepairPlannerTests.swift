import Testing

@testable import MetaTag

@Suite("Repair of dates")
struct DateRepairPlannerTests {
  private func outcome(_ copies: [(String, String)], name: String = "", place: Bool = false) throws -> String {
    var facts = DateFacts()
    facts.fileName = name
    let tokyo = try Zone(parsing: "Asia/Tokyo")
    switch DateRepairPlanner(facts, zone: { _ in tokyo }).propose(for: try DateCheckTests.photo(copies)) {
    case .change(let edit, _):
      switch edit.dates {
      case .set(let time, _): return "\(time)"
      case .adjust(_, offset: .set(let offset)): return "\(offset)"
      default: return "nothing"
      }
    case .unchanged(let reason): return "unchanged: \(reason.values)"
    case .skip(let reason): return "skip: \(reason.code.rawValue)"
    }
  }

  @Test(
    "A malformed text that can mean only one time is repaired.",
    arguments: [
      ("2024:5:3 8:3:1", "2024-05-03T08:03:01"), ("2024-05-23 18:38:41", "2024-05-23T18:38:41"),
      ("2024:05:23 18:38", "2024-05-23T18:38:00"), ("2024/05/23 18:38:41", "2024-05-23T18:38:41"),
      ("20240523 183841", "2024-05-23T18:38:41"), ("2024:05:23T18:38:41+09:00", "2024-05-23T18:38:41+09:00"),
      ("2024:05:23 18:38:41.5", "2024-05-23T18:38:41.5"),
    ])
  func readable(text: String, date: String) throws { #expect(try outcome([("malformed", text)]) == date) }

  @Test(
    "A malformed text that can mean several times or none stays.",
    arguments: [
      "2024:02:30 10:00:00", "05/06/2024 10:00:00", "24:05:23 18:38:41", "2024:05:23 24:00:00", "2024:05:23",
      "yesterday",
      "2024:05:23 18:38:41 PM",
    ])
  func unreadable(text: String) throws {
    #expect(try outcome([("malformed", text)]) == "skip: malformedDate")
  }

  @Test("Among conflicting copies, the one that the others confirm is used.")
  func majority() throws {
    let (right, wrong) = ("2024-05-23 18:38:41", "2024-05-23 17:38:41")
    #expect(
      try outcome([("exif", right), ("digitized", right), ("iptc", right), ("xmp", wrong)]) == "2024-05-23T18:38:41")
    #expect(try outcome([("exif", right), ("xmp", wrong)], name: "IMG_20240523_183841.jpg") == "2024-05-23T18:38:41")
    #expect(try outcome([("exif", wrong), ("xmp", right)], name: "IMG_20240523_183841.jpg") == "2024-05-23T18:38:41")
    #expect(
      try outcome([("exif", right + "+09:00"), ("xmp", wrong + "+09:00"), ("gps", "2024-05-23 09:38:40")])
        == "2024-05-23T18:38:41+09:00")
    #expect(
      try outcome([("exif", right + "+09:00"), ("xmp", right + "+00:00"), ("gps", "2024-05-23 09:38:40")])
        == "2024-05-23T18:38:41+09:00")
  }

  @Test("A sidecar in conflict with the photo is not changed in part.")
  func beside() throws {
    var sidecar = Metadata()
    let stray = try CaptureTime(parsing: "2000-02-29T05:45:00+05:45")
    sidecar.captureTimes = [Sourced(stray, .xmp, tag: "photoshop:DateCreated")]
    let photo = try DateCheckTests.photo([("exif", "2024-05-23 18:38:41"), ("gps", "2024-05-23 09:38:40")])
    let tokyo = try Zone(parsing: "Asia/Tokyo")
    for beside in [nil, DateFacts.Sidecar(name: "a.xmp", metadata: sidecar)] {
      var facts = DateFacts()
      facts.sidecar = beside
      let proposal = DateRepairPlanner(facts) { _ in tokyo }.propose(for: photo)
      if beside == nil {
        #expect(proposal != .unchanged(.asWanted), "\(proposal)")
      } else {
        #expect(proposal == .skip(.unrepairable([.sidecar])), "\(proposal)")
      }
    }
  }

  @Test("The journal decides whether a track gave a location that looks like the camera's.")
  func journal() throws {
    let tokyo = try Zone(parsing: "Asia/Tokyo")
    for (gps, seconds) in [("01:20:00", 1_200), ("00:40:00", -1_200)] as [(String, Int64)] {
      var photo = try DateCheckTests.photo([("exif", "2025-04-10 10:00:00+09:00"), ("gps", "2025-04-10 \(gps)")])
      photo.locations[0].value.processingMethod = "GPS"
      #expect(photo.clockError() == nil && photo.provenTime() == nil)
      for error in [nil, TimeShift(seconds: seconds)] {
        var facts = DateFacts()
        facts.clock = .init(RunID(3), error: error)
        #expect(photo.clockError(recorded: facts.clock) == TimeShift(seconds: seconds))
        #expect(photo.provenTime(recorded: facts.clock)?.instant == photo.location?.timestamp)
        let kinds = DateCheck(photo, facts).findings.map(\.kind)
        #expect(kinds == (error == nil ? [.gpsTime] : [.gpsTime, .clock]))
        guard case .change(let edit, _) = DateRepairPlanner(facts, zone: { _ in tokyo }).propose(for: photo),
          case .adjust(let shift, offset: .keep) = edit.dates
        else { throw Unexpected() }
        #expect(shift.span == TimeShift(seconds: seconds))
      }
    }
  }

  @Test("A photo without a decision, or that would lose a digitized date, is skipped.")
  func doubt() throws {
    let (one, other) = ("2024-05-23 18:38:41", "2024-05-23 17:38:41")
    let left = "skip: unrepairable"
    #expect(try outcome([("exif", one), ("xmp", other)]) == left)
    #expect(try outcome([("exif", one), ("digitized", one), ("xmp", other), ("iptc", other)]) == left)
    let scan = [("exif", "1976-08-01 12:00:00"), ("digitized", one), ("xmp", "1976-08-02 12:00:00")]
    #expect(try outcome(scan, name: "1976-08-01 12.00.00.tif") == left)
    #expect(try outcome([("exif", one)], name: "IMG_20240101_183841.jpg") == left)
  }

  @Test("A copy with only a year or a day is never overwritten.")
  func scans() throws {
    let left = "skip: unrepairable"
    let scanned = "2019-01-01 10:00:00"
    for coarse in [("year", "1975"), ("year", "1975-06"), ("day", "1975-06-01"), ("digitizedDay", "2018-12-01")] {
      #expect(try outcome([("exif", scanned), ("digitized", scanned), coarse]) == left)
      #expect(try outcome([("exif", scanned), coarse]) == left)
      let named = try outcome([("exif", scanned), ("digitized", scanned), coarse], name: "IMG_20190101_100000.jpg")
      #expect(named == left)
      let other = ("xmp", "2019-01-01 11:00:00")
      #expect(
        try outcome([("exif", scanned), ("digitized", scanned), ("iptc", scanned), other, coarse]) == left)
    }
    // A later digitized day belongs to a scan.
    let wrong = [("exif", scanned), ("digitized", scanned), ("iptc", scanned), ("xmp", "2019-01-01 11:00:00")]
    #expect(try outcome(wrong + [("digitizedDay", "2020-05-05")]) == left)
    #expect(try outcome([("malformed", "2024:5:3 8:3:1"), ("year", "1975")]).hasPrefix("skip: "))
  }

  @Test(
    "An ambiguous text is never overwritten and is reported; another form of the same date is.",
    arguments: [
      "1885/1890", "1885~", "188X", "[1885..1890]", "circa 1885", "Summer", "1885-06-00T00:00:00", "18850000",
      "2024-05-23?", "2024-05-23T18:38:41/2024-05-24", "2024/05/23 17:38:41",
    ])
  func loose(text: String) throws {
    let right = "2024-05-23 18:38:41"
    var photo = try DateCheckTests.photo([("exif", right), ("digitized", right)])
    func outcome(_ text: String, _ facts: DateFacts = DateFacts()) -> Proposal {
      photo.malformedDates = [Sourced(text, .xmp, tag: "photoshop:DateCreated")]
      return DateRepairPlanner(facts, zone: { _ in nil }).propose(for: photo)
    }
    #expect(outcome(text) == .skip(.looseDate(tag: "photoshop:DateCreated", text)))
    for same in ["2024/05/23 18:38:41", "2024-5-23 18:38", "????:??:?? ??:??:??", ""] {
      guard case .change(let edit, _) = outcome(same) else {
        Issue.record("\(same)")
        continue
      }
      #expect(edit.dates == .set(try CaptureTime(parsing: right), replacingOffsets: true))
    }
    // In a sidecar, which follows the photo.
    var sidecar = Metadata()
    sidecar.malformedDates = [Sourced(text, .xmp, tag: "photoshop:DateCreated")]
    var facts = DateFacts()
    facts.sidecar = DateFacts.Sidecar(name: "a.xmp", metadata: sidecar)
    let loose = Proposal.skip(.looseDate(tag: "a.xmp photoshop:DateCreated", text))
    #expect(outcome("2024/05/23 18:38:41", facts) == loose)
    photo.malformedDates = []
    #expect(DateRepairPlanner(facts, zone: { _ in nil }).propose(for: photo) == loose)
  }

  @Test("Missing seconds are taken from the digitized time if the rest agrees.")
  func minutes() throws {
    let text = "2024:05:23 18:38"
    #expect(try outcome([("malformed", text)]) == "2024-05-23T18:38:00")
    #expect(try outcome([("malformed", text), ("digitized", "2024-05-23 18:38:00")]) == "2024-05-23T18:38:00")
    #expect(try outcome([("malformed", text), ("digitized", "2024-05-23 18:38:41")]) == "2024-05-23T18:38:41")
    let left = "skip: unrepairable"
    for other in ["2024-05-23 18:39:00", "2024-05-23 18:37:41", "2020-01-01 10:00:00"] {
      #expect(try outcome([("malformed", text), ("digitized", other)]) == left)
    }
    #expect(try outcome([("malformed", "2024:5:23 18:38:0"), ("digitized", "2024-05-23 18:38:41")]) == left)
  }

  @Test("An invalid zone is reported, and stays until other data define the right one.")
  func malformedOffset() throws {
    let photo = [("exif", "2024-05-23 18:38:41"), ("offset", "+25:00")]
    #expect(try outcome(photo) == "skip: malformedOffset")
    #expect(try outcome(photo + [("gps", "2024-05-23 09:38:00")]) == "+09:00")
  }

  @Test("Conflicting zones stay, whichever copies have them.")
  func zones() throws {
    let taken = "2024-05-23 18:38:41"
    let left = "skip: unrepairable"
    for other in ["digitized", "iptc", "xmp", "xmpDigitized"] {
      #expect(try outcome([("exif", taken), ("xmp", taken + "+01:00"), (other, taken + "-08:00")]) == left)
    }
    #expect(try outcome([("malformed", "2024:5:3 8:3:1"), ("digitized", "2020-01-01 10:00:00")]).hasPrefix("skip: "))
  }

  @Test("A date in an irregular form is rewritten, and nothing is added.")
  func irregular() throws {
    let photo = try DateCheckTests.photo([("exif", "2024-05-03 08:03:01"), ("irregular", "2024:5:3 8:3:1")])
    guard
      case .change(let edit, let reason) = DateRepairPlanner(DateFacts(), zone: { _ in nil }).propose(for: photo),
      case .adjust(let shift, .keep) = edit.dates
    else {
      Issue.record("no adjustment")
      return
    }
    #expect(shift.isZero)
    #expect("\(reason)".contains("'2024:5:3 8:3:1', which is '2024:05:03 08:03:01'"), "\(reason)")
    let tiff = Sample.tiff(exif: [0x9003: .ascii("2024:5:3 8:3:1     ")])
    let changes = try EXIF.changes(for: edit, in: try TIFFBlock(Bytes(tiff), 0..<tiff.count))
    #expect(changes.tags[.exif] == [0x9003: .set(.ascii("2024:05:03 08:03:01"))])
  }

  @Test("An offset in XMP that the GPS time contradicts is not used.")
  func strayOffset() throws {
    let taken = "2024-05-23 18:38:41"
    let photo = [("exif", taken), ("xmp", taken + "+02:00"), ("gps", "2024-05-23 09:38:41")]
    #expect(
      try outcome(photo) == "skip: unrepairable")
  }

  @Test("A missing offset is taken from XMP, or from the GPS time if the location's zone agrees.")
  func offsets() throws {
    let taken = "2024-05-23 18:38:41"
    #expect(try outcome([("exif", taken), ("xmp", taken + "-03:00")]) == "-03:00")
    #expect(try outcome([("exif", taken), ("gps", "2024-05-23 09:38:00")]) == "+09:00")
    // Eight hours belong to another zone; nine and a half minutes may be anything.
    #expect(try outcome([("exif", taken), ("gps", "2024-05-23 10:38:41")]) == "unchanged: asWanted")
    #expect(try outcome([("exif", taken), ("gps", "2024-05-23 09:30:00")]) == "unchanged: asWanted")
    #expect(try outcome([("exif", taken)]) == "unchanged: asWanted")
    #expect(try outcome([]) == "skip: noCaptureTime")
  }

  @Test("Track headers follow the movie's header, unless that would lose the zone.")
  func trackHeaders() throws {
    let (text, header) = ("2024-05-23 18:38:41", "2024-05-23 09:38:41")
    var facts = DateFacts()
    facts.headerTime = try CaptureTime(parsing: header)
    facts.trackTimes = [try DateCheckTests.copy("2020-01-01 10:00:00", .quickTime, "mdhd")]
    func outcome(_ copies: [(String, String)]) throws -> Proposal {
      DateRepairPlanner(facts, zone: { _ in nil }).propose(for: try DateCheckTests.photo(copies))
    }
    for taken in [("text", text + "+09:00"), ("mvhd", header)] {
      guard case .change(let edit, let reason) = try outcome([taken]) else {
        Issue.record("\(taken)")
        continue
      }
      #expect(edit.dates == .set(try CaptureTime(parsing: taken.1), replacingOffsets: true))
      #expect("\(reason)" == "the headers of its tracks")
    }
    #expect(try outcome([("text", text)]) == .skip(.unrepairable([.movieHeader])))
  }
}
