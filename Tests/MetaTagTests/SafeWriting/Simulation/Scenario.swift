@testable import SafeWriting
import Glibc
import SystemPackage
import TestSupport
import Testing

@testable import MetaTag

/// A run on a simulated disk, and what may be there in the end.
struct Scenario: Sendable, CustomTestStringConvertible {
  /// A name in the folder of photos, with its file before and after the run.
  struct File: Sendable {
    let name: String
    let old: [UInt8]?
    let new: [UInt8]?
    /// The modification time after the run; nil for that of writing.
    var modified: FileTime?

    init(_ name: String, old: [UInt8]?, new: [UInt8]?, modified: FileTime? = nil) {
      (self.name, self.old, self.new, self.modified) = (name, old, new, modified)
    }
  }

  let name: String
  let kind: SimulatedDisk.Kind
  let files: [File]
  /// Whether the files change together or not at all.
  var isAtomic = false
  /// Whether another program that writes into a file can be noticed after the last check.
  var noticesWriters = true
  /// A run that comes first and isn't disturbed.
  var before: (@Sendable (Rewriter, SimulatedJournal) throws -> [Result<Void, FileError>])?
  /// The run. Returns a result for each file.
  let run: @Sendable (Rewriter, SimulatedJournal) throws -> [Result<Void, FileError>]

  var testDescription: String { name }

  static let oldTime = FileTime(seconds: 1_600_000_000, nanoseconds: 987_654_321)
  static let newTime = FileTime(seconds: 1_650_000_000, nanoseconds: 5)

  /// The disk before the run.
  var image: DiskImage {
    var image = DiskImage()
    image.folders = [1: [Array("photos".utf8): 2, Array("journal".utf8): 3], 2: [:], 3: [:]]
    var attributes = DiskImage.Attributes(mode: 0o640, owner: 0, group: 7)
    (attributes.accessed, attributes.modified) = (FileTime(seconds: 1_500_000_000, nanoseconds: 7), Scenario.oldTime)
    attributes.changed = Scenario.oldTime
    attributes.extended[Array("user.note".utf8CString)] = [1, 2, 3]
    for (index, file) in files.enumerated() {
      guard let old = file.old else { continue }
      image.folders[2]?[Array(file.name.utf8)] = 10 + index
      image.files[10 + index] = DiskImage.File(bytes: old, attributes: attributes)
    }
    return image
  }

  /// Whether the file is as it was before the run, or as it should be after it.
  func isOld(_ file: File, in image: DiskImage) -> Bool {
    guard let found = image.file("/photos/\(file.name)") else { return file.old == nil }
    return found.bytes == file.old && found.attributes.modified == Scenario.oldTime && keepsAttributes(found)
  }

  func isNew(_ file: File, in image: DiskImage) -> Bool {
    guard let found = image.file("/photos/\(file.name)") else { return file.new == nil }
    guard found.bytes == file.new, file.modified == nil || found.attributes.modified == file.modified else {
      return false
    }
    return file.old == nil || keepsAttributes(found)
  }

  private func keepsAttributes(_ file: DiskImage.File) -> Bool {
    // FAT stores neither modes nor owners nor extended attributes.
    kind == .fat
      || file.attributes.mode == 0o640 && file.attributes.group == 7 && file.attributes.extended.count == 1
  }
}

/// Changes of each kind.
extension Scenario {
  static let photo = noise(1_500)
  static let other = noise(700, seed: 5)

  /// Replaces bytes and grows the file in its middle.
  static func growing(_ old: [UInt8]) throws -> Patch {
    try Patch([Splice(20..<30, noise(600, seed: 9))], to: old.count, imageData: [])
  }

  /// Qualifies for writing in place: appends, and overwrites bytes in one sector.
  static func appending(_ old: [UInt8]) throws -> Patch {
    let splices = [Splice(20..<24, [1, 2, 3, 4]), Splice(old.count..<old.count, noise(900, seed: 9))]
    return try Patch(splices, to: old.count, imageData: [])
  }

  /// Qualifies too: fills free space before the commit point, and erases old bytes after it.
  static func refilling(_ old: [UInt8]) throws -> Patch {
    let splices = [
      Splice(20..<24, [1, 2, 3, 4]), Splice(600..<1_100, noise(500, seed: 3), usedBy: .new),
      Splice.erasing(1_150..<1_300),
    ]
    return try Patch(splices, to: old.count, imageData: [])
  }

  /// Qualifies too, and makes the file shorter.
  static func shortening(_ old: [UInt8]) throws -> Patch {
    let splices = [Splice(20..<24, [1, 2, 3, 4]), Splice(old.count - 300..<old.count, [])]
    return try Patch(splices, to: old.count, imageData: [])
  }

  typealias Change = @Sendable ([UInt8]) throws -> Patch

  /// A run that changes the bytes of photos.
  static func edit(
    _ name: String, _ kind: SimulatedDisk.Kind, _ changes: [(String, [UInt8], Change)], isAtomic: Bool = false,
    keepsTime: Bool = false, noticesWriters: Bool = true
  ) throws -> Scenario {
    let files = try changes.map { name, old, change in
      File(name, old: old, new: try change(old).applied(to: Bytes(old)), modified: keepsTime ? oldTime : nil)
    }
    return Scenario(
      name: name, kind: kind, files: files, isAtomic: isAtomic, noticesWriters: noticesWriters,
      run: editing(changes, isAtomic: isAtomic, keepsTime: keepsTime))
  }

  private static func editing(
    _ changes: [(String, [UInt8], Change)], isAtomic: Bool, keepsTime: Bool
  ) -> @Sendable (Rewriter, SimulatedJournal) throws -> [Result<Void, FileError>] {
    { rewriter, _ in
      let group = isAtomic ? rewriter.atomicGroup() : nil
      return commit(by: rewriter, isAtomic: isAtomic, changes.map(\.0)) { index, path throws(FileError) in
        let source = try FileSource(path)
        let patch: Patch
        do { patch = try changes[index].2(changes[index].1) } catch { throw .changedMeanwhile }
        return try rewriter.stage(
          source, at: path, patch: patch, modified: keepsTime ? oldTime : nil, atomicGroup: group, check: accept)
      }
    }
  }

  /// Stages and commits files as runs do.
  private static func commit(
    by rewriter: Rewriter, isAtomic: Bool, _ names: [String],
    _ stage: (Int, FilePath) throws(FileError) -> StagedFile
  ) -> [Result<Void, FileError>] {
    var (staged, results): ([StagedFile], [Result<Void, FileError>]) = ([], [])
    for (index, name) in names.enumerated() {
      do throws(FileError) {
        staged.append(try stage(index, FilePath("/photos/\(name)")))
        results.append(.success(()))
      } catch {
        results.append(.failure(error))
      }
    }
    if isAtomic, let error = results.compactMap(\.error).first {
      rewriter.withdraw(staged)
      return names.map { _ in .failure(error) }
    }
    var committed = rewriter.commit(staged)[...]
    rewriter.finish()
    return results.map { $0.error == nil ? committed.removeFirst() : $0 }
  }

  /// A run that undoes the first change of another.
  static func undo(_ name: String, _ kind: SimulatedDisk.Kind, _ change: @escaping Change) throws -> Scenario {
    let new = try change(photo).applied(to: Bytes(photo))
    var scenario = Scenario(
      name: name, kind: kind, files: [File("a.jpg", old: new, new: photo, modified: oldTime)], noticesWriters: false
    ) { rewriter, journal in
      commit(by: rewriter, isAtomic: false, ["a.jpg"]) { _, path throws(FileError) in
        let entry = journal.state.rows[0].entry
        let change = try JournaledChange(entry, in: journal)
        return try rewriter.stage(
          try FileSource(path), at: path, patch: change.inverse, modified: entry.old.modified, undoing: entry.key,
          check: accept)
      }
    }
    scenario.before = editing([("a.jpg", photo, change)], isAtomic: false, keepsTime: true)
    return scenario
  }

  static let creation = Scenario(
    name: "a new file", kind: .ext4,
    files: [File("a.jpg", old: photo, new: photo), File("b.jpg", old: nil, new: other)]
  ) { rewriter, _ in
    let results = commit(by: rewriter, isAtomic: false, ["b.jpg"]) { _, path throws(FileError) in
      guard let name = path.lastComponent else { throw .changedMeanwhile }
      return try rewriter.stage(
        new: other, as: name, in: Directory("/photos"), like: FileSource("/photos/a.jpg"), check: accept
      ).named(name)
    }
    return [.success(())] + results
  }

  static let copy = Scenario(
    name: "a changed copy", kind: .ext4,
    files: [
      File("a.jpg", old: photo, new: photo),
      File("b.jpg", old: nil, new: (try? growing(photo).applied(to: Bytes(photo))) ?? []),
    ]
  ) { rewriter, _ in
    let results = commit(by: rewriter, isAtomic: false, ["b.jpg"]) { _, path throws(FileError) in
      guard let name = path.lastComponent, let patch = try? growing(photo) else { throw .changedMeanwhile }
      return try rewriter.stage(
        copyOf: FileSource("/photos/a.jpg"), at: "/photos/a.jpg", to: DirectoryEntry(Directory("/photos"), name),
        patch: patch, pictures: [], check: accept)
    }
    return [.success(())] + results
  }

  static func renaming(_ kind: SimulatedDisk.Kind) -> Scenario {
    Scenario(
      name: "new names on \(kind)", kind: kind,
      files: [
        File("a.jpg", old: photo, new: nil), File("b.jpg", old: other, new: nil),
        File("c.jpg", old: nil, new: photo, modified: oldTime), File("d.jpg", old: nil, new: other, modified: oldTime),
      ], isAtomic: true
    ) { rewriter, _ in
      let result = Result { () throws(FileError) in
        try rewriter.rename([
          Rewriter.Renaming(path: "/photos/a.jpg", name: "c.jpg"),
          Rewriter.Renaming(path: "/photos/b.jpg", name: "d.jpg"),
        ])
      }
      return [result, result, result, result]
    }
  }

  static func times(_ kind: SimulatedDisk.Kind) -> Scenario {
    Scenario(
      name: "new times on \(kind)", kind: kind,
      files: [
        File("a.jpg", old: photo, new: photo, modified: newTime),
        File("b.jpg", old: other, new: other, modified: newTime),
      ], noticesWriters: false
    ) { rewriter, _ in
      let changes = try ["/photos/a.jpg", "/photos/b.jpg"].map { path in
        TimeChange(FilePath(path), from: FileIdentity(try FileSource(FilePath(path)).status), to: newTime)
      }
      return rewriter.setTimes(changes)
    }
  }

  static let all: [Scenario] = {
    do {
      let grown: [(String, [UInt8], Change)] = [("a.jpg", photo, growing), ("b.jpg", other, growing)]
      let mixed: [(String, [UInt8], Change)] = [("a.jpg", photo, growing), ("b.jpg", other, appending)]
      return try SimulatedDisk.Kind.allCases.map { try edit("two photos by exchange on \($0)", $0, grown) } + [
        edit("a pair by exchange", .ext4, grown, isAtomic: true),
        edit("a pair on nfs", .nfs, grown, isAtomic: true),
        edit("a pair on fat", .fat, grown, isAtomic: true),
        edit("an exchange that keeps the time", .ext4, [grown[0]], keepsTime: true),
        edit("in place", .ext4, [("a.jpg", photo, appending)], noticesWriters: false),
        edit(
          "in place, keeping the time", .ext4, [("a.jpg", photo, appending)], keepsTime: true, noticesWriters: false),
        edit("in place with free space", .ext4, [("a.jpg", photo, refilling)], noticesWriters: false),
        edit("in place, shorter", .ext4, [("a.jpg", photo, shortening)], noticesWriters: false),
        edit("a pair, one in place", .ext4, mixed, isAtomic: true, noticesWriters: false),
        undo("undo by exchange", .ext4, growing), undo("undo on fat", .fat, growing),
        undo("undo in place", .ext4, appending), undo("undo with free space", .ext4, refilling),
        creation, copy, renaming(.ext4), renaming(.nfs), times(.ext4), times(.nfs),
      ]
    } catch {
      Issue.record(error)
      return []
    }
  }()
}
