import Synchronization

/// The one place where work runs side by side: `transform` on up to `width` inputs at once, results to `consume` one by
/// one in the order of the inputs. While `consume` takes its time, up to `ahead` further inputs are worked on.
///
/// When the task is cancelled or `stop` says so, no further input is begun; those begun are finished and consumed.
/// Returns how many inputs were consumed. At most `width + ahead` results wait, whatever the number of inputs.
public func inOrder<Input: Sendable, Output: Sendable>(
  _ inputs: [Input], width: Int, ahead: Int = 64, until stop: @escaping @Sendable () -> Bool = { false },
  transform: @escaping @Sendable (Input) -> Output, consume: (Output) -> Void
) async -> Int {
  let handover = Handover<Output>()
  let (room, made) = AsyncStream<Void>.makeStream(bufferingPolicy: .bufferingNewest(1))
  let (news, told) = AsyncStream<Void>.makeStream(bufferingPolicy: .bufferingNewest(1))
  func consumeWhatIsThere() {
    while let output = handover.take() {
      consume(output)
      handover.count()
      made.yield()
    }
  }
  await withTaskGroup(of: Void.self) { group in
    group.addTask {
      let hasRoom = { @Sendable (begun: Int) in begun - handover.consumed < width + ahead }
      await begin(inputs, width, until: stop, room, hasRoom, transform) { output in
        handover.put(output)
        told.yield()
      }
      told.finish()
    }
    for await _ in news { consumeWhatIsThere() }
    // The stream of a cancelled task ends at once; what was begun is finished nevertheless.
    await group.waitForAll()
    consumeWhatIsThere()
  }
  return handover.consumed
}

/// Begins inputs while there is room, and yields their results in order.
private func begin<Input: Sendable, Output: Sendable>(
  _ inputs: [Input], _ width: Int, until stop: @Sendable () -> Bool, _ room: AsyncStream<Void>,
  _ hasRoom: @Sendable (Int) -> Bool, _ transform: @escaping @Sendable (Input) -> Output,
  yield: (Output) -> Void
) async {
  await withTaskGroup(of: (Int, Output).self) { group in
    var begun = 0
    var running = 0
    var yielded = 0
    var early: [Int: Output] = [:]
    var rooms = room.makeAsyncIterator()
    while true {
      while begun < inputs.count, running < width, hasRoom(begun), !Task.isCancelled, !stop() {
        let (index, input) = (begun, inputs[begun])
        group.addTask { (index, transform(input)) }
        begun += 1
        running += 1
      }
      if let (index, output) = await group.next() {
        running -= 1
        early[index] = output
        while let next = early.removeValue(forKey: yielded) {
          yielded += 1
          yield(next)
        }
      } else if begun == inputs.count || Task.isCancelled || stop() {
        return
      } else {
        // A stream of a cancelled task gives nil at once; the next round then ends.
        _ = await rooms.next()
      }
    }
  }
}

/// Results on their way from the task that orders them to the one that consumes them.
private final class Handover<Output: Sendable>: Sendable {
  private let state = Mutex<(waiting: [Output], consumed: Int)>(([], 0))

  var consumed: Int { state.withLock { $0.consumed } }

  func put(_ output: Output) { state.withLock { $0.waiting.append(output) } }

  func take() -> Output? { state.withLock { $0.waiting.isEmpty ? nil : $0.waiting.removeFirst() } }

  func count() { state.withLock { $0.consumed += 1 } }
}
