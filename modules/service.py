"""Start, stop and enable services, whatever runs them: systemd, OpenRC, rc.d, or init scripts."""

import os
import time

from pyplay.remote.module_utils import initscripts, systemd

OPTIONS = {
    "options": {
        "name": {"type": "str", "required": True, "doc": "The service."},
        "state": {
            "type": "str",
            "choices": ["reloaded", "restarted", "started", "stopped"],
            "doc": "started and stopped act only where needed, restarted and reloaded always.",
        },
        "enabled": {"type": "bool", "doc": "Shall it start at boot?"},
        "sleep": {"type": "int", "doc": "Seconds between stop and start of a restart (init scripts)."},
        "pattern": {"type": "str", "doc": "Text in the process list that tells that it runs (init scripts)."},
        "arguments": {"type": "str", "default": "", "aliases": ["args"], "doc": "More words for the init script."},
        "runlevel": {"type": "str", "default": "default", "doc": "Runlevel to enable it in (OpenRC)."},
        "use": {"type": "str", "default": "auto", "doc": "The module that the controller shall use."},
    },
    "required_one_of": [["state", "enabled"]],
    "check_mode": "full",
    "diff": False,
    "identity": ["name"],
    "absent_undoes": False,
    "platforms": "posix",
    "returns": {"name": "The service.", "state": "The state.", "enabled": "Whether it starts at boot."},
}


def plain(module, result):
    """Give what systemd's module says without the unit's properties; in check mode, that something would change."""
    if result["changed"] and module.check_mode:
        told = {"msg": "service state changed"} if module.args["enabled"] is None else {}
        return dict(told, changed=True)
    return {key: value for key, value in result.items() if key != "status"}


def run(module):
    """Bring the service into the wanted state."""
    if os.path.isdir("/run/systemd/system"):
        for name in ("scope", "masked", "force", "daemon_reload", "daemon_reexec", "no_block"):
            module.args[name] = "system" if name == "scope" else None
        return plain(module, systemd.run(module))
    service = initscripts.choose(module)
    args = module.args
    result = {"name": args["name"], "changed": False}
    if args["enabled"] is not None:
        result["enabled"] = args["enabled"]
        if service.enabled() != args["enabled"]:
            result["changed"] = True
            if not module.check_mode:
                service.enable(args["enabled"])
    state = args["state"]
    if state is None:
        return result
    running = service.running()
    result["state"] = "started" if state in ("restarted", "reloaded") else state
    if (state == "started" and running) or (state == "stopped" and not running):
        return result
    result["changed"] = True
    if module.check_mode:
        return result
    if state == "restarted" and args["sleep"]:
        service.act("stop")
        time.sleep(args["sleep"])
        service.act("start")
    else:
        verb = {"started": "start", "stopped": "stop", "reloaded": "reload", "restarted": "restart"}[state]
        service.act("start" if verb in ("reload", "restart") and not running else verb)
    return result


if __name__ == "__main__":
    from pyplay.remote.module_utils.module import main

    main(run, OPTIONS)
