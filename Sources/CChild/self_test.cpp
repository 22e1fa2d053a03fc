#include "self_test.hpp"

#include <cerrno>
#include <csignal>
#include <cstdio>
#include <cstring>
#include <fcntl.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

int self_test(const char *attempt) {
  const auto is = [attempt](const char *name) { return std::strcmp(attempt, name) == 0; };
  const auto refused = [](bool was) { return was && errno == EPERM ? 0 : 1; };
  if (is("open")) return refused(open("/etc/passwd", O_RDONLY) < 0);
  if (is("create")) return refused(open("/tmp/metatag-self-test", O_WRONLY | O_CREAT, 0600) < 0);
  if (is("inet")) return refused(socket(AF_INET, SOCK_STREAM, 0) < 0);
  if (is("unix")) return refused(socket(AF_UNIX, SOCK_STREAM, 0) < 0);
  if (is("connect")) return refused(connect(STDIN_FILENO, nullptr, 0) < 0);
  if (is("unlink")) return refused(unlink("/tmp/metatag-self-test") < 0);
  if (is("rename")) return refused(rename("/tmp/metatag-self-test", "/tmp/metatag-self-test-2") < 0);
  if (is("fork")) return refused(fork() < 0);
  if (is("kill")) return refused(kill(getppid(), SIGTERM) < 0);
  if (is("exec")) {
    char program[] = "/bin/true";
    char *const arguments[] = {program, nullptr};
    return refused(execv(program, arguments) < 0);
  }
  if (is("write")) return refused(write(STDIN_FILENO, "", 1) < 0);
  if (is("pwrite")) return refused(pwrite(STDIN_FILENO, "", 1, 0) < 0);
  if (is("code")) {
    return refused(
        mmap(nullptr, 4096, PROT_READ | PROT_EXEC, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0) == MAP_FAILED);
  }
  if (is("share")) {
    return refused(
        mmap(nullptr, 4096, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0) == MAP_FAILED);
  }
  return 2;
}
