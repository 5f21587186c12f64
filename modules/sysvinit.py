"""Start, stop and enable services that are scripts in /etc/init.d."""

import time

from pyplay.remote.module_utils import initscripts

OPTIONS = {
    "options": {
        "name": {"type": "str", "required": True, "aliases": ["service"], "doc": "The service."},
        "state": {
            "type": "str",
            "choices": ["started", "stopped", "restarted", "reloaded"],
            "doc": "started and stopped act only where needed, restarted and reloaded always.",
        },
        "enabled": {"type": "bool", "doc": "Shall it start at boot?"},
        "sleep": {"type": "int", "default": 1, "doc": "Seconds between stop and start of a restart."},
        "pattern": {"type": "str", "doc": "Text in the process list that tells that it runs."},
        "runlevels": {"type": "list", "elements": "str", "doc": "The runlevels to enable it in."},
        "arguments": {"type": "str", "aliases": ["args"], "doc": "More words for the script."},
        "daemonize": {"type": "bool", "default": False, "doc": "Detach the script, which does not do so itself."},
    },
    "required_one_of": [["state", "enabled"]],
    "check_mode": "full",
    "diff": False,
    "identity": ["name"],
    "absent_undoes": False,
    "platforms": "posix",
    "returns": {"name": "The service.", "status": "Whether it was enabled and running, and is."},
}


class Script(initscripts.InitScript):
    """An init script with the options of this module."""

    def enable(self, wanted):
        """Enable it in the runlevels that are asked for, else in the script's own."""
        levels = self.module.args["runlevels"]
        if not levels:
            initscripts.InitScript.enable(self, wanted)
            return
        tool = self.module.find_program("update-rc.d")
        word = "enable" if wanted else "disable"
        if tool:
            self.module.run_command([tool, self.name, "defaults"], check=True)
            self.module.run_command([tool, self.name, word] + levels, check=True)
            return
        tool = self.module.find_program("chkconfig", required=True)
        self.module.run_command([tool, "--add", self.name])
        word = "on" if wanted else "off"
        self.module.run_command([tool, "--level", "".join(levels), self.name, word], check=True)

    def enabled(self):
        """Tell whether it starts in the runlevels that are asked for, or in any."""
        levels = set(self.module.args["runlevels"] or ())
        return levels <= self.runlevels() if levels else bool(self.runlevels())

    def _call(self, verb):
        apart = ["setsid", "-f"] if self.module.args["daemonize"] and verb in ("start", "restart") else []
        return self.module.run_command(apart + [self.script, verb] + self._words())


def run(module):
    """Bring the service into the wanted state."""
    args = module.args
    service = Script(module)
    state = args["state"]
    status = {"enabled": _untold(), state: _untold()}
    if args["enabled"] is not None:
        told = status["enabled"]
        if args["runlevels"]:
            told["runlevels"] = args["runlevels"]
        told["changed"] = service.enabled() != args["enabled"]
        if told["changed"] and not module.check_mode:
            told.update(rc=0, stdout="", stderr="")
            service.enable(args["enabled"])
    if state is not None:
        told = status[state]
        running = service.running()
        told["changed"] = not ((state == "started" and running) or (state == "stopped" and not running))
        if told["changed"] and not module.check_mode:
            told["rc"], told["stdout"], told["stderr"] = change(service, state, running, args["sleep"])
    return {"name": args["name"], "changed": any(told["changed"] for told in status.values()), "status": status}


def _untold():
    return {"changed": False, "rc": None, "stdout": None, "stderr": None}


def change(service, state, running, pause):
    """Have the script do what is asked for; gives what it said last."""
    if state == "restarted" and running:
        service.act("stop")
        time.sleep(pause)
        return service.act("start")
    verb = {"started": "start", "stopped": "stop", "reloaded": "reload", "restarted": "start"}[state]
    return service.act("start" if verb == "reload" and not running else verb)


if __name__ == "__main__":
    from pyplay.remote.module_utils.module import main

    main(run, OPTIONS)
