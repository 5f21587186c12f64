"""Install, update and remove packages with dnf."""

from pyplay.remote.module_utils import dnf

OPTIONS = {
    "options": {
        "name": {
            "type": "list",
            "elements": "str",
            "default": [],
            "aliases": ["pkg"],
            "doc": "Packages, with a version or comparison if wanted; files, URLs, @groups; * with state=latest.",
        },
        "state": {
            "type": "str",
            "choices": ["absent", "present", "installed", "removed", "latest"],
            "doc": "What shall become of them; present if unset, absent with autoremove.",
        },
        "allow_downgrade": {"type": "bool", "default": False, "doc": "Allow a named version to replace a newer one."},
        "allowerasing": {"type": "bool", "default": False, "doc": "Allow the removal of packages in the way."},
        "auto_install_module_deps": {"type": "bool", "default": True, "doc": "Install what is needed; nothing is."},
        "autoremove": {
            "type": "bool",
            "default": False,
            "doc": "Remove what was installed only as a dependency and is needed no longer.",
        },
        "best": {"type": "bool", "doc": "Take the highest version or fail."},
        "nobest": {"type": "bool", "doc": "The contrary of best."},
        "bugfix": {"type": "bool", "default": False, "doc": "With state=latest, only updates that mend faults."},
        "security": {"type": "bool", "default": False, "doc": "With state=latest, only updates for security."},
        "cacheonly": {"type": "bool", "default": False, "doc": "Work with the metadata that is there."},
        "conf_file": {"type": "str", "doc": "Another configuration file."},
        "disable_excludes": {"type": "str", "doc": "Whose excludes not to honour: all, main or a repository."},
        "disable_gpg_check": {"type": "bool", "default": False, "doc": "Do not check signatures of packages."},
        "disable_plugin": {"type": "list", "elements": "str", "default": [], "doc": "Plugins to leave out."},
        "enable_plugin": {"type": "list", "elements": "str", "default": [], "doc": "Plugins to use."},
        "disablerepo": {"type": "list", "elements": "str", "default": [], "doc": "Repositories to leave out."},
        "enablerepo": {"type": "list", "elements": "str", "default": [], "doc": "Repositories to use."},
        "download_only": {"type": "bool", "default": False, "doc": "Download packages, install nothing."},
        "download_dir": {"type": "str", "doc": "Where download_only puts them."},
        "exclude": {"type": "list", "elements": "str", "default": [], "doc": "Packages never to take."},
        "install_weak_deps": {"type": "bool", "default": True, "doc": "Install recommended packages, too."},
        "installroot": {"type": "str", "default": "/", "doc": "Root of the system to work on."},
        "list": {
            "type": "str",
            "doc": "Only list: installed, available, updates, repos, or packages of a name.",
        },
        "lock_timeout": {"type": "int", "default": 30, "doc": "Seconds to wait while another dnf runs."},
        "releasever": {"type": "str", "doc": "Release to take packages of."},
        "skip_broken": {"type": "bool", "default": False, "doc": "Leave out what is not there or does not fit."},
        "sslverify": {"type": "bool", "default": True, "doc": "Check certificates of repositories."},
        "update_cache": {"type": "bool", "default": False, "aliases": ["expire-cache"], "doc": "Fetch metadata anew."},
        "update_only": {"type": "bool", "default": False, "doc": "With state=latest, install nothing new."},
        "use_backend": {
            "type": "str",
            "default": "auto",
            "choices": ["auto", "dnf", "dnf4", "dnf5", "yum", "yum4"],
            "doc": "Which dnf to use; auto and yum take what the host has.",
        },
        "validate_certs": {"type": "bool", "default": True, "doc": "Check certificates, for packages given as URLs."},
    },
    "mutually_exclusive": [["name", "list"], ["autoremove", "list"], ["best", "nobest"]],
    "check_mode": "full",
    "diff": True,
    "identity": ["name"],
    "absent_undoes": True,
    "platforms": "redhat",
    "finish": True,
    "returns": {"results": "What was installed and removed, or what is listed.", "rc": "The exit status of dnf."},
}

PROGRAMS = {
    "dnf": ("dnf-3", "dnf4", "dnf"),
    "dnf5": ("dnf5",),
    "auto": ("dnf", "dnf5", "dnf-3"),
}


def run(module):
    """Bring the packages into the wanted state."""
    backend = module.args["use_backend"]
    names = PROGRAMS["dnf" if backend in ("dnf", "dnf4", "yum4") else "dnf5" if backend == "dnf5" else "auto"]
    program = next(filter(None, map(module.find_program, names)), None)
    if program is None:
        module.fail("none of these programs is installed: %s" % ", ".join(names), rc=1, results=[])
    return dnf.run(module, dnf.Dnf(module, program, dnf.is_five(program)))


if __name__ == "__main__":
    from pyplay.remote.module_utils.module import main

    main(run, OPTIONS)
