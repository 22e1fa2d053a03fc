import ArgumentParser
import MetaTag

/// Options for sidecars.
struct SidecarOptions: ParsableArguments {
  @Option(
    help: ArgumentHelp(
      "For raw files: write an XMP sidecar, or change the file itself where its format allows it.", valueName: "what"))
  var raw = SidecarPolicy.Raw.sidecar

  @Option(
    help: ArgumentHelp(
      "Which photos get a new sidecar: only raw files (raw); every photo, none of which is changed itself (always); or "
        + "none (never). Existing sidecars are always updated.", valueName: "which"))
  var sidecar = SidecarPolicy.New.raw

  @Option(
    help: ArgumentHelp(
      "Name of a new sidecar: IMG_1.NEF.xmp, as in darktable and digiKam (full), or IMG_1.xmp, as in Adobe programs, "
        + "unless another photo shares that name (base).", valueName: "how"))
  var sidecarName = SidecarPolicy.Name.full

  /// The library's equivalent of these options.
  var policy: SidecarPolicy {
    var policy = SidecarPolicy()
    (policy.raw, policy.new, policy.name) = (raw, sidecar, sidecarName)
    return policy
  }
}
