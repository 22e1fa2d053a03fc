import Foundation
import TestSupport
import Testing

/// Requirements for mounting, in a separate namespace.
private enum Mounting {
  static let isAllowed = (try? Oracle.run("unshare", ["-m", "sh", "-c", "mount -t tmpfs none /mnt"]).status) == 0

  static let canMark =
    (try? Oracle.run(
      "unshare",
      [
        "-m", "sh", "-c",
        """
        i=$(mktemp) && trap 'umount /mnt; rm -f "$i"' EXIT && truncate -s 20M "$i" && mkfs.ext4 -q "$i" \
          && mount -o loop "$i" /mnt && touch /mnt/a && chattr +i /mnt/a && lsattr /mnt/a && chattr -i /mnt/a
        """,
      ]
    ).status) == 0

  static func hasAll(_ programs: String...) -> Bool {
    programs.allSatisfy(Oracle.has) && FileManager.default.fileExists(atPath: "/dev/fuse")
  }
}

/// The command line on file systems that keep less or other data than Linux's.
@Suite("Other file systems", .enabled(if: Mounting.isAllowed, "no right to mount"))
struct FileSystemTests {
  private let tool: Tool
  private let place: Scratch

  init() throws {
    (tool, place) = (try Tool(), try Scratch())
    try FileManager.default.createDirectory(at: place.url.appending(path: "m"), withIntermediateDirectories: false)
    try FileManager.default.createDirectory(at: place.url.appending(path: "d"), withIntermediateDirectories: false)
  }

  /// Runs `script` where `mount` has mounted a file system at `$m`, from the file `$i` or the folder `$d`; `$t` is the
  /// program, `$s` has samples.
  private func run(mounting mount: String, _ script: String) throws -> Oracle.Answer {
    let whole = """
      t="$1"; s="$2"; m="$3/m"; d="$3/d"; i="$3/i"; l=
      truncate -s 60M "$i"; \(mount) >/dev/null 2>&1 || { [ -z "$l" ] || losetup -d "$l"; exit 99; }
      trap 'umount "$m"; [ -z "$l" ] || losetup -d "$l"' EXIT
      \(script)
      """
    let samples = Corpus.project.appending(path: "SampleImages").path
    return try Oracle.run(
      "unshare", ["-m", "sh", "-c", whole, "sh", Tool.program, samples, place.url.path],
      environment: tool.environment())
  }

  private static let ignoringCase = #"mkfs.ntfs -q -F -f "$i" && lowntfs-3g -o ignore_case "$i" "$m""#

  @Test(
    "A file system that ignores case finds a file's companions in any case.",
    .enabled(if: Mounting.hasAll("lowntfs-3g", "mkfs.ntfs"), "no lowntfs-3g"))
  func otherCase() throws {
    let run = try run(
      mounting: Self.ignoringCase,
      """
      cp "$s/cirrus-01-boat.heic" "$m/IMG_1.HEIC"; cp "$s/cirrus-01-boat.mov" "$m/IMG_1.MOV"
      cp "$s/raw/delta-01.nef" "$m/DSC_1.NEF"
      "$t" date shift 1h "$m/IMG_1.HEIC" "$m/img_1.HEIC" || exit 98
      "$t" geotag --at 1,2 "$m/dsc_1.nef" || exit 97
      "$t" date shift 1h "$m/DSC_1.NEF" || exit 96
      printf 'file,lat,lon\\n%s,+3.5,+4.5\\n' IMG_1.HEIC > "$m/t.csv"
      (cd "$m" && "$t" import-csv t.csv --signed --overwrite replace) || exit 95
      """)
    #expect(run.status == 0, "\(run.text)\(run.errors)")
    #expect(run.text.contains("img_1.heic + img_1.mov: changed"), "\(run.text)")
    #expect(run.text.contains("dsc_1.nef + "), "\(run.text)")
  }

  @Test(
    "Two spellings of one file count as one.",
    .enabled(if: Mounting.hasAll("mount.exfat-fuse", "mkfs.exfat"), "no exfat-fuse"))
  func spellings() throws {
    let run = try run(
      mounting: #"mkfs.exfat "$i" && l=$(losetup -f --show "$i") && mount.exfat-fuse "$l" "$m""#,
      """
      cp "$s/cirrus-01-boat.heic" "$m/IMG_1.HEIC"; cp "$s/cirrus-01-boat.mov" "$m/IMG_1.MOV"
      "$t" date shift 1h "$m/img_1.heic" "$m/IMG_1.heic"
      """)
    #expect(run.status == 0, "\(run.text)\(run.errors)")
    #expect(run.text.contains("IMG_1.HEIC + IMG_1.MOV: changed"), "\(run.text)")
    #expect(run.text.contains("1 file"), "\(run.text)")
  }

  @Test(
    "A file system that sets only both times together gets both.", .enabled(if: Mounting.hasAll("bindfs"), "no bindfs"))
  func bothTimes() throws {
    let run = try run(
      mounting: #"bindfs "$d" "$m""#,
      """
      cp "$s/aurora-01-jetty.jpg" "$m/a.jpg"; touch -d '2001-02-03 04:05:06' "$m/a.jpg"
      "$t" date sync-mtime "$m" || exit 98
      stat -c 'now %Y' "$m/a.jpg"
      "$t" undo || exit 97
      stat -c 'then %Y' "$m/a.jpg"
      """)
    #expect(run.status == 0, "\(run.text)\(run.errors)")
    #expect(run.text.contains("now 1716010932"), "\(run.text)")
    #expect(run.text.contains("then 981173106"), "\(run.text)")
  }

  @Test(
    "A file system without modes keeps the mode that it shows.",
    .enabled(if: Mounting.hasAll("fusefat", "mkfs.vfat"), "no fusefat"))
  func noModes() throws {
    let run = try run(
      mounting: #"mkfs.vfat "$i" && fusefat -o rw+ "$i" "$m""#,
      """
      cp "$s/aurora-01-jetty.jpg" "$m/a.jpg"
      "$t" geotag --at 1,2 "$m"
      """)
    // This file system forgets file times too, so the change may be refused for that.
    #expect(run.text.contains("a.jpg: ") && !run.text.contains("mode"), "\(run.status) \(run.text)\(run.errors)")
  }

  @Test(
    "A dry run reports append-only and immutable files with a remedy, and nothing is left behind.",
    .enabled(if: Mounting.canMark, "no chattr on a loop device"))
  func marks() throws {
    let run = try run(
      mounting: #"mkfs.ext4 -q "$i" && mount -o loop "$i" "$m""#,
      """
      for name in a i; do
        mkdir "$m/$name"; cp "$s/aurora-02-island.jpg" "$m/$name/folder.jpg"; chattr "+$name" "$m/$name"
        cp "$s/aurora-02-island.jpg" "$m/$name.jpg"; chattr "+$name" "$m/$name.jpg"
        for dry in -n -y; do
          "$t" geotag --at 1,2 --overwrite replace $dry "$m/$name" "$m/$name.jpg"
        done
        "$t" date shift 1h "$m/$name.jpg"; "$t" date sync-mtime "$m/$name.jpg"
        cp "$s/aurora-02-island.jpg" "$m/$name.png"; chattr "+$name" "$m/$name.png"
        for dry in -n -y; do "$t" fix-extension $dry "$m/$name.png"; done
        chattr "-$name" "$m/$name" "$m/$name.jpg" "$m/$name.png"; ls -A "$m/$name"
      done
      find "$m" -name '.metatag*'
      """)
    let lines = run.text.split(separator: "\n")
    func count(_ text: String) -> Int { lines.count { $0.contains(text) } }
    for (name, word) in [("a", "append-only"), ("i", "immutable")] {
      let remedy = "marked \(word). Run chattr -\(name) on"
      #expect(count("\(name)/folder.jpg: skipped: its folder is \(remedy) the folder first") == 2, "\(run.text)")
      #expect(count("\(name).jpg: skipped: is \(remedy) it first") == 4, "\(run.text)")
      #expect(count("\(name).png: skipped: is \(remedy) it first") == 2, "\(run.text)")
    }
    #expect(!run.text.contains(".metatag") && !run.text.contains("not permitted"), "\(run.text)\(run.errors)")
  }

  @Test(
    "Undo leaves a new sidecar that is marked immutable, and its dry run says so.",
    .enabled(if: Mounting.canMark, "no chattr on a loop device"))
  func markedSidecar() throws {
    let run = try run(
      mounting: #"mkfs.ext4 -q "$i" && mount -o loop "$i" "$m""#,
      """
      cp "$s/raw/delta-02.cr2" "$m"; "$t" geotag --at 1,2 -q "$m"; chattr +i "$m/delta-02.cr2.xmp"
      for dry in -n -y; do "$t" undo $dry; echo "status $?"; done
      chattr -i "$m/delta-02.cr2.xmp"; "$t" undo; echo "status $?"; ls "$m"
      """)
    let reason = "delta-02.cr2.xmp: skipped: is marked immutable. Run chattr -i on it first."
    #expect(run.text.components(separatedBy: reason).count == 3, "\(run.text)\(run.errors)")
    #expect(run.text.components(separatedBy: "status 1\n").count == 3, "\(run.text)\(run.errors)")
    #expect(run.text.contains("status 0\n") && !run.text.hasSuffix(".xmp\n"), "\(run.text)\(run.errors)")
  }

  @Test(
    "Inode flags stay when a photo is rewritten and undone.",
    .enabled(if: Mounting.canMark, "no chattr on a loop device"))
  func inodeFlags() throws {
    let run = try run(
      mounting: #"mkfs.ext4 -q "$i" && mount -o loop "$i" "$m""#,
      """
      cp "$s/aurora-02-island.jpg" "$m/a.jpg"; chattr +dAS "$m/a.jpg"; inode=$(stat -c %i "$m/a.jpg")
      "$t" geotag --at 1,2 --overwrite replace "$m"; [ "$inode" != "$(stat -c %i "$m/a.jpg")" ] || exit 98
      lsattr "$m/a.jpg"; "$t" undo; lsattr "$m/a.jpg"
      """)
    #expect(run.status == 0, "\(run.text)\(run.errors)")
    #expect(run.text.matches(of: /--S---dA/).count == 2, "\(run.text)")
  }
}
