"""Tell how a job that was started with async is doing."""

import json
import os

OPTIONS = {
    "options": {
        "jid": {"type": "str", "required": True, "doc": "The job, as ansible_job_id of its task named it."},
        "mode": {
            "type": "str",
            "default": "status",
            "choices": ["cleanup", "status"],
            "doc": "Ask, or remove what the job left of itself.",
        },
        "_async_dir": {"type": "path", "doc": "Directory of the jobs' status files."},
    },
    "check_mode": "full",
    "diff": False,
    "identity": ["jid"],
    "absent_undoes": False,
    "platforms": "posix",
    "returns": {
        "ansible_job_id": "The job.",
        "finished": "Whether it has ended.",
        "started": "Whether it was started.",
        "results_file": "Its status file.",
        "erased": "The file that was removed.",
    },
}


def directory(args):
    """Give where the status files are."""
    named = args["_async_dir"] or os.environ.get("ANSIBLE_ASYNC_DIR") or "~/.ansible_async"
    return os.path.expanduser(os.path.expandvars(named))


def run(module):
    """Read the job's status file."""
    args = module.args
    name = args["jid"]
    if os.path.basename(name) != name or name in ("", ".", ".."):
        module.fail("%r is no job" % name)
    path = os.path.join(directory(args), name)
    known = {"ansible_job_id": name, "results_file": path, "started": True, "stdout": "", "stderr": ""}
    if not os.path.exists(path):
        module.fail("there is no job %s" % name, **dict(known, finished=True, started=True))
    if args["mode"] == "cleanup":
        os.unlink(path)
        return {"ansible_job_id": name, "erased": path}
    try:
        with open(path, "rb") as stream:
            text = stream.read().decode("utf-8", "replace")
        data = json.loads(text) if text.strip() else None
    except ValueError:
        module.fail("the status of the job cannot be read: %s" % text.strip(), **dict(known, finished=True))
    if data is None:
        return dict(known, finished=False)
    if "started" not in data:
        data["finished"] = True
    data.setdefault("finished", False)
    data["finished"], data["started"] = bool(data["finished"]), True
    data.update(ansible_job_id=name, results_file=path)
    for key in ("stdout", "stderr"):
        data.setdefault(key, "")
    return data


if __name__ == "__main__":
    from pyplay.remote.module_utils.module import main

    main(run, OPTIONS)
