import Foundation
import TestSupport
import Testing

@testable import MetaTag

@Suite("XMP of a picture that is encoded again")
struct RecodedMetadataTests {
  private static let packet = """
    <x:xmpmeta xmlns:x="adobe:ns:meta/"><rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#">
    <rdf:Description rdf:about="" xmlns:mwg-rs="http://www.metadataworkinggroup.com/schemas/regions/"
     xmlns:stArea="http://ns.adobe.com/xmp/sType/Area#" xmlns:stDim="http://ap.adobe.com/xmp/sType/Dimensions#"
     xmlns:hdrgm="http://ns.adobe.com/hdr-gain-map/1.0/" xmlns:dc="http://purl.org/dc/elements/1.1/"
     hdrgm:Version="1.0" dc:format="image/jpeg">
    <mwg-rs:Regions rdf:parseType="Resource">
    <mwg-rs:AppliedToDimensions stDim:w="800" stDim:h="600" stDim:unit="pixel"/>
    <mwg-rs:RegionList><rdf:Bag><rdf:li rdf:parseType="Resource"><mwg-rs:Name>Ann</mwg-rs:Name>
    <mwg-rs:Type>Face</mwg-rs:Type>
    <mwg-rs:Area stArea:x="0.2" stArea:y="0.1" stArea:w="0.1" stArea:h="0.15" stArea:unit="normalized"/>
    </rdf:li></rdf:Bag></mwg-rs:RegionList></mwg-rs:Regions></rdf:Description></rdf:RDF></x:xmpmeta>
    """

  /// Where the middle of the region is in the upright picture (TIFF 6.0, Orientation).
  @Test(
    "Regions turn with the picture.",
    arguments: [
      (1, 0.2, 0.1), (2, 0.8, 0.1), (3, 0.8, 0.9), (4, 0.2, 0.9), (5, 0.1, 0.2), (6, 0.9, 0.2), (7, 0.9, 0.8),
      (8, 0.1, 0.8),
    ] as [(Int, Double, Double)])
  func regions(orientation: Int, x: Double, y: Double) throws {
    let size = try #require(PixelSize(width: 300, height: 400))
    let new = XMPTree.recoded(Array(Self.packet.utf8), orientation: orientation, size: size)
    let region = try #require(try XMPTree(new).regions.first)
    #expect(abs(region.x + region.width / 2 - x) < 1e-6 && abs(region.y + region.height / 2 - y) < 1e-6)
    #expect(region.name == "Ann" && region.width == (orientation > 4 ? 0.15 : 0.1))
    let text = String(decoding: new, as: UTF8.self)
    #expect(text.contains("stDim:w=\"300\"") && text.contains("stDim:h=\"400\""))
    #expect(!text.contains("hdrgm:Version") && text.contains("dc:format"))
  }

  @Test(
    "Gain maps in additional pictures are found; a copy without them doesn't claim any.",
    .enabled(if: Corpus.isThere, "\(Corpus.absence)"))
  func gainMaps() throws {
    let codecs = try PictureCodecs()
    for name in ["Ultra_HDR_Samples_Originals_01.jpg", "apple_gainmap_new.jpg"] {
      let photo = try ImageSource(Corpus.shared.appending(path: "corpus/jpeg-special/" + name).filePath)
      #expect(photo.properties.auxiliaryImages == [.gainMap] && photo.properties.subtypes.contains(.hdr), "\(name)")
      let file = try ImageDestination(.jpeg, of: photo, scaling: .maxPixels(400), codecs: codecs).finalize()
      let copy = try ImageSource(bytes: file.bytes)
      #expect(copy.properties.auxiliaryImages.isEmpty, "\(name)")
      #expect(file.losses.map(\.code).contains(.recoded) && file.losses.map(\.code).contains(.scaledDown))
    }
  }

  @Test("A copy in the same format needs no encoder, whatever the format.")
  func sameFormat() throws {
    for name in ["cirrus-04-signpost.png", "borealis-06-ferns.tif", "cirrus-03-falls.mov", "raw/delta-01.nef"] {
      let photo = try ImageSource(Corpus.project.appending(path: "SampleImages/" + name).filePath)
      var edit = MetadataEdit()
      edit.location = .set(Location(try .at(46, 14)))
      let file = try ImageDestination(photo.type, of: photo, applying: edit, codecs: .none).finalize()
      #expect(file.losses.isEmpty)
      #expect(try file.bytes == photo.bytes(applying: edit), "\(name)")
    }
  }

  @Test("Another format is a loss of the original encoding.")
  func otherFormat() throws {
    let photo = try ImageSource(Corpus.project.appending(path: "SampleImages/cirrus-01-boat.heic").filePath)
    #expect(try ImageDestination(.jpeg, of: photo, codecs: PictureCodecs()).finalize().losses.map(\.code) == [.recoded])
  }
}
