/// The numbers of the user's places: they stay the same as long as the source and the place's identity in it do.
enum UserPlaceID {
  /// Returns a number below those of the gazetteer, and exact in JSON numbers, which hold 53 bits.
  static func number(source: String, identity: String) -> Int64 {
    // FNV-1a, with an additional mix of the bits (SplitMix64).
    var hash: UInt64 = 0xCBF2_9CE4_8422_2325
    for byte in Array(source.utf8) + [0x1F] + Array(identity.utf8) { hash = (hash ^ UInt64(byte)) &* 0x100_0000_01B3 }
    hash = (hash ^ (hash >> 30)) &* 0xBF58_476D_1CE4_E5B9
    hash = (hash ^ (hash >> 27)) &* 0x94D0_49BB_1331_11EB
    return -(1 << 52) - Int64(hash >> 12)
  }
}
