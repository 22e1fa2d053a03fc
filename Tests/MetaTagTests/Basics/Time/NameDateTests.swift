import Testing

@testable import MetaTag

@Suite("Dates in file names")
struct NameDateTests {
  @Test(
    "The date is read from names that phones, cameras, messengers and screenshots give.",
    arguments: [
      ("IMG_20240523_183841.jpg", "2024-05-23T18:38:41"),
      ("IMG_20240523_183841601.jpg", "2024-05-23T18:38:41.601"),
      ("20240523_183841.heic", "2024-05-23T18:38:41"),
      ("20240523183841.jpg", "2024-05-23T18:38:41"),
      ("PXL_20240523_093841601.jpg", "2024-05-23T09:38:41.601+00:00"),
      ("PXL_20240523_093841601.MP.jpg", "2024-05-23T09:38:41.601+00:00"),
      ("VID_20240523_183841_001.mp4", "2024-05-23T18:38:41"),
      ("2024-05-23 18.38.41.jpg", "2024-05-23T18:38:41"),
      ("2024-05-23 18.38.41-1.jpg", "2024-05-23T18:38:41"),
      ("2024-05-23_18-38-41-001.jpg", "2024-05-23T18:38:41"),
      ("Screenshot_20240523-183841.png", "2024-05-23T18:38:41"),
      ("Screenshot_2024-05-23-18-38-41-601_com.android.jpg", "2024-05-23T18:38:41.601"),
      ("viber_image_2024-05-23_18-38-41-601.jpg", "2024-05-23T18:38:41.601"),
      ("1757530266_viber_image_2024-05-23_18-38-41-601.jpg", "2024-05-23T18:38:41.601"),
      ("Screenshot 2024-05-23 at 6.38.41 PM.png", "2024-05-23T18:38:41"),
      ("Screenshot 2024-05-23 at 12.38.41\u{202F}AM.png", "2024-05-23T00:38:41"),
      ("Screenshot 2023-09-28 at 3.36.25 p.m..jpg", "2023-09-28T15:36:25"),
      ("Screen Shot 2020-03-25 at 12.01.13 a.m..jpg", "2020-03-25T00:01:13"),
      ("Screenshot 2024-05-23 at 6.38.41\u{A0}PM.jpg", "2024-05-23T18:38:41"),
      ("WhatsApp Image 2024-05-23 at 6.38.41 p. m..jpeg", "2024-05-23T18:38:41"),
      ("Captura de pantalla 2024-05-23 6.38.41\u{A0}p.\u{A0}m. (2).jpeg", "2024-05-23T18:38:41"),
      ("Screenshot 2024-05-23 at 6.38.41 μ.μ..png", "2024-05-23"),
      ("Screenshot 2024-05-23 at 6.38.41 du.png", "2024-05-23"),
      ("2024-05-23 6.38.41 Amsterdam.jpg", "2024-05-23"),
      ("2024-05-23 06.38.41 Amsterdam.jpg", "2024-05-23T06:38:41"),
      ("2024-05-23 6.38.41 (2).jpg", "2024-05-23T06:38:41"),
      ("Bildschirmfoto 2024-05-23 um 18.38.41.png", "2024-05-23T18:38:41"),
      ("Capture d’écran 2024-05-23 à 18.38.41.png", "2024-05-23T18:38:41"),
      ("Captura de pantalla 2024-05-23 a la(s) 18.38.41.png", "2024-05-23T18:38:41"),
      ("Captura de ecrã 2024-05-23, às 18.38.41.png", "2024-05-23T18:38:41"),
      ("Снимок экрана 2024-05-23 в 18.38.41.png", "2024-05-23T18:38:41"),
      ("Skärmavbild 2024-05-23 kl. 18.38.41.png", "2024-05-23T18:38:41"),
      ("Näyttökuva 2024-05-23 kello 18.38.41.png", "2024-05-23T18:38:41"),
      ("Στιγμιότυπο 2024-05-23, 6.38.41 μ.μ..png", "2024-05-23"),
      ("スクリーンショット 2024-05-23 午後6.38.41.png", "2024-05-23T18:38:41"),
      ("截屏2024-05-23 上午12.38.41.png", "2024-05-23T00:38:41"),
      ("스크린샷 2024-05-23 오후 6.38.41.png", "2024-05-23T18:38:41"),
      ("2024-05-23 18 38 41.jpg", "2024-05-23T18:38:41"),
      ("2019-07-03 und 04.07.19.jpg", "2019-07-03"), ("2024-06-10 bis 12.06.24.jpg", "2024-06-10"),
      ("Foto 23.05.24, 18 38 41.jpg", "2024-05-23T18:38:41"), ("23.05.2024, 18 38 41 (2).heic", "2024-05-23T18:38:41"),
      ("Foto 05.23.24, 18 38 41.jpg", nil), ("Foto 23.05.24, 18 38.jpg", nil), ("Photo 5-23-24, 18 38 41.jpg", nil),
      ("photo_5@23-05-2024_18-38-41.jpg", "2024-05-23T18:38:41"), ("a@23-13-2024_18-38-41.jpg", nil),
      ("WhatsApp Image 2024-05-23 at 6.38.41 PM (1).jpeg", "2024-05-23T18:38:41"),
      ("WhatsApp Image 2024-05-23 at 18.38.41_ab12cd.jpg", "2024-05-23T18:38:41"),
      ("signal-2024-05-23-18-38-41-601.jpg", "2024-05-23T18:38:41.601"),
      ("signal-2024-05-23-183841_002.jpeg", "2024-05-23T18:38:41"),
      ("WP_20150523_18_38_41_Pro.jpg", "2015-05-23T18:38:41"),
      ("DJI_20240523183841_0001_D.JPG", "2024-05-23T18:38:41"),
      ("DJI_20240523_183841-0001.JPG", "2024-05-23T18:38:41"),
      ("2024-05-23T18:38:41Z.jpg", "2024-05-23T18:38:41+00:00"),
      ("20240523T183841+0900.jpg", "2024-05-23T18:38:41+09:00"),
      ("2024-05-23T18:38:41.601-03:00.jpg", "2024-05-23T18:38:41.601-03:00"),
      ("IMG_20240523_183841_1234567890123.jpg", "2024-05-23T18:38:41"),
      ("IMG_20240523_1716457121601.jpg", "2024-05-23T09:38:41.601+00:00"),
      ("IMG_20240523_1234567890123.jpg", "2024-05-23"),
      ("FB_IMG_1716457121601.jpg", "2024-05-23T09:38:41.601+00:00"),
      ("mmexport1716457121601.jpg", "2024-05-23T09:38:41.601+00:00"),
      ("1716457121005", "2024-05-23T09:38:41.005+00:00"),
      ("IMG-20240523-WA0007.jpg", "2024-05-23"), ("VID-20240523-WA0001.mp4", "2024-05-23"),
      ("2024-05-23.jpg", "2024-05-23"), ("Scan 1975_06_01 aunt.tif", "1975-06-01"),
      ("IMG_20240523_253841.jpg", "2024-05-23"), ("3 of 20240523.jpg", "2024-05-23"),
      ("20241332_20240523_183841.jpg", "2024-05-23T18:38:41"),
      ("DSC01234.JPG", nil), ("GX010042.MP4", nil), ("IMG_1234.HEIC", nil), ("P1030405.JPG", nil),
      ("20240230.jpg", nil), ("1234567890128_2.jpg", nil), ("2024_0523_990000.jpg", nil),
      ("20240523_183841zoo.jpg", "2024-05-23T18:38:41"), ("20240523_183841_AM.jpg", "2024-05-23T18:38:41"),
      ("IMG_20240523_083841_PM.jpg", "2024-05-23T08:38:41"), ("2024-05-23 - 10-12-20.jpg", "2024-05-23"),
      ("120240523.jpg", nil), ("202405231.jpg", nil), ("0016457121601.jpg", nil),
      ("17164571216011.jpg", nil), ("", nil), (".jpg", nil), ("2024-05.jpg", nil),
    ] as [(String, String?)])
  func names(name: String, expected: String?) {
    #expect(recorded(by: name) == expected)
  }

  @Test(
    "A time is in UTC only if its name says so or its kind always is.",
    arguments: [
      ("2024-05-23_09-38-41_UTC.jpg", "09:38:41+00:00"), ("2024-05-23_09-38-41_UTC_1.jpg", "09:38:41+00:00"),
      ("aunt_2024-05-23_09-38-41_UTC_profile.jpg", "09:38:41+00:00"),
      ("2024-05-23 09.38.41 GMT (2).jpg", "09:38:41+00:00"), ("20240523T093841utc.jpg", "09:38:41+00:00"),
      ("2024-05-23 18.38.41 UTC+9.jpg", "18:38:41"), ("2024-05-23 10.38.41 GMT +01.jpg", "10:38:41"),
      ("2024-05-23 18.38.41 Utca.jpg", "18:38:41"), ("UTC_20240523_183841.jpg", "18:38:41"),
      ("Copy of PXL_20240523_093841601.jpg", "09:38:41.601+00:00"),
      ("original_0a1b_PXL_20240523_093841601.jpg", "09:38:41.601+00:00"),
      ("TRIM_PXL_20240523_093841601.mp4", "09:38:41.601+00:00"),
      ("01-pxl_20240523_093841601.jpg", "09:38:41.601+00:00"),
      ("APXL_20240523_183841601.jpg", "18:38:41.601"), ("PXL_b_20240523_183841601.jpg", "18:38:41.601"),
      ("20240523_093841123_iOS.heic", "09:38:41.123+00:00"), ("20240523_093841123_iOS 1.jpg", "09:38:41.123+00:00"),
      ("20240523_093841123_ios-1.mov", "09:38:41.123+00:00"), ("20240523_183841_iOS.jpg", "18:38:41"),
      ("GMT20240523-093841_Recording_1920x1080.mp4", "09:38:41+00:00"),
    ])
  func universalTime(name: String, expected: String) { #expect(recorded(by: name) == "2024-05-23T" + expected) }

  @Test(
    "A day and a time may be separated by words of several languages or by hyphens.",
    arguments: [
      ("Imagem do WhatsApp de 2024-05-23 à(s) 18.38.41_abcd1234.jpg", "18:38:41"),
      ("Immagine WhatsApp 2024-05-23 ore 18.38.41_abcd1234.jpg", "18:38:41"),
      ("Gambar WhatsApp 2024-05-23 pukul 18.38.41_abcd1234.jpg", "18:38:41"),
      ("Hình ảnh WhatsApp 2024-05-23 lúc 18.38.41_abcd1234.jpg", "18:38:41"),
      ("WhatsApp 圖片 2024-05-23 於 18.38.41_abcd1234.jpg", "18:38:41"),
      ("WhatsApp 图像2024-05-23于18.38.41_abcd1234.jpg", "18:38:41"),
      ("WhatsApp-Image-2024-05-23-at-18.38.41.jpeg", "18:38:41"),
      ("WhatsApp-Image-2024-05-23-at-6.38.41-PM-1.jpeg", "18:38:41"),
      ("WhatsApp_Image_2024-05-23_at_6.38.41_PM.jpeg", "18:38:41"),
      ("Screenshot_2024-05-23_at_06.38.41_PM_(2).png", "18:38:41"),
      ("2024-05-23_06-38-41_PM.jpg", "18:38:41"), ("2024-05-23_18-38-41_am_Meer.jpg", "18:38:41"),
      ("Képernyőfotó 2024-05-23 - 18.38.41.png", "18:38:41"),
      ("Snímek obrazovky 2024-05-23 v 18.38.41.png", "18:38:41"),
      ("スクリーンショット 2024-05-23 午後0.38.41.png", "12:38:41"), ("スクリーンショット 2024-05-23 午前0.38.41.png", "00:38:41"),
      ("2024_0523_183841_001F.mp4", "18:38:41"), ("Screenshot_2024_0523_183841.png", "18:38:41"),
    ])
  func words(name: String, expected: String) { #expect(recorded(by: name) == "2024-05-23T" + expected) }

  @Test(
    "Unix seconds and milliseconds are read as a date, also in names of copies.",
    arguments: [
      ("RPReplay_Final1716457121.mp4", "09:38:41+00:00"), ("RPReplay_Final1716457121 (1).mov", "09:38:41+00:00"),
      ("mmexport1716457121601(1).jpg", "09:38:41.601+00:00"), ("FB_IMG_1716457121601 (2).jpg", "09:38:41.601+00:00"),
      ("FB_IMG_1716457121601~2.jpg", "09:38:41.601+00:00"), ("FB_IMG_1716457121601_1.jpg", "09:38:41.601+00:00"),
      ("FB_IMG_1716457121601-edited.jpg", "09:38:41.601+00:00"),
      ("mmexport1716457121601_edit_1234567890123.jpg", "09:38:41.601+00:00"),
    ])
  func counted(name: String, expected: String) { #expect(recorded(by: name) == "2024-05-23T" + expected) }

  @Test(
    "A number that counts or identifies something else is not a date.",
    arguments: [
      "0978020137962.jpg", "1716457121.jpg", "a1716457121601_1920x1080.jpg", "IMG_2024_0523.jpg", "2024_0523_18384.jpg",
      "RPReplay_Final.MP4", "RPReplay_Final17164571211.mp4", "2024_1323_183841.jpg",
    ])
  func others(name: String) { #expect(recorded(by: name) == nil) }

  private func recorded(by name: String) -> String? {
    switch NameDate(fileName: name) {
    case .time(let time): "\(time)"
    case .day(let day): String("\(day)".prefix(10))
    case nil: nil
    }
  }

  @Test(
    "A lone year or month in a name is a date, unless the number may mean something else.",
    arguments: [
      ("Urlaub 1975.jpg", "1975"), ("1975 Oma.jpg", "1975"), ("1975.jpg", "1975"), ("1975", "1975"),
      ("1975-08 Oma.jpg", "1975-08"), ("1975_08 Oma.jpg", "1975-08"), ("1975-08.tif", "1975-08"),
      ("1975-08-Oma.jpg", "1975-08"), ("Sommerurlaub_1975.jpg", "1975"), ("Oma (1975).jpg", "1975"),
      ("Oma 1975 (3).jpg", "1975"), ("Urlaub 1975 003.jpg", "1975"), ("Oma am See, 1975.jpg", "1975"),
      ("Oma 1975 am See.jpg", "1975"), ("祖母 1975.jpg", "1975"), ("Weihnachten-1968.png", "1968"),
      ("Oma 1975-08.jpg", "1975-08"), ("Oma 1975-08 (2).jpg", "1975-08"), ("Oma 1975-08 Garten.jpg", "1975-08"),
      ("Urlaub 1975-03.jpg", "1975-03"), ("Oma 1975-13.jpg", nil), ("Oma 1975-78.jpg", nil), ("IMG 1975-08.jpg", nil),
      // Full hundreds are more often names than years.
      ("Hotel 1900.jpg", nil), ("Windows 2000.png", nil), ("Hotel 1900 Zimmer.jpg", nil), ("Millennium, 2000.jpg", nil),
      ("2000 Malta.jpg", "2000"), ("1900.jpg", "1900"), ("Malta (2000).jpg", "2000"), ("Oma 1900-08.jpg", "1900-08"),
      ("1902 Hochzeit.jpg", "1902"), ("2003 Malta.jpg", "2003"),
      // Counted pictures, cameras, and sizes.
      ("IMG_1975.jpg", nil), ("DSC01975.jpg", nil), ("DSC_1975.jpg", nil), ("Canon 1975 pixels.jpg", nil),
      ("Canon 1975.jpg", nil), ("Foto 1975.jpg", nil), ("Scan 1975.jpg", nil), ("ABCD_1975.jpg", nil),
      ("abc_1975.jpg", nil), ("1920 px.jpg", nil), ("1920x1080.jpg", nil), ("wallpaper 1920.jpg", nil),
      ("1975 photos.jpg", nil), ("IMG 1975.jpg", nil), ("MVI-1975.avi", nil), ("P1975.jpg", nil),
      // Several years, parts of longer numbers, days.
      ("1975-1978.jpg", nil), ("1975 und 1976.jpg", nil), ("1975-78 Oma.jpg", nil), ("Urlaub 1975_03.jpg", nil),
      ("1975-13 Oma.jpg", nil), ("24.12.1975 Oma.jpg", nil), ("12-1975.jpg", nil), ("Oma 1975 12345.jpg", nil),
      ("19751.jpg", nil), ("1839 Oma.jpg", nil), ("1975a.jpg", nil), ("Oma.1975.jpg", nil), ("", nil),
      ("1975-08-32.jpg", nil), ("1975-08-001.jpg", nil),
    ] as [(String, String?)])
  func partial(name: String, expected: String?) {
    #expect(PartialDate(fileName: name).map { "\($0)" } == expected)
  }
}
