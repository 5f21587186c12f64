#!/usr/bin/python3
import json

NAMES = (
    "discovered_interpreter_python", "discovered_interpreter_x", "ansible_discovered_interpreter_x", "vars",
    "ansible_x_interpreter", "ansible_host", "ansible_winrm_transport", "ansible_scp_extra_args", "plain",
)  # fmt: skip
print(json.dumps({"ansible_facts": {name: "mine" for name in NAMES}}))
