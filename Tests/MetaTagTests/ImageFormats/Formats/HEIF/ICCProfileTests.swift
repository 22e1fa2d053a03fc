@testable import ImageFormats
import Foundation
import TestSupport
import Testing

@testable import MetaTag

@Suite("ICC profiles for coded colours")
struct ICCProfileTests {
  @Test("Wide colours get a profile that begins with its length.", arguments: [(12, 13), (9, 1)])
  func wide(primaries: Int, transfer: Int) throws {
    let profile = try #require(ICCProfile.standing(for: primaries, transfer))
    #expect(try Bytes(profile).u32(0, .big) == UInt32(profile.count))
  }

  @Test(
    "exiftool reads the name of the colours in the profile.",
    .enabled(if: Oracle.has("exiftool"), "exiftool is missing"),
    arguments: [(12, 13, "Display P3"), (9, 1, "BT.2020")])
  func name(primaries: Int, transfer: Int, name: String) throws {
    let profile = try #require(ICCProfile.standing(for: primaries, transfer))
    let scratch = try Scratch()
    let file = try scratch.write(profile, as: "a.icc")
    let recorded = try Oracle.run("exiftool", ["-s3", "-ProfileDescription", "-ProfileConnectionSpace", file.path]).text
    #expect(recorded == "\(name)\nXYZ\n")
  }

  @Test("sRGB, HDR and unknown colours get no profile.", arguments: [(1, 13), (2, 2), (9, 16), (9, 18), (22, 13)])
  func none(primaries: Int, transfer: Int) {
    #expect(ICCProfile.standing(for: primaries, transfer) == nil)
  }
}
