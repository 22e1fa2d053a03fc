@testable import ImageFormats
import Testing

@testable import MetaTag

struct IPTCDataTests {
  @Test(
    "An IPTC date with a time is a capture time; a date or a time alone is not.",
    arguments: [
      ("20240523", "183841+0900", "2024-05-23T18:38:41+09:00", nil),
      ("20240523", "183841-0000", "2024-05-23T18:38:41+00:00", nil), ("20240523", "183841", "2024-05-23T18:38:41", nil),
      ("20240523", nil, nil, nil), (nil, "183841", nil, nil), ("00000000", "183841", nil, nil),
      ("20240500", "183841", nil, nil), ("20240523", "           ", nil, nil), ("\0\0\0\0\0\0\0\0", nil, nil, nil),
      ("20240230", "183841", nil, "20240230 183841"), ("2024:05:23", nil, nil, "2024:05:23"),
      ("20240523", "18:38:41", nil, "20240523 18:38:41"), ("20240523", "243841", nil, "20240523 243841"),
      ("20240523", "183841Z", nil, "20240523 183841Z"), ("20240523", "183841+09", nil, "20240523 183841+09"),
    ] as [(String?, String?, String?, String?)])
  func dates(date: String?, time: String?, value: String?, malformed: String?) throws {
    let created = [(55, date), (60, time)].compactMap { number, text in text.map { (UInt8(number), $0) } }
    let metadata = try IPTCSample.metadata(IPTCSample.block(created))
    #expect(metadata.captureTimes.map { "\($0.value)" } == (value.map { [$0] } ?? []))
    #expect(metadata.captureTimes.allSatisfy { $0.tag == "DateCreated" && $0.namespace == .iptc })
    #expect(metadata.malformedDates.map(\.value) == (malformed.map { [$0] } ?? []))
    let isDay = date == "20240523" && (time?.allSatisfy { $0 == " " } ?? true)
    let partial = date == "20240500" ? "2024-05" : isDay ? "2024-05-23" : nil
    #expect(metadata.partialDates.map { "\($0.value)" } == [partial].compactMap(\.self))

    let digitized = created.map { (UInt8($0.0 == 55 ? 62 : 63), $0.1) }
    let other = try IPTCSample.metadata(IPTCSample.block(digitized))
    #expect(other.digitizedTimes.map(\.value) == metadata.captureTimes.map(\.value))
    #expect(other.captureTimes.isEmpty && other.partialDates.isEmpty)
    #expect(other.digitizedDays.map(\.value.dayText) == (isDay ? ["2024-05-23"] : []))
  }

  @Test("Place names are Latin-1 unless the block says UTF-8.")
  func names() throws {
    let datasets =
      IPTCSample.dataset(2, 90, [0x5A, 0xFC, 0x72, 0x69, 0x63, 0x68]) + IPTCSample.dataset(92, "Kreis 4")
      + IPTCSample.dataset(95, "ZH") + IPTCSample.dataset(100, "CH ") + IPTCSample.dataset(101, "Switzerland\0\0")
    var names = PlaceNames()
    (names.sublocation, names.city, names.state) = ("Kreis 4", "Zürich", "ZH")
    (names.country, names.countryCode) = ("Switzerland", "CH")
    #expect(try IPTCSample.metadata(datasets).placeNames == [Sourced(names, .iptc, tag: "City")])
    let utf8 = IPTCSample.dataset(1, 90, [0x1B, 0x25, 0x47]) + IPTCSample.dataset(90, "Zürich")
    #expect(try IPTCSample.metadata(utf8).placeNames.first?.value.city == "Zürich")
  }

  @Test("Extended datasets and padding are read and kept.")
  func extended() throws {
    let long: [UInt8] = [0x1C, 2, 120, 0x80, 4, 0, 1, 0, 0] + [UInt8](repeating: 0x1C, count: 65_536)
    let city = IPTCSample.dataset(90, "Zug")
    let data = try IPTCData(Bytes(long + city + [0, 0, 0]))
    #expect(data.datasets.count == 2)
    #expect(try data.edited(by: .removingPlace) == long + [0, 0, 0])
  }

  @Test(
    "Malformed IPTC is an error with its offset in the file.",
    arguments: [
      ([0x41], FileError.Kind.malformed, 112), ([0x1C, 2], .truncated, 114), ([0x1C, 2, 5, 0, 9, 1], .truncated, 112),
      ([0x1C, 2, 5, 0x80, 9], .malformed, 112), ([0x1C, 2, 5, 0x80, 4, 1], .truncated, 117),
      ([0x1C, 2, 5, 0xFF, 0xFF], .malformed, 112), ([0x1C, 2, 5, 0x80, 4, 0xFF, 0xFF, 0xFF, 0xFF], .truncated, 112),
      ([0, 0, 7], .malformed, 112),
    ] as [([UInt8], FileError.Kind, Int)])
  func errors(tail: [UInt8], kind: FileError.Kind, offset: Int) {
    let bytes = IPTCSample.dataset(120, "Caption") + tail
    let error = #expect(throws: FileError.self) { try IPTCData(Bytes(bytes, base: 100)) }
    #expect(error?.kind == kind)
    #expect(error?.offset == offset)
  }

  @Test(
    "Date and time move together, also across midnight, and no zone is invented.",
    arguments: [
      ("20231231", "233000+0900", 3_600, "20240101", "003000+0900"),
      ("20231231", "233000", 3_600, "20240101", "003000"),
      ("20240301", "003000-0330", -3_600, "20240229", "233000-0330"), ("20240228", nil, 3_600, "20240228", nil),
      ("20240228", nil, 172_800, "20240301", nil), (nil, "233000+0100", 3_600, nil, "003000+0100"),
      ("20240500", "233000", 86_400, "20240500", "233000"), ("2024", "233000", 86_400, "2024", "233000"),
      ("", "233000", -86_399, "", "233001"), ("20240228", "      ", 86_400, "20240229", "      "),
    ] as [(String?, String?, Int64, String?, String?)])
  func shifts(date: String?, time: String?, seconds: Int64, newDate: String?, newTime: String?) throws {
    func block(_ date: String?, _ time: String?) -> [UInt8] {
      let values: [(UInt8, String?)] = [(63, time), (5, "Title"), (62, date), (55, date), (60, time)]
      return IPTCSample.block(values.compactMap { number, text in text.map { (number, $0) } })
    }
    let old = block(date, time)
    let wanted = block(newDate, newTime)
    #expect(try IPTCSample.edited(old, .shift(seconds)) ?? old == wanted)
    if wanted == old { #expect(try IPTCSample.edited(old, .shift(seconds)) == nil) }
  }

  @Test(
    "A zone is kept, set or removed.",
    arguments: [
      ("183841+0900", "183841+0545", "183841"), ("183841", "183841+0545", "183841"),
      ("183841+0545", "183841+0545", "183841"),
    ])
  func zones(time: String, set: String, removed: String) throws {
    let offset = try #require(UTCOffset("+05:45"))
    func block(_ time: String) -> [UInt8] { IPTCSample.block([(55, "20240523"), (60, time)]) }
    let old = block(time)
    #expect(try IPTCSample.edited(old, .shift(0)) == nil)
    #expect(try IPTCSample.edited(old, .shift(0, offset: .set(offset))) ?? old == block(set))
    #expect(try IPTCSample.edited(old, .shift(0, offset: .remove)) ?? old == block(removed))
  }

  @Test(
    "Setting a date writes only the datasets that exist.",
    arguments: [
      ("20240523", "183841+0900", "20230102", "030405+0900"), ("20240523", "183841", "20230102", "030405"),
      ("20240523", nil, "20230102", nil), (nil, "183841", nil, "030405"), ("nonsense", "x", "20230102", "030405"),
      ("00000000", "", "20230102", "030405"), (nil, nil, nil, nil),
    ] as [(String?, String?, String?, String?)])
  func set(date: String?, time: String?, newDate: String?, newTime: String?) throws {
    func block(_ date: String?, _ time: String?) -> [UInt8] {
      IPTCSample.block([(55, date), (60, time)].compactMap { number, text in text.map { (number, $0) } })
    }
    let civil = try #require(CivilTime(year: 2023, month: 1, day: 2, hour: 3, minute: 4, second: 5))
    var edit = MetadataEdit()
    edit.dates = .set(CaptureTime(civil, fraction: SecondFraction(digits: "5")))
    let old = block(date, time)
    #expect(try IPTCSample.edited(old, edit) ?? old == block(newDate, newTime))
    edit.dates = .set(CaptureTime(civil, offset: .utc))
    let zoned = newTime.map { String($0.prefix(6)) + "+0000" }
    #expect(try IPTCSample.edited(old, edit) ?? old == block(newDate, zoned))
  }

  @Test("Removing the location removes the place names and nothing else.")
  func removal() throws {
    let old = IPTCSample.block([
      (26, "CHE"), (27, "Bern"), (90, "Bern"), (5, "Title"), (90, "Thun"), (92, "Lake"), (95, "BE"), (100, "CHE"),
      (101, "Switzerland"), (55, "20240523"),
    ])
    let new = IPTCSample.block([(5, "Title"), (55, "20240523")])
    #expect(try IPTCSample.edited(old, .removingPlace) == new)
    #expect(try IPTCSample.edited(new, .removingPlace) == nil)
    #expect(try IPTCSample.edited(new, MetadataEdit()) == nil)
  }

  @Test("A block cut short at any byte never traps.")
  func truncation() {
    let block = IPTCSample.block([(55, "20240523"), (60, "183841+0900"), (90, "Bern")])
    for count in block.indices {
      let cut = Array(block.prefix(count))
      _ = try? IPTCSample.metadata(cut)
      _ = try? IPTCSample.edited(cut, .shift(3_600))
    }
  }
}
