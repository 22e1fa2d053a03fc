import Foundation
import GeoIndex
import MetaTag
import TestSupport
import Testing

/// The code of the libraries' articles, which is compiled here, word for word.
@Suite("Code in articles")
struct ArticleExampleTests {
  @Test("Every example in an article is compiled here.")
  func compiled() throws {
    let source = try String(contentsOfFile: #filePath, encoding: .utf8)
    var count = 0
    for library in ["MetaTag", "GeoIndex"] {
      let folder = Corpus.project.appending(path: "Sources/\(library)/\(library).docc")
      for name in try FileManager.default.contentsOfDirectory(atPath: folder.path) where name.hasSuffix(".md") {
        let text = try String(contentsOf: folder.appending(path: name), encoding: .utf8)
        for part in text.components(separatedBy: "```swift\n").dropFirst() {
          let example = part.components(separatedBy: "```")[0].split(separator: "\n", omittingEmptySubsequences: false)
          let lines = example.dropLast().map { $0.isEmpty ? "" : "  \($0)" }
          #expect(source.contains(lines.joined(separator: "\n") + "\n}\n"), "\(name): \(example.first ?? "")")
          count += 1
        }
      }
    }
    #expect(count > 10)
  }
}

private func example1() async throws {
  let gazetteer = try await Gazetteer.openDefault(cacheDirectory: URL(filePath: "/var/cache/app"))
  let hits = try gazetteer.search("Blue Mosque Istanbul", limit: 5)
  for hit in hits { print(hit.place.name, hit.place.latitude, hit.place.longitude) }
}

private func example2() async throws {
  var edit = MetadataEdit()
  edit.title = .set("The old jetty")
  edit.keywords = .set(["sea", "boats"])
  edit.creators = .set(["Ada Lovelace"])
  edit.rating = .set(4)
  edit.location = .remove
  edit.dates = .adjust(TimeShift(.seconds(3_600)), offset: .keep)
  edit.properties = [try XMPPath(parsing: "xmpRights:Marked"): .set("True")]
  print(edit.isEmpty)
}

private func example3() async throws {
  var edit = MetadataEdit()
  edit.copyright = .set("© 2024 Ada Lovelace")
  try await ImageSource("/media/card/IMG_1.JPG").copy(to: "/photos/IMG_1.JPG", applying: edit)
  let upload = try await ImageSource("/media/card/IMG_1.JPG").bytes(applying: edit)
  print(upload.count)
}

private func example4() async throws {
  var editor = PhotoEditor()
  editor.options.copies = Copies(in: "/photos/2024")
  try await editor.apply(MetadataEdit(), to: ["/media/card/DCIM"])
}

private func example5() async throws {
  struct AddMissingCopyright: Planner {
    func propose(for metadata: Metadata) -> Proposal {
      if metadata.copyright != nil { return .unchanged(.custom("has a copyright notice")) }
      var edit = MetadataEdit()
      edit.copyright = .set("© Ada Lovelace")
      return .change(edit, because: .custom("had no copyright notice"))
    }
  }
  try await PhotoEditor().apply(AddMissingCopyright(), to: ["/photos"])
}

private func example6() async throws {
  let codecs = try await PictureCodecs()
  let photo = try ImageSource("/photos/IMG_1.HEIC")
  let file = try await ImageDestination(.jpeg, of: photo, codecs: codecs).finalize()
  try await file.write(to: "/photos/IMG_1.JPG")
  for loss in file.losses { print("lost:", loss) }
}

private func example7() async throws {
  let image = try ImageSource("/photos/IMG_1.HEIC")
  let metadata = image.metadata()
  if let location = metadata.location { print(location.coordinate.latitude, location.coordinate.longitude) }
  if let taken = metadata.captureTime { print(taken) }
  print(image.properties.mediaKind, image.properties.pixelSize as Any)
}

private func example8() async throws {
  guard let kyoto = Coordinate(latitude: 35.0116, longitude: 135.7681) else { return }
  var edit = MetadataEdit()
  edit.location = .set(Location(kyoto))
  edit.caption = .set("A walk in Kyoto")
  let editor = PhotoEditor()
  let result = try await editor.apply(edit, to: ["/photos/kyoto"])
  for outcome in result.outcomes { print(outcome.path, outcome.status) }
  try await editor.undo(result.run)
}

private func example9() async throws {
  var edit = MetadataEdit()
  edit.rating = .set(5)
  var (total, done) = (0, 0)
  for try await event in PhotoEditor().events(applying: edit, to: ["/photos/best"]) {
    switch event {
    case .started(let run, let count):
      total = count
      print("run \(run)")
    case .committed(let outcome):
      done += 1
      print("\(done) of \(total): \(outcome.path)")
    default: break
    }
  }
}

private func example10() async throws {
  let journal = try Journal(directory: "/var/lib/app/journal")
  _ = try journal.recover()
  let run = try journal.beginRun(arguments: ["app"], at: .now, version: "1")
  let photos = await Photo.pairing(Walk.photos(in: ["/photos"], recursively: true), jobs: 4)
  var options = Batch.Options()
  options.jobs = 4
  options.keepsModificationTime = true
  await Batch(run, in: journal, options: options).run(photos, planner: ErasePlanner(Erasure())) { outcome in
    print(outcome.path, outcome.status)
  }
  try journal.finishRun(run)
}

private func example11() async throws {
  let metadata = try ImageSource("/photos/IMG_1.JPG").metadata()
  for copy in metadata.locations { print(copy.namespace, copy.tag, copy.value.coordinate) }
  for note in metadata.notes { print(note) }
}

private func example12() async throws {
  guard let taken = try ImageSource("/photos/IMG_1.JPG").metadata().captureTime else { return }
  if let date = taken.date {
    print("instant:", date)
  } else if let tokyo = TimeZone(identifier: "Asia/Tokyo"), let date = taken.date(in: tokyo) {
    print("in Tokyo:", date)
  }
}

private func example13() async throws {
  let photos = await Photo.pairing(Walk.photos(in: ["/photos"], recursively: true), jobs: 2)
  for photo in photos {
    let joined = try PhotoMetadata(photo)
    print(photo.input.path, joined.metadata.captureTime as Any)
  }
}

private func example14() async throws {
  let image = try ImageSource("/photos/IMG_1.JPG")
  let rights = try image.xmpValue(at: XMPPath(parsing: "dc:rights[en]"))
  for (path, text) in try image.xmpValues() { print(path, text) }
  print(rights as Any)
}

private func example15() async throws {
  let bytes = [UInt8](try Data(contentsOf: URL(filePath: "/photos/IMG_1.JPG")))
  let image = try ImageSource(bytes: bytes)
  print(image.type, image.count)
}
