@testable import MetaTag

/// A TIFF block with one directory, written without code of the library.
struct TIFFSample {
  struct Entry {
    let tag: UInt16
    let format: UInt16
    let components: Int
    let bytes: (Bytes.Order) -> [UInt8]

    static func ascii(_ tag: UInt16, _ text: String) -> Entry {
      Entry(tag: tag, format: 2, components: text.utf8.count + 1) { _ in Array(text.utf8) + [0] }
    }

    static func short(_ tag: UInt16, _ number: UInt16) -> Entry {
      Entry(tag: tag, format: 3, components: 1) { number.bytes($0) }
    }

    static func bytes(_ tag: UInt16, _ bytes: [UInt8]) -> Entry {
      Entry(tag: tag, format: 1, components: bytes.count) { _ in bytes }
    }

    static func undefined(_ tag: UInt16, _ count: Int) -> Entry {
      Entry(tag: tag, format: 7, components: count) { _ in [UInt8](repeating: 0xA5, count: count) }
    }
  }

  let order: Bytes.Order
  let ifd0: [Entry]

  var bytes: [UInt8] {
    var directory = UInt16(ifd0.count).bytes(order)
    var values: [UInt8] = []
    let start = 8 + 2 + ifd0.count * 12 + 4
    for entry in ifd0 {
      let bytes = entry.bytes(order)
      directory += entry.tag.bytes(order) + entry.format.bytes(order) + UInt32(entry.components).bytes(order)
      if bytes.count <= 4 {
        directory += bytes + [UInt8](repeating: 0, count: 4 - bytes.count)
      } else {
        directory += UInt32(start + values.count).bytes(order)
        values += bytes + [UInt8](repeating: 0, count: bytes.count % 2)
      }
    }
    let magic: [UInt8] = order == .big ? Array("MM".utf8) : Array("II".utf8)
    return magic + UInt16(42).bytes(order) + UInt32(8).bytes(order) + directory + UInt32(0).bytes(order) + values
  }
}
