import TestSupport
import Testing

@testable import MetaTag

@Suite("File names in Google Takeout")
struct TakeoutNameTests {
  /// Returns the JSON file's name for each photo, or the reason for none.
  private func match(_ photos: [String], _ descriptions: [(name: String, title: String?)]) -> [String] {
    let names = TakeoutNames(
      photos: photos.map { Array($0.utf8) },
      descriptions: descriptions.map {
        TakeoutNames.Description(name: Array($0.name.utf8), title: $0.title.flatMap(TakeoutTitle.init))
      })
    return names.matches.map { match in
      switch match {
      case .success(let index): descriptions[index].name
      case .failure(.noDescription): "none"
      case .failure(let failure): Reason.takeout(failure).values
      }
    }
  }

  @Test(
    "A photo's JSON file is found by its name.",
    arguments: [
      ("IMG_1.jpg", "IMG_1.jpg.json"), ("IMG_1.jpg", "IMG_1.jpg.supplemental-metadata.json"),
      ("IMG_1.jpg", "IMG_1.jpg.suppl.json"), ("IMG_1.jpg", "IMG_1.jpg..json"), ("IMG_1.jpg", "IMG_1.json"),
      ("IMG_1.jpg", "IMG_1.jp.supplemental-meta.json"), ("IMG_1(2).JPG", "IMG_1.JPG(2).json"),
      ("IMG_1(2).JPG", "IMG_1.JPG.supplemental-metadata(2).json"), ("IMG_1(2).JPG", "IMG_1(2).JPG.json"),
      ("IMG_1-edited.jpg", "IMG_1.jpg.json"), ("IMG_1-edited(1).jpg", "IMG_1.jpg.supplemental-met(1).json"),
      ("IMG_1-bearbeitet.jpg", "IMG_1.jpg.json"), ("IMG_1-modifié.jpg", "IMG_1.jpg.json"),
      ("IMG_1-MODIFIE\u{301}.jpg", "IMG_1.jpg.json"), ("IMG_1-EFFECTS.jpg", "IMG_1.jpg.json"),
      ("Screenshot_20230101-101010_com.google.android.ap.png", "Screenshot_20230101-101010_com.google.android..json"),
    ])
  func one(photo: String, description: String) {
    #expect(match([photo], [(description, nil)]) == [description])
  }

  @Test(
    "Another photo's JSON file is not used.",
    arguments: [
      ("IMG_1(1).jpg", "IMG_1.jpg.json"), ("IMG_1.jpg", "IMG_1.jpg(1).json"), ("IMG_1.jpg", "IMG_1.HEIC.json"),
      ("IMG_1.jpg", "IMG_11.jpg.json"), ("IMG_11.jpg", "IMG_1.jpg.json"), ("IMG_1.jpg", "IMG_1.jpg.other.json"),
      ("IMG_1.MP4", "IMG_1.HEIC.json"), ("IMG_1-edited(1).jpg", "IMG_1.jpg.json"), ("IMG_1.jpg", "metadata.json"),
    ])
  func foreign(photo: String, description: String) {
    #expect(match([photo], [(description, nil)]) == ["none"])
  }

  @Test("Two candidates are refused and both named, unless a title decides.")
  func doubt() {
    let two = [("IMG_1(1).jpg.json", nil), ("IMG_1.jpg(1).json", nil as String?)]
    #expect(
      match(["IMG_1(1).jpg"], two)
        == ["severalTakeoutFiles([IMG_1(1).jpg.json, IMG_1.jpg(1).json])"])
    let long = String(repeating: "a", count: 46)
    let photos = [long + "1.jpg", long + "2.jpg"]
    #expect(match(photos, [(long + ".json", nil)]).allSatisfy { $0.hasPrefix("severalTakeoutPhotos") })
    #expect(match(photos, [(long + ".json", long + "2 and more.jpg")]) == ["none", long + ".json"])
    #expect(
      match(photos, [(long + ".json", long + "2 and more.jpg"), (long + "(1).json", long + "1.jpg")])
        == [long + "(1).json", long + ".json"])
    #expect(
      match(["IMG_1.jpg", "IMG_1.png"], [("IMG_1.json", nil)]).allSatisfy {
        $0.hasPrefix("severalTakeoutPhotos(IMG_1.json, ")
      })
    #expect(match(["IMG_1.jpg", "IMG_1.png"], [("IMG_1.json", "IMG_1.png")]) == ["none", "IMG_1.json"])
  }

  @Test("If numbers don't match the photos, two photos that fit each other's JSON files are refused.")
  func foreignNumbers() {
    let base = "Einladung zur Geburtstagsfeier von Oma Gertrude"
    let cut = String(base.prefix(46))
    let descriptions = [
      (cut + ".json", base + " Entwurf.png"), (cut + "(1).json", base + ".jpg"),
      (cut + "(2).json", base + ".jpg" as String?),
    ]
    let found = match([base + ".png", base + ".jpg", base + "(1).jpg"], descriptions)
    #expect(found[0] == cut + ".json")
    for lack in found[1...] {
      #expect(
        lack == "severalTakeoutFiles([\(cut)(1).json, \(cut)(2).json])")
    }
  }

  @Test("Names match in either Unicode form, unless that makes two equal.")
  func spellings() {
    let (composed, decomposed) = ("\u{D6}l.jpg", "O\u{308}l.jpg")
    #expect(match([composed], [(decomposed + ".json", nil)]) == [decomposed + ".json"])
    #expect(match([decomposed], [(composed + ".json", composed)]) == [composed + ".json"])
    #expect(
      match([composed, decomposed], [(decomposed + ".json", nil), (composed + ".json", nil)])
        == [composed + ".json", decomposed + ".json"])
  }

  @Test("A photo in exports of two days uses the first of its JSON files.")
  func twice() {
    let names = TakeoutNames(
      photos: [Array("a.jpg".utf8)],
      descriptions: ["a.jpg.json", "a.jpg.supplemental-metadata.json"].map {
        TakeoutNames.Description(name: Array($0.utf8), title: TakeoutTitle("a.jpg"), identity: "https://photos/1")
      })
    #expect(names.matches == [.success(0)])
  }

  @Test("A Live Photo's movie uses its still's JSON file unless it has one; a still never uses a movie's.")
  func movies() {
    let still = "IMG_1.HEIC.supplemental-metadata.json"
    #expect(match(["IMG_1.HEIC", "IMG_1.MP4"], [(still, "IMG_1.HEIC")]) == [still, still])
    #expect(match(["IMG_1.HEIC", "IMG_1(1).MP4"], [(still, "IMG_1.HEIC")]) == [still, "none"])
    #expect(
      match(["IMG_1.HEIC", "IMG_1.MP4"], [(still, nil), ("IMG_1.MP4.json", nil)]) == [still, "IMG_1.MP4.json"])
    #expect(match(["IMG_1.HEIC", "IMG_1.MP4"], [("IMG_1.MP4.json", nil)]) == ["none", "IMG_1.MP4.json"])
    #expect(
      match(["PXL_1.MP.jpg", "PXL_1.MP"], [("PXL_1.MP.jpg.json", nil)])
        == Array(repeating: "PXL_1.MP.jpg.json", count: 2))
    #expect(
      match(["PXL_1.MP~2.jpg", "PXL_1.MP~2"], [("PXL_1.MP~2.jpg.json", nil)])
        == Array(repeating: "PXL_1.MP~2.jpg.json", count: 2))
  }

  @Test("A title matches even if a file system replaced some of its letters.")
  func titles() throws {
    let title = try #require(TakeoutTitle("Tom &amp; Jerry&#39;s: what?.jpg"))
    #expect(title.isOf(Array("Tom _ Jerry_s_ what_.jpg".utf8)) && title.isOf(Array("Tom & Jerry's_ what_.jpg".utf8)))
    #expect(!title.isOf(Array("Tim _ Jerry_s_ what_.jpg".utf8)))
    #expect(try #require(TakeoutTitle("Caf\u{E9}.jpg")).isOf(Array("Cafe\u{301}.jpg".utf8)))
  }

  @Test(
    "Of thousands of difficult names, nearly all get the right JSON file and none a wrong one.",
    arguments: [false, true])
  func thousands(isOld: Bool) {
    let export = TakeoutExport(seed: isOld ? 2 : 1, count: 6_000, isOld: isOld)
    let found = match(export.photos.map(\.name), export.descriptions.map { ($0.name, $0.title) })
    var (right, possible): (Int, Int) = (0, 0)
    for (photo, found) in zip(export.photos, found) {
      if photo.description != nil { possible += 1 }
      if found == photo.description { right += 1 }
      let isWrong = found.hasSuffix(".json") && found != photo.description && !found.contains(": ")
      #expect(!isWrong, "\(photo.name): \(found), not \(photo.description ?? "none")")
    }
    #expect(possible > 5_500)
    #expect(Double(right) >= 0.999 * Double(possible), "\(right) of \(possible)")
  }
}
