"""Units of systemd, through systemctl."""

import os

_UNITS = ("service", "socket", "device", "mount", "automount", "swap", "target", "path", "timer", "slice", "scope")


def parse_properties(text):
    """Read what systemctl show prints; a value in braces may go on over several lines."""
    properties, key, parts = {}, None, []
    for line in text.splitlines():
        if key is not None:
            parts.append(line)
            if line.rstrip().endswith("}"):
                properties[key], key = "\n".join(parts), None
            continue
        name, equals, value = line.partition("=")
        if not equals:
            continue
        if name.startswith("Exec") and value.lstrip().startswith("{") and not value.rstrip().endswith("}"):
            key, parts = name, [value]
        else:
            properties[name] = value.strip()
    return properties


class Systemd:
    """systemctl with the options of one call."""

    def __init__(self, module):
        """Find systemctl; fails where systemd is not there."""
        self.module = module
        args = module.args
        self.base = [module.find_program("systemctl", required=True)]
        environment = {}
        if args["scope"] != "system":
            self.base.append("--" + args["scope"])
            if "XDG_RUNTIME_DIR" not in os.environ:
                environment["XDG_RUNTIME_DIR"] = "/run/user/%d" % os.geteuid()
        if args["no_block"]:
            self.base.append("--no-block")
        if args["force"]:
            self.base.append("--force")
        self.environment = environment
        name = args["name"]
        if name and name.rpartition(".")[2] not in _UNITS:
            name += ".service"
        self.unit = name

    def ask(self, *words):
        """Run systemctl; gives (status, stdout, stderr)."""
        return self.module.run_command(self.base + list(words), environment=self.environment)

    def act(self, verb, *names):
        """Run systemctl to change something, unless this is check mode; fails where it does."""
        if self.module.check_mode:
            return
        rc, out, err = self.ask(verb, *names)
        if rc != 0:
            what = " ".join((verb,) + names)
            self.module.fail("systemctl %s failed: %s" % (what, (err or out).strip()))

    def show(self):
        """Give the unit's properties; none with scope `global` where no user's manager runs. Fails where it cannot."""
        rc, out, err = self.ask("show", self.unit)
        if rc != 0 and self.module.args["scope"] == "global":
            return {}
        if rc != 0:
            if "System has not been booted with systemd" in err or "Failed to connect to bus" in err:
                self.module.fail("systemd is not running here: %s" % err.strip())
            self.module.fail("cannot ask systemd about %s: %s" % (self.unit, err.strip()))
        return parse_properties(out)


def is_enabled(systemd, status):
    """Tell whether the unit starts at boot: enabled links, or an init script that is switched on."""
    rc, out, _ = systemd.ask("is-enabled", systemd.unit)
    word = out.strip().splitlines()[-1] if out.strip() else ""
    if rc == 0:
        return word not in ("indirect", "alias") or status.get("UnitFileState") in ("enabled", "static")
    return False


def mask(systemd, status, wanted):
    """Mask or unmask; gives whether that changes something."""
    masked = status.get("LoadState") == "masked" or status.get("UnitFileState") == "masked"
    if systemd.module.args["scope"] == "global":
        masked = systemd.ask("is-enabled", systemd.unit)[1].strip() == "masked"
    if masked == wanted:
        return False
    systemd.act("mask" if wanted else "unmask", systemd.unit)
    return True


def enable(systemd, status, wanted):
    """Enable or disable; gives whether that changes something."""
    if is_enabled(systemd, status) == wanted:
        return False
    systemd.act("enable" if wanted else "disable", systemd.unit)
    return True


def bring(systemd, status, state):
    """Bring the unit into a state; gives whether that changes something."""
    active = status.get("ActiveState")
    running = active in ("active", "activating", "reloading") and not (
        active == "activating" and status.get("SubState") == "auto-restart"
    )
    if state == "started":
        verb = "" if running else "start"
    elif state == "stopped":
        verb = "stop" if running or active == "deactivating" or active == "activating" else ""
    elif state == "reloaded":
        verb = "reload" if running else "start"
    else:
        verb = "restart" if running else "start"
    if verb:
        systemd.act(verb, systemd.unit)
    return bool(verb)


def run(module):
    """Bring the unit into the wanted state."""
    args = module.args
    systemd = Systemd(module)
    if args["daemon_reload"]:
        systemd.act("daemon-reload")
    if args["daemon_reexec"]:
        systemd.act("daemon-reexec")
    if not systemd.unit:
        return {"changed": False, "name": args["name"], "status": {}}
    result = {"name": args["name"], "changed": False, "status": {}}
    wanted = {name: args[name] for name in ("state", "enabled", "masked") if args[name] is not None}
    if any(letter in systemd.unit for letter in "*?["):
        module.fail("%s is a pattern: this module works on one unit" % systemd.unit)
    status = systemd.show()
    result["status"] = status
    found = status.get("LoadState") != "not-found" or bool(status.get("UnitFileState"))
    if wanted and not found and args["scope"] != "global":
        if (
            args["state"] == "stopped"
            and not args["enabled"]
            and not args["masked"]
            and status.get("ActiveState") == "active"
        ):
            found = True
        elif args["masked"] is None:
            module.fail("there is no unit %s on the host" % systemd.unit)
    if args["masked"] is not None and mask(systemd, status, args["masked"]):
        result["changed"] = True
    if args["enabled"] is not None:
        result["changed"] = enable(systemd, status, args["enabled"]) or result["changed"]
        result["enabled"] = args["enabled"]
    if args["state"] is not None:
        if status.get("LoadState") == "masked" and args["masked"] is not False and args["state"] != "stopped":
            module.fail("the unit %s is masked and cannot be %s" % (systemd.unit, args["state"]))
        result["changed"] = bring(systemd, status, args["state"]) or result["changed"]
        result["state"] = "started" if args["state"] in ("restarted", "reloaded") else args["state"]
    return result
