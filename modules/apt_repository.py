"""Keep package sources of APT, as lines in /etc/apt/sources.list.d."""

import glob
import os
import re

from pyplay.remote.module_utils import apt, files
from pyplay.remote.module_utils.facts import distribution
from pyplay.remote.module_utils.facts.root import Root

OPTIONS = {
    "options": {
        "repo": {
            "type": "str",
            "required": True,
            "doc": "The line (deb [options] URL suite components), or ppa:owner/name.",
        },
        "state": {"type": "str", "default": "present", "choices": ["absent", "present"], "doc": "Shall it be there?"},
        "filename": {"type": "str", "doc": "Name of the file in sources.list.d; made from the URL if unset."},
        "mode": {"type": "raw", "doc": "Mode of the file."},
        "update_cache": {
            "type": "bool",
            "default": True,
            "aliases": ["update-cache"],
            "doc": "Fetch the package lists after a change.",
        },
        "update_cache_retries": {"type": "int", "default": 5, "doc": "How often to try."},
        "update_cache_retry_max_delay": {"type": "int", "default": 12, "doc": "Longest pause between tries, seconds."},
        "validate_certs": {"type": "bool", "default": True, "doc": "Check certificates when a PPA's key is fetched."},
        "codename": {"type": "str", "doc": "Release to use for a PPA; the host's if unset."},
        "install_python_apt": {"type": "bool", "default": True, "doc": "Install what is needed; nothing is."},
    },
    "check_mode": "full",
    "diff": True,
    "identity": ["repo"],
    "absent_undoes": True,
    "platforms": "debian",
    "returns": {
        "repo": "The source.",
        "sources_added": "Files that were made.",
        "sources_removed": "Files that were removed.",
    },
}

DIRECTORY = "/etc/apt/sources.list.d"
_LINE = re.compile(r"^(deb|deb-src)\s+(?:\[([^\]]*)\]\s+)?(\S+)\s+(\S+)(.*)$")


def normal(line):
    """Give a source's line in one form: options sorted, blanks single; None for what is no source."""
    match = _LINE.match(line.split("#")[0].strip() if "[" not in line else line.strip())
    if match is None:
        return None
    kind, options, url, suite, components = match.groups()
    words = [kind] + (["[%s]" % " ".join(sorted(options.split()))] if options and options.strip() else [])
    return " ".join(words + [url, suite] + components.split("#")[0].split())


def sources():
    """Give {path: lines} of all files that keep sources as lines."""
    found = {}
    for path in ["/etc/apt/sources.list"] + sorted(glob.glob(DIRECTORY + "/*.list")):
        if os.path.isfile(path):
            found[path] = files.read_bytes(path).decode("utf-8", "surrogateescape").splitlines()
    return found


def file_name(line, given):
    """Give the path of the file that a new source goes into."""
    if given:
        name = given if given.endswith(".list") else given + ".list"
        return name if os.path.isabs(name) else os.path.join(DIRECTORY, name)
    url = _LINE.match(line).group(3)
    place = re.sub(r"^[\w+.-]+://", "", url).rpartition("@")[2]
    return os.path.join(DIRECTORY, re.sub(r"[^\w.-]+", "_", place).strip("_") + ".list")


def ppa_line(module):
    """Give the line of a PPA, and have its key where it is to be added."""
    args = module.args
    owner, _, name = args["repo"][4:].partition("/")
    name = name or "ppa"
    release = distribution.collect(Root())
    codename = args["codename"] or release["distribution_release"]
    line = "deb http://ppa.launchpad.net/%s/%s/ubuntu %s main" % (owner, name, codename)
    if args["state"] == "present" and not module.check_mode:
        fetch_key(module, owner, name)
    return line


def fetch_key(module, owner, name):
    """Fetch the key that signs a PPA and trust it."""
    import json  # noqa: PLC0415  # for PPAs alone

    from pyplay.remote.module_utils import urls  # noqa: PLC0415

    target = "/etc/apt/trusted.gpg.d/%s-%s.asc" % (owner, name)
    if os.path.exists(target):
        return
    base = "https://launchpad.net/api/1.0/~%s/+archive/%s" % (owner, name)
    request = {"validate_certs": module.args["validate_certs"]}
    try:
        data = urls.content(urls.Request(base, headers={"Accept": "application/json"}, **request))
        mark = json.loads(data.decode("utf-8"))["signing_key_fingerprint"]
        address = "https://keyserver.ubuntu.com/pks/lookup?op=get&options=mr&search=0x" + mark
        key = urls.content(urls.Request(address, **request))
    except (urls.RequestFailed, OSError, ValueError, KeyError) as error:
        module.fail("cannot fetch the key of ppa:%s/%s: %s" % (owner, name, error))
    files.replace_content(target, key, files.Wanted(mode=0o644))


def plan(table, line, path, state):
    """Give {path: new lines} of the files that change."""
    wanted = normal(line)
    changes = {}
    if state == "absent":
        for place, lines in table.items():
            kept = [other for other in lines if normal(other) != wanted]
            if kept != lines:
                changes[place] = kept
        return changes
    if any(normal(other) == wanted for lines in table.values() for other in lines):
        return changes
    return {path: table.get(path, []) + [line]}


def apply_plan(module, changes, table):
    """Write the files; one in sources.list.d that has no source any more is removed."""
    mode = module.args["mode"]
    for path, lines in changes.items():
        if not any(line.strip() for line in lines) and path.startswith(DIRECTORY):
            os.unlink(path)
        else:
            data = "".join(line + "\n" for line in lines).encode("utf-8", "surrogateescape")
            wanted = files.Wanted(mode=mode if mode is not None or path in table else 0o644)
            files.replace_content(path, data, wanted)


def update(module, changes, table):
    """Fetch the package lists; where that fails, the files are put back."""
    import time  # noqa: PLC0415  # after a change alone

    delay = 1.0
    for attempt in range(max(module.args["update_cache_retries"], 1)):
        if attempt:
            time.sleep(min(delay, module.args["update_cache_retry_max_delay"]))
            delay *= 2
        rc, out, err = apt.patiently(["apt-get", "-q", "-o", "APT::Update::Error-Mode=any", "update"], 60)
        if rc == 0:
            return
    for path in changes:
        if path in table:
            data = "".join(line + "\n" for line in table[path]).encode("utf-8", "surrogateescape")
            files.replace_content(path, data)
        elif os.path.exists(path):
            os.unlink(path)
    module.fail("cannot fetch the package lists, the sources were put back: %s" % err.strip(), stdout=out, stderr=err)


def run(module):
    """Bring the source into the wanted state."""
    args = module.args
    line = args["repo"].strip()
    if line.startswith("ppa:"):
        line = ppa_line(module)
    if normal(line) is None:
        module.fail("%r is no package source: deb [options] URL suite components" % args["repo"])
    table = sources()
    changes = plan(table, line, file_name(line, args["filename"]), args["state"])
    added = [path for path in changes if path not in table]
    removed = [path for path, lines in changes.items() if not any(text.strip() for text in lines)]
    result = {"changed": bool(changes), "repo": args["repo"], "state": args["state"]}
    result.update(sources_added=added, sources_removed=removed)
    if module.diff:
        result["diff"] = [
            {
                "before": "".join(text + "\n" for text in table.get(path, [])),
                "after": "".join(text + "\n" for text in lines),
                "before_header": path if path in table else "/dev/null",
                "after_header": "/dev/null" if path in removed else path,
            }
            for path, lines in changes.items()
        ]
    if changes and not module.check_mode:
        apply_plan(module, changes, table)
        if args["update_cache"]:
            update(module, changes, table)
    return result


if __name__ == "__main__":
    from pyplay.remote.module_utils.module import main

    main(run, OPTIONS)
