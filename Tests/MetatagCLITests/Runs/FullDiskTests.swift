import Foundation
import TestSupport
import Testing

/// Disks that are full, or nearly.
@Suite("Full disks")
struct FullDiskTests {
  /// Mounts a disk of 4 MB at $1, with 40 photos of 64 kB in the folder p, and all but $4 kB filled. $3 is the program.
  private static let mount = """
    mount -t tmpfs -o size=4m none "$1" && cd "$1" && mkdir p || exit 99
    for i in $(seq 10 49); do head -c 65536 /dev/zero | cat "$2" - | head -c 65536 > p/$i.jpg; done
    sum=$(cat p/* | sha256sum)
    head -c $(($(df -k --output=avail . | tail -1) * 1024 - $4 * 1024)) /dev/zero > filler

    """
  private static let sample = Corpus.project.appending(path: "SampleImages/aurora-02-island.jpg").path
  private static let canMount =
    (try? Oracle.run("unshare", ["-m", "sh", "-c", mount, "sh", "/mnt", sample, "true", "1"]).status) == 0

  private func run(_ script: String, free: Int) throws -> Oracle.Answer {
    let place = try Scratch()
    return try Oracle.run(
      "unshare", ["-m", "sh", "-c", Self.mount + script, "sh", place.url.path, Self.sample, Tool.program, "\(free)"],
      environment: try Tool().environment())
  }

  @Test(
    "All photos are changed and restored where only a few new versions fit at once.",
    .enabled(if: Self.canMount, "no right to mount"))
  func nearlyFull() throws {
    let script = """
      "$3" geotag --at 46.05,14.5 --overwrite replace p; echo "status $?"
      "$3" undo; echo "status $?"
      [ "$sum" = "$(cat p/* | sha256sum)" ] && echo same
      """
    let answer = try run(script, free: 300)
    #expect(answer.text.components(separatedBy: "status 0\n").count == 3, "\(answer.text)\(answer.errors)")
    #expect(answer.text.contains("40 changed") && answer.text.hasSuffix("same\n"), "\(answer.text)\(answer.errors)")
  }

  @Test(
    "A photo that doesn't fit is named with the room that it needs.", .enabled(if: Self.canMount, "no right to mount"))
  func needed() throws {
    let script = """
      rm p/2* p/3* p/4*; head -c 1500000 /dev/zero >> p/10.jpg
      head -c $(($(df -k --output=avail . | tail -1) * 1024 - 300000)) /dev/zero > more
      "$3" geotag --at 46.05,14.5 --overwrite replace p/10.jpg; echo "status $?"
      """
    let answer = try run(script, free: 1_400)
    #expect(answer.text.contains("status 1") && answer.text.contains("No space left"), "\(answer.text)\(answer.errors)")
    #expect(answer.text.contains("Free at least 1.6 MB on that disk"), "\(answer.text)\(answer.errors)")
  }

  @Test(
    "A full disk is noticed before the first photo: one error, no run.",
    .enabled(if: Self.canMount, "no right to mount"))
  func full() throws {
    let script = """
      "$3" geotag --at 46.05,14.5 --overwrite replace p; echo "status $?"
      "$3" log; [ "$sum" = "$(cat p/* | sha256sum)" ] && echo same
      """
    let answer = try run(script, free: 8)
    #expect(answer.text.contains("status 2") && answer.text.hasSuffix("same\n"), "\(answer.text)\(answer.errors)")
    #expect(answer.errors.contains("is full. Free at least"), "\(answer.text)\(answer.errors)")
    #expect(!answer.text.contains("changed"))
  }

  @Test("doctor names a full disk.", .enabled(if: Self.canMount, "no right to mount"))
  func doctor() throws {
    let answer = try run("\"$3\" doctor p", free: 8)
    #expect(answer.status == 1, "\(answer.text)\(answer.errors)")
    #expect(answer.text.contains("/p: the disk is full: no photo on it can be changed\n"), "\(answer.text)")
  }

  @Test("A full disk of the journal is named by every command.", .enabled(if: Self.canMount, "no right to mount"))
  func journal() throws {
    let script = """
      export XDG_STATE_HOME="$PWD/state" LC_ALL=C; rm p/3* p/4*; sum=$(cat p/* | sha256sum)
      "$3" geotag --at 46.05,14.5 --overwrite replace -q p; echo "status $?"
      cat /dev/zero > more 2> /dev/null
      for words in undo "verify 1" doctor log "forget -y 1"; do "$3" $words 2>&1 | grep -c "is full. Free at least"; done
      XDG_STATE_HOME="$PWD/other" "$3" geotag --at 46.05,14.5 --overwrite replace p; echo "status $?"; ls other/metatag
      rm more filler; mkdir other; cat /dev/zero > more 2> /dev/null
      XDG_STATE_HOME="$PWD/other" "$3" geotag --at 46.05,14.5 --overwrite replace p; echo "status $?"; ls other/metatag
      rm more; "$3" undo -q; echo "status $?"; [ "$sum" = "$(cat p/* | sha256sum)" ] && echo same
      """
    let answer = try run(script, free: 1_400)
    let wanted = ["status 0", "1", "1", "1", "1", "1", "status 2", "status 2", "status 0", "same"]
    #expect(answer.text.split(separator: "\n").map(String.init) == wanted, "\(answer.text)\(answer.errors)")
  }
}
