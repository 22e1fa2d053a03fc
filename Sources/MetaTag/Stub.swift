struct IPTCData { init(_ b: Bytes) throws(PhotoError) {}
 func read(into m: inout Metadata) {}
 func edited(by e: MetadataEdit) throws(PhotoError) -> [UInt8]? { nil } }
