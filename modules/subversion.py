"""Check out, update or export a Subversion repository."""

import os
import re

OPTIONS = {
    "options": {
        "repo": {
            "type": "str",
            "required": True,
            "aliases": ["name", "repository"],
            "doc": "The repository's URL.",
        },
        "dest": {"type": "path", "doc": "Where the working copy or export shall be."},
        "revision": {"type": "str", "default": "HEAD", "aliases": ["rev", "version"], "doc": "The revision."},
        "force": {"type": "bool", "default": False, "doc": "Discard local changes; without it they are an error."},
        "in_place": {"type": "bool", "default": False, "doc": "Check out over an existing directory."},
        "username": {"type": "str", "doc": "User for the repository."},
        "password": {"type": "str", "no_log": True, "doc": "Password for the repository."},
        "executable": {"type": "path", "doc": "The svn program."},
        "checkout": {"type": "bool", "default": True, "doc": "Check out where there is nothing yet."},
        "update": {"type": "bool", "default": True, "doc": "Update a working copy that is there."},
        "export": {"type": "bool", "default": False, "doc": "Export a tree without Subversion's own files."},
        "switch": {"type": "bool", "default": True, "doc": "Switch the working copy to repo before the update."},
        "validate_certs": {"type": "bool", "default": False, "doc": "Insist on a trusted server certificate."},
    },
    "check_mode": "full",
    "diff": False,
    "identity": ["dest"],
    "absent_undoes": False,
    "platforms": "posix",
    "returns": {"before": "Revision and URL before.", "after": "Revision and URL now, or the newest one."},
}

_REVISION = re.compile(r"^\w+\s?:\s+\d+$", re.MULTILINE)  # the first such line of svn info, in any language
_URL = re.compile(r"^URL\s?:.*$", re.MULTILINE)


class Svn:
    """The svn program with the task's credentials, and the working copy."""

    def __init__(self, module):
        """Find the program; raises ModuleFailed."""
        self.module = module
        args = module.args
        self.repo, self.dest, self.revision = args["repo"], args["dest"], args["revision"]
        self.program = args["executable"] or module.find_program("svn", required=True)
        self.old = None

    def by_stdin(self):
        """Tell whether svn reads the password from stdin, where no other process can see it (1.10 and newer)."""
        if self.old is None:
            _, out, _ = self.module.run_command([self.program, "--version", "--quiet"], check=True)
            numbers = [int(number) for number in re.findall(r"\d+", out)[:2]]
            self.old = numbers < [1, 10]
        return not self.old

    def call(self, words, check=True):
        """Run svn and give (rc, stdout); a failure ends the module unless `check` is off."""
        args = self.module.args
        argv = [self.program, "--non-interactive", "--no-auth-cache"]
        if not args["validate_certs"]:
            argv.append("--trust-server-cert")
        stdin = None
        if args["username"]:
            argv += ["--username", args["username"]]
        if args["password"]:
            if self.by_stdin():
                argv.append("--password-from-stdin")
                stdin = args["password"]
            else:
                self.module.warn("this svn is older than 1.10: the password is visible in the process list")
                argv += ["--password", args["password"]]
        rc, out, err = self.module.run_command(argv + words, stdin=stdin)
        if check and rc != 0:
            self.module.fail(err.strip(), rc=rc, stdout=out, stderr=err, cmd=" ".join(argv + words))
        return rc, out

    def is_working_copy(self):
        """Tell whether `dest` is a working copy."""
        return self.call(["info", self.dest], check=False)[0] == 0

    def checkout(self, force):
        """Check out; over an existing directory with `force`."""
        self.call(["checkout"] + (["--force"] if force else []) + ["-r", self.revision, self.repo, self.dest])

    def export(self, force):
        """Export; over an existing directory with `force`."""
        self.call(["export"] + (["--force"] if force else []) + ["-r", self.revision, self.repo, self.dest])

    def switch(self):
        """Switch the working copy to the repository's URL; tells whether that changed files."""
        _, out = self.call(["switch", "--revision", self.revision, self.repo, self.dest])
        return changes_files(out)

    def update(self):
        """Update the working copy; tells whether that changed files."""
        return changes_files(self.call(["update", "-r", self.revision, self.dest])[1])

    def revert(self):
        """Undo local changes; tells whether there were any."""
        return "Reverted " in self.call(["revert", "-R", self.dest])[1]

    def state(self):
        """Give [revision, URL] of the working copy."""
        return picked(self.call(["info", self.dest])[1])

    def has_local_changes(self):
        """Tell whether versioned files were changed."""
        _, out = self.call(["status", "--quiet", "--ignore-externals", self.dest])
        return any(line and not line.startswith(("?", "X")) for line in out.splitlines())

    def newest(self):
        """Give (current, wanted) revision lines and whether the working copy is behind."""
        _, here = self.call(["info", self.dest])
        _, there = self.call(["info", "-r", self.revision, self.repo])
        have, want = picked(here)[0], picked(there)[0]
        return have, want, number(have) != number(want)

    def remote(self):
        """Give the repository's revision line."""
        return picked(self.call(["info", "-r", self.revision, self.repo])[1])[0]


def changes_files(out):
    """Tell from the output of svn update or switch whether any file was touched."""
    return any(re.match(r"[ABDUCGE]", line[:1]) and line[1:3].strip() == "" for line in out.splitlines() if line[:1])


def number(line):
    """Give the number of a revision line."""
    return int(re.search(r"\d+", line).group())


def picked(out):
    """Give the lines of svn info that tell revision and URL."""
    revision, url = _REVISION.search(out), _URL.search(out)
    return [
        revision.group() if revision else "Unable to get revision",
        url.group() if url else "Unable to get URL",
    ]


def create(svn, module):
    """Fetch what is not there yet."""
    args = module.args
    if module.check_mode:
        return {"changed": True}
    if not args["export"] and not args["checkout"]:
        return {"changed": False, "after": svn.remote()}
    if args["export"]:
        svn.export(args["force"])
        return {"changed": True}
    svn.checkout(False)
    return {"changed": True, "before": None, "after": svn.state()}


def refresh(svn, module):
    """Bring a working copy to the revision."""
    args = module.args
    if not args["update"]:
        return {"changed": False}
    if module.check_mode:
        have, want, behind = svn.newest()
        dirty = svn.has_local_changes()
        if dirty and not args["force"]:
            module.fail("there are local changes in %s (force discards them)" % svn.dest)
        return {"changed": behind or dirty, "before": have, "after": want}
    before = svn.state()
    touched = False
    if svn.has_local_changes():
        if not args["force"]:
            module.fail("there are local changes in %s (force discards them)" % svn.dest)
        touched = svn.revert()
    if args["switch"]:
        touched = svn.switch() or touched
    touched = svn.update() or touched
    after = svn.state()
    return {"changed": touched or before != after, "before": before, "after": after}


def run(module):
    """Bring the working copy or export into the wanted state."""
    args = module.args
    dest = args["dest"]
    if not dest and (args["checkout"] or args["update"] or args["export"]):
        module.fail("dest is needed unless checkout, update and export are all off")
    svn = Svn(module)
    if not dest:
        return {"changed": False, "after": svn.remote()}
    if args["export"] or not os.path.exists(dest):
        if not args["export"] and not args["checkout"] and module.check_mode:
            return {"changed": False, "after": svn.remote()}
        return create(svn, module)
    if svn.is_working_copy():
        return refresh(svn, module)
    if not args["in_place"]:
        module.fail("%s is there and is no working copy of Subversion (in_place checks out over it)" % dest)
    if module.check_mode:
        return {"changed": True, "before": None}
    svn.checkout(True)
    if args["force"] and svn.has_local_changes():
        svn.revert()
    return {"changed": True, "before": None, "after": svn.state()}


if __name__ == "__main__":
    from pyplay.remote.module_utils.module import main

    main(run, OPTIONS)
