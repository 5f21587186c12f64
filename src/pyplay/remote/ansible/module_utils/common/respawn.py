"""Running the module again under another interpreter: for modules that need what only the system's Python has."""

import io
import json
import os
import subprocess
import sys
import tempfile
import zipfile

_MARK = "PYPLAY_RESPAWNED"


def has_respawned():
    """Tell whether this is the module's second start."""
    return os.environ.get(_MARK) == "1"


def respawn_module(interpreter_path):
    """Run the module under this interpreter, with its arguments, and end as it does; not twice (Exception)."""
    if has_respawned():
        raise Exception("the module has been started again before")  # noqa: TRY002  # importers catch Exception
    from ..basic import load_arguments  # noqa: PLC0415  # it imports this one

    data = json.dumps({"ANSIBLE_MODULE_ARGS": load_arguments()}).encode()
    environment = dict(os.environ, **{_MARK: "1"})
    sys.stdout.flush()
    with _program() as program:
        program.flush()
        path = program.name if isinstance(program.name, str) else "/proc/self/fd/%d" % program.fileno()
        child = subprocess.Popen(
            [interpreter_path, path], stdin=subprocess.PIPE, env=environment, pass_fds=(program.fileno(),)
        )
        child.communicate(data)
    sys.exit(child.returncode)


def _program():
    """Give the module as an open file that Python can run: in memory where the kernel has files there."""
    main = sys.modules["__main__"]
    parts = getattr(main.__loader__, "parts", None)
    if parts is None:  # started by hand, from a file
        return open(sys.argv[0], "rb")
    if hasattr(os, "memfd_create"):
        file = io.open(os.memfd_create("module"), "wb")  # noqa: SIM115  # the caller closes it
    else:
        file = tempfile.NamedTemporaryFile(suffix=".pyz")  # noqa: SIM115  # the caller closes it
    table = main.__loader__.table
    with zipfile.ZipFile(file, "w") as archive:
        for name, entry in table.items():
            archive.writestr("__main__.py" if name == "__main__" else entry[1], parts[entry[0]])
    return file


def probe_interpreters_for_module(interpreter_paths, module_name):
    """Give the first of these interpreters that can import a module, None if none can."""
    for path in interpreter_paths:
        if not os.path.exists(path):
            continue
        probe = [path, "-c", "import sys, importlib; importlib.import_module(sys.argv[1])", module_name]
        if subprocess.call(probe, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL) == 0:
            return path
    return None
