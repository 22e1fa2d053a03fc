import ArgumentParser
import MetaTag

/// The points of a track that may locate a photo.
struct MatchOptions: ParsableArguments {
  @Option(
    help: ArgumentHelp("Longest time between two points to interpolate across. (default: 30m)", valueName: "duration"),
    transform: TimeShift.argument)
  var maxGap: TimeShift?

  @Option(
    help: ArgumentHelp(
      "Longest distance between two points to interpolate across. (default: any; with --from-photos, 2km)",
      valueName: "distance"),
    transform: Measure.metres)
  var maxDistance: Double?

  @Option(
    help: ArgumentHelp(
      "Highest speed between two points to interpolate across.", valueName: "speed"),
    transform: Measure.metresPerSecond)
  var maxSpeed: Double?

  @Flag(help: "Also interpolate between two segments of a track.")
  var acrossSegments = false

  @Option(
    help: ArgumentHelp(
      "Outside the track and in gaps, use the nearest point within this time. (default: never; with --from-photos, 30m)",
      valueName: "duration"),
    transform: TimeShift.argument)
  var nearestWithin: TimeShift?

  @Option(
    help: ArgumentHelp("Ignore points with a higher PDOP (or HDOP): 6.", valueName: "number"),
    transform: Measure.number)
  var maxDop: Double?

  @Option(
    help: ArgumentHelp("Ignore points with a larger recorded error: 50m.", valueName: "distance"),
    transform: Measure.metres)
  var maxAccuracy: Double?

  @Option(
    help: ArgumentHelp(
      "Add weeks to the track's dates, for a receiver whose week counter rolled over: 1024.", valueName: "number"))
  var addWeeks = 0

  /// The precision that a point must have.
  var limits: FixLimits {
    var limits = FixLimits()
    limits.dilution = maxDop
    limits.accuracy = maxAccuracy
    return limits
  }
}
