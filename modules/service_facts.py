"""Gather which services there are, whether they run and whether they start at boot."""

import os
import re

OPTIONS = {
    "options": {},
    "check_mode": "full",
    "diff": False,
    "identity": [],
    "absent_undoes": False,
    "platforms": "posix",
    "returns": {"ansible_facts": "services: {name: name, state, status, source}."},
}


def systemd(module):
    """Give the services of systemd: those loaded, and those that have a unit file."""
    services = {}
    how = ["--no-pager", "--type", "service", "--all", "--plain", "--no-legend"]
    _, out, _ = module.run_command(["systemctl", "list-units"] + how)
    for line in out.splitlines():
        words = line.lstrip("● *").split()
        if len(words) < 4 or not words[0].endswith(".service"):
            continue
        name, load, active, sub = words[:4]
        status = "failed" if "failed" in (active, sub) else load if load in ("not-found", "masked") else active
        state = "running" if sub == "running" else "stopped"
        services[name] = {"name": name, "state": state, "status": status, "source": "systemd"}
    _, out, _ = module.run_command(["systemctl", "list-unit-files"] + how[:3] + ["--no-legend"])
    unloaded = []
    for line in out.splitlines():
        words = line.split()
        if len(words) < 2 or not words[0].endswith(".service"):
            continue
        name, status = words[:2]
        if name not in services:
            services[name] = {"name": name, "state": "unknown", "status": status, "source": "systemd"}
            if "@." not in name:
                unloaded.append(name)
        elif services[name]["status"] not in ("failed", "not-found", "masked"):
            services[name]["status"] = status
    for name, state in zip(unloaded, active_states(module, unloaded)):
        services[name]["state"] = state
    return services


def active_states(module, names):
    """Give the state of each unit, asked for in one call."""
    if not names:
        return []
    _, out, _ = module.run_command(["systemctl", "show", "--property", "ActiveState", "--"] + names)
    return [line.partition("=")[2] for line in out.splitlines() if line.startswith("ActiveState=")]


def init_scripts(module):
    """Give the services that service(8) lists."""
    services = {}
    program = module.find_program("service")
    if program is None or not os.path.isdir("/etc/init.d"):
        return services
    _, out, err = module.run_command([program, "--status-all"])
    for line in (out + err).splitlines():
        found = re.match(r"\s*\[ ([+?-]) \]\s+(\S+)", line)
        if found:
            state = {"+": "running", "-": "stopped", "?": "unknown"}[found.group(1)]
            services[found.group(2)] = {"name": found.group(2), "state": state, "source": "sysv"}
    return services


def openrc(module):
    """Give the services of OpenRC."""
    services = {}
    if module.find_program("rc-status") is None:
        return services
    _, out, _ = module.run_command(["rc-status", "-a", "-s", "-r"])
    level = None
    for line in out.splitlines():
        found = re.match(r"\s*(\S+)\s+\[\s*(\w+)", line)
        if found:
            state = {"started": "running"}.get(found.group(2), found.group(2))
            services[found.group(1)] = {"name": found.group(1), "state": state, "source": "openrc", "runlevel": level}
        elif line.strip():
            level = line.split(":")[-1].strip()
    return services


def run(module):
    """Ask what runs services here."""
    services = {}
    if os.path.isdir("/run/systemd/system"):
        services.update(init_scripts(module))
        services.update(systemd(module))
    elif os.path.exists("/sbin/openrc"):
        services.update(openrc(module))
    else:
        services.update(init_scripts(module))
    if not services:
        module.skip("there is no service manager that is known")
    return {"ansible_facts": {"services": services}}


if __name__ == "__main__":
    from pyplay.remote.module_utils.module import main

    main(run, OPTIONS)
