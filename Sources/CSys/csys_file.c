#include "csys_file.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <linux/fs.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/ioctl.h>
#include <sys/stat.h>
#include <sys/vfs.h>
#include <sys/xattr.h>
#include <unistd.h>

const int csys_o_noatime = O_NOATIME;
const long csys_utime_omit = UTIME_OMIT;

int csys_renameat2(int from_folder, const char *from, int to_folder, const char *to, unsigned flags) {
  return renameat2(from_folder, from, to_folder, to, flags);
}

int csys_syncfs(int descriptor) { return syncfs(descriptor); }

// Whether this process has the file open for writing.
static int is_own_writer(int descriptor) {
  struct stat file, other;
  DIR *list = opendir("/proc/self/fd");
  if (list == NULL || fstat(descriptor, &file) != 0) {
    if (list != NULL) closedir(list);
    return 1;
  }
  int found = 0;
  for (struct dirent *entry; !found && (entry = readdir(list)) != NULL;) {
    int number = atoi(entry->d_name);
    if (entry->d_name[0] == '.' || fstat(number, &other) != 0) continue;
    if (other.st_ino != file.st_ino || other.st_dev != file.st_dev) continue;
    found = (fcntl(number, F_GETFL) & O_ACCMODE) != O_RDONLY;
  }
  closedir(list);
  return found;
}

int csys_has_writer(int descriptor) {
  // If a writer comes in between, the kernel sends a signal. SIGURG is ignored by default; SIGIO ends the process.
  if (fcntl(descriptor, F_SETSIG, SIGURG) != 0) return -1;
  if (fcntl(descriptor, F_SETLEASE, F_RDLCK) != 0) return errno == EAGAIN && !is_own_writer(descriptor) ? 1 : -1;
  fcntl(descriptor, F_SETLEASE, F_UNLCK);
  return 0;
}

int csys_start_writeback(int descriptor) { return sync_file_range(descriptor, 0, 0, SYNC_FILE_RANGE_WRITE); }

int csys_fallocate(int descriptor, int mode, int64_t offset, int64_t count) {
  return fallocate(descriptor, mode, offset, count);
}

ptrdiff_t csys_copy_file_range(int from, int64_t from_offset, int to, int64_t to_offset, size_t count) {
  return copy_file_range(from, &from_offset, to, &to_offset, count, 0);
}

int csys_clone_range(int from, int64_t from_offset, size_t count, int to, int64_t to_offset) {
  struct file_clone_range range = {
      .src_fd = from,
      .src_offset = (uint64_t)from_offset,
      .src_length = count,
      .dest_offset = (uint64_t)to_offset,
  };
  return ioctl(to, FICLONERANGE, &range);
}

ptrdiff_t csys_flistxattr(int descriptor, char *names, size_t count) { return flistxattr(descriptor, names, count); }

ptrdiff_t csys_fgetxattr(int descriptor, const char *name, void *value, size_t count) {
  return fgetxattr(descriptor, name, value, count);
}

int csys_fsetxattr(int descriptor, const char *name, const void *value, size_t count) {
  return fsetxattr(descriptor, name, value, count, 0);
}

int csys_fremovexattr(int descriptor, const char *name) { return fremovexattr(descriptor, name); }

int csys_copy_inode_flags(int from, int to) {
  static const int kept = FS_NODUMP_FL | FS_NOATIME_FL | FS_SYNC_FL;
  int wanted = 0, own = 0;
  if (ioctl(from, FS_IOC_GETFLAGS, &wanted) != 0 || ioctl(to, FS_IOC_GETFLAGS, &own) != 0) return 0;
  int flags = (own & ~kept) | (wanted & kept);
  return flags == own ? 0 : ioctl(to, FS_IOC_SETFLAGS, &flags);
}

unsigned csys_marks(int folder, const char *name) {
  struct statx status;
  if (statx(folder, name, AT_EMPTY_PATH | AT_SYMLINK_NOFOLLOW, 0, &status) != 0) return 0;
  return (status.stx_attributes & STATX_ATTR_APPEND ? csys_marked_append_only : 0) |
         (status.stx_attributes & STATX_ATTR_IMMUTABLE ? csys_marked_immutable : 0);
}

csys_volume csys_fstatfs(int descriptor) {
  struct statfs status;
  csys_volume volume = {0, 4096};
  if (fstatfs(descriptor, &status) == 0) {
    // f_type is signed and 32 bits wide on some machines.
    volume.magic = (uint32_t)status.f_type;
    if (status.f_bsize > 0) volume.block_size = (uint64_t)status.f_bsize;
  }
  return volume;
}
