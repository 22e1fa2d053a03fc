import Foundation
import TestSupport
import Testing

@Suite("metatag convert", .enabled(if: Corpus.isThere, "\(Corpus.absence)"))
struct ConvertTests {
  @Test("HEIC is converted to a JPEG in a folder, and undo removes it.")
  func jpeg() throws {
    let tool = try Tool()
    let scratch = try Scratch()
    let photo = try scratch.copy(Corpus.shared.appending(path: "corpus/heic/MIAF001.heic"))
    let folder = scratch.url.appending(path: "new")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: false)
    let words = ["convert", "--to", "compatible", "--output", folder.path, "--jsonl", photo.path]
    let plan = try Oracle.run(Tool.program, words + ["--dry-run"], environment: tool.environment())
    #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path).isEmpty)
    let answer = try Oracle.run(Tool.program, words, environment: tool.environment())
    #expect(answer.status == 0 && answer.text == plan.text.replacing(#""dryRun":true,"#, with: ""), "\(answer.errors)")
    let row = try JSONSerialization.jsonObject(with: answer.output) as? [String: Any]
    #expect(row?["outcome"] as? String == "created")
    let new = folder.appending(path: "MIAF001.JPG")
    #expect((row?["created"] as? String)?.hasSuffix("/new/MIAF001.JPG") == true)
    #expect(try Data(contentsOf: new).starts(with: [0xFF, 0xD8, 0xFF]))
    #expect(try tool("undo").status == 0)
    #expect(!FileManager.default.fileExists(atPath: new.path))
  }

  @Test("A missing output folder is an error before any conversion.")
  func folder() throws {
    let answer = try Tool()("convert", "--to", "jpeg", "--output", "/nonexistent", "/nonexistent.heic")
    #expect(answer.status == 2 && answer.errors.contains("can't write to the folder /nonexistent"))
  }

  @Test("A photo that is scaled down is reported with its new size.")
  func scaling() throws {
    let tool = try Tool()
    let scratch = try Scratch()
    let photo = try scratch.copy(Corpus.shared.appending(path: "corpus/jpeg-orientation/Landscape_6.jpg"))
    let answer = try tool("convert", "--to", "jpeg", "--max-pixels", "300", "--jsonl", photo.path)
    let row = try JSONSerialization.jsonObject(with: answer.output) as? [String: Any]
    #expect(row?["outcome"] as? String == "created" && row?["lossCodes"] as? [String] == ["scaledDown"])
    #expect(answer.text.contains("1800 × 1200 became 300 × 200"))
    #expect(try tool("convert", "--to", "jpeg", "--max-pixels", "0", photo.path).status == 64)
  }

  @Test("A thumbnail goes to standard output or a new file, and never overwrites one.")
  func thumbnail() throws {
    let tool = try Tool()
    let scratch = try Scratch()
    let photo = Corpus.shared.appending(path: "corpus/heic/MIAF001.heic").path
    let answer = try tool("show", "--thumbnail", "-", "--thumbnail-size", "64", photo)
    #expect(answer.status == 0 && answer.output.starts(with: [0xFF, 0xD8, 0xFF]), "\(answer.errors)")
    let file = scratch.url.appending(path: "a.jpg").path
    #expect(try tool("show", "--thumbnail", file, photo).status == 0)
    let again = try tool("show", "--thumbnail", file, photo)
    #expect(again.status == 1 && again.errors.contains("already exists"))
  }
}
