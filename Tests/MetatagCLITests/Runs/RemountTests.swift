import Foundation
import TestSupport
import Testing

/// A disk that has another device number when it is mounted again, as after a restart.
@Suite("Remounted disks")
struct RemountTests {
  /// Makes two disks in the folder $1 and mounts the first at m. `again` mounts it after the second, so that its number changes.
  private static let mount = """
    cd "$1" && truncate -s 16M a.img b.img && mkfs.ext4 -qF a.img && mkfs.ext4 -qF b.img && mkdir m n \
      && mount -o loop a.img m && mkdir m/p m/out && cp "$2" m/p/a.jpg && first=$(stat -c %d m) || exit 99
    again() { umount m && mount -o loop b.img n && mount -o loop a.img m && [ "$first" != "$(stat -c %d m)" ]; }
    unmount() { umount n; umount m; }

    """
  private static let sample = Corpus.project.appending(path: "SampleImages/aurora-02-island.jpg").path

  private static func run(_ script: String) throws -> Oracle.Answer {
    let place = try Scratch()
    var environment = try Tool().environment()
    environment["XDG_DATA_HOME"] = place.url.appending(path: "m/data").path
    return try Oracle.run(
      "unshare", ["-m", "sh", "-c", mount + script, "sh", place.url.path, sample, Tool.program],
      environment: environment)
  }

  private static let canMount = (try? run("again; status=$?; unmount; exit $status").status) == 0

  @Test("A photo in the trash is undone there.", .enabled(if: Self.canMount, "no right to mount disk images"))
  func trash() throws {
    let answer = try Self.run(
      """
      (cd m && "$3" geotag --at 46.05,14.5 --overwrite replace --copy-to out --trash-original p); again
      "$3" undo; echo "status $?"; cmp "$2" m/p/a.jpg && ls m/p m/out m/data/Trash/files; unmount
      """)
    let listing = "status 0\nm/data/Trash/files:\n\nm/out:\n\nm/p:\na.jpg\n"
    #expect(answer.text.hasSuffix(listing), "\(answer.text)\(answer.errors)")
  }
}
