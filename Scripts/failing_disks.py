"""File systems that lose their power or their disk, for `powercuts`.

Each is a folder with photos, and a folder `other` for journals. `attach` mounts, `detach` unmounts, and `cut` is the accident.
"""
import contextlib
import ctypes
import fcntl
import os
import shutil
import struct
import subprocess
import time
from pathlib import Path

from photo_oracle import end

SHUTDOWN = 0x8004587D  # FS_IOC_SHUTDOWN
KEEP_LOG, DROP_LOG = 1, 2


def call(*words):
    """Runs a program. Returns what it prints."""
    done = subprocess.run(list(map(str, words)), stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
    if done.returncode != 0:
        raise RuntimeError(f"{' '.join(map(str, words))}: {done.stdout.decode(errors='replace').strip()}")
    return done.stdout.decode(errors="replace").strip()


def unmount(folder, *words):
    """Unmounts, and waits for the last user of the files."""
    for attempt in range(50):
        try:
            return call(*(words or ["umount"]), folder)
        except RuntimeError:
            if attempt == 49:
                raise
            time.sleep(0.05)


class Disk:
    """A file system with photos that loses its power, and a folder `other` for journals that keeps it."""
    # Whether hard links can be edited, whether journals must be elsewhere, whether a photo may have no name before recovery.
    links, elsewhere, gaps = True, False, False

    def __init__(self, work):
        self.work, self.folder, self.other, self.content = work, work / "m", work / "other", work / "content"
        self.folder.mkdir(parents=True)

    def keep(self, name):
        """Keeps a copy of the detached disk."""
        self.copy(self.content, self.work / f"{name}.content")
        self.copy(self.other, self.work / f"{name}.other")

    def restore(self, name):
        self.copy(self.work / f"{name}.content", self.content)
        self.copy(self.work / f"{name}.other", self.other)

    def copy(self, source, target):
        if target.is_dir():
            shutil.rmtree(target)
        call("cp", "-a", "--sparse=always", source, target)

    def format(self):
        shutil.rmtree(self.other, ignore_errors=True)
        self.other.mkdir()

    def attach_again(self):
        """Attaches it with another device number, as after a reboot: the old number is taken meanwhile."""
        spare = self.work / "spare"
        spare.write_bytes(bytes(1 << 20))
        device = call("losetup", "--find", "--show", spare)
        self.attach()
        call("losetup", "--detach", device)


class LoopDisk(Disk):
    """An image whose file system is shut down."""

    def __init__(self, work, kind):
        super().__init__(work)
        self.kind = kind

    def format(self):
        super().format()
        make_file_system(self.kind, self.content)

    def attach(self):
        call("mount", "-o", "loop", self.content, self.folder)

    def detach(self):
        unmount(self.folder)

    def cut(self, process, flag):
        """Cuts the power. Returns the exit status of the program if it had ended before."""
        with opened(self.folder) as folder:
            status = process.poll()
            fcntl.ioctl(folder, SHUTDOWN, struct.pack("I", flag))
        end(process)
        return status


class PulledDisk(Disk):
    """An image on a lower file system. When that is shut down, each write of the upper one fails."""

    def __init__(self, work):
        super().__init__(work)
        self.lower = work / "lower"
        self.lower.mkdir()

    def format(self):
        super().format()
        make_file_system("ext4", self.content, 160)
        call("mount", "-o", "loop", self.content, self.lower)
        make_file_system("ext4", self.lower / "disk")
        unmount(self.lower)

    def attach(self):
        call("mount", "-o", "loop", self.content, self.lower)
        call("mount", "-o", "loop", self.lower / "disk", self.folder)

    def detach(self):
        unmount(self.folder)
        unmount(self.lower)

    def cut(self, process, flag):
        """Pulls the disk and lets the program end by itself. Returns its exit status."""
        with opened(self.lower) as folder:
            fcntl.ioctl(folder, SHUTDOWN, struct.pack("I", flag))
        try:
            return process.wait(timeout=60)
        except subprocess.TimeoutExpired:
            end(process)
            raise RuntimeError("it hangs without its disk") from None


class FuseDisk(Disk):
    """A folder behind a FUSE file system without exchange. The program is killed, the disk is not."""
    links, elsewhere, gaps = False, True, True

    def format(self):
        super().format()
        shutil.rmtree(self.content, ignore_errors=True)
        self.content.mkdir()

    def attach(self):
        call("bindfs", self.content, self.folder)

    def attach_again(self):
        self.attach()

    def detach(self):
        unmount(self.folder, "fusermount", "-u")

    def cut(self, process, _):
        status = process.poll()
        end(process)
        return status


def make_file_system(kind, image, size=None):
    with open(image, "wb") as file:
        file.truncate((size or {"ext4": 64, "xfs": 320}[kind]) << 20)
    call(f"mkfs.{kind}", "-q", "-f" if kind == "xfs" else "-F", image)


@contextlib.contextmanager
def opened(folder):
    descriptor = os.open(folder, os.O_RDONLY)
    yield descriptor
    os.close(descriptor)


class GuestDisk:
    """The two disks within a kernel that is killed."""

    def __init__(self, kind):
        self.kind, self.folder, self.other = kind.removeprefix("uml-"), Path("/run/m"), Path("/run/other")
        self.links, self.elsewhere, self.gaps = self.kind != "vfat", self.kind == "vfat", False
        for folder in (self.folder, self.other):
            folder.mkdir()

    def format(self):
        call(f"mkfs.{self.kind}", *(["-q", "-F"] if self.kind == "ext4" else []), "/dev/ubda")
        call("mkfs.ext4", "-q", "-F", "/dev/ubdb")

    def attach(self):
        call("mount", "-t", self.kind, "/dev/ubda", self.folder)
        call("mount", "-t", "ext4", "/dev/ubdb", self.other)

    def detach(self):
        unmount(self.folder)
        unmount(self.other)


def load_module(module):
    """Loads a module into the kernel (finit_module)."""
    with open(module) as file:
        if ctypes.CDLL(None, use_errno=True).syscall(313, file.fileno(), b"", 0) != 0:
            raise OSError(ctypes.get_errno(), f"{module}: {os.strerror(ctypes.get_errno())}")
