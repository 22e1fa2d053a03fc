import Foundation
import TestSupport
import Testing

@Suite("The order of shown photos")
struct ShowSortTests {
  let tool: Tool
  private let samples = Corpus.project.appending(path: "SampleImages")

  init() throws { tool = try Tool() }

  /// The names of the photos of a JSON listing, in its order.
  private func names(_ words: [String], _ photos: [String]) throws -> [String] {
    let answer = try tool.run(list: ["show", "--json"] + words + photos.map { samples.appending(path: $0).path })
    #expect(answer.status == 0, "\(answer.errors)")
    let rows = try #require(try JSONSerialization.jsonObject(with: answer.output) as? [[String: any Sendable]])
    return rows.compactMap { ($0["path"] as? String).map { URL(filePath: $0).lastPathComponent } }
  }

  private let photos = [
    "borealis-05-no-date.jpg", "aurora-05-bridge.jpg", "borealis-07-swans.mp4", "aurora-01-jetty.jpg",
  ]

  @Test("Photos are sorted by a field; those without it come last, in either direction.")
  func dates() throws {
    #expect(
      try names(["--sort", "taken"], photos) == [
        "aurora-01-jetty.jpg", "borealis-07-swans.mp4", "aurora-05-bridge.jpg", "borealis-05-no-date.jpg",
      ])
    #expect(
      try names(["--sort", "taken", "--reverse"], photos) == [
        "aurora-05-bridge.jpg", "borealis-07-swans.mp4", "aurora-01-jetty.jpg", "borealis-05-no-date.jpg",
      ])
  }

  @Test("Photos with equal values stay in the order in which they were named, in either direction.")
  func equal() throws {
    let order = ["borealis-07-swans.mp4", "borealis-05-no-date.jpg", "aurora-05-bridge.jpg", "aurora-01-jetty.jpg"]
    #expect(try names(["--sort", "duration"], photos) == [order[0]] + photos.filter { $0 != order[0] })
    let pictures = photos.filter { $0 != order[0] }
    #expect(try names(["--sort", "width"], pictures) == pictures)
    #expect(try names(["--sort", "width", "--reverse"], pictures) == pictures)
    #expect(try names(["--sort", "model"], photos).suffix(2) == ["borealis-05-no-date.jpg", "borealis-07-swans.mp4"])
  }

  @Test("The table has the same order, and a field of the container is read for it.")
  func table() throws {
    let listing = try tool.run(
      list: ["show", "--sort", "duration"] + photos.map { samples.appending(path: $0).path })
    #expect(listing.text.split(separator: "\n").dropFirst().first?.contains("borealis-07-swans.mp4") == true)
  }

  @Test("A photo that can't be read is reported, and the others are sorted.")
  func damaged() throws {
    let bad = try tool.home.write(Data([1, 2, 3]), as: "bad.jpg").path
    let answer = try tool.run(
      list: ["show", "--jsonl", "--sort", "taken", bad] + photos.map { samples.appending(path: $0).path })
    #expect(answer.status == 1)
    let lines = answer.text.split(separator: "\n")
    #expect(lines.count == 5 && lines[0].contains("aurora-01-jetty.jpg") && lines[3].contains("bad.jpg"))
  }

  @Test("A field that doesn't exist, and --reverse alone, are errors of usage.")
  func usage() throws {
    let unknown = try tool("show", "--sort", "date", samples.path)
    #expect(unknown.status == 64 && unknown.errors.contains("expected one of camera"))
    #expect(try tool("show", "--sort", "location", samples.path).status == 64)
    #expect(try tool("show", "--reverse", samples.path).status == 64)
  }
}
