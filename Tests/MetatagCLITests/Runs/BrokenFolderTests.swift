import Foundation
import TestSupport
import Testing

/// A folder whose listing breaks off in the middle, as on a failing disk. A preloaded library reports that for the
/// folder `broken`.
@Suite("Unreadable folders", .enabled(if: Oracle.has("cc"), "no C compiler"))
struct BrokenFolderTests {
  private static let library = """
    #define _GNU_SOURCE
    #include <dirent.h>
    #include <dlfcn.h>
    #include <errno.h>
    #include <stdio.h>
    #include <string.h>
    #include <unistd.h>
    static int isBroken(DIR *dir) {
      static int left = 4;
      char link[64], path[4096] = "";
      snprintf(link, sizeof link, "/proc/self/fd/%d", dirfd(dir));
      ssize_t count = readlink(link, path, sizeof path - 1);
      if (count < 7 || strcmp(path + count - 7, "/broken") != 0 || left-- > 0) return 0;
      errno = EIO;
      return 1;
    }
    struct dirent *readdir(DIR *dir) {
      struct dirent *(*next)(DIR *) = (struct dirent *(*)(DIR *))dlsym(RTLD_NEXT, "readdir");
      return isBroken(dir) ? 0 : next(dir);
    }
    struct dirent64 *readdir64(DIR *dir) {
      struct dirent64 *(*next)(DIR *) = (struct dirent64 *(*)(DIR *))dlsym(RTLD_NEXT, "readdir64");
      return isBroken(dir) ? 0 : next(dir);
    }
    """

  @Test("A folder whose listing breaks off fails as a whole, and its files aren't changed.")
  func brokenOff() throws {
    let (tool, scratch) = (try Tool(), try Scratch())
    let source = try scratch.write(Self.library.utf8, as: "readdir.c")
    let library = scratch.url.appending(path: "readdir.so").path
    let built = try Oracle.run("cc", ["-shared", "-fPIC", "-o", library, source.path, "-ldl"])
    #expect(built.status == 0, "\(built.errors)")
    let photo = try Data(contentsOf: Corpus.project.appending(path: "SampleImages/aurora-01-jetty.jpg"))
    let all = scratch.url.appending(path: "all")
    var files: [URL] = []
    for folder in ["broken", "whole"] {
      let folder = all.appending(path: folder)
      try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
      for index in 0..<4 {
        files.append(folder.appending(path: "\(index).jpg"))
        try photo.write(to: files[files.count - 1])
      }
    }
    func run(_ words: String...) throws -> Oracle.Answer {
      let words = ["date", "shift", "+1h", "--json"] + words
      return try Oracle.run(Tool.program, words, environment: tool.environment(["LD_PRELOAD": library]))
    }
    let walk = try run("--recursive", all.path)
    let rows = try WorkflowTests.rows(walk)
    #expect(walk.status == 1 && rows.count == 5)
    #expect(rows.first?["path"] as? String == all.appending(path: "broken").path)
    #expect(rows.first?["outcome"] as? String == "failed")
    #expect((rows.first?["reason"] as? String)?.contains("read the whole folder") == true, "\(walk.text)")
    #expect(rows.dropFirst().allSatisfy { $0["outcome"] as? String == "changed" })
    let named = try run(files[0].path)
    #expect(named.status == 1 && named.text.contains("read the whole folder"), "\(named.text)")
    let isChanged = try files.map { try Data(contentsOf: $0) != photo }
    #expect(isChanged == [false, false, false, false, true, true, true, true])
  }
}
