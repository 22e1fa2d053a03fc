import ArgumentParser
import MetaTag

/// The camera clock's zone and error.
struct ClockOptions: ParsableArguments {
  @Option(
    help: ArgumentHelp(
      "Time zone of the camera's clock, for photos that don't record one: +09:00, Asia/Tokyo, Kyoto, @home.",
      valueName: "zone"),
    transform: Zone.argument)
  var cameraZone: Zone?

  @Option(
    help: ArgumentHelp(
      "Add this to the photos' times: +1h23m, -40s. Or auto: estimate each camera's clock error from its photos.",
      valueName: "duration|auto"),
    transform: ClockOffset.argument)
  var offset: ClockOffset?

  @Option(
    help: ArgumentHelp(
      "Correct a camera's clock by one of its photos and the true time, or the place on the track. Repeatable; two or "
        + "more also correct the drift.",
      valueName: "photo=time|place"),
    transform: SyncReference.argument)
  var sync: [SyncReference] = []

  @Option(
    help: ArgumentHelp(
      "Longest stop of the track at a --sync place. (default: 2m)",
      valueName: "duration"),
    transform: TimeShift.argument)
  var maxStay: TimeShift?

  @Flag(inversion: .prefixedNo, help: "Record the UTC offset that was found in photos that have none.")
  var recordOffset = true

  @Flag(help: "Use an assumed time zone even if most photos of the camera are then outside the track.")
  var trustClock = false

  @Flag(
    help: ArgumentHelp(
      "Also correct the dates by --offset or --sync."))
  var fixDates = false
}
