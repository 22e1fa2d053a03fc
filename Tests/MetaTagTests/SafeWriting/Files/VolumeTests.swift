@testable import SafeWriting
import Foundation
import Glibc
import SystemPackage
import TestSupport
import Testing

@testable import MetaTag

@Suite("Atomic sectors of disks")
struct VolumeTests {
  @Test(
    "The kernel's sector size counts only as far as the file system keeps it aligned.",
    arguments: [
      ("4096", "0", 4_096), ("512", "0", 512), ("16384", "0", 4_096), ("4096", "1024", 512), ("4096", "", 512),
      ("", "0", 512), ("much", "0", 512), ("3000", "0", 512), ("0", "0", 512), ("-4096", "0", 512),
    ])
  func sectors(physical: String, alignment: String, expected: Int) throws {
    let scratch = try Scratch()
    // 8:17 is the first partition of the second disk. The disk's values are one folder up.
    let disk = scratch.url.appending(path: "disk"), partition = disk.appending(path: "partition")
    for folder in ["disk/queue", "disk/partition"] {
      try FileManager.default.createDirectory(
        at: scratch.url.appending(path: folder), withIntermediateDirectories: true)
    }
    try Data((physical + "\n").utf8).write(to: disk.appending(path: "queue/physical_block_size"))
    try Data((alignment + "\n").utf8).write(to: partition.appending(path: "alignment_offset"))
    try FileManager.default.createSymbolicLink(
      at: scratch.url.appending(path: "8:17"), withDestinationURL: partition)
    let volume = Volume(of: try Directory(scratch.url.filePath).descriptor)
    #expect(volume.blockSize == 4_096)
    #expect(volume.sectorCount(on: 8 << 8 | 17, disks: scratch.url.filePath) == expected)
    #expect(volume.sectorCount(on: 8 << 8 | 18, disks: scratch.url.filePath) == Patch.smallestSector)
  }

  @Test("A patch that exceeds a sector of 512 bytes may fit into one of 4096.")
  func sizes() throws {
    let near = try Patch([Splice(500..<520, noise(20)), Splice(4_000..<4_001, [1])], to: 9_000, imageData: [])
    #expect(near.commitSector() == nil && InPlaceEdit(near) == nil)
    #expect(near.commitSector(of: 4_096) == 0..<4_096 && InPlaceEdit(near, sector: 4_096) != nil)
    let across = try Patch([Splice(4_090..<4_100, noise(10))], to: 9_000, imageData: [])
    #expect(InPlaceEdit(across, sector: 4_096) == nil)
  }
}
