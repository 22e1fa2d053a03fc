import ArgumentParser

struct DateCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "date",
    abstract: "Correct when photos were taken.",
    discussion: """
      EXAMPLES:
        metatag date shift +1h23m *.JPG        the camera's clock was slow
        metatag date set 2024-05-01T10:30:00 scan.tif
        metatag date zone Asia/Tokyo *.JPG     no zone is recorded: record it
        metatag date from-name WhatsApp/       names tell it: IMG_20240523_183841.jpg
        metatag date from-track --track day.gpx scan.tif   by its place
        metatag date sequence --start 1975-06-01T12:00 scans/*.tif

      EXIF, XMP and IPTC dates of a photo change together. The date of the file's
      last edit (EXIF ModifyDate) stays.
      """,
    subcommands: [
      DateShiftCommand.self, DateSetCommand.self, DateZoneCommand.self, DateFromNameCommand.self,
      DateFromTrackCommand.self, DateFromGPSCommand.self, DateFromMtimeCommand.self, DateFromJSONCommand.self,
      DateSequenceCommand.self, DateCopyCommand.self, DateSyncMtimeCommand.self, DateCheckCommand.self,
      DateRepairCommand.self,
    ])
}
