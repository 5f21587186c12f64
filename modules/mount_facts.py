"""Tell what is mounted, or shall be, from the sources that the host has."""

import fnmatch
import os
import re

from pyplay.remote.module_utils.usage import usage, usage_in_time

OPTIONS = {
    "options": {
        "devices": {"type": "list", "elements": "str", "doc": "Globs: only mounts of these devices."},
        "fstypes": {"type": "list", "elements": "str", "doc": "Globs: only these types of file systems."},
        "sources": {
            "type": "list",
            "elements": "str",
            "doc": "Files to read; all, static, dynamic stand for the usual ones, mount for the program.",
        },
        "mount_binary": {
            "type": "raw",
            "default": "mount",
            "nullable": True,
            "doc": "Program that lists mounts; null for none.",
        },
        "timeout": {"type": "float", "doc": "Seconds that one mount, or the program, may take."},
        "on_timeout": {
            "type": "str",
            "default": "error",
            "choices": ["error", "warn", "ignore"],
            "doc": "What to do where it takes longer.",
        },
        "include_aggregate_mounts": {
            "type": "bool",
            "doc": "Also list every mount found, as several may have one mount point.",
        },
    },
    "check_mode": "full",
    "diff": False,
    "identity": [],
    "absent_undoes": False,
    "platforms": "posix",
    "returns": {"ansible_facts": "mount_points by path, and aggregate_mounts."},
}

DYNAMIC = ("/etc/mtab", "/proc/mounts", "/etc/mnttab")
STATIC = ("/etc/fstab", "/etc/vfstab", "/etc/filesystems")
_LINUX = re.compile(r"^(?P<device>.+?) on (?P<mount>.+) type (?P<fstype>\S+) \((?P<options>.*)\)")
_BSD = re.compile(r"^(?P<device>.+?) on (?P<mount>.+) \((?P<fstype>[^,)]+)(?:, ?(?P<options>.*))?\)")
_AIX = re.compile(
    r"^(?:(?P<node>\S+)\s+)??(?P<device>\S+)\s+(?P<mount>/\S*)\s+(?P<fstype>\S+)"
    r"\s+\w{3} \d+ \d\d:\d\d(?:\s+(?P<options>\S+))?$"
)


def unescape(text):
    r"""Give a field of fstab or mtab with its \040 read."""
    return re.sub(r"\\([0-7]{3})", lambda match: chr(int(match.group(1), 8)), text)


def table(text):
    """Read the lines of fstab, mtab and /proc/mounts. Source: fstab(5)."""
    for line in text.splitlines():
        words = line.split()
        if len(words) < 3 or line.lstrip().startswith("#"):
            continue
        device, mount, fstype = (unescape(word) for word in words[:3])
        info = {"device": device, "mount": mount, "fstype": fstype, "options": words[3] if len(words) > 3 else ""}
        for name, word in zip(("dump", "passno"), words[4:6]):
            info[name] = int(word) if word.isdigit() else word
        yield line.strip(), info


def vfstab(text):
    """Read the lines of Solaris's vfstab: device, device to check, mount point, type, pass, at boot, options."""
    for line in text.splitlines():
        words = line.split()
        if len(words) < 7 or line.lstrip().startswith("#"):
            continue
        info = {"device": words[0], "mount": words[2], "fstype": words[3], "options": words[6]}
        info.update(device_to_fsck=words[1], passno=int(words[4]) if words[4].isdigit() else words[4])
        yield line.strip(), dict(info, **{"mount at boot": words[5]})


def mnttab(text):
    """Read the lines of Solaris's mnttab: device, mount point, type, options, time."""
    for line in text.splitlines():
        words = line.split()
        if len(words) == 5:
            info = {
                "device": words[0],
                "mount": words[1],
                "fstype": words[2],
                "options": words[3],
                "time": int(words[4]),
            }
            yield line.strip(), info


def filesystems(text):
    """Read AIX's /etc/filesystems: stanzas headed by the mount point. Linux's file of that name has none."""
    for block in re.findall(r"^(/[^\n:]*:(?:\n[ \t]+[^\n]*)+)", text, re.MULTILINE):
        head, _, body = block.partition(":")
        pairs = dict(re.findall(r"^\s+(\w+)\s*=\s*(.*?)\s*$", body, re.MULTILINE))
        if "vfs" in pairs:
            info = {"device": pairs.pop("dev", ""), "mount": head, "fstype": pairs.pop("vfs")}
            if "nodename" in pairs:
                info["device"] = "%s:%s" % (pairs.pop("nodename"), info["device"])
            yield block, dict(info, options=pairs.pop("options", ""), attributes=pairs)


def listing(text):
    """Read the output of the program mount, as Linux, the BSDs and AIX print it."""
    for line in text.splitlines():
        match = _LINUX.match(line) or _BSD.match(line) or _AIX.match(line)
        if match is None:
            continue
        info = {name: match.group(name) or "" for name in ("device", "mount", "fstype", "options")}
        info["options"] = info["options"].replace(", ", ",")
        if match.groupdict().get("node"):
            info["device"] = "%s:%s" % (match.group("node"), info["device"])
        yield line, info


READERS = {"/etc/vfstab": vfstab, "/etc/mnttab": mnttab, "/etc/filesystems": filesystems}


def wanted_sources(module):
    """Give the sources in order, names of groups replaced; the program stands for itself as None."""
    program = module.args["mount_binary"]
    names = module.args["sources"]
    found = []
    for name in ["all"] if names is None else names:
        if name in ("all", "dynamic"):
            found += DYNAMIC
            if program is not None:
                found.append(False)  # the program, where none of the files is there
        if name in ("all", "static"):
            found += STATIC
        elif name in ("mount", program) and program is not None:
            found.append(None)
        elif name != "dynamic":
            if not name:
                module.fail("sources contains an empty name")
            found.append(name)
    return found


def collect(module):
    """Give (source, line, mount) of everything that the sources tell."""
    seen, dynamic = set(), False
    for source in wanted_sources(module):
        if source is None or (source is False and not dynamic):
            for line, info in listing(program_output(module)):
                yield "mount", line, info
            continue
        if source is False or not os.path.isfile(source) or os.path.realpath(source) in seen:
            continue
        seen.add(os.path.realpath(source))
        with open(source, "rb") as stream:
            text = stream.read().decode("utf-8", "surrogateescape")
        found = list(READERS.get(source, table)(text))
        dynamic = dynamic or (bool(found) and source in DYNAMIC)
        for line, info in found:
            yield source, line, info


def late(module, text):
    """Fail, warn or go on, as the task wants where something takes too long."""
    if module.args["on_timeout"] == "error":
        module.fail(text)
    elif module.args["on_timeout"] == "warn":
        module.warn(text)


def program_output(module):
    """Give what the program that lists mounts prints."""
    from pyplay.remote.module_utils import process  # noqa: PLC0415  # most hosts have the files

    argv = module.args["mount_binary"]
    if not isinstance(argv, str):
        module.fail("mount_binary must be the name of a program, or null")
    program = module.find_program(argv, required=True)
    try:
        rc, out, err = process.run([program], timeout=module.args["timeout"])
    except process.TimedOut:
        late(module, "%s did not end within %s seconds" % (program, module.args["timeout"]))
        return ""
    if rc != 0:
        module.warn("%s failed: %s" % (program, err.strip()))
    return out


def sizes(module, path):
    """Give the sizes of the file system at `path`, None where it took too long."""
    timeout = module.args["timeout"]
    return usage(path) if timeout is None else usage_in_time(path, timeout)


def uuids():
    """Give {device: UUID}."""
    top = "/dev/disk/by-uuid"
    if not os.path.isdir(top):
        return {}
    return {os.path.realpath(os.path.join(top, name)): name for name in os.listdir(top)}


def uuid_of(device, known):
    """Give the UUID of a device, as it is named by or as udev knows it."""
    if device.upper().startswith("UUID="):
        return device[5:].strip('"')
    return known.get(os.path.realpath(device)) if device.startswith("/") else None


def run(module):
    """Collect mounts, the first of each mount point and maybe all."""
    args = module.args
    if args["timeout"] is not None and args["timeout"] <= 0:
        module.fail("timeout must be a positive number of seconds or null, not %s" % args["timeout"])
    known = uuids()
    every = []
    for source, line, info in collect(module):
        if args["devices"] and not any(fnmatch.fnmatch(info["device"], glob) for glob in args["devices"]):
            continue
        if args["fstypes"] and not any(fnmatch.fnmatch(info["fstype"], glob) for glob in args["fstypes"]):
            continue
        info["ansible_context"] = {"source": source, "source_data": line}
        every.append(info)
    complete(module, every, known)
    points = {}
    for info in every:
        points.setdefault(info["mount"], info)
    if len(points) < len(every) and args["include_aggregate_mounts"] is None:
        module.warn("several mounts have one mount point: include_aggregate_mounts lists them all, false hides this")
    facts = {"mount_points": points, "aggregate_mounts": every if args["include_aggregate_mounts"] else []}
    return {"ansible_facts": facts}


def complete(module, every, known):
    """Add sizes and UUIDs to the mounts; a mount point is asked once."""
    asked = {}
    for info in every:
        path = info["mount"]
        if path not in asked:
            asked[path] = sizes(module, path)
            if asked[path] is None:
                text = "the file system at %s (%s) did not answer within %s seconds"
                late(module, text % (path, info["fstype"], module.args["timeout"]))
        info.update(asked[path] or {}, uuid=uuid_of(info["device"], known))


if __name__ == "__main__":
    from pyplay.remote.module_utils.module import main

    main(run, OPTIONS)
