"""Unpack an archive on the host.

The archive comes from the controller unless `remote_src` is set.
"""

# The controller's half offers the archive under the name `src` unless `remote_src` is set; `_name` is its name.

import fnmatch
import grp
import os
import pwd
import shutil
import stat
import tarfile
import tempfile
import time
import zipfile
import zlib

from pyplay.remote.module_utils import channel, files, process
from pyplay.remote.module_utils.modes import current_umask

OPTIONS = {
    "options": {
        "src": {"type": "path", "required": True, "doc": "The archive: on the controller, the host, or a URL."},
        "dest": {"type": "path", "required": True, "doc": "The directory to unpack into; it must exist."},
        "remote_src": {"type": "bool", "default": False, "doc": "`src` is on the host, or a URL for it to fetch."},
        "copy": {"type": "bool", "default": True, "doc": "The opposite of remote_src, as it was called before."},
        "creates": {"type": "path", "doc": "Do nothing where this exists."},
        "exclude": {"type": "list", "elements": "str", "default": [], "doc": "Members (globs) to leave out."},
        "include": {"type": "list", "elements": "str", "default": [], "doc": "Members to unpack; all if empty."},
        "extra_opts": {"type": "list", "elements": "str", "default": [], "doc": "More options for tar or unzip."},
        "keep_newer": {"type": "bool", "default": False, "doc": "Leave files that are newer than the archive's."},
        "list_files": {"type": "bool", "default": False, "doc": "List the archive's members in the result."},
        "io_buffer_size": {"type": "int", "default": 65536, "doc": "Bytes to read at a time."},
        "validate_certs": {"type": "bool", "default": True, "doc": "Check the server's certificate, for URLs."},
        "decrypt": {"type": "bool", "default": True, "doc": "The controller decrypts a vault file as `src`."},
        "_name": {"type": "str", "doc": "The archive's name."},
    },
    "mutually_exclusive": [["include", "exclude"]],
    "file_options": True,
    "check_mode": "partial",
    "diff": False,
    "identity": ["dest"],
    "absent_undoes": False,
    "platforms": "posix",
    "returns": {
        "handler": "What kind of archive it is.",
        "files": "Its members, with list_files.",
        "dest": "Where it was unpacked.",
        "src": "The archive.",
    },
}


class Member:
    """One entry of an archive: what shall be at `name` below the destination."""

    __slots__ = ("checksum", "gid", "group", "kind", "link", "mode", "mtime", "name", "owner", "size", "uid")

    def __init__(self, name, kind, mode, size, mtime):
        """Take path, kind (file, directory, link, hard, other), permissions (None: unknown), size and time."""
        self.name, self.kind, self.mode, self.size, self.mtime = name, kind, mode, size, mtime
        self.link = self.owner = self.group = self.uid = self.gid = self.checksum = None


class Tar:
    """A tar archive, packed in whatever way the host's tar knows."""

    handler = "TarArchive"

    def __init__(self, module, path):
        """Take the archive's path."""
        self.module = module
        self.path = path
        self.pack = None

    def opens(self):
        """Tell whether this is such an archive."""
        with open(self.path, "rb") as stream:
            magic = stream.read(6)
        for head, word in ((b"\x1f\x8b", "-z"), (b"BZh", "-j"), (b"\xfd7zXZ", "-J"), (b"\x28\xb5\x2f\xfd", "--zstd")):
            if magic.startswith(head):
                self.pack = word
        if self.pack is None:
            self.pack = ""
        if self.pack == "-z":
            self.handler = "TgzArchive"
        program = self.module.find_program("tar")
        if program is None:
            return False
        rc, _, _ = self.module.run_command(self._argv("-t"))
        return rc == 0

    def _argv(self, verb):
        return ["tar", verb] + ([self.pack] if self.pack else []) + ["-f", self.path]

    def members(self):
        """Give the archive's entries, unpacking as a stream where Python does not know the packing."""
        modes = {"-z": "r:gz", "-j": "r:bz2", "-J": "r:xz", "": "r:"}
        if self.pack in modes:
            with tarfile.open(self.path, modes[self.pack]) as archive:
                return [self._member(info) for info in archive]
        _, data, _ = process.run(["zstd", "-dcq", self.path], binary=True)
        import io  # noqa: PLC0415  # for zstd alone

        with tarfile.open(fileobj=io.BytesIO(data)) as archive:
            return [self._member(info) for info in archive]

    def _member(self, info):
        kind = "other"
        for test, word in ((info.isreg, "file"), (info.isdir, "directory"), (info.issym, "link"), (info.islnk, "hard")):
            kind = word if test() else kind
        name = info.name + "/" if info.isdir() and not info.name.endswith("/") else info.name
        member = Member(name, kind, info.mode & 0o7777, info.size, info.mtime)
        member.link = info.linkname or None
        member.owner, member.group, member.uid, member.gid = info.uname, info.gname, info.uid, info.gid
        return member

    def unpack(self, names, excluded, args):
        """Unpack into the destination; gives how tar ended."""
        argv = self._argv("-x") + ["-C", args["dest"]]
        argv += ["--keep-newer-files"] if args["keep_newer"] else []
        argv += args["extra_opts"] + ["--exclude=" + pattern for pattern in excluded]
        argv += ["--"] + names if names else []
        rc, out, err = self.module.run_command(argv, check=True)
        return {"cmd": argv, "rc": rc, "out": out, "err": err}


class Zip:
    """A zip archive."""

    handler = "ZipArchive"

    def __init__(self, module, path):
        """Take the archive's path."""
        self.module = module
        self.path = path

    def opens(self):
        """Tell whether this is such an archive."""
        return zipfile.is_zipfile(self.path)

    def members(self):
        """Give the archive's entries."""
        found = []
        with zipfile.ZipFile(self.path) as archive:
            for info in archive.infolist():
                unix = info.external_attr >> 16
                kind = "directory" if info.filename.endswith("/") else "link" if stat.S_ISLNK(unix) else "file"
                moment = time.mktime(info.date_time + (0, 0, -1))
                member = Member(info.filename, kind, stat.S_IMODE(unix) or None, info.file_size, moment)
                member.checksum = info.CRC
                if kind == "link":
                    member.link = archive.read(info).decode("utf-8", "surrogateescape")
                found.append(member)
        return found

    def unpack(self, names, excluded, args):
        """Unpack into the destination, with the permissions that the archive has; gives how unzip ended."""
        if args["extra_opts"]:
            argv = [self.module.find_program("unzip", required=True), "-o", *args["extra_opts"], self.path, *names]
            argv += (["-x"] + excluded if excluded else []) + ["-d", args["dest"]]
            rc, out, err = self.module.run_command(argv)
            if rc > 1:
                self.module.fail("unzip failed: %s" % (err or out).strip(), rc=rc)
            return {"cmd": argv, "rc": rc, "out": out, "err": err}
        with zipfile.ZipFile(self.path) as archive:
            for info, member in zip(archive.infolist(), self.members()):
                if wanted(member.name, names, excluded):
                    self._put(archive, info, member, args)
        return {"cmd": [], "rc": 0, "out": "", "err": ""}

    def _put(self, archive, info, member, args):
        path = inside(self.module, args["dest"], member.name)
        if args["keep_newer"] and os.path.exists(path) and os.stat(path).st_mtime > member.mtime:
            return
        if member.kind == "directory":
            os.makedirs(path, exist_ok=True)
        else:
            os.makedirs(os.path.dirname(path), exist_ok=True)
            if os.path.lexists(path) and (member.kind == "link" or os.path.islink(path)):
                os.unlink(path)
            if member.kind == "link":
                os.symlink(member.link, path)
                return
            with archive.open(info) as source, open(path, "wb") as target:
                shutil.copyfileobj(source, target, args["io_buffer_size"])
        if member.mode is not None:
            os.chmod(path, member.mode)
        os.utime(path, (member.mtime, member.mtime))


def inside(module, top, name):
    """Give the path of a member below `top`; fails for one that would lie elsewhere."""
    path = os.path.normpath(os.path.join(top, name))
    real = os.path.realpath(os.path.dirname(path))
    base = os.path.realpath(top)
    if os.path.isabs(name) or not (real + "/").startswith(base.rstrip("/") + "/"):
        module.fail("the archive's member %r lies outside of %s" % (name, top))
    return path


def wanted(name, names, excluded):
    """Tell whether a member is to be unpacked."""
    plain = name.rstrip("/")
    for pattern in excluded:
        if fnmatch.fnmatch(plain, pattern) or plain.startswith(pattern.rstrip("/") + "/"):
            return False
    if not names:
        return True
    return any(
        plain == item.rstrip("/") or plain.startswith(item.rstrip("/") + "/") or fnmatch.fnmatch(plain, item)
        for item in names
    )


def differs(member, path, args):
    """Tell whether what is at `path` is not what the archive has."""
    status = files.lstat(path)
    if status is None:
        return True
    if member.kind == "directory":
        return not stat.S_ISDIR(status.st_mode)
    if member.kind == "link":
        return not stat.S_ISLNK(status.st_mode) or os.readlink(path) != member.link
    if member.kind != "file":
        return False
    if not stat.S_ISREG(status.st_mode):
        return True
    if args["keep_newer"] and status.st_mtime > member.mtime:
        return False
    if status.st_size != member.size:
        return True
    if member.checksum is not None:
        if crc(path) != member.checksum:
            return True
    elif int(status.st_mtime) != int(member.mtime):
        return True
    if args["mode"] is None and member.mode is not None and stat.S_IMODE(status.st_mode) != masked(member.mode):
        return True
    return os.geteuid() == 0 and _owned_otherwise(member, status, args)


def itemized(member, path):
    """Give the line of a diff for a member that differs, in the form of rsync's lists."""
    status = files.lstat(path)
    kind = {"directory": "d", "link": "L"}.get(member.kind, "f")
    if status is None:
        return ">%s++++++.?? %s\n" % (kind, member.name)
    marks = (
        ("c", member.checksum is not None and stat.S_ISREG(status.st_mode) and crc(path) != member.checksum),
        ("s", member.kind == "file" and status.st_size != member.size),
        ("t", int(status.st_mtime) != int(member.mtime)),
        ("p", member.mode is not None and stat.S_IMODE(status.st_mode) != member.mode),
    )
    return ">%s%s...?? %s\n" % (kind, "".join(mark if differs else "." for mark, differs in marks), member.name)


def masked(mode):
    """Give the mode that an unpacked file gets: tar honours the umask but for root."""
    return mode if os.geteuid() == 0 else mode & ~current_umask()


def _owned_otherwise(member, status, args):
    if member.uid is None:
        return False
    if args["owner"] is None and status.st_uid != _number(pwd.getpwnam, member.owner, member.uid, "pw_uid"):
        return True
    return args["group"] is None and status.st_gid != _number(grp.getgrnam, member.group, member.gid, "gr_gid")


def _number(look, name, number, field):
    try:
        return getattr(look(name), field) if name else number
    except KeyError:
        return number


def crc(path):
    """Give a file's CRC-32, as zip has it."""
    value = 0
    with open(path, "rb") as stream:
        for block in iter(lambda: stream.read(files.CHUNK), b""):
            value = zlib.crc32(block, value)
    return value & 0xFFFFFFFF


class Source:
    """The archive as a file of this host; a context manager that removes what it fetched."""

    def __init__(self, module):
        """Take it from where the options say."""
        self.path, self.fetched = module.args["src"], None
        remote = module.args["remote_src"] or not module.args["copy"]
        if remote and "://" in self.path:
            self._download(module)
        elif not remote and channel.connected():
            self._receive(module)
        elif not os.path.exists(self.path):
            module.fail("there is no archive %s" % self.path)

    def _download(self, module):
        from pyplay.remote.module_utils import urls  # noqa: PLC0415  # most archives are files

        request = urls.Request(self.path, timeout=60, validate_certs=module.args["validate_certs"], decompress=False)
        try:
            self.fetched = urls.Download(self.path, request=request)
        except (urls.RequestFailed, OSError) as error:
            module.fail("cannot fetch %s: %s" % (self.path, error))
        self.path = self.fetched.path

    def _receive(self, module):
        handle, self.path = tempfile.mkstemp("", ".pyplay-")
        self.fetched = self
        with os.fdopen(handle, "wb") as stream:
            try:
                for piece in channel.request_blob("src"):
                    stream.write(piece)
            except KeyError:
                self.close()
                module.fail("there is no archive %s" % module.args["src"])

    def close(self):
        """Remove the archive that was fetched."""
        if os.path.exists(self.path):
            os.unlink(self.path)

    def __enter__(self):
        return self

    def __exit__(self, *about):
        if self.fetched is not None:
            self.fetched.close()


def choose(module, path):
    """Give the archive as what it is; fails for what is none."""
    for kind in (Zip, Tar):
        archive = kind(module, path)
        if archive.opens():
            return archive
    return module.fail("%s is no archive that the host can unpack (tar, zip)" % module.args["src"])


def settle(module, paths):
    """Give what was unpacked the wanted attributes; tells whether that changed anything."""
    attributes = files.Wanted.from_args(module.args)
    changed = False
    for path in paths:
        changed = bool(files.apply(path, attributes, module.check_mode)) or changed
    return changed


def run(module):
    """Unpack what differs."""
    args = module.args
    dest = args["dest"]
    if args["creates"] and os.path.exists(args["creates"]):
        module.skip("skipped, since %s exists" % args["creates"])
    if not os.path.isdir(dest):
        module.fail("the destination %s is not a directory" % dest)
    with Source(module) as source:
        if os.path.getsize(source.path) == 0:
            module.fail("the archive %s is empty" % args["src"])
        archive = choose(module, source.path)
        try:
            members = [member for member in archive.members() if wanted(member.name, args["include"], args["exclude"])]
        except (tarfile.TarError, zipfile.BadZipFile, OSError) as error:
            module.fail("the archive %s cannot be read: %s" % (args["src"], error))
        paths = [(member, inside(module, dest, member.name)) for member in members if member.name not in (".", "./")]
        different = [(member, path) for member, path in paths if differs(member, path, args)]
        changed = bool(different)
        result = {}
        if module.diff and changed:
            result["diff"] = {"prepared": "".join(itemized(member, path) for member, path in different)}
        if changed and not module.check_mode:
            try:
                result["extract_results"] = archive.unpack(args["include"], args["exclude"], args)
            except OSError as error:
                module.fail("cannot unpack %s: %s" % (args["src"], error))
    there = [path for _, path in paths if os.path.lexists(path)]
    changed = settle(module, there) or changed
    result.update(files.describe(dest), changed=changed, dest=dest, src=args["src"], handler=archive.handler)
    if args["list_files"]:
        result["files"] = [member.name for member in members]
    return result


if __name__ == "__main__":
    from pyplay.remote.module_utils.module import main

    main(run, OPTIONS)
