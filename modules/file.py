"""Make, remove and describe files, directories and links; set owner, group, mode and times."""

import errno
import os
import stat
import time

from pyplay.remote.module_utils import files

OPTIONS = {
    "options": {
        "path": {"type": "path", "required": True, "aliases": ["dest", "name"], "doc": "The file to manage."},
        "state": {
            "type": "str",
            "choices": ["absent", "directory", "file", "hard", "link", "touch"],
            "doc": "What shall be at the path; if not given, what is there, else a file (a directory with `recurse`).",
        },
        "src": {
            "type": "path",
            "blank_unset": True,
            "doc": "What a link leads to; relative to the link's directory for symbolic ones.",
        },
        "recurse": {"type": "bool", "default": False, "doc": "Set the attributes of all that is in the directory too."},
        "force": {"type": "bool", "default": False, "doc": "Make links to what is not there, and in place of files."},
        "follow": {"type": "bool", "default": True, "doc": "Where the path is a link, manage what it leads to."},
        "modification_time": {"type": "str", "doc": "Time of change: preserve, now, or a time in the format below."},
        "modification_time_format": {"type": "str", "default": "%Y%m%d%H%M.%S", "doc": "Format for strptime."},
        "access_time": {"type": "str", "doc": "Time of reading: preserve, now, or a time in the format below."},
        "access_time_format": {"type": "str", "default": "%Y%m%d%H%M.%S", "doc": "Format for strptime."},
        "_original_basename": {"type": "str", "doc": "Name of the source, for a path that is a directory."},
        "_diff_peek": {"type": "bool", "doc": "Only tell whether the file looks binary, and its size."},
    },
    "required_if": [["state", "hard", ["src"]]],
    "file_options": True,
    "check_mode": "full",
    "diff": True,
    "identity": ["path"],
    "absent_undoes": True,
    "platforms": "posix",
    "shared": [],
    "returns": {"path": "The file (states file, directory, absent).", "dest": "The file (states touch, link, hard)."},
}


class Task:
    """One call: the options, and the two sides of the diff as they become known."""

    def __init__(self, module):
        """Take the module's arguments."""
        args = module.args
        self.module = module
        self.check = module.check_mode
        self.path = args["path"]
        self.src = args["src"]
        self.force = args["force"]
        self.follow = args["follow"]
        self.wanted = files.Wanted.from_args(args)
        self.before = {"path": self.path}
        self.after = {"path": self.path}
        self.changed = False

    def follow_link(self):
        """Go on with what the link leads to; gives its status."""
        self.path = self.before["path"] = self.after["path"] = os.path.realpath(self.path)
        return files.lstat(self.path)

    def turn(self, before, after):
        """Note that the state at the path changes."""
        self.before["state"], self.after["state"] = before, after
        self.changed = True

    def attributes(self, path, begin=None, within=None):
        """Apply the attributes to `path`; `begin` is the mode that it would have, were this not check mode.

        `within` holds its directory by a descriptor, in which nobody can put another one in its place.
        """
        if self.check and begin is not None and files.lstat(path) is None:
            status = os.stat_result((begin, 0, 0, 1, os.geteuid(), os.getegid(), 0, 0, 0, 0))
            files.predict(status, self.wanted, path)
            return
        name = path if within is None else os.path.basename(path)
        changes = files.apply(name, self.wanted, self.check, path, within)
        if changes and path == self.path:
            self.before.update(changes.before)
            self.after.update(changes.after)
        self.changed = self.changed or bool(changes)

    def result(self, key="path", **more):
        """Give the module's result, with what is now at the path."""
        described = files.describe(self.path)
        if self.check and described["state"] == "absent" and "state" in self.after:
            described = {"state": self.after["state"]}
        result = dict(described, changed=self.changed, diff={"before": self.before, "after": self.after}, **more)
        result[key] = self.path
        return result


def times(task, status):
    """Give the two times (atime, mtime; nanoseconds) that the options ask for, None for one that stays."""
    args = task.module.args
    fresh = "now" if args["state"] == "touch" else "preserve"
    now = time.time_ns() if hasattr(time, "time_ns") else int(time.time() * 1e9)
    return tuple(
        _moment(task, args[name] or fresh, args[name + "_format"], now, current)
        for name, current in (
            ("access_time", status and status.st_atime_ns),
            ("modification_time", status and status.st_mtime_ns),
        )
    )


def _moment(task, text, layout, now, current):
    if text == "preserve":
        return None
    if text == "now":
        return now
    try:
        moment = int(time.mktime(time.strptime(text, layout))) * 10**9
    except (ValueError, OverflowError) as error:
        files.fail(task.path, "cannot read the time %r: %s" % (text, error))
    return None if current is not None and moment == current else moment


def set_times(task, path):
    """Give the file at `path` the wanted times where they differ."""
    status = os.stat(path) if os.path.exists(path) else None
    atime, mtime = times(task, status)
    if atime is None and mtime is None:
        return
    task.changed = True
    for name, old, new in (
        ("atime", status and status.st_atime_ns, atime),
        ("mtime", status and status.st_mtime_ns, mtime),
    ):
        if new is not None:
            task.before[name], task.after[name] = (old or new) / 1e9, new / 1e9
    if not task.check and status is not None:
        atime = status.st_atime_ns if atime is None else atime
        mtime = status.st_mtime_ns if mtime is None else mtime
        try:
            with files.Held(path) as held:
                os.utime(path if stat.S_ISLNK(held.status.st_mode) else held.name, ns=(atime, mtime))
        except OSError as error:
            files.fail(path, "cannot set the times of %s: %s" % (path, error.strerror or error))


def ensure_absent(task, status):
    """Remove what is at the path, a directory with all that is in it."""
    if status is None:
        return task.result()
    kind = files.kind_of(status)
    task.turn(kind, "absent")
    if kind == "directory":
        task.before["path_content"] = content(task.path)
    if not task.check:
        try:
            if kind == "directory":
                import shutil  # noqa: PLC0415  # its archives, too, would be loaded for each task

                shutil.rmtree(task.path)
            else:
                os.unlink(task.path)
        except FileNotFoundError:
            pass  # somebody else was quicker
        except OSError as error:
            files.fail(task.path, "cannot remove %s: %s" % (task.path, error))
    return task.result()


def content(path):
    """Give the files and directories below a directory, for the diff."""
    found = {"directories": [], "files": []}
    for base, directories, names in os.walk(path):
        found["directories"].extend(os.path.join(base, name) for name in sorted(directories))
        found["files"].extend(os.path.join(base, name) for name in sorted(names))
    return found


def ensure_file(task, status):
    """Set attributes and times of something that must be there; a file is never made."""
    if task.follow and status is not None and stat.S_ISLNK(status.st_mode):
        status = task.follow_link()
    kind = files.kind_of(status)
    if kind == "absent":
        files.fail(task.path, "there is no file %s, and state=file makes none: use touch or copy" % task.path)
    if kind in ("directory", "link") and task.module.args["state"] == "file":
        files.fail(task.path, "%s is a %s, not a file" % (task.path, kind))
    task.attributes(task.path)
    set_times(task, task.path)
    if kind == "hard" and task.module.args["state"] is None:
        return task.result("dest", src=task.src)  # as for any other name of a file that has several
    return task.result()


def ensure_directory(task, status):
    """Make the directory and its missing parents; those made get the attributes."""
    if task.follow and status is not None and stat.S_ISLNK(status.st_mode):
        status = task.follow_link()
    kind = files.kind_of(status)
    if kind not in ("absent", "directory"):
        files.fail(task.path, "%s is there already, as a %s" % (task.path, "file" if kind == "hard" else kind))
    if kind == "absent":
        task.turn("absent", "directory")
        if task.check:
            task.attributes(task.path, stat.S_IFDIR | 0o777)
            return task.result()
        try:
            made = files.make_directories(task.path)
        except OSError as error:
            files.fail(task.path, "cannot make the directory %s: %s" % (task.path, error.strerror or error))
        for directory in made:
            if directory.rstrip("/") != task.path.rstrip("/"):
                task.attributes(directory)
        before, after = dict(task.before), dict(task.after)
        task.attributes(task.path)
        task.before, task.after = before, after
    else:
        task.attributes(task.path)
    set_times(task, task.path)
    if task.module.args["recurse"]:
        recurse(task, task.path, set())
    return task.result()


def recurse(task, path, seen):
    """Apply the attributes to all below a directory; where links are followed, to what they lead to as well."""
    real = os.path.realpath(path)
    if real in seen:
        return
    seen.add(real)
    for base, directories, names, held in os.fwalk(path):
        for name in directories + names:
            entry = os.path.join(base, name)
            task.attributes(entry, within=held)
            if task.follow and os.path.islink(entry) and os.path.exists(entry):
                target = os.path.realpath(entry)
                if os.path.isdir(target):
                    recurse(task, target, seen)
                task.attributes(target)


def ensure_touch(task, status):
    """Make an empty file where nothing is; set the times otherwise."""
    target = task.path
    if task.follow and status is not None and stat.S_ISLNK(status.st_mode):
        target = os.path.realpath(task.path)
        status = files.lstat(target)
    if status is None:
        task.turn("absent", "touch")
        if task.check:
            task.attributes(target, stat.S_IFREG | 0o666 & ~files.current_umask())
        else:
            try:
                os.close(os.open(target, os.O_WRONLY | os.O_CREAT | os.O_NOFOLLOW, 0o666))
            except OSError as error:
                files.fail(task.path, "cannot make the file %s: %s" % (task.path, error.strerror or error))
    task.attributes(target)
    set_times(task, target)
    task.before.setdefault("state", files.kind_of(status))
    task.after["state"] = "touch"
    result = task.result("dest")
    if task.check and status is None:
        result["state"] = "file"
    return result


def _fail(task, msg, kind):
    """End the module as failed, with what is known of the path where something is there."""
    if kind == "absent":
        task.module.fail(msg, path=task.path, src=task.src)
    files.fail(task.path, msg, src=task.src)


def ensure_link(task, status):
    """Make a symbolic link, or have it lead elsewhere."""
    kind = files.kind_of(status)
    given = task.src is not None
    if not given:
        if kind != "link":
            files.fail(task.path, "src is needed to make the link %s" % task.path)
        task.src = os.readlink(task.path)
    base = task.path if kind == "directory" else os.path.dirname(task.path)
    target = os.path.join(base, task.src)
    if given and not task.force and not os.path.exists(target):
        msg = "%s, which the link shall lead to, is not there: force makes the link all the same" % target
        _fail(task, msg, kind)
    if kind == "link":
        old = os.readlink(task.path)
        if old != task.src:
            task.changed = True
            task.before["src"], task.after["src"] = old, task.src
    elif kind == "absent":
        task.turn("absent", "link")
    else:
        _make_way(task, kind, "link")
    if task.changed and not task.check:
        _put_link(task, os.symlink, task.src)
    _link_attributes(task)
    return task.result("dest", src=task.src)


def _make_way(task, kind, new):
    """Tell whether what is at the path may be replaced by a link."""
    if not task.force:
        text = "%s is there already, as a %s: force replaces it" % (task.path, "file" if kind == "hard" else kind)
        files.fail(task.path, text, src=task.src)
    if kind == "directory" and os.listdir(task.path):
        files.fail(task.path, "the directory %s is not empty and is not replaced by a link" % task.path, src=task.src)
    task.turn(kind, new)


def _put_link(task, make, source):
    """Make a link under another name and rename it, so that the path is never empty."""
    temporary = "%s.pyplay-%s" % (task.path.rstrip("/"), os.urandom(6).hex())
    try:
        make(source, temporary)
        try:
            if os.path.isdir(task.path) and not os.path.islink(task.path):
                os.rmdir(task.path)
            os.rename(temporary, task.path.rstrip("/"))
        finally:
            if os.path.lexists(temporary):
                os.unlink(temporary)
    except OSError as error:
        files.fail(task.path, "cannot make the link %s: %s" % (task.path, error.strerror or error), src=task.src)


def _link_attributes(task):
    """Apply attributes to the link, or to what it leads to where links are followed."""
    if not os.path.lexists(task.path):
        return
    if not task.follow:
        task.attributes(task.path)
    elif os.path.exists(task.path):
        target = os.path.realpath(task.path)
        task.attributes(target)
        set_times(task, target)
    elif task.wanted.owner or task.wanted.group or task.wanted.mode:
        task.module.warn("the link %s leads nowhere: no attributes were set" % task.path)


def ensure_hard(task, status):
    """Give the file `src` a second name."""
    kind = files.kind_of(status)
    try:
        source = os.stat(task.src)
    except OSError:
        task.module.fail("src %s is not there, a hard link needs it" % task.src, dest=task.path, src=task.src)
    if kind in ("hard", "file") and (status.st_ino, status.st_dev) == (source.st_ino, source.st_dev):
        pass
    elif kind == "absent":
        task.turn("absent", "hard")
    else:
        _make_way(task, kind, "hard")
    if task.changed and not task.check:
        _put_link(task, os.link, task.src)
    task.attributes(task.path)
    set_times(task, task.path)
    return task.result("dest", src=task.src)


def peek(path):
    """Tell what a diff needs to know of a file before it asks for the content."""
    try:
        with open(path, "rb") as stream:
            head = stream.read(8192)
        return {"changed": False, "appears_binary": b"\0" in head, "size": os.path.getsize(path), "state": "file"}
    except OSError as error:
        if error.errno in (errno.EISDIR, errno.ENOENT):
            return {"changed": False, "state": "directory" if error.errno == errno.EISDIR else "absent"}
        return files.fail(path, "cannot read %s: %s" % (path, error.strerror or error))


STATES = {
    "absent": ensure_absent,
    "file": ensure_file,
    "directory": ensure_directory,
    "touch": ensure_touch,
    "link": ensure_link,
    "hard": ensure_hard,
}


def run(module):
    """Bring the path into the wanted state."""
    task = Task(module)
    args = module.args
    if args["_diff_peek"]:
        return peek(task.path)
    if args["state"] not in ("link", "absent") and os.path.isdir(task.path):
        name = args["_original_basename"] or (
            os.path.basename(task.src) if task.src and args["state"] != "directory" else ""
        )
        if name and args["state"] in ("file", "hard", None):
            task.path = os.path.join(task.path, name)
            task.before["path"] = task.after["path"] = task.path
    try:
        status = files.lstat(task.path)
    except OSError as error:
        module.fail("cannot look at %s: %s" % (task.path, error.strerror or error), path=task.path)
    state = args["state"]
    if state is None:
        kind = files.kind_of(status)
        state = {"hard": "file", "absent": "directory" if args["recurse"] else "file"}.get(kind, kind)
    if args["recurse"] and state != "directory":
        files.fail(task.path, "recurse is for directories: it needs state=directory")
    if task.src is not None and state not in ("link", "hard"):
        files.fail(task.path, "src is for links: it needs state=link or state=hard")
    return STATES[state](task, status)


if __name__ == "__main__":
    from pyplay.remote.module_utils.module import main

    main(run, OPTIONS)
