"""Look up entries of the host's databases (passwd, hosts, services …) through getent."""

OPTIONS = {
    "options": {
        "database": {"type": "str", "required": True, "doc": "The database, as getent knows it."},
        "key": {"type": "str", "doc": "The entry; all of them if unset."},
        "service": {"type": "str", "doc": "The one source to ask (files, ldap …)."},
        "split": {"type": "str", "doc": "What parts the fields; as the database has it if unset."},
        "fail_key": {"type": "bool", "default": True, "doc": "Fail where there is no such entry."},
    },
    "check_mode": "full",
    "diff": False,
    "identity": [],
    "absent_undoes": False,
    "platforms": "posix",
    "returns": {"ansible_facts": "getent_DATABASE: {entry: fields}."},
}

_COLON = ("passwd", "shadow", "group", "gshadow")


def run(module):
    """Ask getent."""
    args = module.args
    argv = [module.find_program("getent", required=True), args["database"]]
    argv += [args["key"]] if args["key"] is not None else []
    argv += ["-s", args["service"]] if args["service"] is not None else []
    split = args["split"] or (":" if args["database"] in _COLON else None)
    rc, out, err = module.run_command(argv)
    fact = "getent_" + args["database"]
    if rc == 0:
        entries = {}
        seen = {}
        for line in out.splitlines():
            fields = line.split(split)
            if not fields:
                continue
            name = fields[0]
            seen[name] = seen.get(name, 0) + 1
            if seen[name] == 1:
                entries[name] = fields[1:]
            else:
                if seen[name] == 2:
                    entries[name] = [entries[name]]
                entries[name].append(fields[1:])
        return {"ansible_facts": {fact: entries}}
    if rc == 2 and args["key"] is not None:
        if not args["fail_key"]:
            return {"ansible_facts": {fact: {args["key"]: None}}, "msg": "there is no such entry"}
        module.fail("the database %s has no entry %s" % (args["database"], args["key"]))
    reasons = {
        1: "getent does not know the database %s" % args["database"],
        3: "%s cannot be listed" % args["database"],
    }
    return module.fail(reasons.get(rc, "getent failed: %s" % err.strip()))


if __name__ == "__main__":
    from pyplay.remote.module_utils.module import main

    main(run, OPTIONS)
