import Foundation
import TestSupport
import Testing

/// The output and the files are independent of the machine's settings.
@Suite("Time zone and locale of the machine")
struct MachineTests {
  static let zones = ["UTC", "Asia/Tokyo", "America/New_York", "Asia/Kathmandu", "Pacific/Apia"]
  static let locales = ["C", "th_TH.UTF-8", "ar_SA.UTF-8"]
  static let photos = [
    "borealis-01-lake.jpg", "aurora-01-jetty.jpg", "borealis-05-no-date.jpg", "cirrus-02-meadow.heic",
  ]

  /// A copy of some sample photos, one of which doesn't record its zone, and one no date.
  static func folder() throws -> Scratch {
    let scratch = try Scratch()
    let samples = Corpus.project.appending(path: "SampleImages")
    for name in photos + ["day.gpx"] { try scratch.copy(samples.appending(path: name)) }
    return scratch
  }

  /// Returns standard output, standard error, the status and every byte of the photos after a command.
  static func run(_ arguments: [String], _ zone: String, _ locale: String, in folder: Scratch) throws -> [Data] {
    let tool = try Tool()
    let answer = try Oracle.run(
      Tool.program, arguments,
      environment: tool.environment(["TZ": zone, "LANG": locale, "LC_ALL": locale, "LANGUAGE": locale]))
    let files = try photos.map { try Data(contentsOf: folder.url.appending(path: $0)) }
    return [answer.output, Data(answer.errors.utf8), Data("\(answer.status)".utf8)] + files
  }

  @Test("The machine's zone and locale change neither a word nor a byte.")
  func nothing() throws {
    let folder = try MachineTests.folder()
    let originals = try MachineTests.photos.map { try Data(contentsOf: folder.url.appending(path: $0)) }
    let commands = [
      ["geotag", "--track", folder.url.path + "/day.gpx", "--json", folder.url.path],
      ["date", "shift", "+1h23m", "--explain", folder.url.path], ["show", "--json", folder.url.path],
    ]
    for command in commands {
      let expected = try MachineTests.run(command, "UTC", "C", in: folder)
      #expect(String(decoding: expected[2], as: UTF8.self).first.map { "01".contains($0) } ?? false, "\(command)")
      if command[0] == "geotag" {
        #expect(
          String(decoding: expected[0], as: UTF8.self).contains("Europe/Ljubljana") && expected[3] != originals[0])
      }
      for (index, zone) in MachineTests.zones.enumerated() {
        // Every zone with one locale, every locale with one zone; `make zones` runs the suites under all of them.
        for locale in index == 1 ? MachineTests.locales : [MachineTests.locales[index % 3]] {
          for (name, bytes) in zip(MachineTests.photos, originals) {
            try bytes.write(to: folder.url.appending(path: name))
          }
          #expect(
            try MachineTests.run(command, zone, locale, in: folder) == expected, "\(zone) \(locale) \(command[0])")
        }
      }
      for (name, bytes) in zip(MachineTests.photos, originals) {
        try bytes.write(to: folder.url.appending(path: name))
      }
    }
  }
}
