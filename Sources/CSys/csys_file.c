#include "csys_file.h"

#include <fcntl.h>
#include <linux/fs.h>
#include <stdio.h>
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
