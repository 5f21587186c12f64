"""Driving dnf, of version 4 and 5, through its program.

The program is used and not its Python bindings: it works under every interpreter, and what rpm already knows is asked
of rpm, which takes a hundredth of the time that loading the repositories takes.
"""

import os
import re
import time

_SECTION = re.compile(r"^(Installing|Upgrading|Removing|Downgrading|Reinstalling)\b.*:\s*$")
_LOCKED = re.compile(r"exit_on_lock|is holding the lock|existing lock|[Tt]ransaction lock|Waiting for process with pid")
_ROW = "%{name}|%{epoch}|%{version}|%{release}|%{arch}|%{repoid}"
_UNKNOWN = "No package %s available."
_REFUSED = re.compile(
    r"^(?:No match for argument: (.+?)|No packages to .* for argument: (.+?)|Unable to find a match: (.+?))\s*$"
)


def is_five(program: str) -> bool:
    """Tell whether a program called dnf is dnf5."""
    return os.path.basename(os.path.realpath(program)).startswith("dnf5")


class Transaction:
    """What dnf says that it will do: packages as name-version-release.arch."""

    def __init__(self) -> None:
        """Begin with nothing."""
        self.installed = []
        self.removed = []
        self.downgraded = []
        self.replaced = []  # (name, arch) whose installed version goes away

    def __bool__(self) -> bool:
        return bool(self.installed or self.removed)


def read_table(text: str) -> Transaction:
    """Read the table that dnf prints before it does anything; long names wrap lines there."""
    found, section, words = Transaction(), "", []
    for line in text.splitlines():
        head = _SECTION.match(line)
        if head:
            section, words = head.group(1), []
        elif line.startswith("Transaction Summary") or not line.strip():
            section = ""
        elif section and line.startswith(" "):
            parts = line.split()
            if parts[0] == "replacing":
                found.removed.append(_nevra(*parts[1:4]) if len(parts) > 3 else _dotted(*parts[1:3]))
                continue
            words += parts
            if len(words) >= 5:
                _add(found, section, words)
                words = []
    return found


def _dotted(name: str, version: str) -> str:
    """Name what dnf 4 writes as name.arch version."""
    base, _, arch = name.rpartition(".")
    return _nevra(base, arch, version)


def _nevra(name: str, arch: str, version: str) -> str:
    return "%s-%s.%s" % (name, re.sub(r"^0:", "", version), arch)


def _add(found: Transaction, section: str, words: list) -> None:
    name, arch, version = words[:3]
    text = _nevra(name, arch, version)
    if section == "Removing":
        found.removed.append(text)
        return
    found.installed.append(text)
    if section == "Downgrading":
        found.downgraded.append(name)
    if section in ("Upgrading", "Downgrading", "Reinstalling"):
        found.replaced.append((name, arch))


class Dnf:
    """The program with the task's options. `five`: it is dnf5."""

    def __init__(self, module: object, program: str, five: bool) -> None:
        """Take the module, whose options are those of dnf, and the program's path."""
        self.module = module
        self.args = module.args
        self.program = program
        self.five = five
        self.root = ["--root", self.args["installroot"]] if self.args["installroot"] != "/" else []

    def options(self) -> list:
        """Give the words that hold for every command."""
        args, five = self.args, self.five
        words = ["--setopt=%s" % item for item in self._settings()]
        for flag, name in (
            ("--releasever", "releasever"),
            ("--setopt=disable_excludes" if five else "--disableexcludes", "disable_excludes"),
        ):
            if args[name]:
                words.append("%s=%s" % (flag, args[name]))
        if args["installroot"] != "/":
            words.append("--installroot=%s" % args["installroot"])
        if args["conf_file"]:
            words += ["--config=%s" % args["conf_file"]]
        for flag, name in (
            ("--disableplugin" if not five else "--disable-plugin", "disable_plugin"),
            ("--enableplugin" if not five else "--enable-plugin", "enable_plugin"),
            ("--disablerepo" if not five else "--disable-repo", "disablerepo"),
            ("--enablerepo" if not five else "--enable-repo", "enablerepo"),
            ("--exclude", "exclude"),
        ):
            words += ["%s=%s" % (flag, item) for item in args[name]]
        if args["cacheonly"]:
            words.append("--cacheonly")
        if args["update_cache"]:
            words.append("--refresh")
        return words

    def _settings(self) -> list:
        args = self.args
        found = [] if self.five else ["exit_on_lock=1"]
        check = "0" if args["disable_gpg_check"] else "1"
        found += [("pkg_gpgcheck" if self.five else "gpgcheck") + "=" + check, "localpkg_gpgcheck=" + check]
        if not args["install_weak_deps"]:
            found.append("install_weak_deps=0")
        if not args["sslverify"] or (not args["validate_certs"] and any("://" in name for name in args["name"])):
            found.append("sslverify=0")
        return found

    def solving(self, removes: bool) -> list:
        """Give the words that say how a transaction may be solved."""
        args, words = self.args, []
        if args["allowerasing"] and not removes:
            words.append("--allowerasing")
        best = args["best"] if args["best"] is not None else None if args["nobest"] is None else not args["nobest"]
        if best is not None and not removes:
            words.append("--best" if best else "--no-best" if self.five else "--nobest")
        if args["skip_broken"] and not removes:
            words += ["--skip-broken", "--skip-unavailable"] if self.five else ["--skip-broken", "--setopt=strict=0"]
        if removes and not args["autoremove"]:
            words.append("--no-autoremove" if self.five else "--noautoremove")
        if args["download_only"] and not removes:
            words.append("--downloadonly")
            if args["download_dir"]:
                words.append(("--destdir=" if self.five else "--downloaddir=") + args["download_dir"])
        return words

    def call(self, words: list) -> tuple:
        """Run dnf and give (rc, stdout, stderr); waits up to lock_timeout while another one runs."""
        limit = time.monotonic() + self.args["lock_timeout"]
        while True:
            rc, out, err = self.module.run_command([self.program] + self.options() + words)
            if rc == 0 or not (rc == 200 or _LOCKED.search(err)) or time.monotonic() >= limit:
                return rc, out, err
            time.sleep(1)

    def rpm(self, words: list) -> tuple:
        """Run rpm on the same root; gives (rc, stdout)."""
        return self.module.run_command(["rpm"] + self.root + words)[:2]

    def installed(self, name: str) -> list:
        """Give the installed packages (name-version-release.arch) that a name, glob, path or capability means."""
        form = ["--qf", "%{NEVRA}\\n"]
        if re.search(r"[*?\[]", name):
            return self.rpm(["-qa", name] + form)[1].split()
        for words in (["-q", name], ["-q", "--whatprovides", name]):
            if words[1] == name and re.search(r"\s|[/(]", name):
                continue
            rc, out = self.rpm(words + form)
            if rc == 0:
                return out.split()
        return []

    def everything(self) -> set:
        """Give all installed packages; keys, which rpm counts among them, come and go by themselves."""
        names = self.rpm(["-qa", "--qf", "%{NEVRA}\\n"])[1].split()
        return {name for name in names if not name.startswith("gpg-pubkey-")}

    def plan(self, words: list) -> tuple:
        """Ask what a command would do; gives (Transaction, rc, stdout, stderr)."""
        rc, out, err = self.call(["--assumeno"] + words)
        return read_table(out), rc, out, err


def refused(out: str, err: str) -> list:
    """Give the arguments that dnf found no package for, as sentences."""
    found = []
    for line in (out + err).splitlines():
        text = line.replace("Error: ", "").strip()
        match = _REFUSED.match(text)
        if match:
            name = match.group(1) or match.group(2) or match.group(3)
            sentence = _UNKNOWN % name
            if sentence not in found and not (match.group(3) and found):
                found.append(sentence)
        elif text.startswith("All matches were filtered out"):
            found.append(text)
    return found


def old_versions(dnf: Dnf, transaction: Transaction) -> list:
    """Give the installed packages that others of their name take the place of."""
    found = []
    for name, arch in transaction.replaced:
        found += dnf.rpm(["-q", "%s.%s" % (name, arch), "--qf", "%{NEVRA}\\n"])[1].split()
    return [text for text in found if text not in transaction.removed]


class Outcome:
    """What the commands of one task did or would do."""

    def __init__(self) -> None:
        """Begin with nothing."""
        self.notes = []
        self.installed = []
        self.removed = []
        self.downloaded = []

    def results(self) -> list:
        """Give the lines for the module's result."""
        done = [("Installed", self.installed), ("Downloaded", self.downloaded), ("Removed", self.removed)]
        return self.notes + ["%s: %s" % (verb, name) for verb, names in done for name in sorted(set(names))]


def act(dnf: Dnf, words: list, outcome: Outcome, removes: bool = False) -> None:
    """Run one command of dnf, or in check mode ask what it would do; adds to `outcome`. Raises ModuleFailed."""
    module = dnf.module
    asked = words[1:] if words[0] == "install" else []
    words = words[:1] + dnf.solving(removes) + words[1:]
    downloads = module.args["download_only"] and not removes
    before = set() if module.check_mode or downloads else dnf.everything()
    rc, out, err = dnf.call(["--assumeno" if module.check_mode else "-y"] + words)
    transaction = read_table(out)
    unknown = refused(out, err)
    if rc != 0 and "There are no enabled repositories" in err:
        unknown += [_UNKNOWN % name for name in asked]
    outcome.notes += unknown
    if rc != 0 and not (module.check_mode and transaction):
        if unknown and not removes:
            module.fail("there are no such packages: %s" % " ".join(unknown), failures=unknown, rc=1, results=[])
        broken(module, rc, out, err)
    if downloads:
        outcome.downloaded += transaction.installed
    elif module.check_mode:
        outcome.installed += transaction.installed
        outcome.removed += transaction.removed + old_versions(dnf, transaction)
    else:
        after = dnf.everything()
        outcome.installed += after - before
        outcome.removed += before - after


def broken(module: object, rc: int, out: str, err: str) -> None:
    """End the module with what dnf complains about; raises ModuleFailed."""
    if "enabled checking of packages via GPG keys" in out + err:
        text = "packages are not signed, or by no key that is known (disable_gpg_check takes them nevertheless)"
        module.fail(text, rc=rc, results=[], stdout=out, stderr=err)
    lines = [line for line in err.splitlines() if line.strip() and "Operation aborted" not in line]
    start = next((index for index, line in enumerate(lines) if line.startswith("Error")), 0)
    module.fail("\n".join(lines[start:]).strip() or out.strip(), rc=rc, results=[], stdout=out, stderr=err)


def present(dnf: Dnf, names: list, outcome: Outcome) -> None:
    """Have packages installed, or with state latest at their newest version."""
    args = dnf.args
    latest = args["state"] == "latest"
    install, upgrade = [], []
    for name in names:
        if name == "*" and latest:
            upgrade.append(name)
        elif name.startswith("@") or "://" in name:
            install.append(name)
        elif name.endswith(".rpm"):
            _file(dnf, name, install, outcome)
        elif dnf.installed(name):
            if latest:
                upgrade.append(name)
        elif args["update_only"]:
            outcome.notes.append("Packages providing %s not installed due to update_only specified" % name)
        elif not _goes_back(dnf, name):
            install.append(name)
    if install:
        act(dnf, ["install"] + install, outcome)
    if upgrade:
        flags = ["--" + kind for kind in ("bugfix", "security") if args[kind]]
        act(dnf, ["upgrade"] + flags + [name for name in upgrade if name != "*"], outcome)


def _file(dnf: Dnf, path: str, install: list, outcome: Outcome) -> None:
    """Take a package file, unless it or a newer version is installed."""
    rc, out, err = dnf.module.run_command(["rpm", "-qp", "--nosignature", "--qf", "%{NEVRA} %{NAME}", path])
    if rc != 0:
        dnf.module.fail("cannot read the package %s: %s" % (path, err.strip()), rc=1, results=[])
    nevra, name = out.split()
    if nevra in dnf.installed(name):
        outcome.notes.append("Installed %s" % path)
    else:
        install.append(path)


def _goes_back(dnf: Dnf, name: str) -> bool:
    """Tell whether a version that is named would take the place of a newer one, which allow_downgrade must allow."""
    match = re.match(r"(.+?)-\d[^\s<>=]*$", name)
    if dnf.args["allow_downgrade"] or match is None or not dnf.installed(match.group(1)):
        return False
    return match.group(1) in dnf.plan(["install", name])[0].downgraded


def absent(dnf: Dnf, names: list, outcome: Outcome) -> None:
    """Have packages removed."""
    there = []
    for name in names:
        if name.startswith("@") or dnf.installed(name):
            there.append(name)
        else:
            outcome.notes.append("No match for argument: %s" % name)
    if there:
        act(dnf, ["remove"] + there, outcome, removes=True)


def listing(dnf: Dnf, what: str) -> list:
    """Give the packages or repositories for the option list. Raises ModuleFailed."""
    if what in ("repos", "repositories"):
        _, out, _ = dnf.call(["-q", "repolist", "--enabled"])
        names = [line.split()[0] for line in out.splitlines()[1:] if line.strip()]
        return [{"repoid": name, "state": "enabled"} for name in names]
    form = _ROW + ("\n" if dnf.five else "")
    rows = []
    if what not in ("available", "updates", "upgrades"):
        glob = [] if what == "installed" else [what]
        query = "%{NAME}|%|EPOCH?{%{EPOCH}}:{0}||%{VERSION}|%{RELEASE}|%{ARCH}|@System\\n"
        rows += dnf.rpm(["-qa", "--qf", query] + glob)[1].splitlines()
    if what != "installed":
        flag = {"available": ["--available"], "updates": ["--upgrades"], "upgrades": ["--upgrades"]}.get(what, [what])
        rc, out, err = dnf.call(["-q", "repoquery"] + flag + ["--qf", form])
        if rc != 0:
            broken(dnf.module, rc, out, err)
        rows += out.splitlines()
    found = []
    for row in rows:
        if row.count("|") == 5:
            name, epoch, version, release, arch, repo = row.split("|")
            text = "%s:%s-%s-%s.%s" % (epoch, name, version, release, arch)
            state = "installed" if repo == "@System" else "available"
            entry = {"name": name, "epoch": epoch, "version": version, "release": release, "arch": arch, "repo": repo}
            found.append(dict(entry, nevra=text, envra=text, yumstate=state))
    return sorted(found, key=lambda entry: entry["yumstate"] != "installed")


def run(module: object, dnf: Dnf) -> dict:
    """Do what the options of the module say; gives its result."""
    args = module.args
    if args["installroot"] != "/" and not os.path.isdir(args["installroot"]):
        module.fail("installroot %s is no directory" % args["installroot"], rc=1, results=[])
    if args["list"] is not None:
        return {"changed": False, "msg": "", "results": listing(dnf, args["list"])}
    names = [
        part.strip() for name in args["name"] for part in ([name] if re.search(r"[<>=(]", name) else name.split(","))
    ]
    names = [name for name in names if name]
    state = {"installed": "present", "removed": "absent"}.get(args["state"], args["state"])
    if args["autoremove"] and state not in (None, "absent"):
        module.fail("autoremove goes with state=absent, or without a state", rc=1, results=[])
    state = state or ("absent" if args["autoremove"] else "present")
    if args["update_cache"] and not names and not args["autoremove"]:
        rc, out, err = dnf.call(["makecache"])
        if rc != 0:
            broken(module, rc, out, err)
        return {"changed": False, "msg": "Cache updated", "rc": 0, "results": []}
    outcome = Outcome()
    if state == "absent":
        absent(dnf, names, outcome)
        if args["autoremove"] and not names:
            act(dnf, ["autoremove"], outcome, removes=True)
    elif names:
        present(dnf, names, outcome)
    results = outcome.results()
    changed = len(results) > len(outcome.notes)
    msg = "" if changed else "Nothing to do"
    if changed and module.check_mode:
        msg = "would change packages, but this is check mode"
    result = {"changed": changed, "msg": msg, "rc": 0, "results": results}
    if module.diff and changed:
        result["diff"] = {"prepared": "\n".join(results[len(outcome.notes) :])}
    return result
