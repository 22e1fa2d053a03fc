#include "sandbox.hpp"

#include <cerrno>
#include <cstdint>
#include <cstdlib>
#include <fcntl.h>
#include <initializer_list>
#include <linux/landlock.h>
#include <sched.h>
#include <seccomp.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <sys/time.h>
#include <thread>
#include <unistd.h>

namespace {
/// Denies all file system rights that this kernel can deny. On a kernel without Landlock, the system call filter alone
/// prevents files from being opened.
void deny_files() {
  const long version = syscall(SYS_landlock_create_ruleset, nullptr, 0, LANDLOCK_CREATE_RULESET_VERSION);
  if (version < 1) return;
  // Rights per version of the interface; Debian 12's header has only those of version 2.
  const int rights[] = {13, 14, 15, 15, 16};
  landlock_ruleset_attr rules{};
  rules.handled_access_fs = (UINT64_C(1) << rights[version > 5 ? 4 : version - 1]) - 1;
  const int ruleset = static_cast<int>(syscall(SYS_landlock_create_ruleset, &rules, sizeof rules, 0));
  if (ruleset < 0) return;
  syscall(SYS_landlock_restrict_self, ruleset, 0);
  close(ruleset);
}

/// Sets a limit, but never above that of the parent process.
bool limit(__rlimit_resource resource, rlim_t value) {
  rlimit now{};
  if (getrlimit(resource, &now) != 0) return false;
  if (now.rlim_max < value) value = now.rlim_max;
  const rlimit both{value, value};
  return setrlimit(resource, &both) == 0;
}

bool limit_resources(Purpose purpose) {
  const bool has_pictures = purpose == Purpose::pictures;
  // A classic TIFF can have 4 GiB and is mapped read-only; RLIMIT_DATA limits allocations. Processor time is limited
  // per request; RLIMIT_CPU only ends a process that turned off the timer. RLIMIT_NPROC counts a user's processes and
  // threads together, so if threads are needed, only the filter forbids processes.
  return limit(RLIMIT_AS, rlim_t{5} << 30) && limit(RLIMIT_DATA, rlim_t{has_pictures ? 2048u : 256u} << 20) &&
         limit(RLIMIT_CPU, has_pictures ? RLIM_INFINITY : 3600) &&
         limit(RLIMIT_FSIZE, has_pictures ? rlim_t{1} << 30 : 0) && limit(RLIMIT_NOFILE, 16) &&
         limit(RLIMIT_CORE, 0) && (has_pictures || limit(RLIMIT_NPROC, 0));
}

/// Allows what picture decoders need: threads, and the number of processors.
bool allow_pictures(scmp_filter_ctx filter) {
  bool done = true;
  for (int call : {
           SCMP_SYS(set_robust_list), SCMP_SYS(rseq), SCMP_SYS(rt_sigprocmask), SCMP_SYS(sched_getaffinity),
           SCMP_SYS(sched_yield), SCMP_SYS(clock_nanosleep), SCMP_SYS(gettid), SCMP_SYS(membarrier)}) {
    done &= seccomp_rule_add(filter, SCMP_ACT_ALLOW, call, 0) == 0;
  }
  for (int call : {
           SCMP_SYS(prctl), SCMP_SYS(sched_setaffinity), SCMP_SYS(sched_setscheduler), SCMP_SYS(sched_getparam),
           SCMP_SYS(sched_getscheduler), SCMP_SYS(set_mempolicy), SCMP_SYS(get_mempolicy), SCMP_SYS(mbind),
           SCMP_SYS(setpriority), SCMP_SYS(sysinfo), SCMP_SYS(uname)}) {
    done &= seccomp_rule_add(filter, SCMP_ACT_ERRNO(EPERM), call, 0) == 0;
  }
  // The filter can't check the arguments of clone3; without it, the C library uses clone.
  done &= seccomp_rule_add(filter, SCMP_ACT_ERRNO(ENOSYS), SCMP_SYS(clone3), 0) == 0;
  constexpr auto thread = static_cast<scmp_datum_t>(CLONE_VM | CLONE_THREAD | CLONE_SIGHAND);
  done &= seccomp_rule_add(
              filter, SCMP_ACT_ALLOW, SCMP_SYS(clone), 1, SCMP_A0(SCMP_CMP_MASKED_EQ, thread, thread)) == 0;
  // Descriptors get the lowest free numbers: 3 for the photo, 4 for the output file.
  done &= seccomp_rule_add(filter, SCMP_ACT_ALLOW, SCMP_SYS(pwrite64), 1, SCMP_A0(SCMP_CMP_EQ, 4)) == 0;
  return done;
}

bool filter_calls(Purpose purpose) {
  scmp_filter_ctx filter = seccomp_init(SCMP_ACT_KILL_PROCESS);
  if (!filter) return false;
  bool done = true;
  auto add = [&](uint32_t action, int call) { done &= seccomp_rule_add(filter, action, call, 0) == 0; };
  for (int call : {
           SCMP_SYS(recvmsg), SCMP_SYS(sendmsg), SCMP_SYS(pread64), SCMP_SYS(close), SCMP_SYS(munmap),
           SCMP_SYS(mremap), SCMP_SYS(brk), SCMP_SYS(madvise), SCMP_SYS(futex), SCMP_SYS(setitimer),
           SCMP_SYS(getrandom), SCMP_SYS(clock_gettime), SCMP_SYS(gettimeofday), SCMP_SYS(getuid),
           SCMP_SYS(rt_sigreturn), SCMP_SYS(exit), SCMP_SYS(exit_group)}) {
    add(SCMP_ACT_ALLOW, call);
  }
  // Libraries try these but work without them: configuration files, locales, name services, file names.
  for (int call : {
           SCMP_SYS(open), SCMP_SYS(openat), SCMP_SYS(access), SCMP_SYS(stat), SCMP_SYS(lstat),
           SCMP_SYS(newfstatat), SCMP_SYS(statx), SCMP_SYS(readlink), SCMP_SYS(readlinkat), SCMP_SYS(getcwd),
           SCMP_SYS(socket), SCMP_SYS(ioctl)}) {
    add(SCMP_ACT_ERRNO(EPERM), call);
  }
  // Memory must be private and never executable; a descriptor opened for writing would otherwise be a way out.
  done &= seccomp_rule_add(
              filter, SCMP_ACT_ALLOW, SCMP_SYS(mmap), 2, SCMP_A2(SCMP_CMP_MASKED_EQ, PROT_EXEC, 0),
              SCMP_A3(SCMP_CMP_MASKED_EQ, MAP_SHARED, 0)) == 0;
  done &= seccomp_rule_add(
              filter, SCMP_ACT_ALLOW, SCMP_SYS(mprotect), 1, SCMP_A2(SCMP_CMP_MASKED_EQ, PROT_EXEC, 0)) == 0;
  for (int call : {SCMP_SYS(write), SCMP_SYS(writev)}) {
    done &= seccomp_rule_add(filter, SCMP_ACT_ALLOW, call, 1, SCMP_A0(SCMP_CMP_EQ, STDERR_FILENO)) == 0;
  }
  if (purpose == Purpose::pictures) done &= allow_pictures(filter);
  done &= seccomp_load(filter) == 0;
  seccomp_release(filter);
  return done;
}
}  // namespace

const char *lock_in(Purpose purpose) {
  // The first thread of a process changes signal handlers, which is forbidden later.
  if (purpose == Purpose::pictures) std::thread([] {}).join();
  // Both point to "/" or nothing, so that libraries find no configuration files.
  if (chdir("/") != 0) return "could not leave the working directory";
  clearenv();
  if (close_range(3, ~0U, 0) != 0) return "could not close what it inherited";
  const int nowhere = open("/dev/null", O_RDWR | O_CLOEXEC), terminal = dup(STDERR_FILENO);
  if (nowhere < 0 || terminal < 0) return "could not open /dev/null";
  if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) != 0) return "could not give up new privileges";
  if (prctl(PR_SET_DUMPABLE, 0, 0, 0, 0) != 0) return "could not hide its memory";
  deny_files();
  if (!limit_resources(purpose)) return "could not limit its resources";
  // Messages of a crashing library must not appear on the user's terminal.
  dup2(nowhere, STDOUT_FILENO);
  dup2(nowhere, STDERR_FILENO);
  close(nowhere);
  if (!filter_calls(purpose)) {
    dup2(terminal, STDERR_FILENO);
    return "this kernel can't filter system calls (seccomp)";
  }
  close(terminal);
  return nullptr;
}

void allow_processor_time(int seconds) {
  itimerval timer{};
  timer.it_value.tv_sec = seconds;
  setitimer(ITIMER_PROF, &timer, nullptr);
}
