import Glibc
import MetaTag
import SystemPackage

/// A plan that is being written to a new file, row by row.
struct PlanWriting {
  private let path: FilePath
  private let file: FileDescriptor
  private let header: PlanFile.Header
  private var writer = JSONWriter()
  private(set) var rows = 0

  /// Creates the file, readable only by its owner because it contains locations and dates.
  /// - Throws: An error if the file exists or can't be created.
  init(_ path: FilePath, _ header: PlanFile.Header) throws {
    (self.path, self.header) = (path, header)
    do {
      file = try FileDescriptor.open(
        path, .writeOnly, options: [.create, .exclusiveCreate, .closeOnExec],
        permissions: .ownerReadWrite)
    } catch Errno.fileExists {
      throw SetupError("\(path.printable) already exists; choose another file for the plan")
    } catch let error as Errno {
      throw SetupError("can't write the plan \(path.printable): \(error.words)")
    }
    writer.value(header.planValue)
    writer.endLine()
  }

  mutating func add(_ outcome: Outcome) throws {
    guard let row = PlanRow(outcome) else { return }
    writer.value(row.planValue(before: outcome.before, after: outcome.after, behind: header))
    writer.endLine()
    rows += 1
    if writer.bytes.count >= 1 << 16 { try flush() }
  }

  /// Closes the plan. An incomplete one is removed.
  mutating func finish(isWhole: Bool, console: Console) throws {
    do {
      if isWhole { try flush() }
      try file.close()
    } catch {
      discard()
      throw error
    }
    guard isWhole else {
      discard()
      return console.warn("metatag: \(path.printable) was not written: the plan is incomplete")
    }
    let words = rows == 1 ? "1 photo" : "\(rows) photos"
    console.warn("\(path.printable) has the changes of \(words); make them with 'metatag apply'")
  }

  /// Removes the file.
  func discard() { _ = path.withPlatformString { unlink($0) } }

  private mutating func flush() throws {
    do {
      try file.writeAll(writer.take())
    } catch let error as Errno {
      throw SetupError("can't write the plan \(path.printable): \(error.words)")
    }
  }
}
