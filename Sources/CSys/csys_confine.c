#include "csys_confine.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/audit.h>
#include <linux/filter.h>
#include <linux/landlock.h>
#include <linux/seccomp.h>
#include <stddef.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#if defined(__x86_64__)
#define OWN_ARCHITECTURE AUDIT_ARCH_X86_64
#elif defined(__aarch64__)
#define OWN_ARCHITECTURE AUDIT_ARCH_AARCH64
#endif

#define LOAD(member) BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, member))
#define UNLESS_EQUAL(value, skipped) BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, value, 0, skipped)
#define ANSWER(value) BPF_STMT(BPF_RET | BPF_K, value)
#define REFUSE ANSWER(SECCOMP_RET_ERRNO | EPERM)

int csys_forbid_network(void) {
#ifdef OWN_ARCHITECTURE
  struct sock_filter filter[] = {
      // System calls of other architectures have other numbers.
      LOAD(arch),
      BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, OWN_ARCHITECTURE, 1, 0),
      REFUSE,
      LOAD(nr),
#ifdef __x86_64__
      // Those of the x32 ABI.
      BPF_JUMP(BPF_JMP | BPF_JGE | BPF_K, 0x40000000, 0, 1),
      REFUSE,
#endif
      UNLESS_EQUAL(SYS_connect, 1),
      REFUSE,
      // It can open and connect sockets without these calls.
      UNLESS_EQUAL(SYS_io_uring_setup, 1),
      REFUSE,
      UNLESS_EQUAL(SYS_socket, 3),
      LOAD(args[0]),
      BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, AF_UNIX, 1, 0),
      REFUSE,
      ANSWER(SECCOMP_RET_ALLOW),
  };
  struct sock_fprog program = {sizeof filter / sizeof filter[0], filter};
  if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) != 0) return -1;
  return syscall(SYS_seccomp, SECCOMP_SET_MODE_FILTER, SECCOMP_FILTER_FLAG_TSYNC, &program) == 0 ? 0 : -1;
#else
  errno = ENOSYS;
  return -1;
#endif
}

int csys_can_open_socket(void) {
  int descriptor = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
  if (descriptor < 0) return 0;
  close(descriptor);
  return 1;
}

// Rights that this version of Landlock knows, from linux/landlock.h; older headers lack the last ones.
#define RIGHT_REFER (1ULL << 13)
#define RIGHT_TRUNCATE (1ULL << 14)
#define RIGHTS_TO_READ \
  (LANDLOCK_ACCESS_FS_EXECUTE | LANDLOCK_ACCESS_FS_READ_FILE | LANDLOCK_ACCESS_FS_READ_DIR)
#define RIGHTS_OF_FILES \
  (LANDLOCK_ACCESS_FS_EXECUTE | LANDLOCK_ACCESS_FS_READ_FILE | LANDLOCK_ACCESS_FS_WRITE_FILE | RIGHT_TRUNCATE)

int csys_landlock_version(void) {
  long version = syscall(SYS_landlock_create_ruleset, NULL, 0, LANDLOCK_CREATE_RULESET_VERSION);
  return version < 0 ? 0 : (int)version;
}

static uint64_t known_rights(void) {
  int version = csys_landlock_version();
  // The 13 rights of version 1.
  uint64_t rights = (1ULL << 13) - 1;
  if (version >= 2) rights |= RIGHT_REFER;
  if (version >= 3) rights |= RIGHT_TRUNCATE;
  return rights;
}

int csys_landlock_new(void) {
  struct landlock_ruleset_attr rules = {.handled_access_fs = known_rights()};
  return (int)syscall(SYS_landlock_create_ruleset, &rules, sizeof rules.handled_access_fs, 0);
}

int csys_landlock_allow(int rules, const char *path, int writes) {
  struct stat status;
  int descriptor = open(path, O_PATH | O_CLOEXEC);
  if (descriptor < 0 || fstat(descriptor, &status) != 0) {
    if (descriptor >= 0) close(descriptor);
    return -1;
  }
  uint64_t rights = writes ? known_rights() : RIGHTS_TO_READ;
  if (!S_ISDIR(status.st_mode)) rights &= RIGHTS_OF_FILES & known_rights();
  struct landlock_path_beneath_attr rule = {.allowed_access = rights, .parent_fd = descriptor};
  long result = syscall(SYS_landlock_add_rule, rules, LANDLOCK_RULE_PATH_BENEATH, &rule, 0);
  int error = errno;
  close(descriptor);
  errno = error;
  return (int)result;
}

int csys_landlock_restrict(int rules) {
  if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) != 0) return -1;
  return (int)syscall(SYS_landlock_restrict_self, rules, 0);
}
