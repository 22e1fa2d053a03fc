import ArgumentParser
import MetaTag

/// Which changes go into sidecars.
struct SidecarOptions: ParsableArguments {
  @Option(
    help: ArgumentHelp(
      "Raw files stay as they are and get XMP sidecars, or are changed in place, as far as their format can be.",
      valueName: "what"))
  var raw = SidecarPolicy.Raw.sidecar

  @Option(
    help: ArgumentHelp(
      "Which photos get a new sidecar: raw files (raw); all, so that none is changed itself (always); none (never). One "
        + "that is there is kept up to date in any case.", valueName: "which"))
  var sidecar = SidecarPolicy.New.raw

  @Option(
    help: ArgumentHelp(
      "What a new sidecar is called: IMG_1.NEF.xmp, as darktable and digiKam do; or IMG_1.xmp, as Adobe does, where no "
        + "other raw file has that name or, beside a photo that is none, no other photo.", valueName: "how"))
  var sidecarName = SidecarPolicy.Name.full

  /// What the library calls these options.
  var policy: SidecarPolicy {
    var policy = SidecarPolicy()
    (policy.raw, policy.new, policy.name) = (raw, sidecar, sidecarName)
    return policy
  }
}
