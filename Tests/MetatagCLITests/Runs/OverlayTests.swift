import Foundation
import TestSupport
import Testing

/// Photos in the lower layer of an overlay, which are copied when they are opened for writing.
@Suite("Overlays")
struct OverlayTests {
  private static let mount = """
    mount -t tmpfs none "$1" && cd "$1" && mkdir lower upper work photos && cp "$2" lower/a.jpg && cp "$2" lower/b.jpg \
      && ln lower/b.jpg lower/c.jpg \
      && mount -t overlay none -o lowerdir=lower,upperdir=upper,workdir=work photos || exit 99

    """
  private static let sample = Corpus.project.appending(path: "SampleImages/aurora-02-island.jpg").path

  private static let canMount =
    (try? Oracle.run("unshare", ["-m", "sh", "-c", mount, "sh", "/mnt", sample]).status) == 0

  @Test(
    "Photos in an overlay are changed without false conflicts, and hard links stay together.",
    .enabled(if: Self.canMount, "no right to mount overlays"))
  func shift() throws {
    let tool = try Tool()
    let script =
      Self.mount + """
        "$3" date shift 1h photos; stat -c '%h names' photos/b.jpg; "$3" undo; cmp "$2" photos/a.jpg && ls -A photos
        """
    let place = try Scratch()
    let run = try Oracle.run(
      "unshare", ["-m", "sh", "-c", script, "sh", place.url.path, Self.sample, Tool.program],
      environment: tool.environment())
    #expect(run.text.contains("a.jpg: changed") && !run.text.contains("another program"), "\(run.text)\(run.errors)")
    #expect(run.text.contains("b.jpg") && run.text.contains("hard links") && run.text.contains("2 names\n"))
    #expect(run.status == 0 && run.text.hasSuffix("a.jpg\nb.jpg\nc.jpg\n"), "\(run.text)\(run.errors)")
  }
}
