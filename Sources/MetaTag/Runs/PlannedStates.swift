import SystemPackage

extension PlannedStates {
  /// Checks that exactly the planned sidecars are created.
  func check(new outcome: Outcome) throws(FileError) {
    let made = Set(outcome.companions.filter(\.isNew).map(\.path))
    guard let stray = made.symmetricDifference(newSidecars).first?.lastComponent else { return }
    throw FileError(.conflict, "\(stray) was to be made, or not, when it was planned: plan it again")
  }

  func check(_ files: [OpenFile], _ outcome: Outcome) throws(FileError) {
    for file in files {
      guard let was = states[file.image.path] else {
        throw FileError(.conflict, "is not in the plan as one of the photo's files: plan it again")
      }
      let now = try file.state
      let difference =
        was.size != now.size
        ? "size"
        : was.metadata != now.metadata ? "metadata" : was.modified != now.modified ? "time of last change" : nil
      if let difference {
        throw FileError(
          .conflict,
          "\(file.image.path.lastComponent?.string ?? "it") was changed since it was planned (its \(difference)): "
            + "plan it again")
      }
    }
    let names = [(outcome.path, outcome.newName)] + outcome.companions.map { ($0.path, $0.newName) }
    for (path, name) in names where name?.string != newNames[path] {
      throw FileError(
        .conflict, "would be named \(name?.string ?? "as it is"), which is not what the plan says: plan it again")
    }
  }
}
