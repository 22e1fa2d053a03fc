public import SystemPackage

/// Lossless copies, modelled on Apple's CGImageDestinationCopyImageSource. They are made outside Swift's threads.
extension ImageSource {
  /// Writes a copy of the photo, with changed metadata, into a new file. The bytes of the picture and of everything that
  /// doesn't change are copied, by the kernel where possible. The copy has the mode and extended attributes of the
  /// photo's file, except that its owner may write it, and without a change its modification time. It is on the disk when this returns, and not recorded in
  /// a journal. Sidecars and the other files of a photo aren't copied; `Batch.Options.copies` does that.
  ///
  /// ```swift
  /// var edit = MetadataEdit()
  /// edit.location = .set(Location(kyoto))
  /// try await ImageSource("/media/card/IMG_1.JPG").copy(to: "/photos/IMG_1.JPG", applying: edit)
  /// ```
  /// - Parameters:
  ///   - path: The path of the new file.
  ///   - edit: The change.
  ///   - programs: The programs for the second reader.
  /// - Throws: `FileError`: `.conflict` when `path` exists already, `.io` when it can't be written; and the errors of
  ///   `patch(for:)` for the change. No file is left then.
  public func copy(
    to path: FilePath, applying edit: MetadataEdit = MetadataEdit(), programs: CodecPrograms = .installed
  ) async throws(FileError) {
    try await offloading {
      Result { () throws(FileError) in try copy(to: path, applying: edit, programs: programs) }
    }.get()
  }

  /// Writes a copy, for a thread that may block.
  package func copy(
    to path: FilePath, applying edit: MetadataEdit = MetadataEdit(), programs: CodecPrograms = .installed
  ) throws(FileError) {
    let photo = try OpenFile(self)
    let change = edit.isEmpty ? nil : try FileEdit(planning: edit, of: photo)
    let patch = if let change { change.patch } else { try Patch([], to: photo.file.count, imageData: []) }
    try FreshFile.copy(photo.file, patch, to: path, isInMemory: photo.isInMemory) { new throws(FileError) in
      if let change { try change.confirm(in: new, by: SecondReader(pool: programs.metadata)) }
    }
  }

  /// Returns the splices of a change as a run would plan it, checked by our own reader only. Nil if the photo has the
  /// requested values already.
  package func plannedPatch(for edit: MetadataEdit) throws(FileError) -> Patch? {
    try FileEdit(planning: edit, of: OpenFile(self))?.patch
  }

  /// Returns the bytes of the photo with changed metadata.
  /// - Parameters:
  ///   - edit: The change.
  ///   - programs: The programs for the second reader.
  /// - Throws: The errors of `patch(for:)`.
  public func bytes(
    applying edit: MetadataEdit = MetadataEdit(), programs: CodecPrograms = .installed
  ) async throws(FileError) -> [UInt8] {
    try await offloading { Result { () throws(FileError) in try bytes(applying: edit, programs: programs) } }.get()
  }

  /// Returns the bytes, for a thread that may block.
  package func bytes(
    applying edit: MetadataEdit = MetadataEdit(), programs: CodecPrograms = .installed
  ) throws(FileError) -> [UInt8] {
    let photo = try OpenFile(self)
    guard !edit.isEmpty, let change = try FileEdit(planning: edit, of: photo) else {
      return try file.bytes(0..<file.count).array
    }
    try change.confirm(
      in: PatchedSource(old: photo.file, patch: change.patch), by: SecondReader(pool: programs.metadata))
    return try change.patch.applied(to: photo.file)
  }
}
