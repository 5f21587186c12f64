"""Files on the host, for all modules: atomic replacement, owner, group, mode, flags, context, checksums, backups.

Every function works on text paths (bytes that are not UTF-8 as surrogates, as `os.fsdecode` gives them).
"""

import errno
import fcntl
import grp
import os
import pwd
import stat
import sys
import time

from pyplay.remote.module_utils.modes import ModeError, current_umask, parse_mode, spell_mode
from pyplay.remote.module_utils.module import ModuleFailed

CHUNK = 1 << 18
LITTLE = 1 << 13
"""Bytes for whose digest it is not worth while to load OpenSSL, which takes a host 2 ms."""
_SELINUX = "security.selinux"
_DESCRIPTORS = "/proc/self/fd/"  # such a name leads to what is held, be it a link itself
_IN_PLACE = (errno.EACCES, errno.EPERM, errno.EROFS, errno.EBUSY, errno.EXDEV, errno.ETXTBSY)


def checksum(path: str, algorithm: str = "sha1") -> str:
    """Give the digest of a file's content in hexadecimal. Raises OSError, ValueError for an unknown algorithm."""
    with open(path, "rb", buffering=0) as stream:
        digest = _new_digest(algorithm, os.fstat(stream.fileno()).st_size)
        for block in iter(lambda: stream.read(CHUNK), b""):
            digest.update(block)
    return digest.hexdigest()


def digest_of(data: bytes, algorithm: str = "sha1") -> str:
    """Give the digest of bytes in hexadecimal."""
    digest = _new_digest(algorithm, len(data))
    digest.update(data)
    return digest.hexdigest()


def _new_digest(algorithm: str, size: int) -> object:
    """Give what takes some `size` bytes and gives their digest. Raises ValueError for an unknown algorithm."""
    if algorithm == "sha1" and size < LITTLE and "hashlib" not in sys.modules:
        try:
            from _sha1 import sha1  # noqa: PLC0415  # as above
        except ImportError:
            pass
        else:
            return sha1()
    import hashlib  # noqa: PLC0415  # as above

    return hashlib.new(algorithm)


def md5_of(data: bytes) -> object:
    """Give the MD5 of bytes, None where the host's policy (FIPS) forbids it."""
    try:
        return digest_of(data, "md5")
    except ValueError:
        return None


def md5_or_none(path: str) -> object:
    """Give a file's MD5, None where the host's policy (FIPS) forbids it."""
    try:
        return checksum(path, "md5")
    except ValueError:
        return None


def lstat(path: str) -> object:
    """Give the status of `path` itself, a link not followed; None where nothing is there. Raises other OSErrors."""
    try:
        return os.lstat(path)
    except (FileNotFoundError, NotADirectoryError):
        return None


def kind_of(status: object) -> str:
    """Name what a status describes: absent, link, directory, hard (a file with several names) or file."""
    if status is None:
        return "absent"
    if stat.S_ISLNK(status.st_mode):
        return "link"
    if stat.S_ISDIR(status.st_mode):
        return "directory"
    return "hard" if status.st_nlink > 1 else "file"


def user_name(uid: int) -> str:
    """Give a user's name, the number as text where it has none."""
    try:
        return pwd.getpwuid(uid).pw_name
    except KeyError:
        return str(uid)


def group_name(gid: int) -> str:
    """Give a group's name, the number as text where it has none."""
    try:
        return grp.getgrgid(gid).gr_name
    except KeyError:
        return str(gid)


def describe(path: str) -> dict:
    """Give what results say about a file: uid, gid, owner, group, mode, state, size, secontext (with SELinux)."""
    status = lstat(path)
    if status is None:
        return {"state": "absent"}
    facts = {
        "uid": status.st_uid,
        "gid": status.st_gid,
        "owner": user_name(status.st_uid),
        "group": group_name(status.st_gid),
        "mode": spell_mode(status.st_mode),
        "state": kind_of(status),
        "size": status.st_size,
    }
    if selinux_enabled():
        facts["secontext"] = ":".join(read_context(path) or ())
    return facts


def fail(path: str, msg: str, **result: object) -> None:
    """End the module as failed, with what is known of `path` in its result; raises ModuleFailed."""
    raise ModuleFailed(msg, dict(describe(path), path=path, **result))


# SELinux, through the extended attribute: the host need not have libselinux's Python bindings


def selinux_enabled() -> bool:
    """Tell whether the kernel enforces or logs SELinux labels."""
    return os.path.exists("/sys/fs/selinux/enforce")


def read_context(path: str) -> object:
    """Give the parts of a file's SELinux context (user, role, type, level), None where it has none."""
    try:
        text = (
            os.getxattr(path, _SELINUX, follow_symlinks=path.startswith(_DESCRIPTORS))
            .rstrip(b"\0")
            .decode("utf-8", "replace")
        )
    except OSError:
        return None
    return text.split(":", 3)


def default_context(path: str) -> object:
    """Give the parts of the context that the policy has for `path`, None where there is none."""
    from pyplay.remote.module_utils import process  # noqa: PLC0415  # only with SELinux

    program = process.find("matchpathcon")
    if program is None:
        return None
    rc, out, _ = process.run([program, "-n", path])
    parts = out.strip().split(":", 3)
    return parts if rc == 0 and len(parts) > 2 else None


# Holding


class Held:
    """What is at a path, held by a descriptor, so that nobody can put something else there; a context manager.

    A link is held itself. `status` is its lstat, `name` what calls take that change it: in a directory of another user,
    who may swap names at any moment, a path would lead root to any file. Where the system has no such descriptors, or
    no /proc, the name is the path. Raises OSError, FileNotFoundError where nothing is.
    """

    __slots__ = ("descriptor", "name", "status")

    def __init__(self, path: str, directory: object = None) -> None:
        """Hold `path`; a relative one counts from the descriptor `directory`, if given."""
        self.name = path
        self.descriptor = -1
        if not hasattr(os, "O_PATH"):
            self.status = os.lstat(path)
            return
        self.descriptor = os.open(path, os.O_PATH | os.O_NOFOLLOW, dir_fd=directory)
        self.status = os.fstat(self.descriptor)
        self.name = name_of(self.descriptor, path)

    def __enter__(self) -> "Held":
        return self

    def __exit__(self, *about: object) -> None:
        if self.descriptor >= 0:
            os.close(self.descriptor)


def name_of(descriptor: int, path: str) -> str:
    """Give a name by which calls that take paths reach what `descriptor` holds; without /proc its `path`."""
    name = "%s%d" % (_DESCRIPTORS, descriptor)
    return name if os.path.lexists(name) else path


# Attributes


class Wanted:
    """The attributes that a task asks for; None where it does not care."""

    __slots__ = ("attributes", "context", "group", "mode", "owner", "unsafe")

    def __init__(
        self,
        owner: object = None,
        group: object = None,
        mode: object = None,
        attributes: object = None,
        context: object = (None, None, None, None),
        unsafe: bool = False,
    ) -> None:
        """Take owner and group (name or number), mode, chattr's letters, and the four parts of a context."""
        self.owner = owner
        self.group = group
        self.mode = mode
        self.attributes = attributes
        self.context = context
        self.unsafe = unsafe

    @classmethod
    def from_args(cls, args: dict) -> "Wanted":
        """Take the common file options from a module's arguments."""
        return cls(
            args.get("owner"),
            args.get("group"),
            args.get("mode"),
            args.get("attributes"),
            tuple(args.get(name) for name in ("seuser", "serole", "setype", "selevel")),
            bool(args.get("unsafe_writes")),
        )

    def but(self, **changes: object) -> "Wanted":
        """Give a copy with some attributes changed."""
        values = {name: getattr(self, name) for name in self.__slots__}
        values.update(changes)
        return Wanted(**values)


def user_id(owner: object, path: str, check: bool) -> object:
    """Give the number of a user given by name or number.

    Where there is none yet, `check` gives its name: a task before may make it. Else raises ModuleFailed about `path`.
    """
    text = str(owner)
    if text.isdigit():
        return int(text)
    try:
        return pwd.getpwnam(text).pw_uid
    except KeyError:
        if check:
            return text
        return fail(path, "cannot make %r the owner: there is no such user on the host" % text)


def group_id(group: object, path: str, check: bool) -> object:
    """Give the number of a group given by name or number.

    Where there is none yet, `check` gives its name: a task before may make it. Else raises ModuleFailed about `path`.
    """
    text = str(group)
    if text.isdigit():
        return int(text)
    try:
        return grp.getgrnam(text).gr_gid
    except KeyError:
        if check:
            return text
        return fail(path, "cannot make %r the group: there is no such group on the host" % text)


class Changes:
    """What differs in a file's attributes: the two sides of a diff. True when something differs.

    `validation` is how the program ended that judged the new content (rc, stdout, stderr), None where there was none.
    """

    __slots__ = ("after", "before", "validation")

    def __init__(self) -> None:
        """Begin with no difference."""
        self.before = {}
        self.after = {}
        self.validation = None

    def add(self, name: str, before: object, after: object) -> None:
        """Note one difference."""
        self.before[name] = before
        self.after[name] = after

    def __bool__(self) -> bool:
        return bool(self.after)


def apply(path: str, wanted: Wanted, check: bool, shown: str = "", directory: object = None) -> Changes:
    """Give a file the wanted attributes, where they differ, and tell what did.

    `path` itself is changed, not what a link points to; a link's mode is left alone. With `check` nothing is written;
    where the file is not there yet (check mode again) there is nothing to compare. `shown` is its name in messages;
    with `directory`, a descriptor, a relative path counts from there. Raises ModuleFailed.
    """
    changes = Changes()
    shown = shown or path
    try:
        with Held(path, directory) as held:
            _apply_all(held.name, held.status, wanted, changes, check, shown)
    except (FileNotFoundError, NotADirectoryError):
        return changes
    except OSError as error:
        fail(shown, "cannot change the attributes of %s: %s" % (shown, error.strerror or error))
    return changes


def _apply_all(name: str, status: object, wanted: Wanted, changes: Changes, check: bool, shown: str) -> None:
    _apply_owner(name, wanted, status, changes, check, shown)
    _apply_mode(name, wanted, status, changes, check, shown)
    if wanted.attributes:
        _apply_flags(name, wanted.attributes, changes, check, shown)
    if any(wanted.context) and selinux_enabled():
        _apply_context(name, wanted.context, changes, check, shown)


def predict(status: object, wanted: Wanted, path: str) -> Changes:
    """Tell what `apply` would change on a file that is not there yet and will begin with the mode of `status`."""
    changes = Changes()
    _apply_owner(path, wanted, status, changes, True, path)
    _apply_mode(path, wanted, status, changes, True, path)
    return changes


def _apply_owner(path: str, wanted: Wanted, status: object, changes: Changes, check: bool, shown: str) -> None:
    uid = gid = -1
    if wanted.owner is not None:
        uid = user_id(wanted.owner, shown, check)
        if uid != status.st_uid:
            changes.add("owner", status.st_uid, uid)
    if wanted.group is not None:
        gid = group_id(wanted.group, shown, check)
        if gid != status.st_gid:
            changes.add("group", status.st_gid, gid)
    if not check and ("owner" in changes.after or "group" in changes.after):
        os.chown(path, uid, gid, follow_symlinks=path.startswith(_DESCRIPTORS))


def _apply_mode(path: str, wanted: Wanted, status: object, changes: Changes, check: bool, shown: str) -> None:
    if wanted.mode is None or stat.S_ISLNK(status.st_mode):
        return
    try:
        mode = parse_mode(wanted.mode, status.st_mode, stat.S_ISDIR(status.st_mode))
    except ModeError as error:
        fail(shown, str(error), details=str(error))
    had = stat.S_IMODE(status.st_mode)
    if mode != had:
        changes.add("mode", spell_mode(had), spell_mode(mode))
    lost = mode & (stat.S_ISUID | stat.S_ISGID) and set(changes.after) & {"owner", "group"}  # chown clears them
    if not check and (mode != had or lost):
        os.chmod(path, mode)


def _apply_flags(path: str, text: str, changes: Changes, check: bool, shown: str) -> None:
    from pyplay.remote.module_utils import flags  # noqa: PLC0415  # rarely asked for

    have = flags.read_flags(path)
    try:
        want = flags.wanted_flags(text, have or 0)
    except ValueError as error:
        fail(shown, str(error), details=str(error))
    if have is None or want != have:
        changes.add("attributes", flags.letters(have or 0), text)
        if not check:
            flags.write_flags(path, want)


def _apply_context(path: str, context: tuple, changes: Changes, check: bool, shown: str) -> None:
    have = read_context(path)
    if have is None:
        return
    policy = default_context(shown) if "_default" in context else None
    want = list(have)
    for index, part in enumerate(context):
        if part == "_default":
            part = policy[index] if policy and index < len(policy) else None  # noqa: PLW2901
        if part and index < len(want):
            want[index] = part
    if want != have:
        changes.add("secontext", have, want)
        if not check:
            text = ":".join(want).encode()
            os.setxattr(path, _SELINUX, text, follow_symlinks=path.startswith(_DESCRIPTORS))


# Replacing


def read_bytes(path: str) -> bytes:
    """Give a file's content; raises OSError."""
    with open(path, "rb") as stream:
        return stream.read()


def backup(path: str) -> str:
    """Copy a file (content, owner, mode, times) beside itself and give the copy's path; "" where there is no file.

    Raises ModuleFailed.
    """
    if not os.path.exists(path):
        return ""
    try:
        return _copied_beside(path)
    except OSError as error:
        fail(path, "cannot keep a copy of %s: %s" % (path, error.strerror or error))


def _copied_beside(path: str) -> str:
    number, now = os.getpid(), time.strftime("%Y-%m-%d@%H:%M:%S", time.localtime())
    while os.path.lexists("%s.%d.%s~" % (path, number, now)):  # this process made one a moment ago
        number += 1
    copy = "%s.%d.%s~" % (path, number, now)
    real = os.path.realpath(path)
    with open(os.open(real, os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK), "rb", buffering=0) as old:
        status = os.fstat(old.fileno())
        with Replacement(copy, Wanted(status.st_uid if os.geteuid() == 0 else None)) as new:
            _pass_on(old, new)
            os.fchmod(new.descriptor, stat.S_IMODE(status.st_mode))
            _copy_xattrs(name_of(old.fileno(), real), name_of(new.descriptor, new.temporary))
            os.utime(name_of(new.descriptor, new.temporary), ns=(status.st_atime_ns, status.st_mtime_ns))
            new.commit(keep=stat.S_IMODE(status.st_mode), gid=status.st_gid)
    return copy


def copy_into(source: str, new: "Replacement") -> None:
    """Write the content of `source` into a replacement; raises OSError."""
    with open(source, "rb", buffering=0) as stream:
        _pass_on(stream, new)


def _pass_on(stream: object, new: "Replacement") -> None:
    for block in iter(lambda: stream.read(CHUNK), b""):
        new.write(block)


def _copy_xattrs(source: str, target: str) -> None:
    """Copy ACLs, the SELinux label and users' attributes, as far as the file system and this user's rights go."""
    try:
        names = os.listxattr(source)
    except OSError:
        return
    for name in names:
        if name.startswith(("user.", "system.posix_acl")) or name == _SELINUX:
            try:
                os.setxattr(target, name, os.getxattr(source, name))
            except OSError:
                continue


def _sweep(directory: int, prefix: str) -> None:
    """Remove what runs that were killed left of the same target: our temporary files that nobody holds locked."""
    for name in os.listdir(directory):
        if not name.startswith(prefix):
            continue
        try:
            descriptor = os.open(name, os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK, dir_fd=directory)
        except OSError:
            continue
        try:
            if os.fstat(descriptor).st_uid != os.geteuid():
                continue
            fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
            os.unlink(name, dir_fd=directory)
        except OSError:
            continue
        finally:
            os.close(descriptor)


class Replacement:
    """New content for a file, written beside it and put in its place by `commit`; a context manager.

    A link is followed unless told otherwise: its target is replaced. The temporary file is locked while it is written,
    so that the next run knows a left one (the host was killed) from one in use. It is not synced to disk: a sync per
    file costs more than all the rest of a task, and the rename keeps file systems from showing half of it.

    The directory, the old file and the new one are held by descriptors: whoever owns the directory may swap names at
    any moment, and would have root read, or give away, another file.
    """

    def __init__(self, path: str, wanted: Wanted = None, follow: bool = True) -> None:
        """Begin a replacement for `path`, or for the link itself with `follow` off.

        Raises ModuleFailed where the directory cannot be written.
        """
        self.path = path
        self.follow = follow
        self.target = os.path.realpath(path) if follow else os.path.abspath(path)
        self.wanted = wanted or Wanted()
        self.digest = None
        self.size = 0
        self.temporary = ""
        self.descriptor = -1
        self.place = -1  # the directory of the temporary file
        self.beside = True  # it is the target's
        directory, self.base = os.path.split(self.target)
        prefix = ".%s.pyplay-" % self.base[:200]
        try:
            self._open(directory, prefix)
        except OSError as error:
            if not (self.wanted.unsafe and error.errno in _IN_PLACE):
                fail(path, "cannot write into the directory %s: %s" % (directory, error.strerror or error))
            self.beside = False
            self._open(os.environ.get("TMPDIR") or "/tmp", prefix)  # content only passes through it

    def _open(self, directory: str, prefix: str) -> None:
        self._close_place()
        if not os.path.isdir(directory):
            raise OSError(errno.ENOENT, "it does not exist")
        self.place = os.open(directory, os.O_RDONLY | os.O_DIRECTORY)
        _sweep(self.place, prefix)
        while True:
            name = prefix + os.urandom(6).hex()
            flags = os.O_RDWR | os.O_CREAT | os.O_EXCL | os.O_NOFOLLOW
            self.descriptor = os.open(name, flags, 0o600, dir_fd=self.place)
            self.temporary = os.path.join(directory, name)
            try:
                fcntl.flock(self.descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
            except OSError:
                pass  # a file system without locks: then the next run leaves such files alone, too
            if os.fstat(self.descriptor).st_nlink:
                return
            os.close(self.descriptor)  # another run swept it between open and lock

    def __enter__(self) -> "Replacement":
        return self

    def __exit__(self, *about: object) -> None:
        self.close()

    def close(self) -> None:
        """Give up what was not committed."""
        if self.descriptor >= 0:
            os.close(self.descriptor)
            self.descriptor = -1
        if self.temporary:
            try:
                os.unlink(os.path.basename(self.temporary), dir_fd=self.place)
            except FileNotFoundError:
                pass
            self.temporary = ""
        self._close_place()

    def _close_place(self) -> None:
        if self.place >= 0:
            os.close(self.place)
            self.place = -1

    def write(self, data: bytes) -> None:
        """Add content; raises OSError (a full disk)."""
        if self.digest is None:
            self.digest = _new_digest("sha1", len(data))
        self.digest.update(data)
        self.size += len(data)
        view = memoryview(data)
        while view:
            view = view[os.write(self.descriptor, view) :]

    @property
    def checksum(self) -> str:
        """The SHA-1 of what has been written."""
        return self.digest.hexdigest() if self.digest is not None else digest_of(b"")

    def validate(self, command: object, owner: bool = True) -> object:
        """Have the program `command` judge the new content, %s being the path of the file that holds it.

        Gives how it ended (rc, stdout, stderr), None where there is no program. Raises ModuleFailed with exit_status,
        stdout and stderr where it says no.
        """
        if not command:
            return None
        if "%s" not in command:
            raise ModuleFailed("validate must contain %%s: %s has no place for the file's path" % command, {})
        import shlex  # noqa: PLC0415  # most tasks have no validate

        from pyplay.remote.module_utils import process  # noqa: PLC0415  # as above

        if owner:
            self._inherit(None, None)
        try:
            argv = [word.replace("%s", self.temporary) for word in shlex.split(command)]
        except ValueError as error:
            text = "Invalid command syntax in validate: %s: %s" % (error, command)
            raise ModuleFailed(text, {}) from None
        try:
            rc, out, err = process.run(argv)
        except OSError as error:
            rc, out, err = error.errno or 1, "", "cannot run %s: %s" % (argv[0], error.strerror or error)
        if rc != 0:
            detail = (err or out).strip()
            raise ModuleFailed(
                "failed to validate: rc:%d from the check of the new content of %s%s"
                % (rc, self.path, ": " + detail if detail else ""),
                {"exit_status": rc, "stdout": out, "stderr": err},
            )
        return {"rc": rc, "stdout": out, "stderr": err}

    def _inherit(self, keep: object, gid: object) -> None:
        """Give the temporary file the attributes of the one that it replaces, or those of a new file."""
        try:
            with Held(self.base, self.place) if self.beside else Held(self.target) as old:
                if stat.S_ISREG(old.status.st_mode):
                    self._take_after(old, keep)
                    return
        except (FileNotFoundError, NotADirectoryError):
            pass
        os.fchmod(self.descriptor, 0o666 & ~current_umask() if keep is None else keep)
        if gid is not None:
            _try_chown(self.descriptor, -1, gid)

    def _take_after(self, old: Held, keep: object) -> None:
        mine, status = os.fstat(self.descriptor), old.status
        if (mine.st_uid, mine.st_gid) != (status.st_uid, status.st_gid):
            _try_chown(self.descriptor, status.st_uid, status.st_gid)
        os.fchmod(self.descriptor, stat.S_IMODE(status.st_mode) if keep is None else keep)
        _copy_xattrs(old.name, name_of(self.descriptor, self.temporary))

    def commit(self, keep: object = None, gid: object = None) -> Changes:
        """Put the new content in place, with the old file's attributes and then the wanted ones; tells which changed.

        `keep` is the mode to begin with in place of the old file's or the default, `gid` the group of a new file.
        Raises ModuleFailed.
        """
        changes = Changes()
        try:
            self._inherit(keep, gid)
            self._attributes(self.descriptor, self.temporary, self.wanted.but(attributes=None), changes)
            self._move()
            if self.wanted.attributes:
                self._attributes(self.descriptor, self.target, Wanted(attributes=self.wanted.attributes), changes)
        except OSError as error:
            fail(self.path, "cannot replace %s: %s" % (self.path, error.strerror or error))
        return changes

    def _attributes(self, descriptor: int, path: str, wanted: Wanted, changes: Changes) -> None:
        """Give what `descriptor` holds, which is at `path`, the wanted attributes."""
        _apply_all(name_of(descriptor, path), os.fstat(descriptor), wanted, changes, False, self.path)

    def _move(self) -> None:
        try:
            if self.beside:
                os.rename(os.path.basename(self.temporary), self.base, src_dir_fd=self.place, dst_dir_fd=self.place)
            else:
                os.rename(self.temporary, self.target)
        except OSError as error:
            if not (self.wanted.unsafe and error.errno in _IN_PLACE):
                raise
            self._write_in_place()
            os.unlink(self.temporary)
        self.temporary = ""

    def _write_in_place(self) -> None:
        """Copy over the target: for files that cannot be renamed over. Readers may see half of it."""
        flags = os.O_WRONLY | os.O_CREAT | os.O_TRUNC | os.O_NOFOLLOW
        with open(os.open(self.target, flags, 0o666), "wb", buffering=0) as target:
            os.lseek(self.descriptor, 0, os.SEEK_SET)
            for block in iter(lambda: os.read(self.descriptor, CHUNK), b""):
                view = memoryview(block)
                while view:
                    view = view[target.write(view) :]
            self._attributes(target.fileno(), self.target, self.wanted.but(attributes=None), Changes())


def _try_chown(descriptor: int, uid: int, gid: int) -> None:
    """Give a file away as far as this user may: with both, else the group alone."""
    for user in (uid, -1):
        try:
            os.fchown(descriptor, user, gid)
        except PermissionError:
            continue
        return


def replace_content(path: str, data: bytes, wanted: Wanted = None, validate: object = None) -> Changes:
    """Replace a file's whole content by `data` atomically; tells which attributes changed. Raises ModuleFailed."""
    with Replacement(path, wanted) as new:
        try:
            new.write(data)
        except OSError as error:
            fail(path, "cannot write %s: %s" % (path, error.strerror or error))
        validation = new.validate(validate)
        changes = new.commit()
    changes.validation = validation
    return changes


def make_directories(path: str, mode: int = 0o777) -> list:
    """Make a directory and its missing parents; gives those made, outermost first. Raises OSError."""
    made = []
    missing = []
    current = path
    while current and not os.path.isdir(current):
        missing.append(current)
        parent = os.path.dirname(current)
        if parent == current:
            break
        current = parent
    for directory in reversed(missing):
        try:
            os.mkdir(directory, mode)
        except FileExistsError:
            if not os.path.isdir(directory):
                raise
            continue
        made.append(directory)
    return made
