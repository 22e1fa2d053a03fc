import ArgumentParser
import MetaTag

/// `metatag date from-gps`: sets the date of photos from their GPS time.
struct DateFromGPSCommand: PhotoEditing, PhotoCopying {
  static let configuration = CommandConfiguration(
    commandName: "from-gps",
    abstract: "Set the date of photos from their GPS time.",
    usage: "metatag date from-gps [<options>] <files> ...",
    discussion: """
      EXAMPLES:
        metatag date from-gps --dry-run *.JPG
        metatag date from-gps --overwrite replace *.JPG
            the camera's clock was wrong, the GPS time is right
        metatag date from-gps --zone Asia/Tokyo *.JPG

      GPSDateStamp and GPSTimeStamp are in UTC. metatag writes the local time at the
      photo's location, with its UTC offset. Some receivers repeat the time of an
      old fix, indoors for hours: compare with --dry-run first. Photos with a date
      keep it. Photos without a GPS time, or with one of zeros, are skipped.
      """)

  @OptionGroup var dating: DatingOptions
  @OptionGroup(title: "Files") var input: InputOptions
  @OptionGroup var edit: EditOptions
  @OptionGroup(title: "Fallback for HEIF and AVIF", visibility: .shared) var instead: FallbackOptions
  @OptionGroup(title: "Report", visibility: .shared) var output: OutputOptions

  func planner(_ console: Console) -> any Planner {
    let zones = ZoneLookup(console: console)
    var planner = InstantDatePlanner(.satellites) { zones.zone(at: $0) }
    planner.zone = dating.zone
    planner.overwrite = dating.overwrite.rule
    return planner
  }
}
