import Glibc
import SystemPackage

/// Files under the names that their folders list. Where case doesn't count, many spellings open a file, but what
/// belongs to it is found by the one that is listed.
struct ListedNames {
  /// What a folder lists, read once.
  private struct Listing {
    let folder: FilePath
    var names: Set<FilePath.Component> = []
    /// The names by the file that each is, and without regard to case, once that was asked.
    private var files: [Walk.FileID: [FilePath.Component]] = [:]
    private var alike: [String: [FilePath.Component]] = [:]

    /// Empty where the folder can't be listed to its end.
    init(_ folder: FilePath) {
      self.folder = folder
      do throws(FileError) {
        let listing = try FolderListing(folder.isEmpty ? "." : folder)
        while let entry = try listing.next() { names.insert(entry.name) }
      } catch { names = [] }
    }

    func status(of name: FilePath.Component) -> stat? {
      var status = stat()
      return folder.appending(name).withPlatformString { lstat($0, &status) } == 0 ? status : nil
    }

    private mutating func look() {
      for name in names {
        alike[name.bytes.folded, default: []].append(name)
        if let status = status(of: name) { files[Walk.FileID(status), default: []].append(name) }
      }
    }

    /// The listed name of the file that opens as `name`, which isn't listed.
    mutating func other(than name: FilePath.Component) -> FilePath.Component? {
      guard let own = status(of: name) else { return nil }
      if alike.isEmpty { look() }
      let alike = alike[name.bytes.folded] ?? []
      if let same = files[Walk.FileID(own)] {
        return same.first(where: alike.contains) ?? (same.count == 1 ? same.first : nil)
      }
      // Some file systems (exFAT by FUSE) take every spelling for a file of its own.
      guard alike.count == 1, let only = alike.first, let status = status(of: only) else { return nil }
      let isSame = FileTime(status.st_mtim) == FileTime(own.st_mtim) && status.st_size == own.st_size
      return isSame ? only : nil
    }
  }

  private var listings: [FilePath: Listing] = [:]

  /// `path`, its last part as the folder lists it; as it is where that isn't known.
  mutating func path(of path: FilePath) -> FilePath {
    guard let name = path.lastComponent, name.kind == .regular else { return path }
    let folder = path.removingLastComponent()
    let listing = listings[folder] ?? Listing(folder)
    if listings[folder] == nil { listings[folder] = listing }
    guard !listing.names.contains(name), let listed = listings[folder]?.other(than: name) else { return path }
    return folder.appending(listed)
  }
}
