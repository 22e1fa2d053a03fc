import Foundation
import TestSupport
import Testing

/// Dates outside the tags that every reader knows, in real files.
@Suite(
  "Dates in a maker's own places",
  .enabled(if: Corpus.isThere && Oracle.has("exiftool"), "exiftool or the corpus is missing"))
struct DateRemainsTests {
  let (tool, scratch): (Tool, Scratch)

  init() throws { (tool, scratch) = (try Tool(), try Scratch()) }

  private func copy(_ name: String) throws -> URL {
    try scratch.copy(Corpus.shared.appending(path: "corpus").appending(path: name))
  }

  /// What exiftool says of times in the file itself, zeros left out.
  private func times(_ photo: URL) throws -> [String: String] {
    let tags = try exiftool(["-time:all", "-ee", "--System:all", "--ICC-header:all", "--Composite:all"], scratch.url)
    let found = (tags[photo.path] ?? [:]).compactMapValues { $0 as? String }.filter { $0.key != "SourceFile" }
    return found.filter { $0.value.contains { ("1"..."9").contains($0) } }
  }

  @Test(
    "clear --date leaves none, and undo gives all back",
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

  @Test("what stays and may tell a date is told, or the photo is left")
  func told() throws {
    let utf16 = try copy("jpeg-special/ExifTool.jpg")
    let refused = try tool("clear", "--date", utf16.path)
    #expect(
      refused.status == 1 && refused.text.contains("XMP that can't be edited and may tell dates"), "\(refused.text)")
    let thermal = try tool("clear", "--date", try copy("jpeg-makernote/FLIR_Vue_Pro_640.jpg").path)
    #expect(thermal.text.contains("FLIR's thermal data stays and may tell dates"), "\(thermal.text)")
    let gainMap = try tool("clear", "--date", try copy("jpeg-special/ultrahdr.jpg").path)
    #expect(
      gainMap.status == 0 && gainMap.text.contains("its extended XMP stays and may tell dates"), "\(gainMap.text)")
  }

  @Test("the headers and timed metadata of a CR3, and the headers of a sequence, move with the photo's date")
  func shift() throws {
    for (name, tag) in [
      ("raw/CanonRaw.cr3", "Track4:TimeStamp"), ("raw/CanonRaw.cr3", "QuickTime:CreateDate"),
      ("avif/colors-animated-8bpc-depth-exif-xmp.avif", "Track1:TrackCreateDate"),
    ] {
      let photo = try copy(name)
      let old = try #require(try times(photo)[tag], "\(tag)")
      #expect(try tool("date", "shift", "-1y", "--raw", "in-place", photo.path).status == 0)
      let year = try #require(Int(old.prefix(4)))
      #expect(try times(photo)[tag] == "\(year - 1)" + old.dropFirst(4))
      #expect(try tool("undo").status == 0)
    }
  }
}
