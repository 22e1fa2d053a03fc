#include "channel.hpp"

#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <sys/socket.h>
#include <unistd.h>

namespace {
/// Returns the number of bytes that follow a request.
size_t following(const wire::Request &request) {
  if (request.task != wire::Task::libexif_entries) return 0;
  if (request.blocks > wire::most_blocks) std::_Exit(EXIT_FAILURE);
  size_t count = 0;
  for (size_t i = 0; i < request.blocks; ++i) {
    if (request.block[i].count > wire::longest_block) std::_Exit(EXIT_FAILURE);
    count += request.block[i].count;
  }
  return count;
}
}  // namespace

wire::Request Channel::receive() {
  for (int &descriptor : descriptors_) {
    if (descriptor >= 0) close(descriptor);
    descriptor = -1;
  }
  wire::Request request{};
  size_t count = 0, received = 0, wanted = sizeof request;
  while (count < wanted) {
    const size_t head = count < sizeof request ? count : sizeof request, rest = count - head;
    iovec parts[2] = {
        {reinterpret_cast<char *>(&request) + head, sizeof request - head}, {bytes_.get() + rest, most_bytes - rest}};
    alignas(cmsghdr) char control[CMSG_SPACE(sizeof descriptors_)];
    msghdr message{};
    message.msg_iov = parts;
    message.msg_iovlen = 2;
    message.msg_control = control;
    message.msg_controllen = sizeof control;
    const ssize_t n = recvmsg(STDIN_FILENO, &message, MSG_CMSG_CLOEXEC);
    if (n < 0 && errno == EINTR) continue;
    if (n <= 0) std::_Exit(n == 0 && count == 0 ? EXIT_SUCCESS : EXIT_FAILURE);
    if (message.msg_flags & MSG_CTRUNC) std::_Exit(EXIT_FAILURE);
    for (cmsghdr *c = CMSG_FIRSTHDR(&message); c; c = CMSG_NXTHDR(&message, c)) {
      if (c->cmsg_level != SOL_SOCKET || c->cmsg_type != SCM_RIGHTS) continue;
      const size_t size = c->cmsg_len - CMSG_LEN(0);
      if (received + size / sizeof(int) > wire::most_blocks) std::_Exit(EXIT_FAILURE);
      std::memcpy(descriptors_ + received, CMSG_DATA(c), size);
      received += size / sizeof(int);
    }
    count += static_cast<size_t>(n);
    if (count >= sizeof request) wanted = sizeof request + following(request);
  }
  const size_t descriptors = request.task == wire::Task::libexif_entries ? 0 : request.blocks;
  if (request.version != wire::version || request.blocks == 0 || descriptors != received || count != wanted) {
    std::_Exit(EXIT_FAILURE);
  }
  return request;
}

void Channel::send(wire::Status status, const void *bytes, size_t count) {
  wire::Head head{status, static_cast<uint32_t>(count)};
  iovec parts[2] = {{&head, sizeof head}, {const_cast<void *>(bytes), count}};
  size_t left = sizeof head + count;
  msghdr message{};
  message.msg_iov = parts;
  message.msg_iovlen = 2;
  while (left > 0) {
    const ssize_t n = sendmsg(STDIN_FILENO, &message, MSG_NOSIGNAL);
    if (n < 0 && errno == EINTR) continue;
    if (n <= 0) std::_Exit(EXIT_FAILURE);
    size_t sent = static_cast<size_t>(n);
    left -= sent;
    for (iovec &part : parts) {
      const size_t taken = sent < part.iov_len ? sent : part.iov_len;
      part.iov_base = static_cast<char *>(part.iov_base) + taken;
      part.iov_len -= taken;
      sent -= taken;
    }
  }
}
