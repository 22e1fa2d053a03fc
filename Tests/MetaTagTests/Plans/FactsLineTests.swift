import Foundation
import SystemPackage
import TestSupport
import Testing

@testable import MetaTag

@Suite("Lines for workers")
struct FactsLineTests {
  private static func text(_ value: PlanValue) -> [UInt8] {
    func json(_ value: PlanValue) -> Any {
      switch value {
      case .text(let text): text
      case .number(let number): number
      case .bool(let truth): truth
      case .null: NSNull()
      case .list(let values): values.map(json)
      case .members(let members): Dictionary(uniqueKeysWithValues: members.map { ($0.name, json($0.value)) })
      }
    }
    return Array((try? JSONSerialization.data(withJSONObject: json(value))) ?? Data())
  }

  private static func parsed(_ line: [UInt8]) throws -> FactsLine {
    var cameras = FileFacts.SharedCameras()
    return try FactsLine(line, sharing: &cameras)
  }

  @Test("Facts are the same after they were written and read.")
  func roundTrip() throws {
    var random = SeededGenerator(seed: 11)
    for _ in 0..<2_000 {
      var metadata = Metadata()
      func maybe<Value>(_ value: Value) -> Value? { Bool.random(using: &random) ? value : nil }
      (metadata.make, metadata.model, metadata.serialNumber) = (maybe("A \"b\"\u{1}"), maybe("ü"), maybe(""))
      let civil = try #require(
        CivilTime(secondsSince1970: Int64.random(in: -5_000_000_000...5_000_000_000, using: &random)))
      let time = CaptureTime(
        civil, fraction: maybe("0250").flatMap { SecondFraction(digits: $0[...]) },
        offset: maybe(Int.random(in: -50...50, using: &random) * 900).flatMap { UTCOffset(seconds: $0) })
      if let namespace = Namespace.allCases.randomElement(using: &random), Bool.random(using: &random) {
        metadata.captureTimes = [Sourced(time, namespace, tag: namespace == .quickTime ? "mvhd" : "")]
        if let offset = maybe(UTCOffset.utc) {
          metadata.captureTimes.append(Sourced(CaptureTime(civil, offset: offset), .xmp, tag: ""))
        }
      }
      let place = try #require(
        Coordinate(
          latitude: Double.random(in: -90...90, using: &random),
          longitude: Double.random(in: -180...180, using: &random)))
      if Bool.random(using: &random) {
        var location = Location(place, altitude: maybe(Double.random(in: -400...9_000, using: &random)))
        location.horizontalError = maybe(Double.random(in: 0...1e5, using: &random))
        location.dilutionOfPrecision = maybe(1 / 3)
        location.timestamp = maybe(
          Instant(seconds: .random(in: -9_000_000_000...9_000_000_000, using: &random), nanoseconds: maybe(1) ?? 0))
        metadata.locations = [Sourced(location, .exif, tag: "")]
      }
      let path = FilePath(bytes: Bool.random(using: &random) ? Array("a/ü.jpg".utf8) : [0x61, 0xFF, 0x62])
      var cameras = FileFacts.SharedCameras()
      let facts = FileFacts(
        path: path, isMovie: .random(using: &random), isMisnamedStill: .random(using: &random),
        contentIdentifier: maybe("1-2"), metadata: metadata, sharing: &cameras)
      let line = try Self.parsed(Self.text(facts.lineValue(id: "x", version: "1")))
      let read = try #require(line.facts)
      #expect(line.path == path && line.id == "x" && line.version == "1")
      #expect(read.isMovie == facts.isMovie && read.isMisnamedStill == facts.isMisnamedStill)
      #expect(read.contentIdentifier == facts.contentIdentifier)
      #expect(read.metadata == facts.metadata)
      #expect(read.pairFacts == facts.pairFacts)
    }
  }

  @Test("The samples' facts decide the same pairs as the files.")
  func samples() async throws {
    let folder = Corpus.project.appending(path: "SampleImages").path
    let paths = try FileManager.default.contentsOfDirectory(atPath: folder).sorted().map {
      FilePath(folder).appending($0)
    }
    let facts = await FileFacts.read(paths, jobs: 2).compactMap { try? $0.get() }
    #expect(facts.count > 20)
    let inputs = Walk.photos(in: facts.map(\.path), recursively: false)
    let known = await Photo.pairing(inputs, jobs: 1, PhotoCatalog(knowing: facts))
    let read = await Photo.pairing(inputs, jobs: 1)
    #expect(known.map(\.pictures) == read.map(\.pictures))
    #expect(known.contains { $0.pictures.count == 2 })
    let groups = await Photo.pairing(groups: read.map(\.pictures), jobs: 1, PhotoCatalog())
    #expect(groups.map { $0.map(\.pictures) } == read.map { [$0.pictures] })
  }

  @Test(
    "Malformed facts are refused.",
    arguments: [
      "", "a", "[]", "{}", "{\"path\":\"\",\"facts\":{}}", "{\"path\":\"a\"}", "{\"path\":\"a\",\"facts\":{}}",
      "{\"path\":\"a\",\"version\":\"1\",\"facts\":[]}", "{\"path\":\"a\",\"version\":\"1\",\"facts\":{},\"x\":1}",
      "{\"path\":\"a\",\"version\":\"1\",\"facts\":{\"x\":1}}",
      "{\"path\":\"a\",\"version\":\"1\",\"facts\":{\"location\":{\"latitude\":91,\"longitude\":1,\"in\":\"exif\"}}}",
      "{\"path\":\"a\",\"version\":\"1\",\"facts\":{\"location\":{\"latitude\":1,\"longitude\":1}}}",
      "{\"path\":\"a\",\"version\":\"1\",\"facts\":{\"location\":{\"latitude\":1,\"longitude\":1,\"in\":\"exif\",\"fixNanoseconds\":1e9}}}",
      "{\"path\":\"a\",\"version\":\"1\",\"facts\":{\"times\":[{\"time\":\"yesterday\",\"in\":\"exif\"}]}}",
      "{\"path\":\"a\",\"version\":\"1\",\"facts\":{}} {}",
    ])
  func malformed(line: String) { #expect(throws: (any Error).self) { try Self.parsed(Array(line.utf8)) } }

  @Test("A line of a photo is a path, or says which files belong to it.")
  func photoLines() throws {
    let path = try PhotoLine(Array("2024/a b.jpg".utf8))
    #expect(path.paths == ["2024/a b.jpg"] && path.id == "2024/a b.jpg" && !path.isWhole)
    let whole = try PhotoLine(
      Array(
        "{\"id\":\"1\",\"path\":\"a.jpg\",\"companions\":[{\"path\":\"a.mov\"}],\"datedByRun\":3,\"version\":\"1\"}"
          .utf8))
    #expect(whole.paths == ["a.jpg", "a.mov"] && whole.isWhole && whole.id == "1")
    #expect(whole.earlier == PhotoLine.EarlierRuns(datedBy: RunID(3)))
    let again = try PhotoLine(Self.text(whole.lineValue))
    #expect(again.paths == whole.paths && again.earlier == whole.earlier && again.version == "1")
    for line in ["", "{}", "{\"path\":\"a\",\"companions\":1}", "{\"path\":\"a\",\"x\":1}", "{\"path\":\"a\"} b"] {
      #expect(throws: (any Error).self) { try PhotoLine(Array(line.utf8)) }
    }
  }
}
