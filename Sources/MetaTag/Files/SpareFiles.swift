import CSys
import Glibc
import Synchronization
import SystemPackage

/// Old files that were let go of, to become the next photos' new ones: for a small file, writing the bytes costs less
/// than making an inode for them and freeing another.
///
/// They have the names of scratch files that no row of the journal knows, so that recovery sweeps them away. An old
/// file becomes another one only while nobody else has it open: who still reads the old photo goes on reading it.
final class SpareFiles: Sendable {
  /// A larger file costs what its bytes cost.
  static let largestCount = 1 << 20
  /// Spares a folder has at most: what one group leaves is what another one needs.
  private static let mostPerFolder = Rewriter.groupCount

  private struct Shelf: Sendable {
    let folder: Folder
    var names: [FilePath.Component] = []
    /// Those of the last group, which this process itself may still have open.
    var fresh: [FilePath.Component] = []
  }

  private let shelves = Mutex<[FilePath: Shelf]>([:])

  deinit { removeAll() }

  /// Keeps the old file that lies at `old`, under another scratch file's name. False when it has to be removed.
  func keep(_ old: FilePath.Component, of file: StagedFile, as name: FilePath.Component) -> Bool {
    let folder = file.place.folder
    guard file.source.count < SpareFiles.largestCount, case let volume = Volume(of: file.source.descriptor),
      volume.keepsOrder, !volume.sharesBlocks
    else { return false }
    return shelves.withLock { shelves in
      var shelf = shelves[folder.path] ?? Shelf(folder: folder)
      guard shelf.names.count + shelf.fresh.count < SpareFiles.mostPerFolder,
        (try? folder.move(old, to: name)) != nil
      else { return false }
      shelf.fresh.append(name)
      shelves[folder.path] = shelf
      return true
    }
  }

  /// The files of the last group are no longer open here: what was kept of it may be taken. What lies in folders that it
  /// had no photo in is removed.
  func release() {
    let left = shelves.withLock { shelves in
      let left = shelves.filter { $0.value.fresh.isEmpty }
      shelves = shelves.filter { !$0.value.fresh.isEmpty }.mapValues {
        Shelf(folder: $0.folder, names: $0.names + $0.fresh)
      }
      return left
    }
    SpareFiles.remove(left)
  }

  /// A spare that only its owner may read, as if it were a new file: nil when there is none for a file with this owner.
  /// What is in it is to be overwritten.
  func take(in folder: Folder, like status: stat) -> ScratchFile? {
    while let (shelf, name) = pop(folder.path) {
      if let descriptor = try? folder.open(name, O_RDWR | csys_o_noatime) {
        let scratch = ScratchFile(owning: descriptor, name, in: folder)
        if isFree(descriptor, like: status), fchmod(descriptor, 0o600) == 0 { return scratch }
      }
      try? shelf.remove(name)
    }
    return nil
  }

  /// Removes all of them.
  func removeAll() {
    SpareFiles.remove(
      shelves.withLock { shelves in
        defer { shelves = [:] }
        return shelves
      })
  }

  private static func remove(_ shelves: [FilePath: Shelf]) {
    for shelf in shelves.values {
      for name in shelf.names + shelf.fresh { try? shelf.folder.remove(name) }
    }
  }

  private func pop(_ path: FilePath) -> (Folder, FilePath.Component)? {
    shelves.withLock { shelves in
      guard var shelf = shelves[path], let name = shelf.names.popLast() else { return nil }
      shelves[path] = shelf
      return (shelf.folder, name)
    }
  }

  /// Whether it is the same as a new file, but for its bytes: nothing to be known of it by another name, by an open
  /// descriptor or by an attribute.
  private func isFree(_ descriptor: CInt, like photo: stat) -> Bool {
    var status = stat()
    return fstat(descriptor, &status) == 0 && status.st_nlink == 1
      && (status.st_uid, status.st_gid) == (photo.st_uid, photo.st_gid)
      && csys_flistxattr(descriptor, nil, 0) <= 0 && csys_is_open_only_here(descriptor)
  }
}
