#include "csys_socket.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <spawn.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

static int start(const char *program, int end, pid_t *process) {
  posix_spawn_file_actions_t actions;
  posix_spawnattr_t attributes;
  int error = posix_spawn_file_actions_init(&actions);
  if (error != 0) return error;
  error = posix_spawnattr_init(&attributes);
  if (error != 0) {
    posix_spawn_file_actions_destroy(&actions);
    return error;
  }
  // The child needs signals that a thread of this process blocks or ignores: some of them end it.
  sigset_t none, all;
  sigemptyset(&none);
  sigfillset(&all);
  posix_spawnattr_setsigmask(&attributes, &none);
  posix_spawnattr_setsigdefault(&attributes, &all);
  // Ctrl-C is meant for the tool; the child ends when its socket is closed.
  posix_spawnattr_setpgroup(&attributes, 0);
  posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF | POSIX_SPAWN_SETPGROUP);
  error = posix_spawn_file_actions_adddup2(&actions, end, STDIN_FILENO);
  if (error == 0) {
    char *arguments[] = {(char *)program, NULL}, *environment[] = {NULL};
    error = posix_spawn(process, program, &actions, &attributes, arguments, environment);
  }
  posix_spawnattr_destroy(&attributes);
  posix_spawn_file_actions_destroy(&actions);
  return error;
}

int32_t csys_spawn_on_socket(const char *program, int *client) {
  int ends[2];
  if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends) != 0) return -errno;
  pid_t process = 0;
  const int error = start(program, ends[1], &process);
  close(ends[1]);
  if (error != 0) {
    close(ends[0]);
    return -error;
  }
  *client = ends[0];
  return process;
}

int csys_send(int socket, const void *bytes, size_t count, const int *descriptors, size_t descriptor_count) {
  _Alignas(struct cmsghdr) char control[CMSG_SPACE(4 * sizeof(int))];
  if (descriptor_count > 4) return -EINVAL;
  struct iovec part = {(void *)bytes, count};
  struct msghdr message = {.msg_iov = &part, .msg_iovlen = 1};
  if (descriptor_count > 0) {
    memset(control, 0, sizeof control);
    message.msg_control = control;
    message.msg_controllen = CMSG_SPACE(descriptor_count * sizeof(int));
    struct cmsghdr *rights = CMSG_FIRSTHDR(&message);
    rights->cmsg_level = SOL_SOCKET;
    rights->cmsg_type = SCM_RIGHTS;
    rights->cmsg_len = CMSG_LEN(descriptor_count * sizeof(int));
    memcpy(CMSG_DATA(rights), descriptors, descriptor_count * sizeof(int));
  }
  while (part.iov_len > 0) {
    const ssize_t n = sendmsg(socket, &message, MSG_NOSIGNAL);
    if (n < 0 && errno == EINTR) continue;
    if (n < 0) return -errno;
    part.iov_base = (char *)part.iov_base + n;
    part.iov_len -= (size_t)n;
    message.msg_control = NULL;
    message.msg_controllen = 0;
  }
  return 0;
}
