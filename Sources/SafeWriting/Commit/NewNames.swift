import Glibc
package import SystemPackage

/// Chooses names for the new files of one run. Called in the order of the inputs, the answers depend on nothing else.
package struct NewNames {
  package enum Answer {
    /// The name is free: no file has it.
    case free(FilePath.Component)
    /// The file of this name already has exactly these bytes.
    case same(FilePath.Component)
  }

  private var given: Set<FilePath> = []

  package init() {}

  /// Returns `name`, or the first of `name-1`, `name-2`, … (before the file extension) that doesn't exist in `folder`
  /// and was not returned before.
  package mutating func name(
    _ name: FilePath.Component, in folder: Directory, for content: WholeContent
  ) throws(FileError) -> Answer {
    for number in 0..<10_000 {
      let candidate = try name.numbered(number)
      guard !given.contains(folder.path.appending(candidate)) else { continue }
      if let status = try folder.status(of: candidate) {
        guard status.st_mode & S_IFMT == S_IFREG, Int(status.st_size) == content.count,
          try content.isHeld(by: try DirectoryEntry(folder, candidate).open())
        else { continue }
        return .same(candidate)
      }
      given.insert(folder.path.appending(candidate))
      return .free(candidate)
    }
    throw FileError(.refused, "there are too many files called \(name) beside it; move some away")
  }

  /// Gives `file` its name; returns nil if an identical file already exists.
  package mutating func name(_ file: CreatedFile) throws(FileError) -> StagedFile? {
    do throws(FileError) {
      if case .free(let name) = try name(file.wantedName, in: file.folder, for: file.content) {
        return try file.named(name)
      }
    } catch {
      file.discard()
      throw error
    }
    file.discard()
    return nil
  }
}

extension FilePath.Component {
  /// Returns the name with a number: `IMG_1-2.JPG` for `IMG_1.JPG` and 2; unchanged for 0.
  fileprivate func numbered(_ number: Int) throws(FileError) -> FilePath.Component {
    guard number > 0 else { return self }
    let ending = bytes.lastIndex(of: UInt8(ascii: ".")).flatMap { $0 > 0 ? bytes[$0...] : nil } ?? []
    let stem = bytes.dropLast(ending.count) + Array("-\(number)".utf8)
    guard let name = FilePath(bytes: stem + ending).lastComponent else {
      throw FileError(.io, "could not name the new file")
    }
    return name
  }
}
