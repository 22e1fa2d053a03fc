import ArgumentParser
import GeoIndex
import SystemPackage

/// Lets the user pick a place on the terminal.
struct PlacePicker {
  let completion: PlaceCompletion
  let recents: [Place]
  let pins: [Place]
  let environment: [String: String]

  /// The place that was taken; nil if the user left.
  /// - Throws: exit status 130 after Ctrl-C or a signal.
  func pick() async throws -> Place? {
    let screen = try Screen(environment: environment)
    return try await pick(on: screen)
  }

  private func pick(on screen: borrowing Screen) async throws -> Place? {
    let terminal = try TerminalEvents(descriptor: screen.descriptor.rawValue)
    let (completion, input, events) = (completion, terminal.input, terminal.events)
    return try await withThrowingTaskGroup(of: Void.self) { group in
      group.addTask {
        do {
          for try await answer in completion { input.yield(.found(answer)) }
        } catch { input.yield(.failed("\(error)")) }
      }
      defer { completion.finish() }
      var (list, decoder) = (PlaceList(recents: recents, pins: pins), KeyDecoder())
      show(list, on: screen)
      for await event in events {
        var steps: [PlaceList.Step] = []
        switch event {
        case .typed(let bytes): for key in decoder.keys(bytes) { steps.append(list.press(key)) }
        case .found(let answer): steps = [list.show(answer.results, for: answer.text)]
        case .failed(let why): throw SetupError(why)
        case .resized: break
        case .ended: throw ExitCode(130)
        }
        for step in steps {
          switch step {
          case .goOn: break
          case .ask(let text): completion.type(text)
          case .take(let place): return place
          case .leave: return nil
          case .interrupt: throw ExitCode(130)
          }
        }
        show(list, on: screen)
      }
      return nil
    }
  }

  private func show(_ list: PlaceList, on screen: borrowing Screen) {
    let size = screen.size
    // https://no-color.org: reverse is a colour to some.
    let isMarked = (environment["NO_COLOR"] ?? "").isEmpty
    let drawn = list.screen(columns: size.columns, lines: size.lines, isMarked: isMarked)
    screen.draw(drawn.lines, cursor: drawn.cursor)
  }
}
