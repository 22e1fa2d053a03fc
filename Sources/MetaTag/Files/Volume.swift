import CSys
import Glibc

/// What the file system of an open file can be relied on for.
struct Volume: Sendable {
  private let magic: UInt64
  let blockSize: Int

  init(of descriptor: CInt) {
    let volume = csys_fstatfs(descriptor)
    magic = volume.magic
    blockSize = max(512, Int(volume.block_size))
  }

  /// Local, and known to keep old and new apart when the power goes. The others (FAT, exFAT, NTFS, network, FUSE and
  /// whatever isn't known) don't promise it: a whole copy is kept elsewhere until the change is on the disk.
  var keepsOrder: Bool {
    let known: Set = [
      csys_magic_ext, csys_magic_xfs, csys_magic_btrfs, csys_magic_bcachefs, csys_magic_zfs, csys_magic_f2fs,
      csys_magic_tmpfs, csys_magic_overlay,
    ]
    return known.contains(magic)
  }

  /// Can let two files share blocks, so that a copy costs nothing.
  var sharesBlocks: Bool {
    [csys_magic_xfs, csys_magic_btrfs, csys_magic_bcachefs].contains(magic)
  }
}
