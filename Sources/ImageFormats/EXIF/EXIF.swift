/// EXIF tags (CIPA DC-008 3.0) in a TIFF block: reading and writing of time, place and camera.
package enum EXIF {
  /// Tags of IFD0 and the EXIF directory.
  package enum Tag {
    package static let make: UInt16 = 0x010F
    package static let model: UInt16 = 0x0110
    package static let orientation: UInt16 = 0x0112
    package static let dateTime: UInt16 = 0x0132
    static let exifVersion: UInt16 = 0x9000
    static let dateTimeOriginal: UInt16 = 0x9003
    static let dateTimeDigitized: UInt16 = 0x9004
    static let offsetTime: UInt16 = 0x9010
    static let offsetTimeOriginal: UInt16 = 0x9011
    static let offsetTimeDigitized: UInt16 = 0x9012
    static let componentsConfiguration: UInt16 = 0x9101
    static let subSecTime: UInt16 = 0x9290
    static let subSecTimeOriginal: UInt16 = 0x9291
    static let subSecTimeDigitized: UInt16 = 0x9292
    static let flashpixVersion: UInt16 = 0xA000
    package static let colorSpace: UInt16 = 0xA001
    static let pixelXDimension: UInt16 = 0xA002
    static let pixelYDimension: UInt16 = 0xA003
    static let bodySerialNumber: UInt16 = 0xA431
    /// A description of the edits made to the picture.
    static let imageHistory: UInt16 = 0x9213
    /// The date of a DNG's preview.
    static let previewDateTime: UInt16 = 0xC71B
    package static let lensModel: UInt16 = 0xA434

    /// All tags that hold a date or a part of one.
    package static let dates: Set<UInt16> = [
      dateTime, dateTimeOriginal, dateTimeDigitized, offsetTime, offsetTimeOriginal, offsetTimeDigitized, subSecTime,
      subSecTimeOriginal, subSecTimeDigitized, imageHistory, previewDateTime,
    ]
  }

  /// Tags of the GPS directory.
  package enum GPS {
    package static let versionID: UInt16 = 0x00
    static let latitudeRef: UInt16 = 0x01
    package static let latitude: UInt16 = 0x02
    static let longitudeRef: UInt16 = 0x03
    package static let longitude: UInt16 = 0x04
    static let altitudeRef: UInt16 = 0x05
    package static let altitude: UInt16 = 0x06
    static let timeStamp: UInt16 = 0x07
    package static let status: UInt16 = 0x09
    package static let dilutionOfPrecision: UInt16 = 0x0B
    static let speedRef: UInt16 = 0x0C
    package static let speed: UInt16 = 0x0D
    static let trackRef: UInt16 = 0x0E
    package static let track: UInt16 = 0x0F
    static let imageDirectionRef: UInt16 = 0x10
    package static let imageDirection: UInt16 = 0x11
    static let mapDatum: UInt16 = 0x12
    package static let processingMethod: UInt16 = 0x1B
    static let dateStamp: UInt16 = 0x1D
    package static let horizontalError: UInt16 = 0x1F

    /// The four tags of a position.
    package struct PositionTags: Sendable {
      let latitudeRef: UInt16
      let latitude: UInt16
      let longitudeRef: UInt16
      let longitude: UInt16

      var all: [UInt16] { [latitudeRef, latitude, longitudeRef, longitude] }
    }

    /// The position where the picture was taken.
    package static let position = PositionTags(
      latitudeRef: latitudeRef, latitude: latitude, longitudeRef: longitudeRef, longitude: longitude)
    package static let destination = PositionTags(
      latitudeRef: 0x13, latitude: 0x14, longitudeRef: 0x15, longitude: 0x16)

    /// The data about a fix other than its coordinates, without the camera's direction, the datum and the destination.
    package static let companions = Set<UInt16>(0x05...0x1F).subtracting(
      [imageDirectionRef, imageDirection, mapDatum] + destination.all)
    /// The companions that describe the old place, not how it was measured.
    package static let descriptions: [(tag: UInt16, name: String)] = [
      (0x18, "GPSDestBearing"), (0x1A, "GPSDestDistance"), (0x1C, "GPSAreaInformation"),
    ]
  }

  /// The three tags that hold one date.
  package struct DateTags: Sendable {
    package let name: String
    package let date: UInt16
    package let fraction: UInt16
    package let offset: UInt16
    package let ifd: IFD

    package static let original = DateTags(
      name: "DateTimeOriginal", date: Tag.dateTimeOriginal, fraction: Tag.subSecTimeOriginal,
      offset: Tag.offsetTimeOriginal, ifd: .exif)
    /// DateTimeOriginal in IFD0, where TIFF/EP (ISO 12234-2) puts it and some raw files repeat it. Never added.
    static let originalInMain = DateTags(
      name: "IFD0:DateTimeOriginal", date: Tag.dateTimeOriginal, fraction: Tag.subSecTimeOriginal,
      offset: Tag.offsetTimeOriginal, ifd: .ifd0)
    package static let digitized = DateTags(
      name: "DateTimeDigitized", date: Tag.dateTimeDigitized, fraction: Tag.subSecTimeDigitized,
      offset: Tag.offsetTimeDigitized, ifd: .exif)
    /// DateTimeDigitized in IFD0, where scanners write it. Never added.
    static let digitizedInMain = DateTags(
      name: "IFD0:DateTimeDigitized", date: Tag.dateTimeDigitized, fraction: Tag.subSecTimeDigitized,
      offset: Tag.offsetTimeDigitized, ifd: .ifd0)
    package static let modified = DateTags(
      name: "DateTime", date: Tag.dateTime, fraction: Tag.subSecTime, offset: Tag.offsetTime, ifd: .ifd0)

    /// Whether the tags hold the date of digitizing.
    var isDigitized: Bool { date == Tag.dateTimeDigitized }
  }

  /// The content of a date tag.
  package enum DateReading: Hashable, Sendable {
    /// No tag, or only blanks or zeros, which EXIF 4.6.5 defines as unknown.
    case absent
    case time(CaptureTime)
    /// A date with blanks for the time of day, and possibly blanks or zeros for day and month.
    case partial(PartialDate)
    /// A text that is no valid date and time.
    case malformed(String)
  }
}
