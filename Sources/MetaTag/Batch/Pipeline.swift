/// The one place where work runs side by side: `transform` on up to `width` inputs at once, results to `consume` one by
/// one in the order of the inputs.
///
/// When the task is cancelled or `stop` says so, no further input is begun; those begun are finished and consumed.
/// Returns how many inputs were consumed. At most `4 × width` results wait, whatever the number of inputs.
public func inOrder<Input: Sendable, Output: Sendable>(
  _ inputs: [Input], width: Int, until stop: () -> Bool = { false },
  transform: @escaping @Sendable (Input) -> Output, consume: (Output) -> Void
) async -> Int {
  await withTaskGroup(of: (Int, Output).self) { group in
    var begun = 0
    var consumed = 0
    var waiting: [Int: Output] = [:]
    while true {
      while begun < inputs.count, begun - consumed < 4 * width, begun - consumed - waiting.count < width,
        !Task.isCancelled, !stop()
      {
        let (index, input) = (begun, inputs[begun])
        group.addTask { (index, transform(input)) }
        begun += 1
      }
      guard let (index, output) = await group.next() else { return consumed }
      waiting[index] = output
      while let next = waiting.removeValue(forKey: consumed) {
        consumed += 1
        consume(next)
      }
    }
  }
}
