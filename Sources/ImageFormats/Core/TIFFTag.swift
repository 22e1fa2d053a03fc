/// The numbers of the tags of IFD0 and the EXIF directory that the code refers to (TIFF 6.0, CIPA DC-008 3.0, DNG 1.7).
package enum TIFFTag {
  static let newSubfileType: UInt16 = 0x00FE
  static let imageWidth: UInt16 = 0x0100
  static let imageLength: UInt16 = 0x0101
  static let bitsPerSample: UInt16 = 0x0102
  static let compression: UInt16 = 0x0103
  static let photometricInterpretation: UInt16 = 0x0106
  package static let make: UInt16 = 0x010F
  package static let model: UInt16 = 0x0110
  static let stripOffsets: UInt16 = 0x0111
  package static let orientation: UInt16 = 0x0112
  static let extraSamples: UInt16 = 0x0152
  static let samplesPerPixel: UInt16 = 0x0115
  static let stripByteCounts: UInt16 = 0x0117
  static let planarConfiguration: UInt16 = 0x011C
  package static let dateTime: UInt16 = 0x0132
  static let tileWidth: UInt16 = 0x0142
  static let tileLength: UInt16 = 0x0143
  static let tileOffsets: UInt16 = 0x0144
  static let tileByteCounts: UInt16 = 0x0145
  static let subIFDs: UInt16 = 0x014A
  static let jpegTables: UInt16 = 0x015B
  package static let jpegOffset: UInt16 = 0x0201
  static let jpegByteCount: UInt16 = 0x0202
  package static let xmp: UInt16 = 0x02BC
  package static let iptc: UInt16 = 0x83BB
  package static let photoshop: UInt16 = 0x8649
  static let colorProfile: UInt16 = 0x8773
  static let exifIFD: UInt16 = 0x8769
  package static let gpsIFD: UInt16 = 0x8825
  package static let userComment: UInt16 = 0x9286
  package static let customRendered: UInt16 = 0xA401
  package static let xResolution: UInt16 = 0x011A
  package static let yResolution: UInt16 = 0x011B
  package static let resolutionUnit: UInt16 = 0x0128
  static let exifVersion: UInt16 = 0x9000
  static let dateTimeOriginal: UInt16 = 0x9003
  static let dateTimeDigitized: UInt16 = 0x9004
  static let offsetTime: UInt16 = 0x9010
  static let offsetTimeOriginal: UInt16 = 0x9011
  static let offsetTimeDigitized: UInt16 = 0x9012
  static let componentsConfiguration: UInt16 = 0x9101
  /// A description of the edits made to the picture.
  static let imageHistory: UInt16 = 0x9213
  package static let makerNote: UInt16 = 0x927C
  static let subSecTime: UInt16 = 0x9290
  static let subSecTimeOriginal: UInt16 = 0x9291
  static let subSecTimeDigitized: UInt16 = 0x9292
  package static let photoshopLayers: UInt16 = 0x935C
  static let flashpixVersion: UInt16 = 0xA000
  package static let colorSpace: UInt16 = 0xA001
  static let pixelXDimension: UInt16 = 0xA002
  static let pixelYDimension: UInt16 = 0xA003
  package static let interoperabilityIFD: UInt16 = 0xA005
  static let bodySerialNumber: UInt16 = 0xA431
  package static let lensModel: UInt16 = 0xA434
  static let dngVersion: UInt16 = 0xC612
  package static let dngPrivateData: UInt16 = 0xC634
  /// The date of a DNG's preview.
  static let previewDateTime: UInt16 = 0xC71B

  /// All tags that hold a date or a part of one.
  package static let dates: Set<UInt16> = [
    dateTime, dateTimeOriginal, dateTimeDigitized, offsetTime, offsetTimeOriginal, offsetTimeDigitized, subSecTime,
    subSecTimeOriginal, subSecTimeDigitized, imageHistory, previewDateTime,
  ]
}

/// The numbers of the tags of the GPS directory (CIPA DC-008 3.0, 4.6.7).
package enum GPSTag {
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
