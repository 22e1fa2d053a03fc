@testable import ImageFormats
@testable import MetaTag

/// Made-up packets.
enum XMPSample {
  static let namespaces = XMPSchema.allCases.filter { $0 != .other }
    .map { " xmlns:\($0.rawValue)=\"\($0.uri)\"" }.joined()

  /// A packet with one description that has these attributes and elements, and some padding.
  static func packet(
    _ attributes: String = "", _ elements: String = "", padding: Int = 500, end: String = "<?xpacket end=\"w\"?>"
  ) -> [UInt8] {
    let text = """
      <?xpacket begin="\u{FEFF}" id="W5M0MpCehiHzreSzNTczkc9d"?>
      <x:xmpmeta xmlns:x="adobe:ns:meta/">
       <rdf:RDF\(namespaces)>
        <rdf:Description rdf:about="" \(attributes)>\(elements)
        </rdf:Description>
       </rdf:RDF>
      </x:xmpmeta>
      """
    return Array((text + String(repeating: " ", count: padding) + end).utf8)
  }

  static func metadata(_ bytes: [UInt8]) throws -> Metadata {
    var metadata = Metadata()
    try XMPPacket(Bytes(bytes)).read(into: &metadata)
    return metadata
  }

  static func edited(_ bytes: [UInt8], _ edit: MetadataEdit) throws -> [UInt8]? {
    try XMPPacket(Bytes(bytes)).edited(by: edit)
  }

  static func text(_ bytes: [UInt8]?) -> String { bytes.map { String(decoding: $0, as: UTF8.self) } ?? "" }
}

extension MetadataEdit {
  static func shift(_ seconds: Int64, _ nanoseconds: Int32 = 0, offset: Change<UTCOffset> = .keep) -> MetadataEdit {
    var edit = MetadataEdit()
    edit.dates = .adjust(TimeShift(seconds: seconds, nanoseconds: nanoseconds), offset: offset)
    return edit
  }

  static func place(_ location: Location, keepsCompanions: Bool = false) -> MetadataEdit {
    var edit = MetadataEdit()
    edit.location = .set(location)
    edit.keepsCompanions = keepsCompanions
    return edit
  }

  static var removingPlace: MetadataEdit {
    var edit = MetadataEdit()
    edit.location = .remove
    return edit
  }
}
