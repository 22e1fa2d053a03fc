import Foundation
import TestSupport
import Testing

/// What an erasure can't take out is told in the photo's row; what it can is gone.
@Suite("What stays of a place or a date is told", .enabled(if: Oracle.has("exiftool"), "exiftool is missing"))
struct ErasureNotesTests {
  let (tool, scratch): (Tool, Scratch)

  init() throws { (tool, scratch) = (try Tool(), try Scratch()) }

  private func notes(of option: String, in photo: URL) throws -> [String] {
    let run = try tool("clear", option, "--raw", "in-place", "--jsonl", photo.path)
    let row = try JSONSerialization.jsonObject(with: Data(run.text.split(separator: "\n")[0].utf8)) as? [String: Any]
    return row?["notes"] as? [String] ?? []
  }

  @Test(
    "words of Ricoh's forms, which may be names of places, stay and are told; with everything else they go",
    .enabled(if: Corpus.isThere, "\(Corpus.absence)"))
  func ricoh() throws {
    let photo = try scratch.copy(Corpus.shared.appending(path: "corpus/jpeg-makernote/Ricoh2.jpg"))
    for option in ["--location", "--date"] {
      #expect(try notes(of: option, in: photo).contains { $0.contains("RMETA") })
      #expect(try Data(contentsOf: photo).range(of: Data("Roundabout".utf8)) != nil)
    }
    #expect(try tool("clear", "--all", photo.path).status == 0)
    #expect(try Data(contentsOf: photo).range(of: Data("Roundabout".utf8)) == nil)
  }

  @Test(
    "a maker's note that only the preview in a raw file has is told as any other",
    .enabled(if: Corpus.isThere, "\(Corpus.absence)"))
  func preview() throws {
    let photo = try scratch.copy(Corpus.shared.appending(path: "corpus/raw/Panasonic.rw2"))
    #expect(try notes(of: "--date", in: photo).count { $0.hasPrefix("its maker's note stays") } == 1)
  }

  @Test(
    "IPTC dates in the data of Nikon's editor are told for what they are",
    .enabled(if: Corpus.isThere, "\(Corpus.absence)"))
  func capture() throws {
    let photo = try scratch.copy(Corpus.shared.appending(path: "corpus/raw/Nikon.nef"))
    var bytes = try Data(contentsOf: photo)
    // Its second block of IPTC is that of the editor: the city becomes a date.
    let city = try #require(bytes.range(of: Data([0x1C, 2, 90, 0, 8] + Array("Kingston".utf8)), options: .backwards))
    bytes.replaceSubrange(city, with: Data([0x1C, 2, 55, 0, 8] + Array("20110203".utf8)))
    try bytes.write(to: photo)
    #expect(try notes(of: "--date", in: photo).contains { $0.contains("IPTC dates of Nikon Capture") })
  }

  @Test("all dates of IPTC go, also those of publication", arguments: ["aurora-01-jetty.jpg", "borealis-06-ferns.tif"])
  func publication(name: String) throws {
    let photo = try scratch.copy(Corpus.project.appending(path: "SampleImages/\(name)"))
    let tags = [
      "ReleaseDate=2011:02:03", "ReleaseTime=04:05:06+00:00", "ExpirationDate=2012:03:04",
      "ExpirationTime=04:05:06+00:00", "ReferenceDate=2010:01:02", "DateSent=2009:01:02", "Headline=A day",
    ]
    _ = try Oracle.run("exiftool", ["-q", "-overwrite_original"] + tags.map { "-IPTC:\($0)" } + [photo.path])
    let old = try Data(contentsOf: photo)
    #expect(try tool("clear", "--date", photo.path).status == 0)
    let kept = ["-IPTC:Headline", "-IPTC:*Date*", "-IPTC:*Time*"]
    let left = try Oracle.run("exiftool", ["-s3"] + kept + [photo.path]).text
    #expect(left == "A day\n")
    var search = ByteSearch()
    search.days = [SIMD3(2011, 2, 3), SIMD3(2012, 3, 4), SIMD3(2010, 1, 2), SIMD3(2009, 1, 2)]
    #expect(try search.hits(in: photo) == [])
    #expect(try tool("undo").status == 0)
    #expect(try Data(contentsOf: photo) == old)
  }
}
