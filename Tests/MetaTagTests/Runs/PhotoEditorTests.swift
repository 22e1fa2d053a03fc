import Foundation
import MetaTag
import SystemPackage
import TestSupport
import Testing

/// Edits by clients of the library, with the public API only.
@Suite("PhotoEditor")
struct PhotoEditorTests {
  private struct Folder {
    let scratch: Scratch
    let photos: FilePath
    let editor: PhotoEditor

    init(_ count: Int = 3) throws {
      scratch = try Scratch()
      let folder = scratch.url.appending(path: "photos")
      try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
      photos = FilePath(folder.path)
      for number in 0..<count {
        try FileManager.default.copyItem(
          at: Corpus.project.appending(path: "SampleImages/aurora-01-jetty.jpg"),
          to: folder.appending(path: "\(number + 10).jpg"))
      }
      editor = PhotoEditor(journal: FilePath(scratch.url.appending(path: "state").path))
    }

    var bytes: [Data] {
      get throws {
        let names = try FileManager.default.contentsOfDirectory(atPath: photos.string).sorted()
        return try names.map { try Data(contentsOf: URL(photos.appending($0))) }
      }
    }
  }

  private static var edit: MetadataEdit {
    var edit = MetadataEdit()
    edit.title = .set("The jetty")
    edit.keywords = .set(["sea", "boats"])
    edit.creators = .set(["Ada Lovelace", "Grace Hopper"])
    edit.caption = .set("Boats at the jetty")
    edit.rating = .set(4)
    return edit
  }

  @Test("A run and an undo get higher numbers than a run that the journal has lost, whose file is next to the photos.")
  func lostRun() async throws {
    let folder = try Folder(1)
    let first = try await folder.editor.apply(Self.edit, to: [folder.photos]).run
    let journal = folder.scratch.url.appending(path: "state/journal.db").path
    let token = try Oracle.run("sqlite3", [journal, "SELECT token FROM journal"]).text
    func leave(_ run: Int64) throws {
      let name = ".metatag-\(token.trimmingCharacters(in: .newlines))-\(run)-1.tmp"
      try Data("an original".utf8).write(to: URL(folder.photos.appending(name)))
    }
    try leave(40)
    var edit = MetadataEdit()
    edit.title = .set("Later")
    let second = try await folder.editor.apply(edit, to: [folder.photos]).run
    #expect((first, second) == (RunID(1), RunID(41)))
    try leave(60)
    try await folder.editor.undo(second)
    edit.title = .set("Last")
    #expect(try await folder.editor.apply(edit, to: [folder.photos]).run == RunID(62))
  }

  @Test("An edit with typed fields is written, read back and undone.")
  func roundTrip() async throws {
    let folder = try Folder()
    let before = try folder.bytes
    let result = try await folder.editor.apply(Self.edit, to: [folder.photos])
    #expect(result.isComplete && result.outcomes.count == 3)
    let metadata = try ImageSource(result.outcomes[0].path).metadata()
    #expect(metadata.title == "The jetty" && metadata.keywords == ["sea", "boats"])
    #expect(metadata.creators == ["Ada Lovelace", "Grace Hopper"] && metadata.caption == "Boats at the jetty")
    #expect(metadata.rating == 4)
    let again = try await folder.editor.apply(Self.edit, to: [folder.photos])
    #expect(
      again.outcomes.allSatisfy { if case .unchanged(.asWanted) = $0.status { true } else { false } })
    let undone = try await folder.editor.undo(result.run)
    #expect(undone.map(\.outcome) == [.restored, .restored, .restored])
    #expect(try folder.bytes == before)
  }

  @Test("Each photo is begun, staged and committed, in this order.")
  func events() async throws {
    let folder = try Folder(5)
    var steps: [FilePath: [String]] = [:]
    var count = 0
    for try await event in folder.editor.events(applying: Self.edit, to: [folder.photos]) {
      switch event {
      case .started(_, let number): count = number
      case .begun(let path): steps[path, default: []].append("begun")
      case .staged(let path): steps[path, default: []].append("staged")
      case .committed(let outcome): steps[outcome.path, default: []].append("committed")
      @unknown default: break
      }
    }
    #expect(count == 5 && steps.count == 5)
    #expect(steps.values.allSatisfy { $0 == ["begun", "staged", "committed"] })
  }

  @Test("A cancelled task finishes photos in progress and reports the others as not run.")
  func cancelled() async throws {
    let folder = try Folder(40)
    var slow = folder.editor
    slow.options.jobs = 1
    let (editor, photos) = (slow, folder.photos)
    let task = Task { try await editor.apply(Self.edit, to: [photos]) }
    task.cancel()
    let result = try await task.value
    #expect(result.outcomes.count == 40 && !result.isComplete)
    let left = result.outcomes.filter { if case .notRun = $0.status { true } else { false } }
    #expect(!left.isEmpty)
  }

  @Test("A journal in use is an error before any photo is changed.")
  func busy() async throws {
    let folder = try Folder(1)
    let before = try folder.bytes
    let state = FilePath(folder.scratch.url.appending(path: "state").path)
    let journal = try Journal(directory: state)
    let error = await #expect(throws: FileError.self) { try await folder.editor.apply(Self.edit, to: [folder.photos]) }
    #expect(error?.code == .journalBusy)
    #expect(try folder.bytes == before)
    withExtendedLifetime(journal) {}
  }

  /// A client's planner, which gives its reasons in its own words.
  private struct Selection: Planner {
    func propose(for metadata: Metadata) -> Proposal {
      guard metadata.cameraModel == "none" else { return .skip(.custom("is not by the camera")) }
      return .change(PhotoEditorTests.edit, because: .custom("my rule"))
    }
  }

  @Test("A planner can be implemented outside, with reasons of its own.")
  func planner() async throws {
    let folder = try Folder(1)
    let result = try await folder.editor.apply(Selection(), to: [folder.photos])
    guard case .skipped(let reason)? = result.outcomes.first?.status else {
      Issue.record("\(result.outcomes)")
      return
    }
    #expect(reason.description == "is not by the camera" && reason.code == .custom)
  }
}
