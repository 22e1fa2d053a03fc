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

private func example2() async throws {
  var edit = MetadataEdit()
  edit.copyright = .set("© 2024 Ada Lovelace")
  try await ImageSource("/media/card/IMG_1.JPG").copy(to: "/photos/IMG_1.JPG", applying: edit)
  let upload = try await ImageSource("/media/card/IMG_1.JPG").bytes(applying: edit)
  print(upload.count)
}

private func example3() async throws {
  var editor = PhotoEditor()
  editor.options.copies = Copies(in: "/photos/2024")
  try await editor.apply(MetadataEdit(), to: ["/media/card/DCIM"])
}

private func example4() async throws {
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

private func example5() async throws {
  let codecs = try await PictureCodecs()
  let photo = try ImageSource("/photos/IMG_1.HEIC")
  let file = try await ImageDestination(.jpeg, of: photo, codecs: codecs).finalize()
  try await file.write(to: "/photos/IMG_1.JPG")
  for loss in file.losses { print("lost:", loss) }
}

private func example6() async throws {
  do {
    let image = try ImageSource("/photos/IMG_1.JPG")
    print(image.type)
  } catch {
    switch error.code {
    case .noSuchFile: print("The photo was moved.")
    case .truncated, .emptyFile: print("The photo is incomplete at byte \(error.offset ?? 0).")
    default: print(error.localizedDescription)
    }
  }
}

private func example7() async throws {
  struct Geotagger {
    let editor = PhotoEditor(journal: "/var/lib/geotagger")

    /// Places photos by a track. Returns the run.
    func place(_ folder: FilePath, by trackFile: FilePath, clockIn zoneName: String) async throws -> RunID? {
      var planner = GeotagPlanner(track: try Track.read(trackFile))
      planner.clock = CameraClock(zone: try Zone(parsing: zoneName))
      var (run, total, done): (RunID?, Int, Int) = (nil, 0, 0)
      for try await event in editor.events(applying: planner, to: [folder]) {
        switch event {
        case .started(let id, let count): (run, total) = (id, count)
        case .committed(let outcome):
          done += 1
          print("\(done) of \(total) \(outcome.path): \(words(for: outcome))")
        default: break
        }
      }
      return run
    }

    func words(for outcome: Outcome) -> String {
      switch outcome.status {
      case .changed: outcome.after?.location.map { "\($0.coordinate)" } ?? "changed"
      case .unchanged(let reason), .skipped(let reason): "\(reason)"
      case .substituted(let substitute): "see \(substitute.path)"
      case .failed(let error): error.localizedDescription
      default: "not reached"
      }
    }

    /// Gives every photo of a run its old bytes back.
    func takeBack(_ run: RunID) async throws {
      for (change, outcome) in try await editor.undo(run) where outcome != .restored { print(change.path, outcome) }
    }
  }
}

private func example8() async throws {
  let image = try ImageSource("/photos/IMG_1.HEIC")
  let metadata = image.metadata()
  if let location = metadata.location { print(location.coordinate.latitude, location.coordinate.longitude) }
  if let taken = metadata.captureTime { print(taken) }
  print(image.properties.mediaKind, image.properties.pixelSize as Any)
}

private func example9() async throws {
  guard let kyoto = Coordinate(latitude: 35.0116, longitude: 135.7681) else { return }
  var edit = MetadataEdit()
  edit.location = .set(Location(kyoto))
  edit.caption = .set("A walk in Kyoto")
  let editor = PhotoEditor()
  let result = try await editor.apply(edit, to: ["/photos/kyoto"])
  for outcome in result.outcomes { print(outcome.path, outcome.status) }
  try await editor.undo(result.run)
}

private func example10() async throws {
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

private func example11() async throws {
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

private func example12() async throws {
  var editor = PhotoEditor()
  editor.options.fallback = Fallback(.sidecar)
  var edit = MetadataEdit()
  edit.title = .set("The old jetty")
  for outcome in try await editor.apply(edit, to: ["/photos/phone"]).outcomes {
    guard case .substituted(let substitute) = outcome.status else { continue }
    print(outcome.path, "has its title in", substitute.path, "because", substitute.reason)
  }
}

private func example13() async throws {
  let codecs = try await PictureCodecs()
  let type: ImageType = ImageDestination.supportedTypes(codecs).contains(.heic) ? .heic : .jpeg
  let photo = try ImageSource("/photos/IMG_1.AVIF")
  let file = try await ImageDestination(type, of: photo, scaling: .maxPixels(2_048), codecs: codecs).finalize()
  try await file.write(to: FilePath("/photos/small.\(type.preferredFileExtension)"))
}

private func example14() async throws {
  /// Moves the dates of one camera whose clock was an hour behind.
  struct CorrectOneCamera: Planner {
    let serialNumber: String

    func propose(for metadata: Metadata) -> Proposal {
      guard metadata.serialNumber == serialNumber else { return .unchanged(.custom("is of another camera")) }
      guard metadata.captureTime != nil else { return .skip(.custom("has no date")) }
      var edit = MetadataEdit()
      edit.dates = .adjust(TimeShift(.seconds(3_600)), offset: .keep)
      return .change(edit, because: .custom("the clock was an hour behind"))
    }
  }
  try await PhotoEditor().apply(CorrectOneCamera(serialNumber: "6024331"), to: ["/photos/trip"])
}

private func example15() async throws {
  let metadata = try ImageSource("/photos/IMG_1.JPG").metadata()
  for copy in metadata.locations { print(copy.namespace, copy.tag, copy.value.coordinate) }
  for note in metadata.notes { print(note) }
}

private func example16() async throws {
  guard let taken = try ImageSource("/photos/IMG_1.JPG").metadata().captureTime else { return }
  if let date = taken.date {
    print("instant:", date)
  } else if let tokyo = TimeZone(identifier: "Asia/Tokyo"), let date = taken.date(in: tokyo) {
    print("in Tokyo:", date)
  }
}

private func example17() async throws {
  let photos = await Photo.pairing(Walk.photos(in: ["/photos"], recursively: true), jobs: 2)
  for photo in photos {
    let joined = try PhotoMetadata(photo)
    print(photo.input.path, joined.metadata.captureTime as Any)
  }
}

private func example18() async throws {
  let image = try ImageSource("/photos/IMG_1.JPG")
  let rights = try image.xmpValue(at: XMPPath(parsing: "dc:rights[en]"))
  for (path, text) in try image.xmpValues() { print(path, text) }
  print(rights as Any)
}

private func example19() async throws {
  let bytes = [UInt8](try Data(contentsOf: URL(filePath: "/photos/IMG_1.JPG")))
  let image = try ImageSource(bytes: bytes)
  print(image.type, image.count)
}

private func example20() async throws {
  func located(_ upload: [UInt8], at place: Coordinate) async throws -> [UInt8] {
    let image = try ImageSource(bytes: upload)
    var edit = MetadataEdit()
    edit.location = .set(Location(place))
    return try await image.bytes(applying: edit)
  }
}

private func example21() async throws {
  let metadata = try ImageSource("/photos/IMG_1.JPG").metadata()
  guard let taken = metadata.captureTime else { return }
  print(taken.civil, taken.offset.map { "\($0)" } ?? "no offset")
  if let date = taken.date { print(date) }
  if let zone = TimeZone(identifier: "Asia/Tokyo"), let date = taken.date(in: zone) { print(date) }
}

private func example22() async throws {
  var edit = MetadataEdit()
  edit.dates = .adjust(TimeShift(.seconds(-3_600)), offset: .keep)
  try await PhotoEditor().apply(edit, to: ["/photos/trip"])
}

private func example23() async throws {
  let track = try Track.read("/tracks/day.gpx")
  var planner = GeotagPlanner(track: track)
  planner.clock = CameraClock(zone: try Zone(parsing: "Europe/Ljubljana"))
  let result = try await PhotoEditor().apply(planner, to: ["/photos/trip"])
  for outcome in result.outcomes {
    if case .skipped(let reason) = outcome.status { print(outcome.path, reason) }
  }
}

private func example24() async throws {
  var edit = MetadataEdit()
  edit.dates = .adjust(TimeShift(.seconds(-90)), offset: .keep)
  let editor = PhotoEditor()
  try await editor.apply(edit, to: ["/photos/trip"])
  try await editor.apply(GeotagPlanner(track: try Track.read("/tracks/day.gpx")), to: ["/photos/trip"])
}

private func example25() async throws {
  let gazetteer = try await Gazetteer.openDefault(cacheDirectory: URL(filePath: "/var/cache/app"))
  var query = PlaceQuery("museums in Berlin")
  query.language = "de"
  query.limit = 5
  for hit in try await gazetteer.results(of: query) { print(hit.name, hit.subtitle, hit.matchKind) }
}

private func example26() async throws {
  let gazetteer = try await Gazetteer.openDefault(cacheDirectory: URL(filePath: "/var/cache/app"))
  let completion = PlaceCompletion(gazetteer)
  for text in ["K", "Ky", "Kyo"] { completion.type(text) }
  completion.finish()
  for await answer in completion { print(answer.text, answer.results.map(\.name)) }
}

private func example27() async throws {
  let gazetteer = try await Gazetteer.openDefault(cacheDirectory: URL(filePath: "/var/cache/app"))
  switch try gazetteer.resolve("Springfield") {
  case .one(let place): print(place.name, place.coordinate)
  case .ambiguous(let places): print("Which one?", places.map { "\($0.name), \($0.admin1 ?? "")" })
  case .none: print("No such place.")
  }
}

private func example28() async throws {
  let gazetteer = try await Gazetteer.openDefault(cacheDirectory: URL(filePath: "/var/cache/app"))
  let hits = try gazetteer.search("Blue Mosque Istanbul", limit: 5)
  for hit in hits { print(hit.place.name, hit.place.latitude, hit.place.longitude) }
}

private func example29() async throws {
  let gazetteer = try await Gazetteer.openDefault(cacheDirectory: URL(filePath: "/var/cache/app"))
  let info = try gazetteer.reverse(latitude: 35.0116, longitude: 135.7681)
  print(info.countryCode ?? "at sea", info.admin1?.name ?? "", info.city?.name ?? "", info.zones)
}

private func example30() async throws {
  let gazetteer = try await Gazetteer.openDefault(cacheDirectory: URL(filePath: "/var/cache/app"))
  let positions = (0..<1_000).map { (latitude: 35 + Double($0) / 1e3, longitude: 135.0) }
  let infos = try await gazetteer.reverse(positions)
  print(Set(infos.compactMap { $0.admin1?.name }))
}

private func example31() async throws {
  let gazetteer = try await Gazetteer.openDefault(cacheDirectory: URL(filePath: "/var/cache/app"))
  let namer = try gazetteer.namer(language: "ja")
  let metadata = try ImageSource("/photos/IMG_1.JPG").metadata()
  guard let location = metadata.location else { return }
  var edit = MetadataEdit()
  edit.names = .set(PlaceNames(try namer.names(of: location)))
  try await PhotoEditor().apply(edit, to: ["/photos/IMG_1.JPG"])
}
