import SystemPackage
import Testing

@testable import MetaTag

/// Leftovers of programs that don't write whole sidecars, and leftovers that an edit must not create.
@Suite("Edge cases of XMP files")
struct XMPFileEdgeTests {
  private func image(_ bytes: [UInt8]) throws -> ImageSource { try ImageSource(Bytes(bytes), path: "a.xmp") }

  @Test("Coarsening again changes nothing, and no empty description remains.")
  func coarsenedAgain() throws {
    var edit = MetadataEdit()
    var coarse = Location(try .at(6.539862, 60.8673))
    coarse.horizontalError = 7_100
    edit.location = .set(coarse)
    edit.erasesOldPlace = true
    var precise = MetadataEdit()
    precise.location = .set(Location(try .at(6.5, 60.8)))
    let empty = XMPSample.packet("photoshop:City='X' xmp:Rating='3'")
    let stated = try image(empty).patch(for: precise).applied(to: Bytes(empty))
    for bytes in [XMPFileTests.located, empty, stated] {
      let new = try image(bytes).patch(for: edit).applied(to: Bytes(bytes))
      let metadata = try image(new).metadata()
      #expect(metadata.location?.coordinate.isSame(as: try .at(6.539862, 60.8673)) == true)
      #expect(metadata.location?.horizontalError == 7_100 && metadata.placeNames.isEmpty)
      #expect(try image(new).patch(for: edit).isEmpty)
      let descriptions = { (bytes: [UInt8]) in
        String(decoding: bytes, as: UTF8.self).split(separator: "<rdf:Description").count - 1
      }
      #expect(descriptions(new) == max(descriptions(bytes), bytes == empty ? 2 : 1))
    }
  }

  @Test("Remains of a longer packet after the end are refused, not ignored.")
  func stray() throws {
    let tail = XMPSample.packet(padding: 0, end: "").suffix(40)
    for rest in [XMPFileTests.located, Array("\n".utf8) + tail, Array("x".utf8)] {
      let error = #expect(throws: FileError.self) { try image(XMPFileTests.located + rest) }
      #expect(error?.kind == .malformed && error?.description.contains("after the end of the packet") == true)
    }
    for rest in ["\r\n", "\u{0}\u{0}", "<!-- made -->\n<?end?>"] {
      #expect(try image(XMPFileTests.located + Array(rest.utf8)).metadata().location != nil)
    }
  }

  @Test("A sidecar whose content is lost is an error that says how to fix it.")
  func lost() throws {
    for bytes in [[], [0, 0, 0, 0], Array("   ".utf8), Array("junk".utf8)] as [[UInt8]] {
      let error = #expect(throws: FileError.self) { try image(bytes) }
      #expect(error?.remedy == .restoreSidecar)
    }
  }

  @Test("A second packet after the end refuses erasing if it has a location or a date.")
  func embedded() throws {
    let packets = XMPFileTests.located + XMPFileTests.located
    let image = try ImageSource(TIFFTests.photo(ifd0: [700: .bytes(packets)]), path: "made.tif")
    var undated = MetadataEdit()
    undated.erasesDates = true
    for edit in [MetadataEdit.removal, undated] {
      let error = #expect(throws: FileError.self) { try image.patch(for: edit) }
      #expect(error?.kind == .refused)
    }
    let plain = try ImageSource(TIFFTests.photo(ifd0: [700: .bytes(XMPFileTests.located)]), path: "made.tif")
    #expect(try !plain.patch(for: .removal).isEmpty)
  }
}
