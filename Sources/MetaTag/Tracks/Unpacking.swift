import CSys

extension [UInt8] {
  /// How much a packed file may grow to: more is no track of a human life.
  private static let mostUnpacked = 4 << 30
  /// A track packs 10 to 30 times; a bomb 1,000 times. Small ones do no harm and aren't judged.
  private static let mostGrowth = (times: 250, from: 64 << 20)

  /// The content of a gzip file (RFC 1952), all its members; other bytes as they are.
  ///
  /// A file that breaks off gives what could be unpacked: the format in it will notice.
  func unpacked() throws(PhotoError) -> [UInt8] {
    guard starts(with: [0x1F, 0x8B]) else { return self }
    let inflater = try Inflater()
    var (unpacked, at): ([UInt8], Int) = ([], 0)
    var buffer = [UInt8](repeating: 0, count: 1 << 18)
    while at < count {
      let step = inflater.step(self[at...], into: &buffer)
      at += step.read
      unpacked += buffer[..<step.written]
      guard unpacked.count <= Self.mostUnpacked,
        unpacked.count <= Self.mostGrowth.from || unpacked.count / Self.mostGrowth.times <= at
      else { throw PhotoError(.refused, "the gzip file unpacks to suspiciously much: unpack it yourself", at: at) }
      switch step.code {
      case CSYS_INFLATE_END:
        // Zeros, or a signature, may follow the last member.
        guard self[at...].starts(with: [0x1F, 0x8B]) else { return unpacked }
        inflater.reset()
      case CSYS_INFLATE_MORE:
        if step.read == 0, step.written == 0 { return unpacked }
      case CSYS_INFLATE_NO_MEMORY: throw PhotoError(.io, "there is no memory to unpack the gzip file", at: at)
      default: throw PhotoError(.malformed, "the gzip data is damaged: its pieces or its check sum are wrong", at: at)
      }
    }
    return unpacked
  }

  /// Text in UTF-16, told by its byte order mark or by its first `<`, as UTF-8; other bytes as they are.
  func asUTF8() -> [UInt8] {
    let isBig: Bool
    switch prefix(2) {
    case [0xFE, 0xFF], [0x00, 0x3C]: isBig = true
    case [0xFF, 0xFE], [0x3C, 0x00]: isBig = false
    default: return self
    }
    var units: [UInt16] = []
    units.reserveCapacity(count / 2)
    for index in stride(from: 0, to: count - 1, by: 2) {
      let (first, second) = (UInt16(self[index]), UInt16(self[index + 1]))
      units.append(isBig ? first << 8 | second : second << 8 | first)
    }
    if units.first == 0xFEFF { units.removeFirst() }
    var utf8: [UInt8] = []
    utf8.reserveCapacity(units.count)
    // Halves of surrogate pairs become U+FFFD.
    _ = transcode(
      units.makeIterator(), from: UTF16.self, to: UTF8.self, stoppingOnError: false, into: { utf8.append($0) })
    return utf8
  }
}

/// zlib's inflate state; freed with it.
private struct Inflater: ~Copyable {
  private let handle: OpaquePointer

  init() throws(PhotoError) {
    guard let handle = csys_inflater_new() else {
      throw PhotoError(.io, "there is no memory to unpack the gzip file")
    }
    self.handle = handle
  }

  deinit { csys_inflater_free(handle) }

  func reset() { _ = csys_inflater_reset(handle) }

  func step(_ input: ArraySlice<UInt8>, into output: inout [UInt8]) -> (code: Int, read: Int, written: Int) {
    var (read, written) = (0, 0)
    let code = input.withUnsafeBufferPointer { input in
      output.withUnsafeMutableBufferPointer { output in
        csys_inflate(handle, input.baseAddress, input.count, &read, output.baseAddress, output.count, &written)
      }
    }
    return (Int(code), read, written)
  }
}
