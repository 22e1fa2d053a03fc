import ArgumentParser

/// `metatag date`: corrects when photos were taken.
struct DateCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "date",
    abstract: "Correct the dates of photos.",
    discussion: """
      EXAMPLES:
        metatag date shift +1h23m *.JPG
            the camera's clock was 1 h 23 min slow
        metatag date set 2024-05-01T10:30:00 scan.tif
        metatag date zone Asia/Tokyo *.JPG
            record the time zone in photos that have none
        metatag date from-name WhatsApp/
            take dates from names such as IMG_20240523_183841.jpg
        metatag date from-track --track day.gpx scan.tif
            take the date from a track, by the photo's location
        metatag date sequence --start 1975-06-01T12:00 scans/*.tif
            date scans in the order of their names

      The EXIF, XMP and IPTC dates of a photo change together. The date of the last
      edit (EXIF ModifyDate) stays.
      """,
    subcommands: [
      DateShiftCommand.self, DateSetCommand.self, DateZoneCommand.self, DateFromNameCommand.self,
      DateFromTrackCommand.self, DateFromGPSCommand.self, DateFromMtimeCommand.self, DateFromJSONCommand.self,
      DateSequenceCommand.self, DateCopyCommand.self, DateSyncMtimeCommand.self, DateCheckCommand.self,
      DateRepairCommand.self,
    ])
}
