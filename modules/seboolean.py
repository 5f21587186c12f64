"""Switch a boolean of the SELinux policy."""

import re

from pyplay.remote.module_utils import files

OPTIONS = {
    "options": {
        "name": {"type": "str", "required": True, "doc": "The boolean."},
        "state": {"type": "bool", "required": True, "doc": "On or off."},
        "persistent": {"type": "bool", "default": False, "doc": "Keep it over a reboot."},
        "ignore_selinux_state": {"type": "bool", "default": False, "doc": "Also where SELinux is off now (chroots)."},
    },
    "check_mode": "full",
    "diff": False,
    "identity": ["name"],
    "absent_undoes": False,
    "platforms": "linux",
    "returns": {"name": "The boolean.", "state": "Its value.", "persistent": "As the option."},
}


def running(module):
    """Give the value that is in effect, None where it cannot be asked."""
    rc, out, err = module.run_command([module.find_program("getsebool", required=True), module.args["name"]])
    match = re.search(r"--> (on|off)", out)
    if match is None:
        if module.args["ignore_selinux_state"]:
            return None
        module.fail("SELinux knows no boolean %s: %s" % (module.args["name"], (err or out).strip()), rc=rc)
    return match.group(1) == "on"


def kept(module):
    """Give the value that the policy keeps, None where it has none of its own."""
    _, out, _ = module.run_command([module.find_program("semanage", required=True), "boolean", "-l", "-n"], check=True)
    for line in out.splitlines():
        match = re.match(r"(\S+)\s+\(\s*(on|off)\s*,\s*(on|off)\s*\)", line)
        if match and match.group(1) == module.args["name"]:
            return match.group(3) == "on"
    return None


def run(module):
    """Switch the boolean where it differs."""
    args = module.args
    if not files.selinux_enabled() and not args["ignore_selinux_state"]:
        module.fail("SELinux is off on this host (ignore_selinux_state sets booleans nevertheless)")
    state = args["state"]
    have = running(module)
    changed = have is not None and have != state
    if args["persistent"]:
        changed = changed or kept(module) != state
    if changed and not module.check_mode:
        value = "%s=%s" % (args["name"], "on" if state else "off")
        if have is None:
            module.run_command(
                ["semanage", "boolean", "-N", "-m", "--on" if state else "--off", args["name"]], check=True
            )
        else:
            setsebool = module.find_program("setsebool", required=True)
            module.run_command([setsebool] + (["-P"] if args["persistent"] else []) + [value], check=True)
    return {"changed": changed, "name": args["name"], "state": state, "persistent": args["persistent"]}


if __name__ == "__main__":
    from pyplay.remote.module_utils.module import main

    main(run, OPTIONS)
