/// The records of a motion photo's movie position (Samsung, Google). All must stay correct when the file grows.
struct HEIFMotion: Sendable {
  /// The box that holds the movie.
  private let box: Box
  /// Samsung's absolute offset of the movie, in its trailer.
  let pointer: Range<Int>?

  /// The number of last bytes that contain Samsung's trailer.
  private static let trailerCount = 65_536

  init?(of file: HEIFFile) throws(FileError) {
    guard let movie = file.boxes.first(where: { $0.type == "mpvd" }) else { return nil }
    box = movie
    var pointer: Range<Int>?
    let mark = Array("MotionPhoto_Datampv2".utf8)
    for holder in file.boxes where holder.type == "sefd" || holder.type == "mpvd" {
      let start = max(holder.payload.lowerBound, holder.payload.upperBound - HEIFMotion.trailerCount)
      let trailer = try file.source.bytes(start..<holder.payload.upperBound)
      guard let found = trailer.firstIndex(of: mark), let offset = try? trailer.u32(found + mark.count, .big),
        Int(offset) == movie.payload.lowerBound
      else { continue }
      pointer = start + found + mark.count..<start + found + mark.count + 4
    }
    self.pointer = pointer
  }

  /// The start of the box.
  var start: Int { box.range.lowerBound }

  /// Returns the splice that corrects Samsung's pointer after the movie has moved.
  func correction(movedBy distance: Int) throws(FileError) -> Splice? {
    guard let pointer, distance != 0 else { return nil }
    guard let bytes = (box.payload.lowerBound + distance).bigEndian(count: pointer.count) else {
      throw FileError(.tooLarge, "its movie would lie beyond 4 GiB", at: pointer.lowerBound)
    }
    return Splice(pointer, bytes)
  }

  /// Returns the splice that corrects the XMP packet: the still picture's length (`Container:Item`, semantic Primary)
  /// is the start of the movie.
  func correction(in packet: Bytes, movedBy distance: Int) throws(FileError) -> Splice? {
    guard distance != 0 else { return nil }
    let (old, new) = (Array(String(start).utf8), Array(String(start + distance).utf8))
    for opening in ["Length=\"", "Length='", "Length>"] {
      var at = 0
      while let found = packet.firstIndex(of: Array(opening.utf8) + old, from: at) {
        let digits = found + opening.utf8.count..<found + opening.utf8.count + old.count
        at = digits.upperBound
        if let next = try? packet.u8(at), (0x30...0x39).contains(next) { continue }
        guard new.count == old.count else {
          throw FileError(
            .refused, "its XMP has no room for the new length of the still picture", at: packet.base + digits.lowerBound
          )
        }
        return Splice(digits, new)
      }
    }
    return nil
  }
}
