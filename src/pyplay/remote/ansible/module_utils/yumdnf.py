"""What package modules of the yum and dnf kind have in common."""

from abc import ABCMeta, abstractmethod

_LISTS = {name: {"type": "list", "elements": "str", "default": []} for name in (
    "disable_plugin", "disablerepo", "enable_plugin", "enablerepo", "exclude"
)}  # fmt: skip
_FLAGS = (
    "allow_downgrade", "allowerasing", "autoremove", "bugfix", "cacheonly", "disable_gpg_check", "download_only",
    "security", "skip_broken", "update_cache", "update_only",
)  # fmt: skip

yumdnf_argument_spec = {
    "argument_spec": dict(
        {name: dict(option) for name, option in _LISTS.items()},
        conf_file={"type": "str"},
        disable_excludes={"type": "str"},
        download_dir={"type": "str"},
        install_repoquery={"type": "bool", "default": True},
        install_weak_deps={"type": "bool", "default": True},
        installroot={"type": "str", "default": "/"},
        list={"type": "str"},
        lock_timeout={"type": "int", "default": 30},
        name={"type": "list", "elements": "str", "aliases": ["pkg"], "default": []},
        releasever={},
        sslverify={"type": "bool", "default": True},
        state={"type": "str", "choices": ["absent", "installed", "latest", "present", "removed"]},
        validate_certs={"type": "bool", "default": True},
        **{name: {"type": "bool", "default": False} for name in _FLAGS},
    ),
    "required_one_of": [["name", "list", "update_cache"]],
    "mutually_exclusive": [["name", "list"]],
    "supports_check_mode": True,
}
yumdnf_argument_spec["argument_spec"]["update_cache"]["aliases"] = ["expire-cache"]


class YumDnf(metaclass=ABCMeta):
    """The options as attributes; a class below it does the work."""

    def __init__(self, module):
        self.module = module
        for name in yumdnf_argument_spec["argument_spec"]:
            setattr(self, "names" if name == "name" else name, module.params.get(name))
        self.lockfile = "/var/run/yum.pid"
        for name in [*_LISTS, "names"]:
            setattr(self, name, self.listify_comma_sep_strings_in_list(list(getattr(self, name) or [])))
        if self.state is None:
            self.state = "absent" if self.autoremove else "present"

    @abstractmethod
    def is_lockfile_pid_valid(self):
        """Tell whether who locked the database still runs."""

    def listify_comma_sep_strings_in_list(self, some_list):
        """Give the items of a list, those with commas split."""
        return [word.strip() for item in some_list for word in str(item).split(",") if word.strip()]

    @abstractmethod
    def run(self):
        """Do the work."""
