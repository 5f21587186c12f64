"""Say what dpkg shall do with a package: install, hold, deinstall or purge."""

OPTIONS = {
    "options": {
        "name": {"type": "str", "required": True, "doc": "The package."},
        "selection": {
            "type": "str",
            "required": True,
            "choices": ["install", "hold", "deinstall", "purge"],
            "doc": "What dpkg shall want for it; nothing is installed or removed by that.",
        },
    },
    "check_mode": "full",
    "diff": True,
    "identity": ["name"],
    "absent_undoes": False,
    "platforms": "debian",
    "returns": {"before": "The selection before.", "after": "The selection now."},
}


def run(module):
    """Set the selection where it differs."""
    args = module.args
    name, wanted = args["name"], args["selection"]
    dpkg = module.find_program("dpkg", required=True)
    _, out, _ = module.run_command([dpkg, "--get-selections", name], check=True)
    words = out.split()
    if len(words) < 2:
        module.fail("dpkg knows no package %r, so it cannot be set to %r" % (name, wanted))
    before = words[1]
    changed = before != wanted
    if changed and not module.check_mode:
        module.run_command([dpkg, "--set-selections"], stdin="%s %s\n" % (name, wanted), check=True)
    result = {"changed": changed, "before": before, "after": wanted}
    if module.diff:
        result["diff"] = {"before": "%s %s\n" % (name, before), "after": "%s %s\n" % (name, wanted)}
    return result


if __name__ == "__main__":
    from pyplay.remote.module_utils.module import main

    main(run, OPTIONS)
