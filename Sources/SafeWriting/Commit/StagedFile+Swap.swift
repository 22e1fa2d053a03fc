import CSys
import Glibc
package import SystemPackage

extension StagedFile {
  /// Puts the new file in the photo's place. Sets `displaced` to the name of the old file as soon as the old file has
  /// it, so that it can be restored from there whatever happens next.
  package func exchange(with scratch: ScratchFile, displaced: inout FilePath.Component?) throws(FileError) {
    let folder = place.folder
    if try folder.exchange(scratch.name, place.name) {
      displaced = scratch.name
    } else {
      // Without an exchange, the photo briefly has only its backup's name, which recovery knows.
      guard let backup = StagedFile.backup(of: scratch.name) else {
        throw FileError(.io, "could not name the old file")
      }
      try folder.move(place.name, to: backup)
      displaced = backup
      try folder.synchronizeVolume()
      try folder.move(scratch.name, to: place.name)
    }
    // If another file was displaced than the one that was read, it was replaced after the check: the caller puts it
    // back.
    guard let displaced, try folder.identity(of: displaced)?.isSameContent(as: entry.old) == true else {
      throw FileError.changedMeanwhile
    }
  }

  /// Performs one step of an edit in place, and returns the photo's new identity. Throws and writes nothing if the
  /// photo isn't `now`.
  package func step(
    from now: FileIdentity, _ write: (CInt) throws(FileError) -> Void
  ) throws(FileError) -> FileIdentity {
    let descriptor = try place.folder.open(place.name, O_RDWR)
    defer { close(descriptor) }
    guard try FileIdentity(of: descriptor) == now else { throw FileError.changedMeanwhile }
    try write(descriptor)
    // This only starts the write-back: the disk works while the next photo is changed.
    _ = csys_start_writeback(descriptor)
    return try FileIdentity(of: descriptor)
  }

  /// Sets the times of a photo that was edited in place.
  package func setTimes(_ descriptor: CInt) throws(FileError) {
    if let modified {
      try Attributes.setTimes(descriptor, accessed: source.status.st_atim, modified: modified)
    } else {
      // In another user's file we may only write the bytes; the access time can then have moved.
      try? Attributes.setTimes(descriptor, accessed: source.status.st_atim, modified: nil)
    }
  }

  /// Restores the old photo.
  package func takeBack(_ displaced: FilePath.Component?) throws(FileError) {
    switch method {
    case .exchange(let scratch):
      guard let displaced else { return try refuseIfRenamed(scratch) }
      if displaced == scratch.name {
        guard try place.folder.exchange(displaced, place.name) else {
          throw FileError(.io, "could not put the old file back in its place")
        }
      } else {
        if try place.folder.status(of: place.name) != nil { try place.folder.move(place.name, to: scratch.name) }
        try place.folder.move(displaced, to: place.name)
      }
      try place.folder.synchronizeVolume()
    case .inPlace(let edit, let inverse): try edit.takeBack(at: place, inverse: inverse, to: entry.old)
    case .creation(let scratch):
      // Unless another program wrote to it, or put another file there.
      guard displaced != nil, try place.folder.identity(of: place.name)?.isSameContent(as: entry.new) == true
      else { return }
      try place.folder.move(place.name, to: scratch.name)
      try place.folder.synchronizeVolume()
    case .removal:
      guard let displaced else { return }
      try place.folder.move(displaced, to: place.name)
      try place.folder.synchronizeVolume()
    }
  }
}

extension StagedFile {
  /// Throws if a name changed although the system reported failure, as NFS and SMB may; recovery then finds out which
  /// file is where.
  private func refuseIfRenamed(_ scratch: ScratchFile) throws(FileError) {
    let folder = place.folder
    let isRenamed =
      if let now = try folder.identity(of: place.name) {
        now.inode == (try FileIdentity(of: scratch.descriptor)).inode
      } else if let backup = StagedFile.backup(of: scratch.name) {
        try folder.status(of: backup) != nil
      } else {
        false
      }
    guard !isRenamed else {
      throw FileError(.io, "it may have another name now, although its file system says that it has not")
    }
  }

  /// The photo's modification time, if it was edited in place and has its old bytes again; otherwise nil.
  var timeOnceTakenBack: FileTime? {
    guard case .inPlace(let edit, let inverse) = method, let file = try? place.open(), file.count == entry.old.size,
      (try? edit.progress(in: file, inverse: inverse)) == .old
    else { return nil }
    return FileTime(file.status.st_mtim)
  }
}

extension FileIdentity {
  package init(of descriptor: CInt) throws(FileError) {
    var status = stat()
    guard fstat(descriptor, &status) == 0 else { throw FileError(errno: errno, doing: "look at it again") }
    self.init(status)
  }
}
