package import SystemPackage

/// Changes of a photo that is in no file.
extension Outcome {
  /// Writes the photo as it is after the run: with the change, or as it was if none was needed. Writes nothing if the
  /// photo was skipped or failed.
  /// - Throws: `FileError` when the photo can't be read, `Errno` when it can't be written.
  package func write(_ photo: Photo, to descriptor: FileDescriptor) throws {
    guard let content = photo.input.content else { return }
    let changed: any ByteSource
    switch status {
    case .changed: changed = if let patch { PatchedSource(old: content, patch: patch) } else { content }
    case .unchanged: changed = content
    case .substituted, .skipped, .failed, .notRun: return
    }
    var at = 0
    while at < changed.count {
      let end = min(at + 1 << 20, changed.count)
      try descriptor.writeAll(changed.bytes(at..<end).array)
      at = end
    }
  }
}
