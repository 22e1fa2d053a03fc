import CSys
package import Foundation

/// The counties (second-level regions) of places, as written by Scripts/borders (which describes the format).
package struct Counties {
  let names: [String]
  private let numbers: [Int64: UInt16]

  package init(_ bytes: Data) throws(GeoIndexError) {
    var packed = try BorderReader(bytes, magic: "MTCOUNT1")
    let length = try packed.nextNumber()
    // An upper limit: the ids and names of all places in the world are shorter.
    guard length <= 1 << 26 else { throw BorderReader.damaged }
    let stream: [UInt8] = try packed.next(packed.rest)
    var got = uLong(length)
    let body = [UInt8](unsafeUninitializedCapacity: length) { buffer, filled in
      filled = uncompress(buffer.baseAddress, &got, stream, uLong(stream.count)) == Z_OK ? Int(got) : 0
    }
    guard body.count == length else { throw BorderReader.damaged }
    var reader = BorderReader(Data(body))
    let (count, ids) = (try reader.nextNumber(), try reader.nextNumber())
    let steps: [UInt8] = try reader.next(ids)
    let counties: [UInt16] = try reader.next(count)
    names = try reader.nextText(reader.rest)

    var (found, id, step, shift) = ([Int64: UInt16](minimumCapacity: count), Int64(0), Int64(0), Int64(0))
    for byte in steps {
      guard shift < 42 else { throw BorderReader.damaged }
      step |= Int64(byte & 0x7F) << shift
      shift += 7
      guard byte < 0x80 else { continue }
      id += step
      (step, shift) = (0, 0)
      guard found.count < count, counties[found.count] < names.count, found[id] == nil else {
        throw BorderReader.damaged
      }
      found[id] = counties[found.count]
    }
    guard found.count == count else { throw BorderReader.damaged }
    numbers = found
  }

  /// Returns the number of a place's county; nil if unknown.
  func number(of id: Int64) -> UInt16? { numbers[id] }
}
