import CSys
import Foundation
import Glibc
import SystemPackage

/// The guarantees of an open file's file system.
struct Volume: Sendable {
  /// The type of the file system: `f_type` of statfs(2).
  let magic: UInt64
  let blockSize: Int

  init(of file: borrowing Descriptor) {
    let volume = file.system.fstatfs(file.rawValue)
    magic = volume.type
    blockSize = max(512, volume.blockSize)
  }

  /// Whether the file system is local and known to keep old and new apart in a power failure. Others (FAT, exFAT, NTFS,
  /// network, FUSE and unknown ones) don't guarantee it: a whole copy is kept elsewhere until the change is on disk.
  var keepsOrder: Bool {
    let known: Set = [
      csys_magic_ext, csys_magic_xfs, csys_magic_btrfs, csys_magic_bcachefs, csys_magic_zfs, csys_magic_f2fs,
      csys_magic_tmpfs, csys_magic_overlay,
    ]
    return known.contains(magic)
  }

  /// Whether it reports programs that have a file open for writing.
  var reportsWriters: Bool {
    let known: Set = [
      csys_magic_ext, csys_magic_xfs, csys_magic_btrfs, csys_magic_bcachefs, csys_magic_f2fs, csys_magic_tmpfs,
    ]
    return known.contains(magic)
  }

  /// Whether it can be trusted to tell holes from bytes that were just written. ZFS had versions that can't.
  var reportsHoles: Bool {
    [csys_magic_ext, csys_magic_xfs, csys_magic_btrfs, csys_magic_tmpfs].contains(magic)
  }

  /// Whether any program has a file open for writing; false if unknown.
  /// - Parameter file: Open for reading only.
  static func hasWriter(_ file: borrowing Descriptor) -> Bool {
    Volume(of: file).reportsWriters && file.system.hasWriter(file.rawValue)
  }

  /// Whether a photo can be edited in place. On overlays, opening a file of a lower layer for writing makes a copy of
  /// it, which has another change time and separates it from its other hard links.
  var writesInPlace: Bool { keepsOrder && magic != csys_magic_overlay }

  /// Whether a file may be the recorded one: it has that number, or numbers don't last here.
  func mayBe(_ file: stat, _ recorded: FileIdentity) -> Bool {
    !writesInPlace || UInt64(file.st_ino) == recorded.inode
  }

  /// Whether the file system is ext2, ext3 or ext4.
  var isEXT: Bool { magic == csys_magic_ext }

  /// Whether two files can share blocks, so that a copy costs nothing.
  var sharesBlocks: Bool {
    [csys_magic_xfs, csys_magic_btrfs, csys_magic_bcachefs].contains(magic)
  }

  /// Whether the file system is FAT or exFAT, as on cards.
  var isFAT: Bool { magic == csys_magic_fat || magic == csys_magic_exfat }

  /// Whether the disk `device` can be taken out: a USB stick, or a card in a reader. False if unknown.
  static func isRemovable(_ device: dev_t, disks: FilePath = "/sys/dev/block") -> Bool {
    let disk = folder(of: device, disks)
    // A partition's folder is in that of its disk. A card in a reader on the bus isn't called removable.
    return ["removable", "../removable"].contains { text("\(disk)/\($0)") == "1" }
      || ["device/type", "../device/type"].contains { text("\(disk)/\($0)") == "SD" }
  }

  /// Returns the folder where the kernel describes a disk.
  private static func folder(of device: dev_t, _ disks: FilePath) -> String {
    let major = (device >> 8 & 0xfff) | (device >> 32 & ~0xfff)
    let minor = (device & 0xff) | (device >> 12 & ~0xff)
    return disks.appending("\(major):\(minor)").string
  }

  private static func text(_ path: String) -> String? {
    (try? String(contentsOfFile: path, encoding: .ascii))?.trimmingCharacters(in: .whitespacesAndNewlines)
  }

  /// The largest sector size in bytes that is relied on.
  static let largestSector = 4096

  /// Returns the number of bytes that the disk `device` writes completely or not at all: the kernel's
  /// `physical_block_size`, "the smallest unit a physical storage device can write atomically"
  /// (Documentation/ABI/stable/sysfs-block), limited to what the file system keeps together and aligned. Returns the
  /// smallest size if unknown.
  func sectorCount(on device: dev_t, disks: FilePath = "/sys/dev/block") -> Int {
    let disk = Volume.folder(of: device, disks)
    func number(_ name: String) -> Int? { Volume.text("\(disk)/\(name)").flatMap { Int($0) } }
    // A partition uses the queue of its disk.
    guard number("alignment_offset") == 0,
      let count = number("queue/physical_block_size") ?? number("../queue/physical_block_size")
    else { return Patch.smallestSector }
    let whole = min(count, blockSize, Volume.largestSector)
    return whole.nonzeroBitCount == 1 ? max(whole, Patch.smallestSector) : Patch.smallestSector
  }
}
