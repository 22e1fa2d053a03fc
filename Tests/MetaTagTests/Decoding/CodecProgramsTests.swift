@testable import Decoding
import Foundation
import MetaTag
import TestSupport
import Testing

/// Where the decoder programs are looked for.
@Suite("Installed decoder programs")
struct CodecProgramsTests {
  static let nextToExecutable: [FilePath] = ["/p/bin", "/p/libexec", "/p/libexec/metatag"]

  @Test(
    "The folder in METATAG_LIBEXEC comes first, if its path is absolute.",
    arguments: [
      ([:], nextToExecutable),
      (["METATAG_LIBEXEC": "/x/y"], ["/x/y"] + nextToExecutable),
      (["METATAG_LIBEXEC": "y"], nextToExecutable),
      (["METATAG_LIBEXEC": ""], nextToExecutable),
      (["METATAG_LIBEXEC": "/p/bin/"], nextToExecutable),
    ] as [([String: String], [FilePath])])
  func folders(environment: [String: String], expected: [FilePath]) {
    #expect(CodecPrograms.folders(of: "/p/bin/metatag", environment: environment) == expected)
  }

  @Test("The first folder that has a program is used, for each program separately.")
  func first() throws {
    let (one, two) = (try Scratch(), try Scratch())
    let folders = [one, two].map { FilePath($0.url.path) }
    try FileManager.default.createSymbolicLink(
      at: two.url.appending(path: "metatag-codecs"), withDestinationURL: Corpus.product("metatag-codecs"))
    // It can't be executed, so the one in the next folder is used.
    _ = try one.write([1], as: "metatag-codecs")
    let pool = CodecPool(.metadata, in: folders)
    #expect(pool.program == folders[1].appending("metatag-codecs"))
    let error = #expect(throws: FileError.self) { try CodecPool(.pictures, in: folders).codings() }
    #expect(error?.code == .decoderMissing && error?.remedy == .installProgram("metatag-pictures"))
    #expect(folders.allSatisfy { error?.description.contains($0.string) == true })
  }

  @Test("A client names the folder, in which alone the programs are looked for.")
  func named() async throws {
    let (folder, empty) = (FilePath(Corpus.product("metatag-codecs").deletingLastPathComponent().path), try Scratch())
    let photos = try Scratch()
    let photo = try photos.copy(Corpus.project.appending(path: "SampleImages/aurora-01-jetty.jpg"))
    let path = FilePath(photo.path)
    let journal = try Journal(directory: FilePath(photos.url.appending(path: "state").path))
    let inputs = await Photo.pairing(Walk.photos(in: [path], recursively: false), jobs: 1)
    for (programs, isFound) in [
      (CodecPrograms(in: FilePath(empty.url.path)), false), (CodecPrograms(in: folder), true),
    ] {
      #expect(((try? await PictureCodecs(programs: programs)) != nil) == isFound)
      #expect(((try? await TagReader(programs: programs).tags(of: ImageSource(path))) != nil) == isFound)
      var options = Batch.Options()
      options.programs = programs
      let edit = PlacePlanner(Location(try #require(Coordinate(latitude: 35, longitude: 135))))
      var codes: [FileError.Code?] = []
      let run = try journal.beginRun(arguments: [], at: .now, version: "1")
      await Batch(run, in: journal, options: options).run(inputs, planner: edit) { outcome in
        if case .failed(let error) = outcome.status { codes.append(error.code) } else { codes.append(nil) }
      }
      try journal.finishRun(run)
      #expect(codes == [isFound ? nil : .decoderMissing])
    }
  }

  @Test("A program that depends on METATAG_LIBEXEC finds the decoders there, when they are nowhere else.")
  func environment() throws {
    let scratch = try Scratch()
    try FileManager.default.createDirectory(at: scratch.url.appending(path: "bin"), withIntermediateDirectories: true)
    let metatag = try scratch.install(Corpus.product("metatag"), as: "bin/metatag")
    let photo = Corpus.project.appending(path: "SampleImages/aurora-01-jetty.jpg").path
    let folder = Corpus.product("metatag-codecs").deletingLastPathComponent().path
    func run(_ libexec: String) throws -> Oracle.Answer {
      try Oracle.run(metatag.path, ["show", "--all", photo], environment: ["METATAG_LIBEXEC": libexec])
    }
    #expect(try run(folder).status == 0)
    #expect(try run("").status == 1)
    for below in ["libexec", "libexec/metatag"] {
      let libexec = scratch.url.appending(path: below)
      try FileManager.default.createDirectory(at: libexec, withIntermediateDirectories: true)
      let link = libexec.appending(path: "metatag-codecs")
      try FileManager.default.createSymbolicLink(at: link, withDestinationURL: Corpus.product("metatag-codecs"))
      #expect(try run("").status == 0)
      try FileManager.default.removeItem(at: link)
    }
  }
}
