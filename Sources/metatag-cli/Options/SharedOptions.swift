import ArgumentParser

/// Options that many commands share, such as `--where` and `--json`.
enum SharedOptions {
  /// Whether help lists them like any other option. Completion scripts need this: the parser leaves hidden options out.
  @TaskLocal static var areListed = false
}

extension ArgumentVisibility {
  /// For shared options: `--help-hidden` and the manual list them, `--help` doesn't.
  static var shared: ArgumentVisibility { SharedOptions.areListed ? .default : .hidden }
}
