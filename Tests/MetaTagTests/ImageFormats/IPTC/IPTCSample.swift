@testable import MetaTag

/// Made-up IPTC blocks.
enum IPTCSample {
  static func dataset(_ record: UInt8, _ number: UInt8, _ value: [UInt8]) -> [UInt8] {
    [0x1C, record, number] + UInt16(value.count).bytes(.big) + value
  }

  static func dataset(_ number: UInt8, _ value: String) -> [UInt8] { dataset(2, number, Array(value.utf8)) }

  /// A version, the datasets and a caption.
  static func block(_ datasets: [(UInt8, String)]) -> [UInt8] {
    dataset(2, 0, [0, 4]) + datasets.flatMap { dataset($0.0, $0.1) } + dataset(120, "Caption")
  }

  static func metadata(_ bytes: [UInt8]) throws -> Metadata {
    var metadata = Metadata()
    try IPTCData(Bytes(bytes)).read(into: &metadata)
    return metadata
  }

  static func edited(_ bytes: [UInt8], _ edit: MetadataEdit) throws -> [UInt8]? {
    try IPTCData(Bytes(bytes)).edited(by: edit)
  }
}
