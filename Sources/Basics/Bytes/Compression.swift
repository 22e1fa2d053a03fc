import CSys

/// Compression and decompression of zlib streams (RFC 1950) in memory, as used by PNG.
package enum Zlib {
  /// Returns the decompressed content of `packed`. The stream's checksum is not checked, because the container has one
  /// of its own.
  ///
  /// - Throws: `.tooLarge` beyond `limit` bytes, `.malformed` if it isn't a complete stream.
  package static func unpacked(_ packed: Bytes, limit: Int) throws(FileError) -> [UInt8] {
    // RFC 1950: deflate, a window of at most 32 KB, no dictionary; the first two bytes are a multiple of 31.
    guard packed.count > 2, try packed.u8(0) & 0x8F == 8, try packed.u8(1) & 0x20 == 0,
      try packed.u16(0, .big) % 31 == 0
    else { throw FileError(.malformed, "compressed data has no valid zlib header", at: packed.base) }
    guard let handle = csys_inflater_new(false) else {
      throw FileError(.outOfMemory, "not enough memory to decompress the metadata")
    }
    defer { csys_inflater_free(handle) }
    var input = packed.array[2...]
    var output: [UInt8] = []
    var code = CSYS_INFLATE_MORE
    while code == CSYS_INFLATE_MORE {
      var used = 0
      var status: CInt = 0
      let piece = [UInt8](unsafeUninitializedCapacity: 1 << 16) { buffer, written in
        input.withUnsafeBufferPointer {
          status = csys_inflate(handle, $0.baseAddress, $0.count, &used, buffer.baseAddress, buffer.count, &written)
        }
      }
      code = Int(status)
      input = input.dropFirst(used)
      output += piece
      guard output.count <= limit else {
        throw FileError(.tooLarge, "compressed metadata exceeds \(limit >> 20) MB", at: packed.base)
      }
      if used == 0, piece.isEmpty, code == CSYS_INFLATE_MORE { break }
    }
    guard code == CSYS_INFLATE_END else {
      throw FileError(.malformed, "compressed data is corrupt or truncated", at: packed.base)
    }
    return output
  }

  /// Returns the decompressed content of `packed`, whose size is known.
  ///
  /// - Throws: `.malformed` if it isn't a complete stream of `count` bytes with a correct checksum.
  package static func unpacked(_ packed: Bytes, count: Int) throws(FileError) -> [UInt8] {
    var size = uLong(count)
    var isDone = false
    let content = [UInt8](unsafeUninitializedCapacity: max(count, 1)) { buffer, written in
      isDone = packed.withUnsafeBytes {
        uncompress(buffer.baseAddress, &size, $0.bindMemory(to: UInt8.self).baseAddress, uLong($0.count)) == Z_OK
      }
      isDone = isDone && size == uLong(count)
      written = isDone ? count : 0
    }
    guard isDone else {
      throw FileError(.malformed, "compressed data is corrupt, or not as long as declared", at: packed.base)
    }
    return content
  }

  /// Returns a stream that holds `bytes`.
  package static func packed(_ bytes: [UInt8]) throws(FileError) -> [UInt8] {
    var count = compressBound(uLong(bytes.count))
    var isDone = false
    let stream = [UInt8](unsafeUninitializedCapacity: Int(count)) { buffer, written in
      isDone = compress2(buffer.baseAddress, &count, bytes, uLong(bytes.count), 9) == Z_OK
      written = isDone ? Int(count) : 0
    }
    guard isDone else { throw FileError(.outOfMemory, "not enough memory to compress the metadata") }
    return stream
  }
}

extension Bytes {
  /// The CRC-32 of ISO 3309, as used by PNG, gzip and zip.
  package var crc: UInt32 { crc(after: 0) }

  /// Returns the CRC-32 of bytes with the checksum `first`, followed by these.
  package func crc(after first: UInt32) -> UInt32 {
    withUnsafeBytes {
      UInt32(truncatingIfNeeded: crc32(uLong(first), $0.bindMemory(to: UInt8.self).baseAddress, uInt($0.count)))
    }
  }
}

/// Decompression of brotli streams (RFC 7932) in memory, as used by JPEG XL.
package enum Brotli {
  /// Returns the decompressed content of `packed`.
  ///
  /// - Throws: `.tooLarge` beyond `limit` bytes, `.malformed` if it isn't a complete stream.
  package static func unpacked(_ packed: Bytes, limit: Int) throws(FileError) -> [UInt8] {
    guard let handle = csys_unbrotli_new() else {
      throw FileError(.outOfMemory, "not enough memory to decompress the metadata")
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
        throw FileError(.tooLarge, "compressed metadata exceeds \(limit >> 20) MB", at: packed.base)
      }
      if Int(status) == CSYS_INFLATE_END { return output }
      guard Int(status) == CSYS_INFLATE_MORE, used > 0 || !piece.isEmpty else {
        throw FileError(.malformed, "compressed data is corrupt or truncated", at: packed.base)
      }
    }
  }
}
