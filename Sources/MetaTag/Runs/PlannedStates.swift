import SystemPackage

extension PlannedStates {
  /// Checks that exactly the planned sidecars are created.
  func check(new outcome: Outcome) throws(FileError) {
    let made = Set(outcome.companions.filter(\.isNew).map(\.path))
    guard let stray = made.symmetricDifference(newSidecars).first?.lastComponent else { return }
    throw FileError(.changedSincePlan, "\(stray) was to be created, or not, when it was planned", remedy: .planAgain())
  }

  func check(_ files: [OpenFile], _ outcome: Outcome) throws(FileError) {
    for file in files {
      guard let was = states[file.image.path] else {
        throw FileError(.changedSincePlan, "is not in the plan as one of the photo's files", remedy: .planAgain())
      }
      let now = try file.state
      let difference =
        was.size != now.size
        ? "size"
        : was.metadata != now.metadata ? "metadata" : was.modified != now.modified ? "modification time" : nil
      if let difference {
        throw FileError(
          .changedSincePlan,
          "\(file.image.path.lastComponent?.string ?? "it") was changed since it was planned (its \(difference))",
          remedy: .planAgain())
      }
    }
    let names = [(outcome.path, outcome.newName)] + outcome.companions.map { ($0.path, $0.newName) }
    for (path, name) in names where name?.string != newNames[path] {
      throw FileError(
        .changedSincePlan, "would be named \(name?.string ?? "as it is"), which is not what the plan says",
        remedy: .planAgain())
    }
  }
}
