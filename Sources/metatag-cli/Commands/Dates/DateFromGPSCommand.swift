import ArgumentParser
import MetaTag

struct DateFromGPSCommand: PhotoEditing, PhotoCopying {
  static let configuration = CommandConfiguration(
    commandName: "from-gps",
    abstract: "Give photos the time that the satellites gave with their position.",
    usage: "metatag date from-gps [<options>] <files> ...",
    discussion: """
      EXAMPLES:
        metatag date from-gps --dry-run *.JPG
        metatag date from-gps --overwrite replace *.JPG
            the camera's clock was wrong, the receiver's was not
        metatag date from-gps --zone Asia/Tokyo *.JPG

      GPSDateStamp and GPSTimeStamp are UTC; what is written is what a clock at the
      photo's place showed then, and its offset. Some receivers repeat the time of
      an old fix, indoors for hours: compare with --dry-run first. Photos that have
      a date keep it; those without a satellites' time, or with one of zeros, are
      left alone.
      """)

  @OptionGroup var dating: DatingOptions
  @OptionGroup var input: InputOptions
  @OptionGroup var edit: EditOptions
  @OptionGroup var instead: FallbackOptions
  @OptionGroup var output: OutputOptions

  func planner(_ console: Console) -> any Planner {
    let zones = ZoneLookup(console: console)
    var planner = InstantDatePlanner(.satellites) { zones.zone(at: $0) }
    planner.zone = dating.zone
    planner.overwrite = dating.overwrite.rule
    return planner
  }
}
