import Foundation
import Glibc
import MetaTag
import SystemPackage

/// The journals of the workers of one job: a folder for each worker.
struct WorkerJournals {
  private let folder: FilePath
  /// The beginning of the names on this machine, until it restarts.
  private let prefix: String
  /// The end of a folder's name while its worker is at work, or if it was killed.
  private static let suffix = ".running"

  /// Creates the folder if necessary.
  /// - Parameter folder: The folder of all journals, as an absolute path.
  init(in folder: FilePath) throws {
    func value(_ name: String) -> String {
      let text = (try? String(contentsOfFile: "/proc/sys/kernel/\(name)", encoding: .utf8)) ?? ""
      return text.filter { $0.isASCII && ($0.isLetter || $0.isNumber) }
    }
    self.folder = folder
    prefix = "\(value("hostname"))-\(value("random/boot_id").prefix(8))-"
    do throws(FileError) { try folder.createFolder(mode: 0o700, called: "the folder of journals") } catch {
      throw SetupError("--journal: \(error.words)")
    }
    guard Walk.isFolder(folder) else { throw SetupError("--journal: \(folder.printable) is a file, not a folder") }
  }

  /// Creates a journal for this worker.
  func create() throws -> Journal {
    let name = prefix + "\(getpid())-" + String(UInt32.random(in: 0x1000_0000...0xFFFF_FFFF), radix: 16)
    do throws(FileError) {
      return try Journal(directory: folder.appending(name + Self.suffix))
    } catch {
      throw SetupError("the journal in \(folder.printable): \(error.words)")
    }
  }

  /// Closes the journal of this worker after its run.
  static func close(_ journal: Journal) throws {
    try journal.finish()
    let path = journal.folder.string
    guard path.hasSuffix(suffix) else { return }
    _ = Glibc.rename(path, String(path.dropLast(suffix.count)))
  }

  /// Settles the runs of workers that were killed on this machine, so that their photos are whole when the engine sends
  /// their rows again. Waits until no other worker is changing photos, because they may be the same.
  ///
  /// Journals of other machines are left: not every shared file system says whether their workers still run.
  func recover(_ console: Console) throws {
    guard own.contains(where: { !Self.isInUse($0) }) else { return }
    try recoverAlone(console).release()
  }

  /// Waits until no other worker is changing photos, and settles the runs of those that were killed on this machine. Until
  /// the lock is released, no other worker changes photos.
  func recoverAlone(_ console: Console) throws -> WorkerLock {
    let lock = try WorkerLock(in: folder, .alone)
    for folder in own {
      guard let journal = try? Journal(directory: folder) else { continue }
      do {
        console.announce(try journal.recover())
        try Self.close(journal)
      } catch {
        console.warn("metatag: the journal in \(journal.folder.printable): \(error.words)")
      }
    }
    return lock
  }

  /// The journals of workers of this machine that haven't ended.
  private var own: [FilePath] {
    let names = (try? FileManager.default.contentsOfDirectory(atPath: folder.string)) ?? []
    return names.sorted().filter { $0.hasPrefix(prefix) && $0.hasSuffix(Self.suffix) }.map { folder.appending($0) }
  }

  /// Waits while a worker recovers journals. Until the lock is released, none does.
  func lock() throws -> WorkerLock { try WorkerLock(in: folder, .together) }

  /// Whether a worker uses a journal, or will in a moment.
  private static func isInUse(_ journal: FilePath) -> Bool {
    let lock = open(journal.appending("journal.lock").string, O_RDONLY | O_CLOEXEC | O_NOFOLLOW)
    guard lock >= 0 else { return true }
    defer { Glibc.close(lock) }
    return flock(lock, LOCK_SH | LOCK_NB) != 0
  }
}

/// A lock of the workers of one machine: they change photos together, or one of them recovers journals alone.
struct WorkerLock {
  enum Use { case together, alone }

  private let file: FileDescriptor

  /// Waits for the lock.
  init(in folder: FilePath, _ use: Use) throws {
    func open(_ name: String) throws -> FileDescriptor {
      try FileDescriptor.open(
        folder.appending(name), .readWrite, options: [.create, .closeOnExec, .noFollow], permissions: .ownerReadWrite)
    }
    // A worker that waits to be alone keeps the gate, so that the others can't take turns for ever.
    let gate = try open(".gate")
    defer { try? gate.close() }
    file = try open(".lock")
    Self.wait(for: gate, LOCK_EX)
    Self.wait(for: file, use == .alone ? LOCK_EX : LOCK_SH)
  }

  func release() { try? file.close() }

  private static func wait(for file: FileDescriptor, _ kind: CInt) {
    while flock(file.rawValue, kind) != 0, errno == EINTR {}
  }
}
