"""Set the host's name, now and for the next boot."""

import os
import socket

from pyplay.remote.module_utils import files
from pyplay.remote.module_utils.facts import distribution
from pyplay.remote.module_utils.facts.root import Root, assignments

OPTIONS = {
    "options": {
        "name": {"type": "str", "required": True, "doc": "The name."},
        "use": {
            "type": "str",
            "choices": [
                "alpine",
                "debian",
                "freebsd",
                "generic",
                "macos",
                "macosx",
                "darwin",
                "openbsd",
                "openrc",
                "redhat",
                "sles",
                "solaris",
                "systemd",
            ],
            "doc": "The way in which the host keeps it; found out if unset.",
        },
    },
    "check_mode": "full",
    "diff": True,
    "identity": ["name"],
    "absent_undoes": False,
    "platforms": "posix",
    "returns": {"name": "The name.", "ansible_facts": "The facts that it changes."},
}


class Static:
    """The name for the next boot, kept in a file that holds it alone."""

    path = "/etc/hostname"

    def __init__(self, module):
        """Take the module."""
        self.module = module

    def read(self):
        """Give the name that is kept, "" for none."""
        for line in Root().lines(self.path):
            if line.strip() and not line.startswith("#"):
                return line.strip()
        return ""

    def write(self, name):
        """Keep another name."""
        files.replace_content(self.path, (name + "\n").encode())

    def current(self):
        """Give the name that the host has now."""
        return os.uname().nodename

    def set_current(self, name):
        """Give the host the name now."""
        socket.sethostname(name)


class Systemd(Static):
    """Kept by systemd-hostnamed."""

    def write(self, name):
        """Keep another name, and the same one as the pretty name."""
        self._set("--static", name)
        self._set("--pretty", name)

    def set_current(self, name):
        """Give the host the name now."""
        self._set("--transient", name)

    def _set(self, kind, name):
        program = self.module.find_program("hostnamectl", required=True)
        self.module.run_command([program, kind, "set-hostname", name], check=True)


class Assignment(Static):
    """Kept as NAME=value in a file with other settings."""

    def __init__(self, module, path, key, quote=""):
        """Take the file and the name of the setting."""
        Static.__init__(self, module)
        self.path = path
        self.key = key
        self.quote = quote

    def read(self):
        """Give the name that is kept, "" for none."""
        return assignments(Root().text(self.path, "")).get(self.key, "")

    def write(self, name):
        """Keep another name."""
        line = "%s=%s%s%s" % (self.key, self.quote, name, self.quote)
        lines = Root().lines(self.path)
        found = [index for index, text in enumerate(lines) if text.strip().startswith(self.key + "=")]
        for index in found:
            lines[index] = line
        if not found:
            lines.append(line)
        files.replace_content(self.path, ("\n".join(lines) + "\n").encode())


class OpenBsd(Static):
    """Kept in /etc/myname."""

    path = "/etc/myname"


class Sles(Static):
    """Kept in /etc/HOSTNAME."""

    path = "/etc/HOSTNAME"


class Scutil(Static):
    """Kept by macOS's scutil, under three names."""

    def read(self):
        """Give the name that is kept, "" for none."""
        rc, out, _ = self.module.run_command(["scutil", "--get", "HostName"])
        return out.strip() if rc == 0 else ""

    def write(self, name):
        """Keep another name."""
        local = name.split(".")[0].replace("_", "-")
        for kind, value in (("HostName", name), ("ComputerName", name), ("LocalHostName", local)):
            self.module.run_command(["scutil", "--set", kind, value], check=True)

    def set_current(self, name):
        """Nothing more: scutil has done it."""


def choose(module):
    """Give the way in which this host keeps its name."""
    use = module.args["use"]
    if use is None:
        system = os.uname().sysname
        family = distribution.collect(Root())["os_family"]
        if system == "Linux" and os.path.isdir("/run/systemd/system") and module.find_program("hostnamectl"):
            use = "systemd"
        elif system != "Linux":
            use = {"FreeBSD": "freebsd", "OpenBSD": "openbsd", "Darwin": "macos", "SunOS": "solaris"}.get(
                system, "generic"
            )
        else:
            use = {"RedHat": "redhat", "Alpine": "alpine", "Gentoo": "openrc", "Suse": "sles"}.get(family, "debian")
    if use == "redhat":
        old = "/etc/sysconfig/network"
        return (
            Assignment(module, old, "HOSTNAME") if assignments(Root().text(old, "")).get("HOSTNAME") else Static(module)
        )
    if use == "openrc":
        return Assignment(module, "/etc/conf.d/hostname", "hostname", '"')
    if use == "freebsd":
        return Assignment(module, "/etc/rc.conf", "hostname", '"')
    if use == "solaris":
        module.fail("hostname knows no way to keep a name on Solaris")
    classes = {
        "systemd": Systemd,
        "openbsd": OpenBsd,
        "sles": Sles,
        "macos": Scutil,
        "macosx": Scutil,
        "darwin": Scutil,
    }
    return classes.get(use, Static)(module)


def run(module):
    """Give the host its name."""
    name = module.args["name"]
    if len(name) > 64 or not name or any(letter.isspace() or letter == "/" for letter in name):
        module.fail("%r cannot be a host's name" % name)
    way = choose(module)
    kept, current = way.read(), way.current()
    changed = name != kept or name != current
    if changed and not module.check_mode:
        try:
            if current != name:
                way.set_current(name)
            if kept != name:
                way.write(name)
        except OSError as error:
            module.fail("cannot set the host's name: %s" % (error.strerror or error))
    result = {"changed": changed, "name": name}
    if changed:
        result["diff"] = {"before": "hostname = %s\n" % (kept or current), "after": "hostname = %s\n" % name}
    fqdn = socket.getfqdn()
    result["ansible_facts"] = {
        "ansible_hostname": name.split(".")[0],
        "ansible_nodename": name,
        "ansible_fqdn": fqdn,
        "ansible_domain": fqdn.partition(".")[2],
    }
    return result


if __name__ == "__main__":
    from pyplay.remote.module_utils.module import main

    main(run, OPTIONS)
