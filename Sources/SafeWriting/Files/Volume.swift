import CSys
import Foundation
import Glibc
import SystemPackage

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

  /// Whether a photo may be written itself. In overlays, opening a file of a lower layer for that makes a copy of it,
  /// which has another time of change and takes it from its other names.
  var writesInPlace: Bool { keepsOrder && magic != csys_magic_overlay }

  /// ext2, 3 or 4.
  var isEXT: Bool { magic == csys_magic_ext }

  /// Can let two files share blocks, so that a copy costs nothing.
  var sharesBlocks: Bool {
    [csys_magic_xfs, csys_magic_btrfs, csys_magic_bcachefs].contains(magic)
  }

  /// The most that is relied on.
  static let largestSector = 4096

  /// What the disk that is `device` writes whole or not at all, in bytes: what the kernel calls `physical_block_size`,
  /// "the smallest unit a physical storage device can write atomically" (Documentation/ABI/stable/sysfs-block), where
  /// the file system keeps that many bytes of a file together and aligned. The smallest where nothing is known.
  func sectorCount(on device: dev_t, disks: FilePath = "/sys/dev/block") -> Int {
    let major = (device >> 8 & 0xfff) | (device >> 32 & ~0xfff)
    let minor = (device & 0xff) | (device >> 12 & ~0xff)
    let disk = disks.appending("\(major):\(minor)").string
    func number(_ name: String) -> Int? {
      (try? String(contentsOfFile: "\(disk)/\(name)", encoding: .ascii)).flatMap {
        Int($0.trimmingCharacters(in: .whitespacesAndNewlines))
      }
    }
    // A partition's queue is its disk's.
    guard number("alignment_offset") == 0,
      let count = number("queue/physical_block_size") ?? number("../queue/physical_block_size")
    else { return Patch.smallestSector }
    let whole = min(count, blockSize, Volume.largestSector)
    return whole.nonzeroBitCount == 1 ? max(whole, Patch.smallestSector) : Patch.smallestSector
  }
}
