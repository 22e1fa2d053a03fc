import CSys

/// Decompression of brotli streams (RFC 7932) in memory, as used by JPEG XL.
package enum Brotli {
  /// Returns the decompressed content of `packed`.
  ///
  /// - Throws: `.tooLarge` beyond `limit` bytes, `.malformed` if it isn't a complete stream.
  package static func unpacked(_ packed: Bytes, limit: Int) throws(FileError) -> [UInt8] {
    guard let handle = csys_unbrotli_new() else {
      throw FileError(.outOfMemory, "there is not enough memory to unpack it")
    }
    defer { csys_unbrotli_free(handle) }
    var input = packed.array[...]
    var output: [UInt8] = []
    while true {
      var (used, status) = (0, CInt(0))
      let piece = [UInt8](unsafeUninitializedCapacity: 1 << 16) { buffer, written in
        input.withUnsafeBufferPointer {
          status = csys_unbrotli(handle, $0.baseAddress, $0.count, &used, buffer.baseAddress, buffer.count, &written)
        }
      }
      input = input.dropFirst(used)
      output += piece
      guard output.count <= limit else {
        throw FileError(.tooLarge, "compressed metadata of more than \(limit >> 20) MB", at: packed.base)
      }
      if Int(status) == CSYS_INFLATE_END { return output }
      guard Int(status) == CSYS_INFLATE_MORE, used > 0 || !piece.isEmpty else {
        throw FileError(.malformed, "compressed data are damaged or cut", at: packed.base)
      }
    }
  }
}
