import Glibc

/// The processor time of `work` in its thread. Unlike wall-clock time, it doesn't depend on how busy the machine is.
package func processorTime<E: Error>(_ work: () throws(E) -> Void) throws(E) -> Duration {
  let start = spent()
  try work()
  return spent() - start
}

private func spent() -> Duration {
  var time = timespec()
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
  return .seconds(time.tv_sec) + .nanoseconds(time.tv_nsec)
}
