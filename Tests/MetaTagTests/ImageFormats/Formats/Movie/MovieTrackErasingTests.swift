@testable import ImageFormats
import Foundation
import SystemPackage
import TestSupport
import Testing

@testable import MetaTag

@Suite("Erasing metadata tracks from a movie")
struct MovieTrackErasingTests {
  private typealias Sample = MovieTrackSample

  private static func has(_ movie: Bytes, _ text: String) -> Bool { movie.firstIndex(of: Array(text.utf8)) != nil }

  private static func boxes(_ movie: Bytes) throws -> [Box] {
    try movie.closedBoxes(in: MovieFile(of: movie).moov.payload)
  }

  private static func refusal(_ movie: Bytes) -> FileError? {
    #expect(throws: FileError.self) { try MovieErasingTests.erased(movie) }
  }

  @Test(
    "Metadata tracks are erased with their samples, and pictures and sound stay in place.", arguments: [false, true])
  func interleaved(keepsDate: Bool) throws {
    var picture = Sample.picture
    picture.extra = Sample.reference("tmcd", 4)
    let sample = Sample(
      tracks: [
        picture, Sample.telling(3), Sample.sound([["L1R1", "L2R2"], ["L3R3"]]), Sample.telling(4, "tmcd", "tmcd"),
        Sample.telling(5, "text", "text"), Sample.telling(6),
      ], extra: Box.bytes("iods", [1, 2, 3]) + MovieTests.iPhone)
    let old = sample.movie()
    let (_, new) = try MovieErasingTests.erased(old, keepingDate: keepsDate)
    #expect(Self.has(old, "Secret") && !Self.has(new, "Secret"))
    #expect(new.count == old.count)
    for text in ["frame one.frame two", "frame three", "L1R1L2R2", "L3R3"] {
      #expect(new.firstIndex(of: Array(text.utf8)) == old.firstIndex(of: Array(text.utf8)), "\(text)")
    }
    let left = try MovieBox(in: MovieFile(of: new), of: new)
    #expect(left.tracks.map(\.id) == [1, 2])
    let kept = try MovieBox(in: MovieFile(of: old), of: old).tracks.filter { $0.id ?? 9 < 3 }
    for (track, was) in zip(left.tracks, kept) {
      #expect(track.box == was.box)
      for table in track.tables { #expect(try new.bytes(table.range).array == old.bytes(table.range).array) }
    }
    // Nothing refers to the erased tracks.
    #expect(try !new.closedBoxes(in: left.tracks[0].box.payload).contains { $0.type == "tref" })
    #expect(try !Self.boxes(new).contains { $0.type == "iods" })
    #expect(try MovieErasingTests.erased(new, keepingDate: keepsDate).patch.isEmpty)
    var edit = MetadataEdit()
    edit.erasure = Erasure()
    let notes = try ImageSource(old, path: "a.mov").changes(for: edit).notes
    #expect(notes.map(\.description) == ["loses 2 tracks of metadata and a track of text and a track of time code"])
    #expect(try ImageSource(new, path: "a.mov").changes(for: edit).notes.isEmpty)
  }

  @Test("A reference list keeps the tracks that stay.")
  func references() throws {
    var picture = Sample.picture
    picture.extra = Box.bytes(
      "tref",
      Box.bytes("cdsc", UInt32(2).bytes(.big) + UInt32(3).bytes(.big)) + Box.bytes("chap", UInt32(3).bytes(.big)))
    let old = Sample(tracks: [picture, Sample.sound([["L1R1"]]), Sample.telling(3)]).movie()
    let new = try MovieErasingTests.erased(old).new
    let track = try #require(try MovieBox(in: MovieFile(of: new), of: new).tracks.first)
    let list = try #require(try new.closedBoxes(in: track.box.payload).first { $0.type == "tref" })
    let kinds = try new.closedBoxes(in: list.payload)
    #expect(kinds.map(\.type) == ["cdsc", "free"])
    #expect(try new.bytes(kinds[0].payload).array == [0, 0, 0, 2, 0, 0, 0, 0])
    #expect(try new.bytes(kinds[1].payload).array == [0, 0, 0, 0])
  }

  @Test(
    "Sample sizes and offsets are read in every form of table.",
    arguments: [(0, false), (4, true), (8, false), (16, true), (32, true)])
  func tables(bits: Int, isLong: Bool) throws {
    var track = Sample.telling(3, "meta", "mett", [["Secret", "Secre1", "Secre2"], ["Secre3"]])
    if bits != 0 { track.chunks[0][1] = Array("SecretLonger".utf8) }
    (track.sizes, track.isLong) = (bits, isLong)
    let old = Sample(tracks: [track, Sample.picture]).movie()
    let new = try MovieErasingTests.erased(old).new
    #expect(!Self.has(new, "Secre"))
    #expect(Self.has(new, "frame one.frame two") && Self.has(new, "frame three"))
  }

  @Test("Zero padding of samples isn't written again.")
  func filled() throws {
    var track = Sample.telling(3)
    track.chunks = [(0..<40).map { _ in Array("Secret".utf8) + [UInt8](repeating: 0, count: 2_000) + [7] }]
    let (patch, new) = try MovieErasingTests.erased(Sample(tracks: [Sample.picture, track]).movie())
    #expect(!Self.has(new, "Secret"))
    #expect(try MovieErasingTests.erased(new).patch.isEmpty)
    #expect((40...1_000).contains(patch.splices.count))
    #expect(patch.splices.reduce(0) { $0 + $1.bytes.count } < 4_000)
  }

  @Test("Samples that can't be separated from pictures and sound exactly are refused.")
  func refused() throws {
    func movie(_ change: (inout Sample.Track) -> Void) -> Bytes {
      var track = Sample.telling(3)
      change(&track)
      return Sample(tracks: [Sample.picture, track]).movie()
    }
    let place = MovieSample.brand.count + 8
    let track = Sample.telling(3)
    func tables(_ starts: Int...) -> [UInt8] { Sample.tables(track, starts) }
    var unsorted = tables(place + 19, place + 40)
    let runs = try #require(Bytes(unsorted).firstIndex(of: FourCC("stsc").bytes))
    unsorted[runs + 15] = 3
    var short = tables(place + 19, place + 40)
    let sizes = try #require(Bytes(short).firstIndex(of: FourCC("stsz").bytes))
    short[sizes + 15] = 4
    var more = short
    more[sizes + 15] = 2
    let twice = tables(place + 19, place + 40)
    for (name, tables, words) in [
      ("in a frame", tables(place + 18, place + 40), "overlaps video or audio"),
      ("in moov", tables(place + 19, place + 100), "outside its mdat boxes"),
      ("nowhere", tables(place + 19, 1 << 30), "outside its mdat boxes"),
      ("unsorted", unsorted, "invalid sample tables"), ("more than there are", short, "invalid sample tables"),
      ("not all", more, "invalid sample tables"),
      ("twice", twice + twice, "invalid sample tables"), ("none", [], "invalid sample tables"),
      ("auxiliary", twice + Box.bytes("saio", [UInt8](repeating: 0, count: 8)), "invalid sample tables"),
    ] {
      let error = try #require(Self.refusal(movie { $0.tables = tables }), "\(name)")
      #expect(error.kind == .refused && error.description.contains(words), "\(name): \(error)")
    }
    #expect(Self.refusal(Sample(tracks: [track]).movie())?.description.contains("no video or audio track") == true)
    let fragmented = Sample(tracks: [Sample.picture, track], extra: Box.bytes("mvex", [])).movie()
    #expect(Self.refusal(fragmented)?.description.contains("fragmented") == true)
    // The tables of pictures are needed too, because only they show which bytes aren't theirs.
    var picture = Sample.picture
    picture.tables = Box.bytes("stco", [0, 0, 0, 0, 0, 0, 0, 1] + UInt32(place).bytes(.big))
    #expect(
      Self.refusal(Sample(tracks: [picture, track]).movie())?.description.contains("invalid sample tables") == true)
  }

  @Test("Sound is as long as its description says, whatever size its table has.")
  func sound() throws {
    func movie(_ tables: ([UInt8]) -> [UInt8]) -> Bytes {
      var sound = Sample.sound([["LLRR", "llrr"]])
      sound.tables = tables(Sample.tables(sound, [MovieSample.brand.count + 8]))
      return Sample(tracks: [sound, Sample.telling(3)]).movie()
    }
    #expect(try !Self.has(MovieErasingTests.erased(movie { $0 }).new, "Secret"))
    // Eight samples of one byte end before the metadata; eight of four bytes, as described, don't.
    let error = Self.refusal(
      movie { tables in
        var tables = tables
        tables.replaceSubrange(12..<20, with: [0, 0, 0, 1, 0, 0, 0, 8])
        tables.replaceSubrange(40..<44, with: [0, 0, 0, 8])
        return tables
      })
    #expect(error?.description.contains("overlaps video or audio") == true, "\(String(describing: error))")
  }

  @Test(
    "Movies of a phone and a camera play as before, and their metadata tracks are zeros.",
    .enabled(if: Corpus.isThere && Oracle.has("ffmpeg"), "\(Corpus.absence), or ffmpeg is missing"),
    arguments: ["with-gps.mov", "meta.mov", "IMG_3853.MOV"])
  func real(name: String) throws {
    let scratch = try Scratch()
    let file = Corpus.shared.appending(path: "corpus/mov/" + name)
    let old = Bytes([UInt8](try Data(contentsOf: file)))
    let new = try MovieErasingTests.erased(old).new
    let erased = try scratch.write(new.array, as: name)
    let shown = try [file, erased].map { url in
      try Oracle.run(
        "ffmpeg", ["-v", "error", "-i", url.path, "-map", "0:v", "-map", "0:a", "-c", "copy", "-f", "framemd5", "-"])
    }
    #expect(shown[0].output.count > 500)
    #expect(shown[0].output == shown[1].output && shown[1].status == 0, "\(shown[1].errors)")
    let gone = try MovieBox(in: MovieFile(of: old), of: old).tracks.filter { try $0.recorded(old) != nil }
    #expect(!gone.isEmpty)
    for track in gone {
      for range in try MovieSamples(old).exact(of: track) {
        #expect(try new.bytes(range).array.allSatisfy { $0 == 0 }, "\(range)")
      }
    }
  }
}
