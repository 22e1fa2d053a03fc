import CSys

/// The file system of a folder, and what it can't promise.
package struct DiskProperties: Hashable, Sendable {
  /// A property that limits what metatag can promise.
  package enum Limit: String, Hashable, Sendable {
    /// It may lose a file whose name changed in a power failure. A whole copy of each photo is kept elsewhere meanwhile.
    case losesOrder
    /// It doesn't report programs that have a photo open for writing.
    case hidesWriters
    /// It keeps neither modes nor access control lists, and times only to two seconds.
    case dropsAttributes
    /// Its files are in memory.
    case isInMemory
    /// It is mounted read-only.
    case isReadOnly
  }

  /// The device number.
  package let device: UInt64
  /// The type, such as `xfs`; the number in hexadecimal if it is unknown.
  package let type: String
  /// The number of free bytes; nil if unknown.
  package let freeCount: Int?
  package let limits: [Limit]

  package init(of folder: Directory) throws(FileError) {
    device = try folder.device
    let volume = Volume(of: folder.descriptor)
    let space = folder.system.fstatvfs(folder.descriptor.rawValue)
    freeCount = space?.free
    type = volume.name
    let candidates: [(Bool, Limit)] = [
      (!volume.keepsOrder, .losesOrder), (!volume.reportsWriters, .hidesWriters), (volume.isFAT, .dropsAttributes),
      (volume.isInMemory, .isInMemory), (space?.isReadOnly == true, .isReadOnly),
    ]
    limits = candidates.filter(\.0).map(\.1)
  }
}

extension Volume {
  /// Types of file systems by `f_type`, from linux/magic.h and the kernel's sources.
  private static let names: [UInt64: String] = [
    csys_magic_ext: "ext2/3/4", csys_magic_xfs: "xfs", csys_magic_btrfs: "btrfs", csys_magic_bcachefs: "bcachefs",
    csys_magic_zfs: "zfs", csys_magic_f2fs: "f2fs", csys_magic_tmpfs: "tmpfs", csys_magic_overlay: "overlay",
    csys_magic_fat: "vfat", csys_magic_exfat: "exfat", 0x6969: "nfs", 0xFE53_4D42: "smb", 0xFF53_4D42: "cifs",
    0x6573_5546: "fuse", 0x7366_746E: "ntfs", 0x0102_1997: "9p",
  ]

  fileprivate var name: String { Volume.names[magic] ?? "0x" + String(magic, radix: 16) }
  fileprivate var isInMemory: Bool { magic == csys_magic_tmpfs }
}
