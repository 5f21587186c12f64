"""Services of hosts without systemd: OpenRC, FreeBSD's rc.d, and init scripts as System V has them."""

import glob
import os
import re


class InitScript:
    """A script in /etc/init.d, driven by service(8); enabled by links in /etc/rcN.d."""

    def __init__(self, module: object) -> None:
        """Find the script; fails where there is none."""
        self.module = module
        self.name = module.args["name"]
        self.script = "/etc/init.d/" + self.name
        if not os.path.exists(self.script):
            module.fail("there is no service %s: %s is not there" % (self.name, self.script))

    def _words(self) -> list:
        return (self.module.args.get("arguments") or "").split()

    def enabled(self) -> bool:
        """Tell whether a start link is in a runlevel."""
        return bool(self.runlevels())

    def runlevels(self) -> set:
        """Give the runlevels that start it."""
        links = glob.glob("/etc/rc[0-9S].d/S??" + self.name) + glob.glob("/etc/rc.d/rc[0-9S].d/S??" + self.name)
        return {re.search(r"rc([0-9S])\.d/S", path).group(1) for path in links}

    def enable(self, wanted: bool) -> None:
        """Make or remove the links."""
        tool = self.module.find_program("update-rc.d")
        if tool:
            self.module.run_command([tool, self.name, "defaults"], check=True)
            self.module.run_command([tool, self.name, "enable" if wanted else "disable"], check=True)
            return
        tool = self.module.find_program("chkconfig", required=True)
        self.module.run_command([tool, "--add", self.name])
        self.module.run_command([tool, self.name, "on" if wanted else "off"], check=True)

    def running(self) -> bool:
        """Tell whether it runs: by the process list, or by the script's status."""
        pattern = self.module.args.get("pattern")
        if pattern:
            return any(pattern in line for line in process_lines())
        rc, out, err = self._call("status")
        if rc in (1, 2, 3):
            return False
        text = (out + err).lower()
        if re.search(r"not running|is stopped|is dead|inactive|unrecognized", text):
            return False
        if rc == 4 or "usage" in text:
            return any(self.name in line for line in process_lines())
        return rc == 0

    def _call(self, verb: str) -> tuple:
        tool = self.module.find_program("service")
        argv = [tool, self.name, verb] if tool else [self.script, verb]
        return self.module.run_command(argv + self._words())

    def act(self, verb: str) -> tuple:
        """Have the script start, stop, restart or reload it; gives (status, stdout, stderr), fails where it says no."""
        rc, out, err = self._call(verb)
        if rc != 0:
            text = (err or out).strip()
            self.module.fail("service %s %s failed: %s" % (self.name, verb, text), rc=rc, stdout=out, stderr=err)
        return rc, out, err


class OpenRc(InitScript):
    """A service of OpenRC."""

    def enabled(self) -> bool:
        """Tell whether it is in the runlevel."""
        return os.path.lexists("/etc/runlevels/%s/%s" % (self.module.args.get("runlevel") or "default", self.name))

    def enable(self, wanted: bool) -> None:
        """Put it into the runlevel or take it out."""
        tool = self.module.find_program("rc-update", required=True)
        level = self.module.args.get("runlevel") or "default"
        self.module.run_command([tool, "add" if wanted else "delete", self.name, level], check=True)

    def _call(self, verb: str) -> tuple:
        tool = self.module.find_program("rc-service", required=True)
        return self.module.run_command([tool, self.name, verb] + self._words())


class RcScript(InitScript):
    """A script of FreeBSD's rc.d, enabled by its variable in /etc/rc.conf. Source: rc.subr(8), sysrc(8)."""

    def __init__(self, module: object) -> None:
        """Find the script; fails where there is none."""
        self.module = module
        self.name = module.args["name"]
        if not any(os.path.exists(folder + self.name) for folder in ("/etc/rc.d/", "/usr/local/etc/rc.d/")):
            module.fail("there is no service %s: neither /etc/rc.d nor /usr/local/etc/rc.d has it" % self.name)

    def _variable(self) -> tuple:
        """Give the variable that enables it, and what it says."""
        _, out, _ = super()._call("rcvar")
        found = re.search(r'^(\w+)="?(\w*)"?', out, re.MULTILINE)
        if not found:
            self.module.fail("the service %s names no variable that would enable it" % self.name, stdout=out)
        return found.groups()

    def enabled(self) -> bool:
        """Tell whether its variable says yes."""
        return self._variable()[1].lower() in ("yes", "true", "on", "1")

    def enable(self, wanted: bool) -> None:
        """Set its variable."""
        tool = self.module.find_program("sysrc", required=True)
        self.module.run_command([tool, "%s=%s" % (self._variable()[0], "YES" if wanted else "NO")], check=True)

    def _call(self, verb: str) -> tuple:
        return super()._call("one" + verb)  # whether it is enabled or not


def process_lines() -> list:
    """Give the command line of every process but this one."""
    lines = []
    for name in os.listdir("/proc"):
        if name.isdigit() and int(name) != os.getpid():
            try:
                with open("/proc/%s/cmdline" % name, "rb") as stream:
                    lines.append(stream.read().replace(b"\0", b" ").decode("utf-8", "replace"))
            except OSError:
                continue
    return lines


def choose(module: object) -> InitScript:
    """Give the service in the way that this host runs services; fails where it is runit's or s6's."""
    if os.uname().sysname in ("FreeBSD", "DragonFly"):
        return RcScript(module)
    if os.path.exists("/sbin/openrc") or os.path.exists("/sbin/openrc-run"):
        return OpenRc(module)
    name = module.args["name"]
    if os.path.exists("/run/runit") and not os.path.exists("/etc/init.d/" + name):
        module.fail("this host's services are runit's: use community.general.runit")
    if os.path.exists("/run/s6") and not os.path.exists("/etc/init.d/" + name):
        module.fail("this host's services are those of s6, which pyplay has no module for: use command with s6-svc")
    return InitScript(module)
