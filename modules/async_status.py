"""Tell how a job that runs in the background is doing, or remove its status file."""

import json
import os

from pyplay.remote.module_utils.boot import boot_id

OPTIONS = {
    "options": {
        "jid": {"type": "str", "required": True, "doc": "The job's name, as the task that started it registered it."},
        "mode": {"type": "str", "default": "status", "choices": ["status", "cleanup"], "doc": "What to do."},
        "_async_dir": {"type": "path", "doc": "Where status files are; else ANSIBLE_ASYNC_DIR, else ~/.ansible_async."},
    },
    "check_mode": "full",
    "diff": False,
    "identity": ["jid"],
    "absent_undoes": False,
    "platforms": "posix",
    "returns": {
        "ansible_job_id": "The job's name.",
        "started": "Whether the job was started.",
        "finished": "Whether it has ended; then the rest is its module's result.",
        "results_file": "Its status file.",
        "erased": "The status file that was removed.",
    },
}


def run(module):
    """Read the status file."""
    args = module.args
    directory = args["_async_dir"] or os.environ.get("ANSIBLE_ASYNC_DIR") or "~/.ansible_async"
    path = os.path.join(os.path.expanduser(os.path.expandvars(directory)), args["jid"])
    base = {"ansible_job_id": args["jid"], "results_file": path, "started": True, "changed": False}
    base.update(stdout="", stderr="")
    try:
        with open(path, encoding="utf-8") as stream:
            text = stream.read()
    except OSError:
        told = {"erased": path} if args["mode"] == "cleanup" else {}
        module.fail("could not find job", **dict(base, finished=True, **told))
    if args["mode"] == "cleanup":
        if not module.check_mode:
            os.unlink(path)
        del base["results_file"]
        return dict(base, erased=path, started=False, finished=False)
    try:
        status = json.loads(text)
    except ValueError:
        module.fail("the status file of the job cannot be read", **dict(base, finished=True, data=text))
    boot = status.pop("_boot", "")
    if boot and not status.get("finished") and boot != boot_id():
        msg = "the job has ended without a result: the host was started anew while it ran"
        module.fail(msg, **dict(base, finished=True))
    result = dict(base, **status)
    result.update(started=True, finished=bool(status.get("finished")))
    if result["finished"]:
        result.pop("elapsed", None)
    return result


if __name__ == "__main__":
    from pyplay.remote.module_utils.module import main

    main(run, OPTIONS)
