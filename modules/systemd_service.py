"""Start, stop, enable and mask units of systemd."""

from pyplay.remote.module_utils import systemd

OPTIONS = {
    "options": {
        "name": {
            "type": "str",
            "aliases": ["service", "unit"],
            "doc": "The unit; .service is added where no kind is given.",
        },
        "state": {
            "type": "str",
            "choices": ["reloaded", "restarted", "started", "stopped"],
            "doc": "started and stopped act only where needed, restarted and reloaded always.",
        },
        "enabled": {"type": "bool", "doc": "Shall it start at boot?"},
        "masked": {"type": "bool", "doc": "Shall it be impossible to start?"},
        "force": {"type": "bool", "doc": "Replace links of other units when enabling or masking."},
        "daemon_reload": {
            "type": "bool",
            "default": False,
            "aliases": ["daemon-reload"],
            "doc": "Have systemd read its unit files again, before all else.",
        },
        "daemon_reexec": {
            "type": "bool",
            "default": False,
            "aliases": ["daemon-reexec"],
            "doc": "Have systemd start itself again, before all else.",
        },
        "scope": {
            "type": "str",
            "default": "system",
            "choices": ["system", "user", "global"],
            "doc": "The system's manager, the user's, or all users'.",
        },
        "no_block": {"type": "bool", "default": False, "doc": "Do not wait until the state is reached."},
    },
    "required_by": {"state": ["name"], "enabled": ["name"], "masked": ["name"]},
    "check_mode": "full",
    "diff": False,
    "identity": ["name", "scope"],
    "absent_undoes": False,
    "platforms": "systemd",
    "returns": {"status": "The unit's properties, as systemctl show prints them."},
}


def run(module):
    """Bring the unit into the wanted state."""
    return systemd.run(module)


if __name__ == "__main__":
    from pyplay.remote.module_utils.module import main

    main(run, OPTIONS)
