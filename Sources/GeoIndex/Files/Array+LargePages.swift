import CSys

extension Array {
  /// Room for `count` elements, in large pages if the system has some: they will be looked at here and there.
  mutating func reserveLargePages(for count: Int) {
    reserveCapacity(count)
    withUnsafeMutableBufferPointer { csys_large_pages($0.baseAddress, UInt(count * MemoryLayout<Element>.stride)) }
  }
}
