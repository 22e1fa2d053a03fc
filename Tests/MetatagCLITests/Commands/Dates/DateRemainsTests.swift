import Foundation
import TestSupport
import Testing

/// Dates outside the tags that every reader knows, in real files.
@Suite(
  "Dates in maker-specific data",
  .enabled(if: Corpus.isThere && Oracle.has("exiftool"), "exiftool or the corpus is missing"))
struct DateRemainsTests {
  let (tool, scratch): (Tool, Scratch)

  init() throws { (tool, scratch) = (try Tool(), try Scratch()) }

  private func copy(_ name: String) throws -> URL {
    let source = Corpus.shared.appending(path: "corpus").appending(path: name)
    var bytes = try Data(contentsOf: source)
    if name == "raw/CanonRaw.cr3" {
      // Its pictures were cut out, and their tracks would point to the timed metadata, so they point to one byte before
      // it.
      for size in [9_917, 10_517] { bytes.replaceSubrange(size..<size + 4, with: [0, 0, 0, 1]) }
      for offset in [9_956, 10_556] { bytes.replaceSubrange(offset + 6..<offset + 8, with: [0x2C, 0xBA]) }
    }
    return try scratch.write(bytes, as: source.lastPathComponent)
  }

  /// exiftool's times in the file itself, without zeros.
  private func times(_ photo: URL) throws -> [String: String] {
    let tags = try exiftool(["-time:all", "-ee", "--System:all", "--ICC-header:all", "--Composite:all"], scratch.url)
    let found = (tags[photo.path] ?? [:]).compactMapValues { $0 as? String }
      .filter { !$0.key.hasPrefix("SourceFile") && !$0.key.hasPrefix("ICC") }
    return found.filter { $0.value.contains { ("1"..."9").contains($0) } }
  }

  @Test(
    "clear --date leaves no date, and undo restores all.",
    arguments: [
      ("raw/CanonRaw.cr3", ["Canon:TimeZone"]), ("heic/12.heic", []), ("heic/C001.heic", []),
      ("avif/colors-animated-8bpc-depth-exif-xmp.avif", []), ("heic/Issue_487.heic", []), ("tiff/01.tif", []),
      ("heic/IMG_3853.HEIC", ["Apple:RunTimeScale", "Apple:RunTimeValue", "Apple:RunTimeFlags", "Apple:RunTimeEpoch"]),
    ])
  func clear(name: String, makers: [String]) throws {
    let photo = try copy(name)
    let old = try Data(contentsOf: photo)
    #expect(!(try times(photo)).isEmpty)
    let answer = try tool("clear", "--date", "--raw", "in-place", photo.path)
    #expect(answer.status == 0, "\(answer.text) \(answer.errors)")
    let left = try times(photo).keys.filter { !makers.contains($0) }
    #expect(left.isEmpty, "\(left)")
    #expect(try tool("clear", "--date", "--raw", "in-place", photo.path).text.contains("unchanged"))
    #expect(try tool("undo").status == 0)
    #expect(try Data(contentsOf: photo) == old)
  }

  @Test("A run's report doesn't warn of dates that it erases.")
  func erasedText() throws {
    let photo = try copy("png/png_with_exif_and_gps.png")
    #expect(try tool("show", photo.path).text.contains("which is not read as a capture time"))
    let answer = try tool("clear", "--date", photo.path)
    #expect(answer.status == 0 && !answer.text.contains("create-date"), "\(answer.text)")
  }

  @Test("A date that can't be erased is reported, or the photo is refused.")
  func recorded() throws {
    let utf16 = try copy("jpeg-special/ExifTool.jpg")
    let refused = try tool("clear", "--date", utf16.path)
    #expect(
      refused.status == 1 && refused.text.contains("XMP that can't be edited and may contain dates"), "\(refused.text)")
    let cut = try scratch.write(
      try Data(contentsOf: Corpus.shared.appending(path: "corpus/raw/CanonRaw.cr3")), as: "cut.cr3")
    let left = try tool("clear", "--date", "--raw", "in-place", cut.path)
    #expect(left.status == 1 && left.text.contains("timed metadata that can't be read"), "\(left.text)")
    #expect(left.text.contains("Use 'metatag clear --date' on a JPEG copy"))
    let moved = try tool("date", "shift", "+1h", "--raw", "in-place", cut.path)
    #expect(moved.status == 0 && moved.text.contains("may contain dates, and stays as it is"), "\(moved.text)")
    let thermal = try tool("clear", "--date", try copy("jpeg-makernote/FLIR_Vue_Pro_640.jpg").path)
    #expect(thermal.text.contains("FLIR thermal data stays and may contain dates"), "\(thermal.text)")
    let same = try tool("clear", "--date", try copy("jpeg-makernote/FLIR_iPhone_device.jpg").path)
    #expect(same.text.contains("unchanged") && same.text.contains("FLIR thermal data stays"), "\(same.text)")
    let gainMap = try tool("clear", "--date", try copy("jpeg-special/ultrahdr.jpg").path)
    #expect(
      gainMap.status == 0 && gainMap.text.contains("its extended XMP stays and may contain dates"), "\(gainMap.text)")
  }

  @Test(
    "Samsung's appended time moves with the date, and a different one stays and is reported.",
    arguments: ["jpeg-special/20180717_080125.jpg", "heic/Issue_487.heic"])
  func appended(name: String) throws {
    let photo = try copy(name)
    let old = try Data(contentsOf: photo)
    let stamp = { try #require(try times(photo)["Samsung:TimeStamp"]) }
    let before = try stamp()
    let (hour, later) = name.hasPrefix("heic") ? (" 03:", " 01:") : (" 14:", " 12:")
    let moved = try tool("date", "shift", "-2h", photo.path)
    #expect(moved.status == 0 && !moved.text.contains("Image_UTC_Data"), "\(moved.text)")
    #expect(before.contains(hour))
    #expect(try stamp() == before.replacing(hour, with: later))
    #expect(try tool("undo").status == 0)
    #expect(try Data(contentsOf: photo) == old)
    // It doesn't fit into thirteen digits.
    let early = try tool("date", "set", "1950-06-01T12:00:00Z", photo.path)
    #expect(early.status == 0 && early.text.contains("keeps the time in its Samsung trailer"), "\(early.text)")
    #expect(try stamp() == before)
    #expect(try tool("undo").status == 0)
    let change = ["-q", "-overwrite_original", "-AllDates=2019:01:01 12:08:56", photo.path]
    try #require(try Oracle.run("exiftool", change).status == 0)
    let left = try tool("date", "shift", "-2h", photo.path)
    #expect(left.status == 0 && left.text.contains("which differs from its date"), "\(left.text)")
    #expect(try stamp() == before)
  }

  @Test("check compares a CR3's headers and timed metadata, and lists what it can't compare.")
  func check() throws {
    let raw = try copy("raw/CanonRaw.cr3")
    #expect(try tool("date", "check", raw.path).status == 0)
    let change = ["-q", "-overwrite_original", "-ExifIFD:DateTimeOriginal=2018:03:01 12:08:56", raw.path]
    #expect(try Oracle.run("exiftool", change).status == 0)
    let found = try tool("date", "check", raw.path)
    #expect(found.status == 1 && found.text.contains("picture-header: CTMD (quicktime) is 2018-02-21T12:08:56"))
    let repair = try tool("date", "repair", raw.path)
    #expect(repair.status == 1 && repair.text.contains("can't tell which is right"), "\(repair.text)")
    let sequence = try copy("avif/colors-animated-8bpc-depth-exif-xmp.avif")
    #expect(try tool("date", "check", sequence.path).text == "1 file: 1 agrees\n")
    for (name, text) in [
      ("jpeg-special/ExifTool.jpg", "XMP that isn't read"),
      ("heic/empty_icc.heic", "metadata of its additional pictures"),
    ] {
      let photo = try copy(name)
      #expect(try tool("date", "check", photo.path).text.contains("  not compared: \(text)\n"), "\(name)")
      #expect(try tool("date", "check", "--jsonl", photo.path).text.contains(#""notCompared":["\#(text)""#), "\(name)")
    }
  }

  @Test("A CR3's headers and timed metadata and a sequence's headers move with the date.")
  func shift() throws {
    for (name, tag) in [
      ("raw/CanonRaw.cr3", "Track4:TimeStamp"), ("raw/CanonRaw.cr3", "QuickTime:CreateDate"),
      ("avif/colors-animated-8bpc-depth-exif-xmp.avif", "Track1:TrackCreateDate"),
    ] {
      let photo = try copy(name)
      let old = try #require(try times(photo)[tag], "\(tag)")
      #expect(try tool("date", "shift", "-2h", "--raw", "in-place", photo.path).status == 0)
      #expect(old.contains(" 12:"))
      #expect(try times(photo)[tag] == old.replacing(" 12:", with: " 10:"))
      #expect(try tool("undo").status == 0)
    }
  }
}
