"""Keep a package source of APT in the format of deb822 files (.sources)."""

import os
import re

from pyplay.remote.module_utils import files, openpgp

OPTIONS = {
    "options": {
        "name": {"type": "str", "required": True, "doc": "Name of the source; the files are named after it."},
        "state": {"type": "str", "default": "present", "choices": ["absent", "present"], "doc": "Shall it be there?"},
        "types": {
            "type": "list",
            "elements": "str",
            "default": ["deb"],
            "choices": ["deb", "deb-src"],
            "doc": "Binary or source packages.",
        },
        "uris": {"type": "list", "elements": "str", "doc": "Where the archive is."},
        "suites": {"type": "list", "elements": "str", "doc": "Releases, or a path that ends with a slash."},
        "components": {"type": "list", "elements": "str", "doc": "Parts of the release, such as main."},
        "architectures": {"type": "list", "elements": "str", "doc": "Architectures to look at."},
        "enabled": {"type": "bool", "doc": "Whether it is used."},
        "signed_by": {
            "type": "str",
            "doc": "The key that signs it: URL, path on the host, fingerprints, or the armored key itself.",
        },
        "trusted": {"type": "bool", "doc": "Take packages without looking at signatures."},
        "languages": {"type": "list", "elements": "str", "doc": "Languages of descriptions to fetch."},
        "targets": {"type": "list", "elements": "str", "doc": "What to fetch."},
        "include": {"type": "list", "elements": "str", "doc": "The only packages taken from it (APT 3.1)."},
        "exclude": {"type": "list", "elements": "str", "doc": "Packages never taken from it (APT 3.1)."},
        "pdiffs": {"type": "bool", "doc": "Update indexes by differences."},
        "by_hash": {"type": "bool", "doc": "Fetch indexes by their hash."},
        "allow_insecure": {"type": "bool", "doc": "Allow an archive that is not signed."},
        "allow_weak": {"type": "bool", "doc": "Allow weak digests."},
        "allow_downgrade_to_insecure": {"type": "bool", "doc": "Allow what was signed once and is no longer."},
        "check_valid_until": {"type": "bool", "doc": "Refuse a Release file that is too old."},
        "check_date": {"type": "bool", "doc": "Compare dates with this host's clock."},
        "date_max_future": {"type": "int", "doc": "Seconds that a Release file may be from the future."},
        "inrelease_path": {"type": "str", "doc": "Path of InRelease, relative to its usual place."},
        "mode": {"type": "raw", "default": "0644", "doc": "Mode of the file."},
        "install_python_debian": {"type": "bool", "default": False, "doc": "Install what is needed; nothing is."},
    },
    "mutually_exclusive": [["include", "exclude"]],
    "check_mode": "full",
    "diff": True,
    "identity": ["name"],
    "absent_undoes": True,
    "platforms": "debian",
    "returns": {"repo": "The source as written.", "dest": "Its file.", "key_filename": "The file of its key."},
}

SOURCES = "/etc/apt/sources.list.d"
KEYRINGS = "/etc/apt/keyrings"
_NO_FIELD = ("state", "mode", "install_python_debian")
_NAMES = {"name": "X-Repolib-Name", "uris": "URIs"}


def field_name(option):
    """Give the field's name for an option. Source: deb822 in sources.list(5)."""
    return _NAMES.get(option) or "-".join(word.capitalize() for word in option.split("_"))


def spell(value):
    """Give a field's value."""
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, list):
        return " ".join(value)
    text = str(value).strip()
    if "\n" in text:
        lines = [line.strip() or "." for line in text.splitlines()]
        return "".join("\n    " + line for line in lines)
    return text


def source_text(args, signed_by):
    """Give the file's text."""
    lines = []
    for option in sorted(args):
        value = signed_by if option == "signed_by" else args[option]
        if option not in _NO_FIELD and value is not None:
            text = spell(value)
            lines.append(field_name(option) + (":" if text.startswith("\n") else ": ") + text)
    return "".join(line + "\n" for line in lines)


def slug(name):
    """Give the name of the source's files, without their suffix."""
    return re.sub(r"[\s/]", "-", name.strip())


def fetch_key(module, url):
    """Give the content of the key at `url`."""
    from pyplay.remote.module_utils import urls  # noqa: PLC0415  # most keys are given

    try:
        return urls.content(urls.Request(url))
    except (urls.RequestFailed, OSError) as error:
        return module.fail("cannot fetch the key %s of signed_by: %s" % (url, error))


def keep_key(module, base):
    """Put a key that is fetched into the directory of keyrings; gives (value for Signed-By, path, changed)."""
    value = module.args["signed_by"]
    if value is None or not re.match(r"[a-z][a-z+.-]*://", value):
        return value, None, False
    data = fetch_key(module, value)
    path = os.path.join(KEYRINGS, base + (".asc" if openpgp.is_armored(data) else ".gpg"))
    have = files.read_bytes(path) if os.path.isfile(path) else None
    wanted = files.Wanted(mode="0644")
    if have == data:
        return path, path, bool(files.apply(path, wanted, module.check_mode))
    if not module.check_mode:
        files.make_directories(KEYRINGS, 0o755)
        files.replace_content(path, data, wanted)
    return path, path, True


def remove(module, base, path):
    """Remove the source with its key."""
    gone = [path] + [os.path.join(KEYRINGS, base + suffix) for suffix in (".asc", ".gpg")]
    gone = [name for name in gone if os.path.lexists(name)]
    before = files.read_bytes(path).decode("utf-8", "replace") if os.path.isfile(path) else ""
    if not module.check_mode:
        for name in gone:
            os.unlink(name)
    result = {"changed": bool(gone), "repo": None, "dest": path, "key_filename": os.path.join(KEYRINGS, base + ".gpg")}
    if module.diff:
        result["diff"] = {"before": before, "after": "", "before_header": path, "after_header": path}
    return result


def run(module):
    """Bring the source into the wanted state."""
    args = module.args
    base = slug(args["name"])
    path = os.path.join(SOURCES, base + ".sources")
    if args["state"] == "absent":
        result = remove(module, base, path)
        return dict(result, **files.describe(path)) if os.path.exists(path) else result  # check mode
    signed_by, key, changed = keep_key(module, base)
    text = source_text(args, signed_by)
    before = files.read_bytes(path).decode("utf-8", "replace") if os.path.isfile(path) else None
    wanted = files.Wanted(mode=args["mode"])
    if before != text:
        changed = True
        if not module.check_mode:
            files.make_directories(SOURCES, 0o755)
            files.replace_content(path, text.encode("utf-8"), wanted)
    else:
        changed = bool(files.apply(path, wanted, module.check_mode)) or changed
    result = {"changed": changed, "repo": text, "dest": path, "key_filename": key}
    if os.path.exists(path):
        result.update(files.describe(path))
    if module.diff:
        result["diff"] = {"before": before or "", "after": text, "before_header": path, "after_header": path}
    return result


if __name__ == "__main__":
    from pyplay.remote.module_utils.module import main

    main(run, OPTIONS)
