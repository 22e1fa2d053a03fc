import CSys

/// SHA-256 (FIPS 180-4) of bytes that come in parts.
struct SHA256: ~Copyable {
  private let hash = csys_sha256_begin()
  private var isOpen = true

  deinit {
    guard isOpen else { return }
    var rest = [UInt8](repeating: 0, count: 32)
    csys_sha256_end(hash, &rest)
  }

  mutating func update(_ bytes: UnsafeRawBufferPointer) { csys_sha256_update(hash, bytes.baseAddress, bytes.count) }

  mutating func finish() -> [UInt8] {
    var digest = [UInt8](repeating: 0, count: 32)
    csys_sha256_end(hash, &digest)
    isOpen = false
    return digest
  }
}
