"""Install and remove Python packages with pip."""

import os
import re
import shlex
import sys

OPTIONS = {
    "options": {
        "name": {
            "type": "list",
            "elements": "str",
            "doc": "Packages, with version conditions, or addresses to install from.",
        },
        "version": {"type": "str", "doc": "Version of the one package in `name`."},
        "requirements": {"type": "str", "doc": "File of requirements, on the host."},
        "state": {
            "type": "str",
            "default": "present",
            "choices": ["absent", "forcereinstall", "latest", "present"],
            "doc": "What shall be.",
        },
        "virtualenv": {"type": "path", "doc": "Virtual environment to work in; made where it is missing."},
        "virtualenv_command": {"type": "path", "default": "virtualenv", "doc": "What makes it; may have options."},
        "virtualenv_python": {"type": "str", "doc": "The Python for it (virtualenv -p)."},
        "virtualenv_site_packages": {"type": "bool", "default": False, "doc": "Let it see the system's packages."},
        "executable": {"type": "path", "doc": "The pip to use."},
        "extra_args": {"type": "str", "doc": "More options for pip."},
        "editable": {"type": "bool", "default": False, "doc": "Install in editable mode."},
        "chdir": {"type": "path", "doc": "Directory to run pip in."},
        "umask": {"type": "str", "doc": "umask for what is written, octal digits in quotes."},
        "break_system_packages": {
            "type": "bool",
            "default": False,
            "doc": "Work in an environment that the system manages.",
        },
    },
    "required_one_of": [["name", "requirements"]],
    "mutually_exclusive": [["name", "requirements"], ["executable", "virtualenv"]],
    "check_mode": "full",
    "diff": False,
    "identity": ["name", "requirements", "virtualenv"],
    "absent_undoes": True,
    "platforms": "posix",
    "finish": True,
    "needs_site": True,
    "returns": {
        "cmd": "What was run.",
        "name": "The packages.",
        "virtualenv": "The environment.",
    },
}

_REQUIREMENT = re.compile(r"\s*([A-Za-z0-9][\w.-]*)\s*(\[[^\]]*\])?\s*(.*)$")


def split_names(names):
    """Give requirements one by one: a comma splits names too, but not conditions (`a>=1,<2`) or extras."""
    found = []
    for text in names:
        if (found and re.match(r"\s*([<>=!~]=?|===)\s*[\w.*+!-]+\s*$", text)) or (
            found and found[-1].count("[") > found[-1].count("]")
        ):
            found[-1] += "," + text.strip()
        else:
            found.append(text.strip())
    return [text for text in found if text]


def canonical(name):
    """Give a package's name as it is compared. Source: PEP 503."""
    return re.sub(r"[-_.]+", "-", name).lower()


def numbers(version):
    """Give a version as something that can be compared, pre-releases before their release."""

    def part(word):
        return (1, int(word)) if word.isdigit() else (2, 0) if word == "post" else (0, ord(word[0]))

    parts = [part(word) for word in re.findall(r"\d+|[a-z]+", version.lower().split("+")[0])]
    while parts and parts[-1] == (1, 0):
        parts.pop()
    return parts + [(1, -1)]


def satisfies(version, conditions):
    """Tell whether a version meets conditions (==1.*, >=1,<2, ~=1.4); None where it cannot be told."""
    for condition in conditions.split(","):
        match = re.match(r"\s*(===|==|!=|>=|<=|~=|>|<)\s*([\w.*+!-]+)\s*$", condition)
        if match is None:
            return None
        operator, wanted = match.groups()
        if wanted.endswith(".*"):
            inside = (version + ".").startswith(wanted[:-1])
            good = inside if operator == "==" else not inside
        elif operator == "~=":
            good = numbers(version) >= numbers(wanted) and (version + ".").startswith(wanted.rpartition(".")[0] + ".")
        else:
            one, other = numbers(version), numbers(wanted)
            good = {
                "===": version == wanted,
                "==": one == other,
                "!=": one != other,
                ">=": one >= other,
                "<=": one <= other,
                ">": one > other,
                "<": one < other,
            }[operator]
        if not good:
            return False
    return True


class Pip:
    """pip with the options of one call."""

    def __init__(self, module):
        """Take the module."""
        self.module = module
        self.args = module.args
        self.cwd = module.args["chdir"]
        self.command = None
        self.output = []
        self.asked = {}  # the question for what is installed, and its answer

    def find(self):
        """Find pip, making the virtual environment where it is missing; gives whether one was (or would be) made."""
        args = self.args
        if args["virtualenv"]:
            made = not os.path.exists(os.path.join(args["virtualenv"], "bin", "activate"))
            if made and not self.module.check_mode:
                self.make_environment()
            pips = [os.path.join(args["virtualenv"], "bin", name) for name in ("pip3", "pip")]
            self.command = [next((path for path in pips if os.path.exists(path)), pips[1])]
            return made
        if args["executable"]:
            path = args["executable"]
            found = path if os.path.isabs(path) else self.module.find_program(path)
            if not found or not os.path.exists(found):
                self.module.fail("there is no pip %s" % path)
            self.command = [found]
            return False
        rc, _, _ = self.module.run_command([sys.executable, "-m", "pip", "--version"])
        program = None if rc == 0 else self.module.find_program("pip3") or self.module.find_program("pip")
        if rc != 0 and program is None:
            self.module.fail("pip is not installed for %s" % sys.executable)
        self.command = [sys.executable, "-m", "pip"] if rc == 0 else [program]
        return False

    def make_environment(self):
        """Make the virtual environment."""
        args = self.args
        words = shlex.split(args["virtualenv_command"])
        program = self.module.find_program(words[0], required=True)
        venv = "venv" in words or os.path.basename(words[0]).startswith("pyvenv")
        if venv and args["virtualenv_python"]:
            self.module.fail("virtualenv_python is for virtualenv: with venv name that Python in virtualenv_command")
        words = [program] + words[1:]
        words += ["--system-site-packages"] if args["virtualenv_site_packages"] else []
        words += ["-p" + args["virtualenv_python"]] if args["virtualenv_python"] and not venv else []
        self.run(words + [args["virtualenv"]])

    def run(self, argv):
        """Run a program for a change; fails where it does."""
        rc, out, err = self.module.run_command(argv, cwd=self.cwd, environment={"PIP_DISABLE_PIP_VERSION_CHECK": "1"})
        self.output.append((out, err))
        if rc != 0:
            lines = (err or out).strip().splitlines()
            self.module.fail(
                "%s failed: %s" % (" ".join(argv[:3]), lines[-1] if lines else rc),
                cmd=argv,
                rc=rc,
                stdout=out,
                stderr=err,
            )
        return out

    def installed(self):
        """Give {name: version} of the installed packages."""
        if not os.path.exists(self.command[0]):
            return {}
        rc, out, err = self.module.run_command(
            self.command + ["list", "--format=freeze", "--disable-pip-version-check"], cwd=self.cwd
        )
        if rc != 0:
            self.module.fail("pip cannot list the packages: %s" % err.strip(), rc=rc)
        self.asked = {"cmd": " ".join(self.command + ["list", "--format=freeze"]), "stdout": out, "stderr": err}
        rows = (line.partition("==") for line in out.splitlines())
        return {canonical(name): version for name, equals, version in rows if equals}


def words_for(args, names):
    """Give pip's words for what is asked."""
    words = ["uninstall", "-y"] if args["state"] == "absent" else ["install"]
    if args["state"] == "latest":
        words.append("-U")
    elif args["state"] == "forcereinstall":
        words += ["-U", "--force-reinstall"]
    if args["break_system_packages"]:
        words.append("--break-system-packages")
    words += shlex.split(args["extra_args"] or "")
    if args["requirements"]:
        return words + ["-r", args["requirements"]]
    for name in names:
        words += ["-e", name] if args["editable"] and args["state"] != "absent" else [name]
    return words


def is_met(name, have):
    """Tell whether a requirement is met by what is installed; None where that cannot be told."""
    match = _REQUIREMENT.match(name)
    if match is None or "://" in name or os.sep in name or match.group(3).startswith("@"):
        return None
    version = have.get(canonical(match.group(1)))
    if version is None:
        return False
    conditions = match.group(3).split(";")[0].strip()
    return satisfies(version, conditions) if conditions else True


def needed(args, names, have):
    """Tell before anything is run whether something has to be done; None where only pip knows."""
    if args["requirements"] or args["state"] == "latest":
        return None
    if args["state"] == "forcereinstall":
        return True
    met = [is_met(name, have) for name in names]
    if args["state"] == "absent":
        return any(item is not False for item in met)
    if None in met:
        return None
    return not all(met)


def run(module):
    """Bring the packages into the wanted state."""
    args = module.args
    if args["umask"] is not None:
        if not re.match(r"[0-7]{1,4}$", args["umask"]):
            module.fail("umask must be octal digits in quotes, not %r" % args["umask"])
        os.umask(int(args["umask"], 8))
    names = named = split_names(args["name"] or [])
    if args["version"]:
        if len(names) != 1:
            module.fail("version is for one package, not for %d" % len(names))
        names = ["%s==%s" % (names[0], args["version"])]
    if args["state"] == "latest" and args["version"]:
        module.fail("state=latest and version contradict each other")
    pip = Pip(module)
    made = pip.find()
    if args["state"] == "absent":
        names = [_REQUIREMENT.match(name).group(1) if _REQUIREMENT.match(name) else name for name in names]
    have = pip.installed()
    todo = needed(args, names, have)
    argv = pip.command + words_for(args, names)
    result = {"name": named or None, "requirements": args["requirements"], "state": args["state"], "cmd": argv}
    result.update(version=args["version"], virtualenv=args["virtualenv"], changed=made)
    if module.check_mode:
        asked = {} if args["extra_args"] or todo is None else pip.asked  # as in Ansible
        return {"changed": bool(made or todo is None or todo), **asked}
    if todo is not False:
        pip.run(argv)
        result["changed"] = made or args["state"] == "forcereinstall" or pip.installed() != have
    result["stdout"] = "".join(out for out, _ in pip.output)
    result["stderr"] = "".join(err for _, err in pip.output)
    return result


if __name__ == "__main__":
    from pyplay.remote.module_utils.module import main

    main(run, OPTIONS)
