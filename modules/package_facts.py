"""Gather which packages are installed."""

from pyplay.remote.module_utils import packages

OPTIONS = {
    "options": {
        "manager": {
            "type": "list",
            "elements": "str",
            "default": ["auto"],
            "doc": "Package managers to ask; auto takes the first that is there.",
            "choices": [
                "auto",
                "rpm",
                "yum",
                "dnf",
                "dnf5",
                "zypper",
                "apt",
                "portage",
                "pkg",
                "pkg5",
                "pkgng",
                "pacman",
                "apk",
                "pkg_info",
                "openbsd_pkg",
            ],
        },
        "strategy": {
            "type": "str",
            "default": "first",
            "choices": ["first", "all"],
            "doc": "Ask the first manager of the list that is there, or all of them.",
        },
    },
    "check_mode": "full",
    "diff": False,
    "identity": [],
    "absent_undoes": False,
    "platforms": "posix",
    "returns": {"ansible_facts": "packages: {name: [one entry for each version]}."},
}


def run(module):
    """Ask the package managers."""
    args = module.args
    names = args["manager"]
    if "auto" in names:
        at = names.index("auto")
        names = names[:at] + list(packages.MANAGERS) + names[at + 1 :]
    found, used = {}, []
    for name in names:
        manager = packages.find(name)
        if manager in used or manager is None:
            continue
        if module.find_program(packages.MANAGERS[manager][0]) is None:
            continue
        for entry in packages.MANAGERS[manager][1](module):
            entry["source"] = manager
            found.setdefault(entry["name"], []).append(entry)
        used.append(manager)
        if args["strategy"] == "first" and found:
            break
    if not used:
        module.fail("none of the package managers is there: %s" % ", ".join(names))
    return {"ansible_facts": {"packages": found}}


if __name__ == "__main__":
    from pyplay.remote.module_utils.module import main

    main(run, OPTIONS)
