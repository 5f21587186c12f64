"""The Module API: what a module written for pyplay is given and how its result leaves the host.

A module file holds a docstring, a literal `OPTIONS` table (see `options`), `run(module)` and ends with

    if __name__ == "__main__":
        from pyplay.remote.module_utils.module import main

        main(run, OPTIONS)

`run` gives the result as a dictionary (`changed` is false where it does not say), or calls `module.fail`. Arguments
come as `{"ANSIBLE_MODULE_ARGS": {...}}` on stdin, or in the file named by the first argument; the result is one JSON
object on stdout. Exit status: 0, or 1 where the module failed.
"""

import _signal  # what `signal` wraps in enums, which touch many pages of a forked child
import os
import sys

from pyplay.remote.module_utils import json_text, options

HIDDEN = "VALUE_SPECIFIED_IN_NO_LOG_PARAMETER"
MASK = "********"


class ModuleFailed(Exception):
    """The module cannot do what was asked. `result` is what its caller shall see."""

    def __init__(self, msg: str, result: dict) -> None:
        """Take the sentence for `msg` and the further keys of the result."""
        Exception.__init__(self, msg)
        self.result = dict(result, failed=True, msg=msg)


class ModuleSkipped(Exception):
    """The module has nothing to do here. `result` is what its caller shall see."""

    def __init__(self, msg: str, result: dict) -> None:
        """Take the sentence for `msg` and the further keys of the result."""
        Exception.__init__(self, msg)
        self.result = dict(result, skipped=True, msg=msg)


class Module:
    """One call of a module: its checked arguments and the ways to answer."""

    def __init__(self, name: str, spec: dict, given: dict) -> None:
        """Check `given` against the table `spec`; raises ModuleFailed naming every fault.

        `given` holds the arguments together with the internal ones (`_ansible_check_mode`, `_ansible_diff` …).
        """
        self.name = given.get("_ansible_module_name") or name
        self.check_mode = bool(given.get("_ansible_check_mode", False))
        self.diff = bool(given.get("_ansible_diff", False))
        self.verbosity = int(given.get("_ansible_verbosity") or 0)
        self.tmpdir = given.get("_ansible_tmpdir") or None
        self.shell = given.get("_ansible_shell_executable") or "/bin/sh"
        self.spec = spec
        checked = options.validate(spec, given)
        self.args = checked.args
        self.secrets = set(checked.secrets)
        self.warnings = list(checked.warnings)
        self.deprecations = []
        if checked.faults:
            first = checked.faults[0]
            more = [str(fault) for fault in checked.faults[1:]]
            text = "; ".join([str(first)] + more)
            raise ModuleFailed(text.replace(options.UNKNOWN, "%s for (%s) module" % (options.UNKNOWN, self.name)), {})
        if self.check_mode and spec.get("check_mode", "full") == "none":
            raise ModuleSkipped("%s cannot tell in check mode what it would do" % self.name, {})

    def fail(self, msg: str, **result: object) -> None:
        """End the module as failed, with `msg` and further keys for its result; raises ModuleFailed."""
        raise ModuleFailed(msg, result)

    def skip(self, msg: str, **result: object) -> None:
        """End the module as skipped, with `msg` and further keys for its result; raises ModuleSkipped."""
        raise ModuleSkipped(msg, result)

    def warn(self, msg: str) -> None:
        """Have the user warned; the same words are shown once."""
        if msg not in self.warnings:
            self.warnings.append(msg)

    def deprecate(self, msg: str, version: str = "", date: str = "", collection: str = "") -> None:
        """Have the user told that something will go away, in which version or when."""
        self.deprecations.append({"msg": msg, "version": version, "date": date, "collection_name": collection})

    def hide(self, text: str) -> None:
        """Never let `text` be seen in the result."""
        if text:
            self.secrets.add(text)

    def run_command(self, argv: object, **how: object) -> tuple:
        """Run a program (list) or shell line (text) and give (rc, stdout, stderr); see `process.run` for `how`.

        Raises ModuleFailed when it cannot be started or, with `check=True`, when its exit status is not 0.
        """
        from pyplay.remote.module_utils import process  # noqa: PLC0415  # most modules start no program

        check = how.pop("check", False)
        shown = argv if isinstance(argv, str) else " ".join(argv)
        try:
            rc, out, err = process.run(argv, **how)
        except OSError as error:
            raise ModuleFailed(
                "cannot run %s: %s" % (shown, error.strerror or error), {"cmd": shown, "rc": error.errno or 1}
            ) from error
        if check and rc != 0:
            reason = (err or out if isinstance(err, str) else "").strip().splitlines()
            text = ": " + reason[-1] if reason else ""
            raise ModuleFailed(
                "%s ended with status %d%s" % (shown, rc, text), {"cmd": shown, "rc": rc, "stdout": out, "stderr": err}
            )
        return rc, out, err

    def find_program(self, name: str, required: bool = False, extra: tuple = ()) -> object:
        """Give the path of a program on PATH, in `extra` or in the system's sbin directories; else None.

        Raises ModuleFailed where it is `required`.
        """
        from pyplay.remote.module_utils import process  # noqa: PLC0415  # most modules start no program

        path = process.find(name, extra)
        if path is None and required:
            raise ModuleFailed("the program %r is needed and not installed" % name, {})
        return path


def _hide_secrets(value: object, secrets: list) -> object:
    """Give a copy of a result value in which none of `secrets` (longest first) can be read."""
    if isinstance(value, str):
        if value in secrets:
            return HIDDEN
        for secret in secrets:
            if secret in value:
                value = value.replace(secret, MASK)
        return value
    if isinstance(value, dict):
        return {_hide_secrets(key, secrets): _hide_secrets(item, secrets) for key, item in value.items()}
    if isinstance(value, (list, tuple)):
        return [_hide_secrets(item, secrets) for item in value]
    if isinstance(value, (int, float)) and not isinstance(value, bool) and str(value) in secrets:
        return HIDDEN
    return value


def _hidden_args(spec: dict, args: dict) -> dict:
    """Give `args` with the values of no_log and hidden options replaced, in sub-options too."""
    table = options.options_of(spec)
    shown = {}
    for name, value in args.items():
        option = table.get(name, {})
        if (option.get("no_log") or option.get("hidden")) and value is not None:
            shown[name] = HIDDEN
        elif option.get("suboptions") and isinstance(value, dict):
            shown[name] = _hidden_args(option, value)
        elif option.get("suboptions") and isinstance(value, list):
            shown[name] = [_hidden_args(option, item) if isinstance(item, dict) else item for item in value]
        else:
            shown[name] = value
    return shown


_KEEP = ("changed", "failed", "skipped", "rc")


def finish(result: dict, module: object, spec: dict, given: dict) -> dict:
    """Complete a result: `changed`, `invocation`, warnings; secrets hidden. `module` is None if its making failed."""
    result = dict(result)
    result.setdefault("changed", False)
    if module is None:
        known = options.options_of(spec)
        secrets = [str(given[name]) for name in given if known.get(name, {}).get("no_log")]
        shown = {name: value for name, value in given.items() if not name.startswith("_ansible_")}
        warnings, deprecations = [], []
    else:
        secrets, shown = sorted(module.secrets, key=len, reverse=True), module.args
        warnings, deprecations = module.warnings, module.deprecations
    shown = _hidden_args(spec, shown)
    secrets = [text for text in secrets if text]
    if secrets:
        kept = {key: result[key] for key in _KEEP if key in result}
        result = _hide_secrets(result, secrets)
        result.update(kept)
        shown = _hide_secrets(shown, secrets)
    result["invocation"] = {"module_args": shown}
    if warnings:
        result["warnings"] = list(result.get("warnings", ())) + _hide_secrets(warnings, secrets)
    if deprecations:
        result["deprecations"] = list(result.get("deprecations", ())) + deprecations
    return result


def call(run: object, spec: dict, given: dict, name: str = "module") -> dict:
    """Run a module in this process and give its complete result, a failure included."""
    module = None
    try:
        module = Module(name, spec, given)
        result = run(module)
    except (ModuleFailed, ModuleSkipped) as ended:
        result = ended.result
    except Exception as error:  # the edge: whatever went wrong in a module is its result
        import traceback  # noqa: PLC0415  # only on the way to a failure

        text = "%s (%s)" % (error, type(error).__name__) if str(error) else type(error).__name__
        result = {"failed": True, "msg": "Task failed: Module failed: %s" % text, "exception": traceback.format_exc()}
    return finish(result or {}, module, spec, given)


def _spell(value: object) -> object:
    if isinstance(value, bytes):
        return value.decode("utf-8", "backslashreplace")
    if isinstance(value, (set, frozenset)):
        return sorted(value)
    return str(value)


def read_arguments(argv: list) -> dict:
    """Give the arguments of a call, from the file that `argv` names or from stdin.

    Raises ValueError where they are not the JSON object that the contract asks for.
    """
    if argv:
        with open(argv[0], "rb") as stream:
            text = stream.read()
    else:
        text = sys.stdin.buffer.read()
    data = json_text.read(text.decode("utf-8"))
    if not isinstance(data, dict):
        raise ValueError("the arguments are not a JSON object")
    given = data.get("ANSIBLE_MODULE_ARGS", data)
    if not isinstance(given, dict):
        raise ValueError("ANSIBLE_MODULE_ARGS is not a JSON object")
    return given


def _stop(number: int, frame: object) -> None:  # noqa: ARG001  # the signature of a signal handler
    raise SystemExit(128 + number)


def unwind() -> None:
    """Have SIGTERM and SIGHUP unwind the stack, so that temporary files are removed."""
    _signal.signal(_signal.SIGTERM, _stop)
    _signal.signal(_signal.SIGHUP, _stop)


def answer(run: object, spec: dict, given: dict) -> tuple:
    """Run a module and give what is to be written (bytes) and the exit status."""
    return _spelled(call(run, spec, given, _name_of(run)))


def _name_of(run: object) -> str:
    return os.path.splitext(os.path.basename(run.__code__.co_filename))[0]


def _spelled(result: dict) -> tuple:
    failed = result["failed"] if "failed" in result else result.get("rc") not in (None, 0, "0")
    return json_text.write(result, _spell).encode("ascii") + b"\n", 1 if failed else 0


def main(run: object, spec: dict, given: object = None) -> None:
    """Be the module: read the arguments (unless they are `given`), run, write the result, exit."""
    unwind()
    try:
        given = read_arguments(sys.argv[1:]) if given is None else given
    except (ValueError, OSError) as error:
        msg = "cannot read the module's arguments: %s" % error
        text, status = _spelled({"failed": True, "changed": False, "msg": msg})
    else:
        text, status = answer(run, spec, given)
    sys.stdout.flush()
    sys.stdout.buffer.write(text)
    sys.stdout.buffer.flush()
    sys.exit(status)
