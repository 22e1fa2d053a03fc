import Foundation
import TestSupport
import Testing

/// Advice that a user can follow without losing anything.
@Suite("Advice on the command line")
struct AdviceTests {
  private let tool: Tool
  private let photos: Scratch
  private var folder: String { photos.url.path }

  init() throws { (tool, photos) = (try Tool(), try Scratch()) }

  private static func box(_ type: String, _ content: [UInt8]) -> [UInt8] {
    withUnsafeBytes(of: UInt32(8 + content.count).bigEndian) { Array($0) } + Array(type.utf8) + content
  }

  /// A JPEG 2000 file without a picture, with these attributes in its XMP.
  private static func jpeg2000(_ attributes: String) -> Data {
    let xmpID: [UInt8] = [
      0xBE, 0x7A, 0xCF, 0xCB, 0x97, 0xA9, 0x42, 0xE8, 0x9C, 0x71, 0x99, 0x94, 0x91, 0xE3, 0xAF, 0xAC,
    ]
    let xmp = """
      <x:xmpmeta xmlns:x="adobe:ns:meta/"><rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#">
      <rdf:Description rdf:about="" xmlns:exif="http://ns.adobe.com/exif/1.0/" \(attributes)/></rdf:RDF></x:xmpmeta>
      """
    return Data(
      box("jP  ", [0x0D, 0x0A, 0x87, 0x0A]) + box("ftyp", Array("jp2 \0\0\0\0jp2 ".utf8))
        + box("jp2h", box("ihdr", [0, 0, 0, 1, 0, 0, 0, 1, 0, 3, 7, 7, 0, 0])) + box("uuid", xmpID + Array(xmp.utf8))
        + box("jp2c", [0xFF, 0x4F, 0xFF, 0xD9]))
  }

  @Test("A sidecar is advised for a file that is only read, unless the file's own value would take precedence.")
  func sidecar() throws {
    try photos.write(Self.jpeg2000(""), as: "bare.jp2")
    try photos.write(Self.jpeg2000(#"exif:GPSLatitude="47,36N" exif:GPSLongitude="1,2.05W""#), as: "placed.jp2")
    let bare = try tool("geotag", "--at", "46,14", "\(folder)/bare.jp2")
    #expect(bare.status == 1 && bare.text.contains("skipped: JPEG 2000 files are only read. Use --sidecar always."))
    #expect(try tool("geotag", "--at", "46,14", "--sidecar", "always", "\(folder)/bare.jp2").status == 0)
    #expect(try tool("show", "--json", "\(folder)/bare.jp2").text.contains(#""latitude":46"#))
    let placed = try tool("geotag", "--at", "46,14", "--overwrite", "replace", "\(folder)/placed.jp2")
    #expect(placed.status == 1 && placed.text.contains("skipped: JPEG 2000 files are only read"), "\(placed.text)")
    #expect(!placed.text.contains("--sidecar"), "\(placed.text)")
  }

  @Test(
    "A note about a date that isn't read doesn't advise to erase the photo's own date.",
    .enabled(if: Corpus.isThere, "\(Corpus.absence)"))
  func programDate() throws {
    let file = try photos.copy(Corpus.shared.appending(path: "corpus/png/png_with_exif_and_gps.png"))
    let answer = try tool("geotag", "--at", "46,14", "--overwrite", "replace", file.path)
    #expect(answer.status == 0 && answer.text.contains("which is not read as a capture time"), "\(answer.text)")
    #expect(!answer.text.contains("clear"), "\(answer.text)")
  }

  @Test(
    "A photo that was given a location isn't advised to lose it.", .enabled(if: Corpus.isThere, "\(Corpus.absence)"))
  func keptBlock() throws {
    let file = try photos.copy(Corpus.shared.appending(path: "corpus/jpeg-makernote/Ricoh2.jpg"))
    let answer = try tool("geotag", "--at", "46,14", "--overwrite", "replace", file.path)
    #expect(answer.status == 0 && answer.text.contains("may contain the old location"), "\(answer.text)")
    #expect(!answer.text.contains("clear"), "\(answer.text)")
  }

  @Test("The files of a run are listed by their paths, in whatever order they were done.")
  func log() throws {
    let names = (1...24).map { "\($0 % 2 == 0 ? "b" : "a")\($0).jpg" }
    let photo = try Data(contentsOf: Corpus.project.appending(path: "SampleImages/borealis-01-lake.jpg"))
    for name in names { try photos.write(photo, as: name) }
    #expect(try tool("date", "shift", "+1h", "-q", folder, "-r", "--jobs", "4").status == 0)
    let log = try tool("log", "1", "--json").text
    let positions = names.sorted().compactMap { log.range(of: "/\($0)\"")?.lowerBound }
    #expect(positions.count == names.count && positions == positions.sorted(), "\(log)")
  }
}
