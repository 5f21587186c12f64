"""Answer, to show that the host can be reached and runs Python."""

OPTIONS = {
    "options": {
        "data": {
            "type": "str",
            "default": "pong",
            "doc": "What to answer; `crash` makes the module fail with an exception.",
        },
    },
    "check_mode": "full",
    "diff": False,
    "identity": [],
    "absent_undoes": False,
    "platforms": "posix",
    "shared": [],
    "returns": {"ping": "What `data` said."},
}


def run(module):
    """Give back `data`."""
    if module.args["data"] == "crash":
        raise RuntimeError("boom")
    return {"ping": module.args["data"]}


if __name__ == "__main__":
    from pyplay.remote.module_utils.module import main

    main(run, OPTIONS)
