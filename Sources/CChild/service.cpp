#include "service.hpp"

#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <sys/socket.h>
#include <unistd.h>

#include "self_test.hpp"

namespace {
/// Processor seconds per request. The client's own limit covers a process that doesn't run at all.
constexpr int patience = 5;

bool is_socket(int descriptor) {
  int type = 0;
  socklen_t length = sizeof type;
  return getsockopt(descriptor, SOL_SOCKET, SO_TYPE, &type, &length) == 0;
}

[[noreturn]] void serve(const Service &service) {
  Channel channel;
  Answer answer;
  const uint32_t greeting[] = {
      wire::version, service.decoders ? service.decoders() : 0, service.encoders ? service.encoders() : 0};
  channel.send(wire::Status::done, greeting, sizeof greeting);
  for (;;) {
    const wire::Request request = channel.receive();
    answer.start();
    allow_processor_time(patience);
    char reason[256] = "";
    wire::Status status = service.answer(channel, request, answer, reason);
    if (status == wire::Status::done && answer.overflowed()) {
      std::snprintf(reason, sizeof reason, "its metadata is too large to list");
      status = wire::Status::too_large;
    }
    if (status == wire::Status::done) {
      channel.send(status, answer.data(), answer.count());
    } else {
      channel.send(status, reason, std::strlen(reason));
    }
  }
}
}  // namespace

int Service::run(int count, char **arguments) const {
  const bool testing = count == 3 && std::strcmp(arguments[1], "--self-test") == 0;
  if (!testing && (count != 1 || !is_socket(STDIN_FILENO))) {
    std::fprintf(stderr, "%s: metatag starts this program; it has no use by itself\n", name);
    return EXIT_FAILURE;
  }
  if (warm_up) warm_up();
  if (const char *reason = lock_in(purpose)) {
    std::fprintf(stderr, "%s: %s, so no photo can be read safely\n", name, reason);
    return EXIT_FAILURE;
  }
  if (testing) return self_test(arguments[2]);
  serve(*this);
}
