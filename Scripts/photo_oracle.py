"""Photos that are changed while something goes wrong, and what must be true of them afterwards.

Shared by `powercuts` and `races`. `Desk` is a folder of photos with a journal; `examine` judges what a disturbed run left:

- every photo is whole, its old bytes or its new ones, with its time, mode, attributes and links;
- a row that was printed, and a row of the journal after recovery, is true of the file;
- the exit status is 0 only if every photo is changed;
- undo gives every photo its old bytes, name and time back;
- no scratch file stays, except one that `metatag doctor` names as perhaps the only original.
"""
import contextlib
import hashlib
import json
import os
import signal
import struct
import subprocess
from pathlib import Path
from typing import NamedTuple

ROOT = Path(__file__).resolve().parent.parent
SAMPLES = ROOT / "SampleImages"
# The modification time of every photo before a run: any time with nanoseconds, and with even seconds for FAT.
TIME = 1_600_000_000_123_456_789
PLACE = ["--at", "46.05,14.5", "--overwrite", "replace"]
JPEGS = sorted(path.name for path in SAMPLES.glob("*.jpg") if "no-date" not in path.name)
# A TIFF is edited in place from 4 MiB on, or if it has two hard links.
LARGE = 5 << 20
IN_PLACE = {"p/large.tif", "p/linked.tif", "links/linked.tif"}
# What doctor calls a file that may be the only original of a photo, or that another program wrote to.
KEPT = {"unknownFile", "keptFile"}


def jpegs(count):
    """Pairs of a sample and a name."""
    return [(JPEGS[number % len(JPEGS)], f"{number:02}.jpg") for number in range(count)]


TIFFS = [("borealis-06-ferns.tif", "large.tif"), ("borealis-06-ferns.tif", "linked.tif")]
LIVE = [("cirrus-01-boat.heic", "boat.heic"), ("cirrus-01-boat.mov", "boat.mov")]

# Photos whose dates have a time zone.
AURORA = [(sample, name) for sample, name in jpegs(12) if sample.startswith("aurora")]

# The commands: the photos in the folder p, and the words. A group has 64 files; two commands need more than one group.
COMMANDS = {
    "geotag": ([*jpegs(72), *TIFFS, *LIVE], ["geotag", *PLACE, "p"]),
    "sidecar": ([("raw/delta-01.nef", "delta.nef"), *jpegs(12)], ["geotag", *PLACE, "--sidecar", "always", "p"]),
    "shift": ([*jpegs(20), *TIFFS, *LIVE], ["date", "shift", "+1h", "p"]),
    "mtime": (AURORA, ["date", "sync-mtime", "p"]),
    "extension": (
        [(sample, name.replace(".jpg", ".png")) for sample, name in jpegs(12)],
        ["fix-extension", *(f"p/{number:02}.png" for number in range(12))]),
    "clear": (
        [("borealis-04-viewpoint.jpg", f"{number}.jpg") for number in range(8)] + [("cirrus-03-falls.mov", "falls.mov")],
        ["clear", "--location", "-y", "p"]),
    "copy": (jpegs(12), ["geotag", *PLACE, "--copy-to", "out", "--trash-original", "p"]),
    "copies": (jpegs(12), ["geotag", *PLACE, "--copy-to", "out", "p"]),
    "undo": ([*jpegs(72), *TIFFS], ["undo"]),
}


class File(NamedTuple):
    """What is compared of a file."""
    digest: str
    size: int
    time: int
    mode: int
    links: int
    attributes: str


def look(path):
    info = os.stat(path)
    try:
        names = sorted(name for name in os.listxattr(path) if name.startswith("user."))
        attributes = " ".join(f"{name}={os.getxattr(path, name).hex()}" for name in names)
    except OSError:
        attributes = ""
    try:
        digest = hashlib.sha256(Path(path).read_bytes()).hexdigest()
    except OSError as error:
        digest = f"unreadable: {error.strerror}"
    return File(digest, info.st_size, info.st_mtime_ns, info.st_mode & 0o7777, info.st_nlink, attributes)


def is_scratch(name):
    return Path(name).name.startswith(".metatag-")


def enlarged(tiff):
    """A TIFF of LARGE bytes: its only strip is at its end, and gets zeros."""
    offset = tiff.index(struct.pack("<HHI", 279, 4, 1)) + 8  # StripByteCounts
    length = int.from_bytes(tiff[offset:offset + 4], "little") + LARGE - len(tiff)
    return tiff[:offset] + length.to_bytes(4, "little") + tiff[offset + 4:] + bytes(LARGE - len(tiff))


class Desk:
    """A folder with photos, a journal (in it or elsewhere) and the program's other folders."""

    def __init__(self, root, program, command, journal=None, links=True):
        self.root, self.program, self.links = Path(root), program, links
        self.journal = Path(journal) if journal else self.root / "state"
        self.name = command
        self.files, self.words = COMMANDS[command]

    def environment(self):
        own = {"HOME": self.root / "home", "XDG_STATE_HOME": self.journal, "XDG_DATA_HOME": self.root / "data",
               "XDG_CACHE_HOME": self.root / "cache"}
        path = os.environ.get("PATH", "/usr/bin:/bin")
        return {"PATH": path, "LC_ALL": "C.UTF-8", **{name: str(folder) for name, folder in own.items()}}

    def make(self):
        """Copies the photos; each has bytes, a mode and an attribute of its own where the file system has them."""
        for folder in ("p", "home", "out", "links"):
            (self.root / folder).mkdir(parents=True, exist_ok=True)
        for number, (sample, name) in enumerate(self.files):
            self.add(sample, name, 0o640 if number % 2 else 0o604)
        self.first = self.state()
        if self.name == "undo":
            status, _, errors = self.run(["geotag", *PLACE, "-q", "p"])
            if status != 0:
                raise RuntimeError(f"geotag: {errors}")
        self.before = self.state()
        return self

    def add(self, sample, name, mode=0o644):
        path = self.root / "p" / name
        content = (SAMPLES / sample).read_bytes()
        if sample.endswith(".jpg"):
            content += name.encode()
        if name == "large.tif":
            content = enlarged(content)
        path.write_bytes(content)
        with contextlib.suppress(OSError):
            path.chmod(mode)
            os.setxattr(path, "user.photo", name.encode())
        if name == "linked.tif" and self.links:
            os.link(path, self.root / "links" / name)
        os.utime(path, ns=(TIME, TIME))

    def state(self):
        """Every file outside the program's folders, by its path from the root."""
        found = {}
        for folder in ("p", "out", "links", "data"):
            for path in sorted((self.root / folder).rglob("*")):
                if path.is_file() and path.suffix != ".trashinfo":
                    found[str(path.relative_to(self.root))] = look(path)
        return found

    def is_written(self):
        """Whether a run has begun to write: a scratch file or a copy is there."""
        return any(name.startswith(".metatag-") for folder in ("p", "out") for name in os.listdir(self.root / folder))

    def start(self, words, output):
        """Starts the program in a process group of its own."""
        return subprocess.Popen(
            [*self.program, *words], cwd=self.root, env=self.environment(), stdin=subprocess.DEVNULL, stdout=output,
            stderr=subprocess.DEVNULL, start_new_session=True)

    def run(self, words):
        try:
            done = subprocess.run(
                [*self.program, *words], cwd=self.root, env=self.environment(), stdin=subprocess.DEVNULL,
                stdout=subprocess.PIPE, stderr=subprocess.PIPE, timeout=180)
        except subprocess.TimeoutExpired:
            return -1, "", "it hangs"
        return done.returncode, done.stdout.decode(errors="replace"), done.stderr.decode(errors="replace")

    def json(self, words):
        """The document that a command prints, and its complaint if it prints none."""
        status, out, errors = self.run([*words, "--json"])
        try:
            return json.loads(out or "[]"), ""
        except ValueError:
            return [], f"{' '.join(words)} ended with status {status}: {errors.strip()[-200:]}"

    def relative(self, path):
        return os.path.normpath(os.path.relpath(os.path.join(self.root, path), self.root))

    def hidden(self, finding):
        """The file that a finding of doctor is about: the kept one, not its photo."""
        return self.relative(finding.get("kept", finding["path"]))

    def rows(self, text):
        """The rows of --jsonl, also of a run that was killed within one."""
        rows = {}
        for line in text.splitlines():
            try:
                row = json.loads(line)
            except ValueError:
                continue
            if isinstance(row, dict) and "path" in row:
                rows[self.relative(row["path"])] = row
        return rows


def end(process):
    """Kills a program and what it started."""
    with contextlib.suppress(ProcessLookupError):
        os.killpg(process.pid, signal.SIGKILL)
    return process.wait()


def difference(here, *wanted):
    """What is wrong with a file that is none of the wanted ones; nothing if it is one of them."""
    wanted = [file for file in wanted if file]
    if here in wanted:
        return None
    if here is None:
        return "is gone" if wanted else None
    alike = [file for file in wanted if file.digest == here.digest]
    if not alike:
        kind = here.digest if here.digest.startswith("unreadable") else f"{here.size} bytes"
        return f"is neither old nor new ({kind})"
    parts = [part for part in ("time", "mode", "links", "attributes")
             if all(getattr(file, part) != getattr(here, part) for file in alike)]
    return f"has another {', '.join(parts) or 'combination of time, mode and links'}"


class Judgement:
    """What is wrong after a disturbed run, and what was seen."""

    def __init__(self, desk, before, after):
        self.desk, self.before, self.after = desk, before, after
        self.wrong, self.photos, self.half, self.kept = [], 0, False, 0

    def expect(self, name, now, wanted, when):
        here, old = now.get(name), self.before.get(name)
        if problem := difference(here, wanted):
            if here and old and wanted and here.digest == old.digest != wanted.digest:
                problem = "is old"
            self.wrong.append(f"{name} {problem} {when}")

    def new(self, name, now):
        """The new version of a file. Only undo and sync-mtime set its time; otherwise it is the time of the change."""
        new, old = self.after.get(name), self.before.get(name)
        timed = self.desk.name in ("undo", "mtime") or old and old.digest == new.digest if new else True
        return new if timed or name not in now else new._replace(time=now[name].time)

    def is_half(self, now):
        """Whether recovery has something to do, as far as the photos tell."""
        done = [now.get(name) == self.new(name, now) for name in self.before.keys() | self.after.keys()
                if self.before.get(name) != self.after.get(name)]
        return any(map(is_scratch, now)) or any(done) and not all(done)

    def check_whole(self, now, when, mends):
        """Checks that each photo is old or new. `mends`: before recovery, when an edit in place may have spare bytes."""
        for name in sorted(now.keys() | self.before.keys() | self.after.keys()):
            if is_scratch(name) or mends and name in IN_PLACE:
                continue
            old, new = self.before.get(name), self.new(name, now)
            if name in now:
                self.photos += not mends
                if mends and new and now[name].digest in (new.digest, old and old.digest):
                    continue
                if problem := difference(now[name], old, new):
                    self.wrong.append(f"{name} {problem} {when}")
            elif old and not self.moved(old, now):
                self.wrong.append(f"{name} is gone {when}")

    def moved(self, old, now):
        """Whether a file that isn't at its name is where the command moves it."""
        return any(file.digest == old.digest and name not in self.before and name in self.after for name, file in now.items())

    def check_printed(self, now, rows, status):
        """Compares the rows that the run printed before it was disturbed; `status` is None if it was killed."""
        for name, row in rows.items():
            outcome, here = row.get("outcome"), now.get(name)
            if outcome == "changed" and row.get("code") != "notDurable" and self.after.get(name) and name not in IN_PLACE:
                self.expect(name, now, self.new(name, now), when="although its row was printed as changed")
            if outcome == "failed" and here != self.before.get(name):
                self.expect(name, now, self.before.get(name), when=f"although its row says failed: {row.get('reason')}")
        if status is not None and (status < 0 or status in (132, 134, 139)):
            self.wrong.append(f"it crashed with status {status}")
        if status == 0:
            for name in self.after:
                self.expect(name, now, self.new(name, now), when="although the exit status was 0")

    def recover(self):
        """Runs the next command, on another photo of the folder."""
        self.desk.add(JPEGS[0], "zz-later.jpg")
        status, _, errors = self.desk.run(["set", "--title", "Later", "p/zz-later.jpg"])
        if status != 0:
            self.wrong.append(f"the next command ended with status {status}: {errors.strip()[-300:]}")

    def check_leftovers(self, now):
        findings, complaint = self.desk.json(["doctor", "p", "out"])
        if complaint:
            self.wrong.append(complaint)
        named = {self.desk.hidden(f): f["code"] for f in findings if "path" in f}
        for name in filter(is_scratch, now):
            if named.get(name) in KEPT:
                self.kept += 1
            else:
                self.wrong.append(f"{name} stays; doctor says {named.get(name)}")
        for finding in findings:
            if finding["kind"] == "problem" and finding["code"] not in KEPT and finding["code"] != "outdatedLibrary":
                self.wrong.append(f"doctor after recovery: {finding['reason']}")

    def check_journal(self, now):
        """Compares the rows of the journal with the files."""
        runs, complaint = self.desk.json(["log", "--limit", "0"])
        if complaint:
            self.wrong.append(complaint)
        run = next((run for run in runs if run["arguments"][1:] == [*self.desk.words, "--jsonl"]), None)
        rows = self.desk.json(["log", str(run["run"])])[0] if run else []
        listed = set()
        for row in rows:
            old = self.desk.relative(row["path"])
            name = os.path.join(os.path.dirname(old), row["newName"]) if "newName" in row else old
            listed |= {old, name, self.desk.relative(row.get("copyOf", old))}
            state, when = row["state"], f"although its row in the journal says {row['state']}"
            if state in ("changed", "renamed", "created"):
                self.expect(name, now, self.new(name, now), when=when)
            elif state in ("failed", "undone"):
                self.expect(old, now, self.before.get(old), when=when)
            elif state == "moved to the trash" and old in now or state == "begun":
                self.wrong.append(f"{old} is there {when}")
        for name in self.before.keys() - listed - IN_PLACE:
            self.expect(name, now, self.before[name], when="although it has no row in the journal")

    def check_undo(self, first):
        """Undoes everything and compares with the beginning, except the folders of copies and of the trash."""
        for _ in range(4):
            status, out, errors = self.desk.run(["undo", "-y"])
            now = {name: file for name, file in self.desk.state().items()
                   if name.startswith(("p/", "links/")) and name != "p/zz-later.jpg" and not is_scratch(name)}
            if status != 0 or now == first:
                break
        for name in sorted(now.keys() | first.keys()):
            if now.get(name) != first.get(name):
                problem = difference(now.get(name), first.get(name)) or "is left"
                said = " / ".join((errors + out).strip().splitlines()[-2:])
                self.wrong.append(f"{name} {problem} after undo, which said: {said}")


def examine(desk, first, before, after, printed, status, gaps=False):
    """Judges what a disturbed run left. `gaps`: a photo may have no name until recovery (a disk without exchange)."""
    judgement = Judgement(desk, before, after)
    now = desk.state()
    judgement.half = judgement.is_half(now)
    if not gaps:
        judgement.check_whole(now, "before recovery", mends=True)
    judgement.recover()
    now = desk.state()
    now.pop("p/zz-later.jpg", None)
    judgement.check_whole(now, "after recovery", mends=False)
    judgement.check_printed(now, desk.rows(printed), status)
    judgement.check_leftovers(now)
    judgement.check_journal(now)
    judgement.check_undo(first)
    return judgement
