import Glibc
package import SystemPackage

/// The folders of a Google Takeout export: the JSON file of each photo, and its contents.
package struct TakeoutFolders: Sendable {
  /// The photos that were named, or those in the folders: files with a photo's extension or with a JSON file of their
  /// own.
  package let inputs: [Walk.Input]
  /// JSON files whose photos are missing.
  package let orphans: [FilePath]
  /// Folders that were taken for parts of one export because of their names alone. `count` is how many photos of one
  /// have their JSON file in the other.
  package let joined: [(parts: TakeoutParts, count: Int)]
  /// The names of folders that were taken for those of a year, not for albums, because they have no title, have a year
  /// in their name, and contain photos of that year only.
  package let years: [String]
  /// Counts of the files in the folders that were left out. Photos without a file extension aren't counted: their JSON
  /// files identify them.
  package let leftOut: Walk.LeftOut
  private let entries: [Walk.FileID: Result<TakeoutPlanner.Entry, TakeoutFailure>]
  private let albums: Albums

  /// The albums of photos: by file, and by address, since each photo of an album has a copy in its year's folder.
  private struct Albums {
    var ofFiles: [Walk.FileID: [String]] = [:]
    var ofAddresses: [String: [String]] = [:]
  }

  /// Reads the JSON files next to `photos`.
  package init(beside photos: [Walk.Input]) {
    let folders = Set(photos.filter { $0.failure == nil }.map { $0.path.removingLastComponent() })
    let all = folders.flatMap { Walk.files(in: [$0.isEmpty ? "." : $0], recursively: false) { _ in true } }
    let folder = TakeoutFolders.read(all)
    (inputs, entries, albums) = (photos, folder.entries, folder.albums)
    (orphans, joined, years, leftOut) = ([], [], [], Walk.LeftOut())
  }

  /// Reads the folders of an export and their subfolders.
  package init(in folders: [FilePath]) {
    var others: Walk.LeftOutFiles? = Walk.LeftOutFiles()
    let all = Walk.files(in: folders, recursively: true, where: { _ in true }, noting: &others)
    leftOut = others?.count(besides: folders, Set(all.compactMap(\.id))) ?? Walk.LeftOut()
    let folder = TakeoutFolders.read(all)
    (orphans, entries, albums) = (folder.orphans, folder.entries, folder.albums)
    joined = folder.joined.map { (parts: $0, count: $1) }
      .sorted {
        ($0.parts.photos.string, $0.parts.descriptions.string) < ($1.parts.photos.string, $1.parts.descriptions.string)
      }
    years = folder.years.sorted()
    inputs = all.filter { input in
      if input.failure != nil { return true }
      guard let id = input.id, !TakeoutFolders.isDescription(input.path) else { return false }
      guard !Walk.isPhoto(input.path), let entry = folder.entries[id] else { return Walk.isPhoto(input.path) }
      if case .failure(.noDescription) = entry { return false }
      return true
    }
  }

  /// Returns a planner with Takeout's values for a photo.
  /// - Parameter zone: Returns the time zone of a place.
  package func planner(for photo: Photo, zone: @escaping @Sendable (Coordinate) -> Zone?) -> TakeoutPlanner {
    var planner = TakeoutPlanner(entry(for: photo), zone: zone)
    planner.isMovie = photo.input.path.lastComponent.flatMap { NameParts($0)?.kind } == .movie
    return planner
  }

  /// Returns the names of the albums that contain a photo: that of its folder, and those with a copy of it.
  package func albums(of photo: Photo) -> [String] {
    let own = photo.input.id.flatMap { albums.ofFiles[$0] } ?? []
    let address = (try? entry(for: photo).get())?.record.address
    return own.adding(address.flatMap { albums.ofAddresses[$0] } ?? [])
  }

  /// Returns the photos, with those companions separated whose own JSON file has another time or location than that of
  /// the photo. They become photos of their own, whether they were named or not.
  package func divided(_ photos: [Photo]) -> [Photo] {
    let others = photos.map(orphans(in:))
    let inputs = Walk.photos(in: Array(others.joined()), recursively: false)
    let alone = Dictionary(Photo.separately(inputs).map { ($0.input.path, $0) }) { first, _ in first }
    return zip(photos, others).flatMap { photo, others in
      guard !others.isEmpty else { return [photo] }
      var rest = photo.without(others.contains)
      rest.notes += others.map {
        Note(
          .separatePhoto, "has another JSON file; treated as a separate photo", file: $0.lastComponent?.string ?? "")
      }
      return [rest] + others.compactMap { alone[$0] }
    }
  }

  /// Returns the photo's companions whose own JSON files have other values.
  private func orphans(in photo: Photo) -> [FilePath] {
    guard let record = photo.input.id.flatMap({ entries[$0] }).flatMap({ try? $0.get().record }) else { return [] }
    return photo.companions.filter(\.role.isPhoto).map(\.path).filter { path in
      let other = Walk.FileID(at: path, S_IFREG).flatMap { entries[$0] }.flatMap { try? $0.get().record }
      return other.map { !$0.fits(record) } ?? false
    }
  }

  private func entry(for photo: Photo) -> Result<TakeoutPlanner.Entry, TakeoutFailure> {
    let own = photo.input.id.flatMap { entries[$0] } ?? .failure(.noDescription)
    if case .failure(.noDescription) = own {
      // The JSON file of a movie or a raw file applies to its still as well.
      let others = photo.companions.filter { $0.role == .movie || $0.role == .raw }
      let movies = others.compactMap { Walk.FileID(at: $0.path, S_IFREG) }
      return movies.compactMap { entries[$0] }.first { (try? $0.get()) != nil } ?? own
    }
    return own
  }

  // MARK: Reading

  private struct Reading {
    var entries: [Walk.FileID: Result<TakeoutPlanner.Entry, TakeoutFailure>] = [:]
    var albums = Albums()
    var orphans: [FilePath] = []
    var joined: [TakeoutParts: Int] = [:]
    var years: Set<String> = []
  }

  private static func read(_ files: [Walk.Input]) -> Reading {
    var result = Reading()
    var order: [FilePath] = []
    var folders: [FilePath: [Walk.Input]] = [:]
    for file in files where file.failure == nil {
      let folder = file.path.removingLastComponent()
      if folders[folder] == nil { order.append(folder) }
      folders[folder, default: []].append(file)
    }
    var parts: [FilePath: [FilePath]] = [:]
    for folder in order { parts[folder.inExport, default: []].append(folder) }
    for folder in order {
      // It may have been read with another part of the export.
      guard let all = parts.removeValue(forKey: folder.inExport) else { continue }
      let files = all.map { folders[$0] ?? [] }
      let names = files.joined().map(\.path.nameBytes)
      // If a name occurs twice, these are folders of two exports.
      for part in Set(names).count == names.count ? [Array(files.joined())] : files {
        read(folder: part, into: &result)
      }
    }
    return result
  }

  private static func read(folder files: [Walk.Input], into result: inout Reading) {
    let photos = files.filter { !isDescription($0.path) }
    let all = files.filter { isDescription($0.path) }.map { file in
      (path: file.path, record: Result { () throws(FileError) in try TakeoutRecord(FileSource(file.path)) })
    }
    // An unreadable JSON file may belong to a photo.
    let descriptions = all.filter { (try? $0.record.get().isOfPhoto) ?? true }
    let names = TakeoutNames(
      photos: photos.map { $0.path.nameBytes },
      descriptions: descriptions.map { description in
        let record = try? description.record.get()
        return TakeoutNames.Description(
          name: description.path.nameBytes, title: record?.title.flatMap(TakeoutTitle.init), identity: record?.address)
      })
    let records = descriptions.compactMap { try? $0.record.get() }
    let readable = all.compactMap { try? $0.record.get() }
    let title = readable.lazy.filter { !$0.isOfPhoto }.compactMap(\.title).first
    let folder = files.first?.path.removingLastComponent().lastComponent?.string ?? ""
    let taken = readable.compactMap(\.taken)
    if title == nil, TakeoutAlbum.isTakenForYear(folder: folder, taken: taken) { result.years.insert(folder) }
    if !records.isEmpty, let name = TakeoutAlbum.name(title: title, folder: folder, taken: taken) {
      for id in photos.compactMap(\.id) { result.albums.ofFiles[id, default: []].append(name) }
      for address in Set(records.compactMap(\.address)) { result.albums.ofAddresses[address, default: []].append(name) }
    }
    for (photo, match) in zip(photos, names.matches) {
      guard let id = photo.id else { continue }
      result.entries[id] = Result { () throws(TakeoutFailure) in
        let (path, record) = descriptions[try match.get()]
        let parts = TakeoutParts(photos: photo.path, descriptions: path)
        if let parts { result.joined[parts, default: 0] += 1 }
        let name = (parts == nil ? path.lastComponent?.string : path.string) ?? ""
        do throws(FileError) {
          return TakeoutPlanner.Entry(name: name, record: try record.get())
        } catch {
          throw .unreadable(name, error)
        }
      }
    }
    for index in names.orphans where (try? descriptions[index].record.get()) != nil {
      result.orphans.append(descriptions[index].path)
    }
  }

  private static func isDescription(_ path: FilePath) -> Bool { path.extension?.lowercased() == "json" }
}

extension FilePath {
  fileprivate var nameBytes: [UInt8] { lastComponent?.bytes ?? [] }
}

/// A folder of an export with photos, and another with their JSON files, which may or may not be parts of one export:
/// the exports of two people look the same.
package struct TakeoutParts: Hashable, Sendable {
  /// The folder with the photos, down to `Takeout`.
  package let photos: FilePath
  /// The folder with their JSON files, down to `Takeout`.
  package let descriptions: FilePath

  /// Creates a pair; nil if both files are in one part, or in two parts that are named after the same export.
  init?(photos: FilePath, descriptions: FilePath) {
    guard let one = photos.part, let other = descriptions.part, one != other else { return nil }
    if let export = one.export, export == other.export { return nil }
    (self.photos, self.descriptions) = (one, other)
  }
}

extension FilePath {
  private var top: ComponentView.Index? { components.lastIndex(of: "Takeout") }

  /// The folder's path within the export, whichever part of it was unpacked.
  var inExport: FilePath { top.map { FilePath(root: nil, components[$0...]) } ?? self }

  /// The part of the export that contains the folder, down to `Takeout`.
  fileprivate var part: FilePath? { top.map { FilePath(root: root, components[...$0]) } }

  /// The prefix that parts of one export share in the names of Google's archives, and so of unpacked folders:
  /// `takeout-20240518T101112Z` in `takeout-20240518T101112Z-1-002`.
  fileprivate var export: Substring? {
    removingLastComponent().lastComponent?.string.prefixMatch(of: /takeout-\d{8}T\d{6}Z(?=-\d)/)?.output
  }
}

/// The album that a folder of Google Takeout represents.
enum TakeoutAlbum {
  /// Returns the album's title from the folder's own JSON file (`metadata.json`), otherwise the folder's name. Returns
  /// nil for an empty title, as Google then made up the folder's name, and for folders that Google created: for a
  /// year's photos, for archived and for deleted ones. `taken` contains the times of the photos according to Google.
  static func name(title: String?, folder: String, taken: [Instant]) -> String? {
    // A keyword is a single line.
    let title = title.map { title in
      TakeoutTitle.plain(title).split { $0.isNewline || $0 == "\t" }.joined(separator: " ").trimmed
    }
    let name = title ?? folder.trimmed
    guard !isKnownYear(name), !ofGoogle.contains(name.lowercased()),
      title != nil || !isOfYear(name, taken)
    else { return nil }
    return try? PhotoField.keyword(parsing: String(name.prefix(200)))
  }

  /// Whether a folder without a title isn't an album only because of its photos' dates: a user may have chosen its name.
  static func isTakenForYear(folder: String, taken: [Instant]) -> Bool {
    isOfYear(folder.trimmed, taken) && !isKnownYear(folder.trimmed)
  }

  /// Whether the name is Google's name for a year's folder in a known language.
  private static func isKnownYear(_ name: String) -> Bool {
    let words = name.split(separator: " ")
    let isYear = words.contains { $0.utf8.count == 4 && ("1800"..."2199").contains($0) && $0.allSatisfy(\.isNumber) }
    let rest = words.filter { $0.utf8.count != 4 || !$0.allSatisfy(\.isNumber) }.joined(separator: " ").lowercased()
    return isYear && years.contains(rest)
  }

  /// Whether the name contains one year and little else, and all photos are from that year. This covers Google's names
  /// in any language (`2016 年の写真`, `Valokuvat vuodelta 2016`).
  private static func isOfYear(_ name: String, _ taken: [Instant]) -> Bool {
    let numbers = name.split { !$0.isNumber }
    let words = name.split { $0.isNumber || $0 == " " }
    guard numbers.count == 1, numbers[0].utf8.count == 4, let year = Int(numbers[0]), (1900...2099).contains(year),
      (1...3).contains(words.count), !taken.isEmpty, let first = CivilTime(year: year, month: 1, day: 1),
      let next = CivilTime(year: year + 1, month: 1, day: 1)
    else { return false }
    // Accept the year in any zone.
    let (begin, end) = (
      first.secondsSince1970 - DateCheck.zones.upperBound, next.secondsSince1970 - DateCheck.zones.lowerBound
    )
    return taken.allSatisfy { (begin..<end).contains($0.seconds) }
  }

  /// "Photos from 2012" in the known languages of Google Photos, without the year.
  private static let years: Set = [
    "photos from", "fotos von", "fotos aus", "photos de", "fotos de", "fotos del", "foto del", "foto dal", "foto da",
    "foto's uit", "foto's van", "zdjęcia z", "bilder från", "bilder fra", "billeder fra", "kuvia vuodelta",
    "fotky z", "fotografie z", "фото за г.", "фотографии за г.",
  ]
  private static let ofGoogle: Set = [
    "archive", "archiv", "archives", "archivo", "archivio", "archief", "archiwum", "arkiv", "arkisto", "arquivo",
    "архив", "アーカイブ", "보관함", "归档", "封存",
    "trash", "bin", "papierkorb", "corbeille", "papelera", "cestino", "prullenbak", "kosz", "papperskorg", "papirkurv",
    "roskakori", "lixeira", "корзина", "ゴミ箱", "휴지통", "回收站", "垃圾桶",
    "locked folder", "gesperrter ordner", "dossier verrouillé", "cartella bloccata", "vergrendelde map",
    "carpeta privada",
    "failed videos", "google photos", "google fotos", "google foto", "takeout",
  ]
}
