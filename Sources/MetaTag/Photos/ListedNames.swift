import Glibc
import SystemPackage

/// The names of files as their folders list them. On a case-insensitive file system many spellings open a file, but its
/// companions are found by the listed one.
struct ListedNames {
  /// The listing of one folder, read once.
  private struct Listing {
    let folder: FilePath
    var names: Set<FilePath.Component> = []
    /// The names by file, and by case-folded name; each is built on first use.
    private var files: [Walk.FileID: [FilePath.Component]] = [:]
    private var alike: [String: [FilePath.Component]] = [:]

    /// Reads a folder; empty if it can't be listed completely.
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

    /// Returns the listed name of the file that opens as `name`, which isn't listed.
    mutating func other(than name: FilePath.Component) -> FilePath.Component? {
      guard let own = status(of: name) else { return nil }
      if alike.isEmpty { look() }
      let alike = alike[name.bytes.folded] ?? []
      if let same = files[Walk.FileID(own)] {
        return same.first(where: alike.contains) ?? (same.count == 1 ? same.first : nil)
      }
      // Some file systems (exFAT by FUSE) report a different file ID for each spelling.
      guard alike.count == 1, let only = alike.first, let status = status(of: only) else { return nil }
      let isSame = FileTime(status.st_mtim) == FileTime(own.st_mtim) && status.st_size == own.st_size
      return isSame ? only : nil
    }
  }

  private var listings: [FilePath: Listing] = [:]

  /// Returns `path` with its last component spelled as the folder lists it; unchanged if that isn't known.
  mutating func path(of path: FilePath) -> FilePath {
    guard let name = path.lastComponent, name.kind == .regular else { return path }
    let folder = path.removingLastComponent()
    let listing = listings[folder] ?? Listing(folder)
    if listings[folder] == nil { listings[folder] = listing }
    guard !listing.names.contains(name), let listed = listings[folder]?.other(than: name) else { return path }
    return folder.appending(listed)
  }
}
