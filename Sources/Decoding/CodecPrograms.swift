import Foundation
import Glibc
public import SystemPackage

/// The two programs in which C and C++ libraries decode photos, in a sandbox: `metatag-codecs` for metadata,
/// `metatag-pictures` for pictures.
///
/// Share one value among everything that needs them: its child processes are kept for the next photo.
public struct CodecPrograms: Sendable {
  /// The programs that are installed with this executable. Each is looked for in these folders, in this order:
  ///
  /// 1. the folder that the environment variable `METATAG_LIBEXEC` names by an absolute path,
  /// 2. the folder of the executable,
  /// 3. `../libexec` and `../libexec/metatag`, relative to the folder of the executable.
  ///
  /// The environment is read once, on first use.
  public static let installed = CodecPrograms(
    folders: folders(of: ownExecutable, environment: ProcessInfo.processInfo.environment))

  /// The pool that reads metadata.
  package let metadata: CodecPool
  /// The folders in which the programs are looked for.
  let folders: [FilePath]

  /// The programs in `folder`, and nowhere else. If one is missing there, what needs it fails with the error
  /// `decoderMissing`.
  public init(in folder: FilePath) { self.init(folders: [folder]) }

  private init(folders: [FilePath]) {
    self.folders = folders
    metadata = CodecPool(.metadata, in: folders)
  }

  /// Returns a new pool for pictures.
  func pictures() -> CodecPool { CodecPool(.pictures, in: folders) }

  /// Returns the folders in which the programs that belong to `executable` are looked for.
  static func folders(of executable: FilePath?, environment: [String: String]) -> [FilePath] {
    var folders = [environment["METATAG_LIBEXEC"].map { FilePath($0) }].compactMap(\.self).filter(\.isAbsolute)
    if let folder = executable?.removingLastComponent() {
      let libexec = folder.removingLastComponent().appending("libexec")
      folders += [folder, libexec, libexec.appending("metatag")]
    }
    return folders.enumerated().filter { !folders[..<$0].contains($1) }.map(\.element)
  }

  /// The path of this process's executable.
  private static var ownExecutable: FilePath? {
    var path = [CChar](repeating: 0, count: Int(PATH_MAX) + 1)
    let count = readlink("/proc/self/exe", &path, path.count - 1)
    return count > 0 ? path.withUnsafeBufferPointer { FilePath(platformString: $0.baseAddress!) } : nil
  }
}
