"""Gather facts about the host."""

from pyplay.remote.module_utils.facts import collect

OPTIONS = {
    "options": {
        "gather_subset": {
            "type": "list",
            "elements": "str",
            "default": ["all"],
            "doc": "Groups of facts: all, min, hardware, network, virtual, facter, ohai, or one collector; ! excludes.",
        },
        "filter": {
            "type": "list",
            "elements": "str",
            "default": [],
            "doc": "Give only facts whose names fit one of these shell patterns; ansible_ may be left out.",
        },
        "gather_timeout": {"type": "int", "default": 10, "doc": "Seconds for each fact that may have to wait."},
        "fact_path": {
            "type": "path",
            "default": "/etc/ansible/facts.d",
            "doc": "Directory of the host's own facts: *.fact files, INI, JSON, or programs that print them.",
        },
    },
    "check_mode": "full",
    "diff": False,
    "identity": [],
    "absent_undoes": False,
    "platforms": "posix",
    "returns": {"ansible_facts": "The facts."},
}


def run(module):
    """Gather what is asked for."""
    args = module.args
    request = collect.Request(
        args["gather_subset"], args["filter"], args["gather_timeout"], args["fact_path"], module.warn
    )
    try:
        return {"ansible_facts": collect.collect(request)}
    except collect.UnknownSubsetError as error:
        module.fail(str(error))


if __name__ == "__main__":
    from pyplay.remote.module_utils.module import main

    main(run, OPTIONS)
