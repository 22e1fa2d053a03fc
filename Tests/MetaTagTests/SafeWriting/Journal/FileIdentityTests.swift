import Testing

@testable import MetaTag

@Suite("File identities")
struct FileIdentityTests {
  private static let text = #"""
    {"device":2049,"inode":18446744073709551615,"size":12,"modified":{"seconds":-3,"nanoseconds":5},\#
    "changed":{"seconds":1700000000,"nanoseconds":999999999}}
    """#

  @Test("An identity is read as 0.1.0 wrote it, with any numbers of a file system.")
  func read() throws {
    let identity = try FileIdentity(json: Self.text)
    #expect(identity.inode == .max && identity.size == 12)
    #expect(identity.modified == FileTime(seconds: -3, nanoseconds: 5))
    #expect(identity.json == Self.text)
  }

  @Test(
    "An identity in any other form is malformed.",
    arguments: [
      "", "{}", text + " ", text.replacing("12", with: "1-2"), text.replacing("inode", with: "Inode"),
      text.replacing("2049", with: "99999999999999999999"), text.replacing("-3", with: "0-3"),
    ])
  func damaged(_ text: String) {
    let error = #expect(throws: FileError.self) { try FileIdentity(json: text) }
    #expect(error?.kind == .malformed)
  }
}
