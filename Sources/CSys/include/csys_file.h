#pragma once
#include <stddef.h>
#include <stdint.h>

// Calls for files that Swift's Glibc module lacks. Each returns what the call of the same name returns: -1 and errno on
// failure. Offsets are int64_t, not off_t: a header that includes sys/types.h would make this module the owner of types
// that Swift knows from Glibc.

// Flags of renameat2(2): the new name must be free; or both names are exchanged.
static const unsigned csys_rename_noreplace = 1u << 0;
static const unsigned csys_rename_exchange = 1u << 1;
int csys_renameat2(int from_folder, const char *from, int to_folder, const char *to, unsigned flags);

int csys_syncfs(int descriptor);
// Whether another process has the file open for writing: 1 or 0; -1 if that can't be found out (another owner's file, a file
// system without leases, or this process has it open for writing). The descriptor must be open for reading only.
int csys_has_writer(int descriptor);
// sync_file_range(2): starts to write dirty pages without waiting.
int csys_start_writeback(int descriptor);
int csys_fallocate(int descriptor, int mode, int64_t offset, int64_t count);

// lseek(2): finds the next bytes that are stored, and the next hole.
static const int csys_seek_data = 3;
static const int csys_seek_hole = 4;

// copy_file_range(2) at given offsets.
ptrdiff_t csys_copy_file_range(int from, int64_t from_offset, int to, int64_t to_offset, size_t count);
// ioctl FICLONERANGE: shares blocks. Offsets and count are multiples of the block size, or reach the end of the file.
int csys_clone_range(int from, int64_t from_offset, size_t count, int to, int64_t to_offset);

ptrdiff_t csys_flistxattr(int descriptor, char *names, size_t count);
ptrdiff_t csys_fgetxattr(int descriptor, const char *name, void *value, size_t count);
int csys_fsetxattr(int descriptor, const char *name, const void *value, size_t count);
int csys_fremovexattr(int descriptor, const char *name);

// ioctl FS_IOC_SETFLAGS: copies the flags that chattr calls d, A and S. Returns 0 also if the file system has none.
int csys_copy_inode_flags(int from, int to);

// statx(2): the attributes that chattr sets on a name, not on the target of a link; on the folder for "".
// 0 without such attributes.
static const unsigned csys_marked_append_only = 1u << 0;
static const unsigned csys_marked_immutable = 1u << 1;
unsigned csys_marks(int folder, const char *name);

// open(2): reading doesn't change the access time.
extern const int csys_o_noatime;

// fstatfs(2): f_type (0 if unknown) and the block size.
typedef struct {
  uint64_t magic;
  uint64_t block_size;
} csys_volume;
csys_volume csys_fstatfs(int descriptor);

// f_type of file systems, from linux/magic.h and the kernel's sources.
static const uint64_t csys_magic_ext = 0xEF53;
static const uint64_t csys_magic_xfs = 0x58465342;
static const uint64_t csys_magic_btrfs = 0x9123683E;
static const uint64_t csys_magic_bcachefs = 0xCA451A4E;
static const uint64_t csys_magic_zfs = 0x2FC12FC1;
static const uint64_t csys_magic_f2fs = 0xF2F52010;
static const uint64_t csys_magic_tmpfs = 0x01021994;
static const uint64_t csys_magic_overlay = 0x794C7630;
static const uint64_t csys_magic_fat = 0x4D44;
static const uint64_t csys_magic_exfat = 0x2011BAB0;

// utimensat(2): leaves a time unchanged.
extern const long csys_utime_omit;
