import CSys

/// Zlib and brotli streams in a file's bytes, decompressed.
enum Unpacking {
  /// A stream, and its offset.
  struct Stream {
    let at: Int
    let content: [UInt8]
  }

  private static let mostBytes = 1 << 22

  static func streams(in bytes: [UInt8]) -> [Stream] {
    var streams: [Stream] = []
    for at in bytes.indices.dropLast(8) {
      if bytes[at] == 0x78, [0x01, 0x5E, 0x9C, 0xDA].contains(bytes[at + 1]) {
        let content = inflated(bytes[(at + 2)...])
        if content.count > 16 { streams.append(Stream(at: at, content: content)) }
      }
      // JPEG XL's box, whose type is followed by another one.
      if bytes[at] == UInt8(ascii: "b"), bytes[at..<at + 4].elementsEqual("brob".utf8), at >= 4 {
        let size = bytes[(at - 4)..<at].reduce(0) { $0 << 8 + Int($1) }
        let end = min(bytes.count, at - 4 + size)
        guard at + 8 < end else { continue }
        streams.append(Stream(at: at, content: unbrotlied(bytes[(at + 8)..<end])))
      }
    }
    return streams
  }

  private static func inflated(_ packed: ArraySlice<UInt8>) -> [UInt8] {
    guard let handle = csys_inflater_new(false) else { return [] }
    defer { csys_inflater_free(handle) }
    return unpacked(packed) { input, count, used, output, capacity, written in
      csys_inflate(handle, input, count, used, output, capacity, written)
    }
  }

  private static func unbrotlied(_ packed: ArraySlice<UInt8>) -> [UInt8] {
    guard let handle = csys_unbrotli_new() else { return [] }
    defer { csys_unbrotli_free(handle) }
    return unpacked(packed) { input, count, used, output, capacity, written in
      csys_unbrotli(handle, input, count, used, output, capacity, written)
    }
  }

  private typealias Step = (
    UnsafePointer<UInt8>?, Int, UnsafeMutablePointer<Int>, UnsafeMutablePointer<UInt8>?, Int, UnsafeMutablePointer<Int>
  ) -> CInt

  /// As much as can be decompressed, whether the stream is complete or not.
  private static func unpacked(_ packed: ArraySlice<UInt8>, by step: Step) -> [UInt8] {
    var (rest, output): (ArraySlice<UInt8>, [UInt8]) = (packed, [])
    while output.count < mostBytes {
      var (used, status) = (0, CInt(0))
      let piece = [UInt8](unsafeUninitializedCapacity: 1 << 16) { buffer, written in
        rest.withUnsafeBufferPointer {
          status = step($0.baseAddress, $0.count, &used, buffer.baseAddress, buffer.count, &written)
        }
      }
      output += piece
      rest = rest.dropFirst(used)
      guard Int(status) == CSYS_INFLATE_MORE, used > 0 || !piece.isEmpty else { break }
    }
    return output
  }
}
