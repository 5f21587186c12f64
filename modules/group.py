"""Make, change and remove groups."""

from pyplay.remote.module_utils import account_programs, accounts

OPTIONS = {
    "options": {
        "name": {"type": "str", "required": True, "doc": "The group."},
        "gid": {"type": "int", "doc": "Its number."},
        "state": {"type": "str", "default": "present", "choices": ["absent", "present"], "doc": "Shall it exist?"},
        "system": {"type": "bool", "default": False, "doc": "Take the number from the system's range."},
        "local": {"type": "bool", "default": False, "doc": "Look at /etc/group alone, not at directories as LDAP."},
        "non_unique": {"type": "bool", "default": False, "doc": "Allow a number that another group has."},
        "force": {"type": "bool", "default": False, "doc": "Remove it even if it is somebody's primary group."},
        "gid_min": {"type": "int", "doc": "Lowest number to choose."},
        "gid_max": {"type": "int", "doc": "Highest number to choose."},
    },
    "required_if": [["non_unique", True, ["gid"]]],
    "check_mode": "full",
    "diff": False,
    "identity": ["name"],
    "absent_undoes": True,
    "platforms": "posix",
    "returns": {"gid": "The group's number.", "name": "Its name.", "state": "The state.", "system": "As the option."},
}


def run(module):
    """Bring the group into the wanted state."""
    args = module.args
    name, local = args["name"], args["local"]
    if args["force"] and local:
        module.fail("options exclude each other: force, local")
    entry = accounts.find_group(name, local) if not name.isdigit() else None
    changed = False
    programs = account_programs.choose(module)
    if args["state"] == "absent":
        changed = entry is not None
        if changed and module.check_mode:
            return {"changed": True}
        if changed:
            programs.remove_group(name)
        return {"changed": changed, "name": name, "state": "absent"}
    if entry is None:
        changed = True
        if module.check_mode:
            return {"changed": True}
        programs.add_group(name)
    elif args["gid"] is not None and args["gid"] != entry.gr_gid:
        changed = True
        if not module.check_mode:
            programs.change_group(name)
    entry = accounts.find_group(name, local)
    result = {"changed": changed, "name": name, "state": "present", "system": args["system"]}
    if entry is not None:
        result["gid"] = entry.gr_gid
    return result


if __name__ == "__main__":
    from pyplay.remote.module_utils.module import main

    main(run, OPTIONS)
