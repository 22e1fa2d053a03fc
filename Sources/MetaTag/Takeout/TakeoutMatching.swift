/// The steps of the matching; each one handles what the steps before left.
struct TakeoutMatching {
  private struct Key: Hashable {
    let title: [UInt8]
    let number: [UInt8]?
  }

  private let photos: [[UInt8]]
  private let names: [TakeoutName]
  private let descriptions: [TakeoutNames.Description]
  /// JSON files by the title and number of the photos they may belong to.
  private var whole: [Key: [Int]] = [:]
  /// JSON files with names that may be cut, by title and number, and by title alone.
  private var cut: [Key: [Int]] = [:]
  private var cutWithAnyNumber: [[UInt8]: [Int]] = [:]
  /// Photos by stem and number.
  private var stems: [Key: [Int]] = [:]
  private var claimed: Set<Int> = []
  private(set) var found: [Result<Int, TakeoutFailure>?]

  init(_ photos: [[UInt8]], _ descriptions: [TakeoutNames.Description]) {
    (self.photos, self.descriptions) = (photos, descriptions)
    names = photos.map(TakeoutName.init)
    found = Array(repeating: nil, count: photos.count)
    for (index, name) in names.enumerated() {
      stems[Key(title: name.stem, number: name.number), default: []].append(index)
    }
    for (index, description) in descriptions.enumerated() {
      let base = Array(description.name.dropLast(".json".utf8.count))
      var readings: [(title: [UInt8], number: [UInt8]?)] = [(base, nil)]
      if let (stem, number) = TakeoutName.numbered(base) { readings.append((stem, number)) }
      for (title, number) in readings { add(index, title, number) }
    }
  }

  private mutating func add(_ index: Int, _ title: [UInt8], _ number: [UInt8]?) {
    let mark = TakeoutName.mark
    for length in 0...mark.count
    where title.count > length && title.suffix(length).elementsEqual(mark.prefix(length)) {
      let name = Array(title.dropLast(length))
      whole[Key(title: name, number: number), default: []].append(index)
    }
    guard TakeoutName.isCut(title) else { return }
    cut[Key(title: title, number: number), default: []].append(index)
    if !(cutWithAnyNumber[title]?.contains(index) ?? false) { cutWithAnyNumber[title, default: []].append(index) }
  }

  // MARK: Steps

  /// Matches by the photo's whole name. If two files fit, their titles decide, otherwise there is no match.
  mutating func matchWholeNames() {
    let bare = claims(of: names.indices.filter { names[$0].originalStem == nil }) { endingCut($0) }
    var whole = claims(of: Array(names.indices)) { wholeName($0) }
    for (index, candidates) in whole {
      // A title without a file extension may be this photo's as well as one with it.
      whole[index]? += (bare[index] ?? []).filter { other in
        !candidates.contains(other) && bare.values.count { $0.contains(other) } == 1
          && descriptions[other].title?.isOf(names[index].wholeStem) == true
      }
    }
    take(whole)
  }

  /// Matches by less than the whole name.
  mutating func matchCutNames() {
    take(claims(of: open, endingCut))
    // If the JSON file with a photo's number belongs to another photo, the numbers aren't reliable there and decide
    // nothing.
    let misnumbered = Set(open.flatMap { isMisnumbered(names[$0]) ? cutByTitle(names[$0]) : [] })
    take(claims(of: open) { cutAnywhere($0).filter { !misnumbered.contains($0) } })
    take(claims(of: open, cutByTitle))
  }

  /// Photos without a match that aren't edited copies.
  private var open: [Int] {
    names.indices.filter { found[$0] == nil && names[$0].originalStem == nil && !isCutEdit($0) }
  }

  /// Whether JSON files with the photo's cut name and number exist, but all belong to others by their titles.
  private func isMisnumbered(_ name: TakeoutName) -> Bool {
    let (title, number) = name.titles[0]
    return TakeoutMatching.cuts(of: title).contains { cut[Key(title: $0, number: number)] != nil }
      && cutAnywhere(name).isEmpty
  }

  /// Matches movies with the JSON file of the still of the same name.
  mutating func matchMovies() {
    for index in names.indices where found[index] == nil && names[index].isMovie {
      let name = names[index]
      let keys = [Key(title: name.stem, number: name.number), Key(title: name.stem + name.ending, number: name.number)]
      let stills = keys.flatMap { stems[$0] ?? [] }.filter { $0 != index && !names[$0].isMovie }
      found[index] = only(stills)
    }
  }

  /// Matches edited copies with the JSON file of the original, or with a JSON file whose original is missing.
  mutating func matchEdited() {
    for index in names.indices where found[index] == nil {
      let name = names[index]
      let stems = name.originalStem.map { [$0] } ?? (isCutEdit(index) ? name.possibleOriginalStems : [])
      for stem in stems where found[index] == nil {
        let original = name.with(stem: stem)
        let originals = (self.stems[Key(title: stem, number: name.number)] ?? []).filter { $0 != index }
        let same = originals.filter { names[$0].ending == name.ending }
        found[index] = only(same.isEmpty ? originals : same)
        guard found[index] == nil else { continue }
        let candidates = unique(wholeName(original) + endingCut(original))
        if candidates.count > 1 { found[index] = .failure(several(candidates)) }
        if candidates.count == 1 { found[index] = .success(candidates[0]) }
      }
    }
  }

  /// Whether the photo looks like an edited copy whose mark is cut. Its original must be in the folder.
  private func isCutEdit(_ index: Int) -> Bool {
    names[index].possibleOriginalStems.contains { stems[Key(title: $0, number: names[index].number)] != nil }
  }

  /// Returns the match on which these photos agree, or the failure of the first. A photo that depends on them inherits
  /// the failure.
  private func only(_ photos: [Int]) -> Result<Int, TakeoutFailure>? {
    let answers = photos.compactMap { found[$0] }
    let indices = Set(answers.compactMap { try? $0.get() })
    if indices.count > 1 { return .failure(several(indices.sorted())) }
    return indices.first.map { .success($0) } ?? answers.first
  }

  // MARK: Candidates

  private func wholeName(_ name: TakeoutName) -> [Int] {
    unique(name.titles.flatMap { whole[Key(title: $0.title, number: $0.number)] ?? [] })
  }

  private func endingCut(_ name: TakeoutName) -> [Int] {
    candidates(name) { title, number in
      (1...max(1, name.ending.count)).flatMap { whole[Key(title: title.dropLast($0), number: number)] ?? [] }
    }
  }

  private func cutAnywhere(_ name: TakeoutName) -> [Int] {
    candidates(name) { title, number in
      TakeoutMatching.cuts(of: title).flatMap { cut[Key(title: $0, number: number)] ?? [] }
    }
  }

  /// Returns candidates by title only: JSON files of two long names with the same beginning may have numbers other than
  /// the photos'.
  private func cutByTitle(_ name: TakeoutName) -> [Int] {
    candidates(name) { title, _ in
      let found = TakeoutMatching.cuts(of: title).flatMap { cutWithAnyNumber[$0] ?? [] }
      return found.count <= TakeoutMatching.mostNamesakes ? found.filter { descriptions[$0].title != nil } : []
    }
  }

  /// Maximum number of JSON files with one name apart from their numbers; titles of more aren't compared.
  private static let mostNamesakes = 200

  /// Returns the JSON files for each way to read the number in a name, if their titles don't contradict that reading.
  private func candidates(_ name: TakeoutName, _ find: ([UInt8], [UInt8]?) -> [Int]) -> [Int] {
    unique(name.titles.flatMap { title, number in find(title, number).filter { fits($0, title, name.ending) } })
  }

  private static func cuts(of title: [UInt8]) -> [[UInt8]] {
    guard title.count >= 44 else { return [] }
    return (44..<title.count).prefix(200).map { Array(title[..<$0]) }.filter(TakeoutName.isCut)
  }

  /// Whether the JSON file's title is compatible with a photo of this name.
  private func fits(_ index: Int, _ name: [UInt8], _ ending: [UInt8]) -> Bool {
    guard let title = descriptions[index].title else { return true }
    let stem = Array(name.dropLast(ending.count))
    return title.isOf(name) || title.isOf(stem) || TakeoutName.isCut(stem) && title.begins(as: stem, ending: ending)
  }

  // MARK: Decision

  private func claims(of photos: [Int], _ candidates: (TakeoutName) -> [Int]) -> [Int: [Int]] {
    var claims: [Int: [Int]] = [:]
    for photo in photos {
      let wanted = candidates(names[photo]).filter { !claimed.contains($0) }
      if !wanted.isEmpty { claims[photo] = wanted }
    }
    return claims
  }

  /// Matches each photo with its only candidate, unless another photo has the same one.
  private mutating func take(_ claims: [Int: [Int]]) {
    var claimants: [Int: [Int]] = [:]
    for (photo, candidates) in claims.sorted(by: { $0.key < $1.key }) {
      var wanted = candidates
      if wanted.count > 1 {
        let titled = wanted.filter { index in
          descriptions[index].title != nil
            && names[photo].titles.contains { fits(index, $0.title, names[photo].ending) }
        }
        if titled.count == 1 || isOnePhoto(titled) { wanted = [titled[0]] }
      }
      guard wanted.count == 1 else {
        found[photo] = .failure(several(wanted))
        continue
      }
      claimants[wanted[0], default: []].append(photo)
    }
    for (description, photos) in claimants {
      claimed.insert(description)
      let isPair = photos.count == 1 || isPair(photos) && !hasNamesake(description)
      for photo in photos {
        found[photo] = isPair ? .success(description) : .failure(shared(description, photos))
      }
    }
  }

  /// Whether these JSON files belong to the same photo: exports of two days, unpacked into one folder.
  private func isOnePhoto(_ descriptions: [Int]) -> Bool {
    let identities = Set(descriptions.map { self.descriptions[$0].identity })
    return identities.count == 1 && identities.first != .some(nil)
  }

  /// Whether the photos are a still and a movie of the same name.
  private func isPair(_ photos: [Int]) -> Bool {
    Set(photos.map { names[$0].wholeStem }).count == 1 && photos.count == 2
      && photos.count { names[$0].isMovie } == 1
  }

  /// Whether another JSON file has the same name apart from its number.
  private func hasNamesake(_ index: Int) -> Bool {
    let base = Array(descriptions[index].name.dropLast(".json".utf8.count))
    return (cutWithAnyNumber[TakeoutName.numbered(base)?.stem ?? base]?.count ?? 0) > 1
  }

  private func several(_ indices: [Int]) -> TakeoutFailure {
    .severalDescriptions(indices.map { text(descriptions[$0].name) })
  }

  private func shared(_ index: Int, _ photos: [Int]) -> TakeoutFailure {
    .severalPhotos(text(descriptions[index].name), photos.map { text(self.photos[$0]) })
  }

  private func text(_ name: [UInt8]) -> String { String(decoding: name, as: UTF8.self) }

  private func unique(_ indices: [Int]) -> [Int] { Array(Set(indices)).sorted() }
}
