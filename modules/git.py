"""Check out a git repository at a version."""

import os
import re
import shlex
import shutil
import tempfile

from pyplay.remote.module_utils import files

OPTIONS = {
    "options": {
        "repo": {"type": "str", "required": True, "aliases": ["name"], "doc": "Address of the repository."},
        "dest": {"type": "path", "doc": "Where to check it out. Not needed where clone is false."},
        "version": {"type": "str", "default": "HEAD", "doc": "Branch, tag, or full SHA-1 of a commit."},
        "remote": {"type": "str", "default": "origin", "doc": "Name of the remote."},
        "refspec": {"type": "str", "doc": "A refspec to fetch besides."},
        "clone": {"type": "bool", "default": True, "doc": "Clone where nothing is there; if false, only tell."},
        "update": {"type": "bool", "default": True, "doc": "Fetch new commits where something is there."},
        "force": {"type": "bool", "default": False, "doc": "Discard local changes."},
        "depth": {"type": "int", "doc": "Fetch only so many commits."},
        "single_branch": {"type": "bool", "default": False, "doc": "Clone only the history of the version."},
        "bare": {"type": "bool", "default": False, "doc": "Keep a bare repository."},
        "recursive": {"type": "bool", "default": True, "doc": "Check out submodules too."},
        "track_submodules": {"type": "bool", "default": False, "doc": "Take submodules' newest commits."},
        "reference": {"type": "str", "doc": "A local repository to borrow objects from."},
        "umask": {"type": "raw", "doc": "umask for what is written, octal digits in quotes."},
        "executable": {"type": "path", "doc": "The git program."},
        "key_file": {"type": "path", "doc": "SSH key to log in with."},
        "ssh_opts": {"type": "str", "doc": "More options for ssh."},
        "accept_hostkey": {"type": "bool", "default": False, "doc": "Trust any key of the server."},
        "accept_newhostkey": {
            "type": "bool",
            "default": False,
            "doc": "Trust the key of a server that is not known yet.",
        },
        "verify_commit": {"type": "bool", "default": False, "doc": "Check the signature of the version."},
        "gpg_allowlist": {
            "type": "list",
            "elements": "str",
            "default": [],
            "doc": "Fingerprints that may have signed it.",
        },
        "archive": {"type": "path", "doc": "Also write an archive of the version here (.zip, .tar, .tar.gz, .tgz)."},
        "archive_prefix": {"type": "str", "doc": "What to put before the names in it."},
        "separate_git_dir": {"type": "path", "doc": "Keep the repository's data here."},
    },
    "mutually_exclusive": [["separate_git_dir", "bare"], ["accept_hostkey", "accept_newhostkey"]],
    "required_by": {"archive_prefix": ["archive"]},
    "required_if": [["clone", True, ["dest"]]],
    "check_mode": "full",
    "diff": True,
    "identity": ["dest"],
    "absent_undoes": False,
    "platforms": "posix",
    "returns": {
        "before": "The commit that was there.",
        "after": "The commit that is there.",
        "remote_url_changed": "Whether the remote had another address.",
    },
}

_COMMIT = re.compile(r"[0-9a-fA-F]{40}$")
_ARCHIVES = (".zip", ".tar.gz", ".tgz", ".tar")


class Repository:
    """The repository at `dest`, and git with the options of one call."""

    def __init__(self, module):
        """Find git and prepare its environment."""
        args = self.args = module.args
        self.module = module
        self.dest = os.path.abspath(args["dest"]) if args["dest"] else ""
        if args["repo"].startswith("/"):
            args["repo"] = "file://" + args["repo"]  # a depth means nothing to git for a mere path
        self.git = args["executable"] or module.find_program("git", required=True)
        self.environment = {"GIT_TERMINAL_PROMPT": "0", "GIT_SSH_COMMAND": ssh_command(args)}
        self.environment["GIT_OPTIONAL_LOCKS"] = "0"  # looking at a work tree writes nothing, and waits for nobody
        self.bare = args["bare"]

    def there(self):
        """Tell whether a repository is at `dest`."""
        place = os.path.join(self.dest, "HEAD" if self.bare else ".git")
        return bool(self.dest) and os.path.exists(place)

    def ask(self, *words, **how):
        """Run git in the repository; gives (status, stdout, stderr)."""
        cwd = how.pop("cwd", self.dest)
        return self.module.run_command([self.git] + list(words), environment=self.environment, cwd=cwd, **how)

    def do(self, *words, **how):
        """Run git; fails with its words where it does."""
        rc, out, err = self.ask(*words, **how)
        if rc != 0:
            text = (err or out).strip()
            shown = " ".join((self.git,) + tuple(words))
            self.module.fail("git %s failed: %s" % (words[0], text), rc=rc, cmd=shown, stdout=out, stderr=err)
        return out

    def head(self):
        """Give the commit that is checked out, None where there is none."""
        rc, out, _ = self.ask("rev-parse", "HEAD")
        return out.strip() if rc == 0 else None

    def modified(self):
        """Tell whether tracked files were changed here."""
        if self.bare:
            return False
        out = self.do("status", "--porcelain")
        return any(line and not line.startswith("??") for line in out.splitlines())

    def remote_heads(self):
        """Give {reference: commit} of the remote repository."""
        words = ["ls-remote", self.args["repo"]]
        out = self.do(*words, cwd=self.dest if os.path.isdir(self.dest) else "/")
        rows = (line.split("\t") for line in out.splitlines() if "\t" in line)
        return {name: commit for commit, name in rows}

    def wanted(self, heads):
        """Give (commit, kind) that the version means at the remote; kind is branch, tag, commit or other."""
        version = self.args["version"]
        if version == "HEAD":
            return heads.get("HEAD"), "branch"
        if "refs/heads/" + version in heads:
            return heads["refs/heads/" + version], "branch"
        tag = "refs/tags/" + version
        if tag in heads:
            return heads.get(tag + "^{}", heads[tag]), "tag"
        if version in heads:
            return heads[version], "other"
        return (version.lower(), "commit") if _COMMIT.match(version) else (None, "other")

    def default_branch(self):
        """Give the branch that the remote's HEAD is."""
        out = self.do("ls-remote", "--symref", self.args["repo"], "HEAD")
        found = re.search(r"^ref: refs/heads/(\S+)\s+HEAD", out, re.MULTILINE)
        return found.group(1) if found else None


def ssh_command(args):
    """Give the ssh that git shall use."""
    words = shlex.split(os.environ.get("GIT_SSH_COMMAND", "")) or ["ssh"]
    words += ["-o", "BatchMode=yes"]
    if args["accept_hostkey"]:
        words += ["-o", "StrictHostKeyChecking=no"]
    elif args["accept_newhostkey"]:
        words += ["-o", "StrictHostKeyChecking=accept-new"]
    if args["key_file"]:
        words += ["-i", args["key_file"], "-o", "IdentitiesOnly=yes"]
    return " ".join([shlex.quote(word) for word in words] + ([args["ssh_opts"]] if args["ssh_opts"] else []))


def clone(repository, kind):
    """Make the repository."""
    args = repository.args
    words = ["clone", "--origin", args["remote"]]
    if args["bare"]:
        words.append("--bare")
    if args["depth"] and kind in ("branch", "tag"):
        words += ["--depth", str(args["depth"])]
    if kind in ("branch", "tag") and args["version"] != "HEAD":
        words += ["--branch", args["version"]]
    if args["single_branch"]:
        words.append("--single-branch")
    if args["reference"]:
        words += ["--reference", args["reference"]]
    if args["separate_git_dir"]:
        words.append("--separate-git-dir=" + args["separate_git_dir"])
    parent = os.path.dirname(repository.dest)
    files.make_directories(parent)
    repository.do(*words + ["--", args["repo"], repository.dest], cwd=parent)


def fetch(repository, kind):
    """Bring the remote's commits here."""
    args = repository.args
    words = ["fetch", "--force", "--tags"] if kind != "tag" or not args["depth"] else ["fetch", "--force"]
    if args["depth"]:
        words += ["--depth", str(args["depth"])]
    refspecs = [args["refspec"]] if args["refspec"] else []
    if args["bare"]:
        refspecs += ["+refs/heads/*:refs/heads/*", "+refs/tags/*:refs/tags/*"]
    elif kind == "other" and args["version"].startswith("refs/"):
        refspecs.append("+%s:%s" % (args["version"], args["version"]))
    elif kind == "tag":
        refspecs.append("+refs/tags/%s:refs/tags/%s" % (args["version"], args["version"]))
    if refspecs and not args["bare"]:
        refspecs.append("+refs/heads/*:refs/remotes/%s/*" % args["remote"])
    repository.do(*words + [args["remote"]] + refspecs)


def check_out(repository, commit, kind):
    """Put the version into the working tree."""
    args = repository.args
    if args["bare"]:
        return
    if kind == "branch":
        name = args["version"] if args["version"] != "HEAD" else repository.default_branch()
        if name:
            start = "%s/%s" % (args["remote"], name)
            repository.do("checkout", "--force", "-B", name, "--track", start)
            repository.do("reset", "--hard", start, "--")
            return
    if repository.ask("rev-parse", "--verify", "--quiet", commit + "^{commit}")[0] != 0:
        repository.do("fetch", args["remote"], commit)
    repository.do("checkout", "--force", "--detach", commit)


def submodules(repository):
    """Bring the submodules to their commits; tells whether one moved."""
    args = repository.args
    if args["bare"] or not args["recursive"] or not os.path.exists(os.path.join(repository.dest, ".gitmodules")):
        return False
    before = repository.do("submodule", "status", "--recursive")
    repository.do("submodule", "sync", "--recursive")
    words = ["submodule", "update", "--init", "--recursive"] + (["--force"] if args["force"] else [])
    repository.do(*words + (["--remote"] if args["track_submodules"] else []))
    return repository.do("submodule", "status", "--recursive") != before


def verify(repository):
    """Check the signature of the version; fails where it is missing or not by one of those allowed."""
    args = repository.args
    tag = repository.ask("rev-parse", "--verify", "--quiet", "refs/tags/%s" % args["version"])[0] == 0
    what = ["verify-tag", "--raw", args["version"]] if tag else ["verify-commit", "--raw", "HEAD"]
    rc, out, err = repository.ask(*what)
    if rc != 0:
        repository.module.fail("the signature of %s is not good: %s" % (args["version"], (err or out).strip()), rc=rc)
    marks = re.findall(r"VALIDSIG (\S+)(?:.* (\S+))?$", err, re.MULTILINE)
    allowed = {mark.upper() for mark in args["gpg_allowlist"]}
    if allowed and not any(allowed & {mark.upper() for mark in pair} for pair in marks):
        repository.module.fail("the signature of %s is by a key that is not allowed" % args["version"])


def archive(repository, result):
    """Write the archive where its content differs."""
    args = repository.args
    path = args["archive"]
    ending = next((end for end in _ARCHIVES if path.endswith(end)), None)
    if ending is None:
        repository.module.fail("archive must end with one of %s" % ", ".join(_ARCHIVES))
    if repository.module.check_mode:
        result["changed"] = result["changed"] or not os.path.exists(path)
        return
    scratch = tempfile.mkdtemp()
    try:
        made = os.path.join(scratch, "archive" + ending)
        words = ["archive", "--format=" + ending[1:], "--output=" + made]
        words += ["--prefix=" + args["archive_prefix"]] if args["archive_prefix"] else []
        repository.do(*words + ["HEAD"])
        if os.path.exists(path) and files.checksum(path) == files.checksum(made):
            return
        result["changed"] = True
        with files.Replacement(path) as new:
            files.copy_into(made, new)
            new.commit()
    finally:
        shutil.rmtree(scratch)


def update(repository, result):
    """Bring a repository that is there to the version."""
    args, module = repository.args, repository.module
    result["before"] = result["after"] = repository.head()
    known, url, _ = repository.ask("config", "--get", "remote.%s.url" % args["remote"])
    result["remote_url_changed"] = url.strip() != args["repo"]
    if not args["update"]:
        return
    dirty = repository.modified()
    if dirty and not args["force"]:
        module.fail("the repository %s has local changes: force discards them" % repository.dest, **result)
    commit, kind = repository.wanted(repository.remote_heads())
    target = commit
    if commit is None:
        rc, out, err = repository.ask("rev-parse", "--verify", args["version"] + "^{commit}")
        target = out.strip() if rc == 0 else None
    if target is None:
        told = {"rc": rc, "stdout": out, "stderr": err, "cmd": "%s rev-parse %s" % (repository.git, args["version"])}
        module.fail("the repository %s has no version %s" % (args["repo"], args["version"]), **dict(result, **told))
    result["changed"] = dirty or target != result["before"]
    if module.check_mode:
        result["after"] = target
        return
    if result["remote_url_changed"]:
        verb = "set-url" if known == 0 else "add"
        repository.do("remote", verb, args["remote"], args["repo"])
    if result["changed"] or result["remote_url_changed"] or args["refspec"]:
        fetch(repository, kind)
        check_out(repository, target, kind)
    result["changed"] = submodules(repository) or result["changed"]
    result["after"] = repository.head()


def run(module):
    """Bring the repository to the version."""
    args = module.args
    if args["umask"] is not None:
        text = str(args["umask"])
        if not re.match(r"[0-7]{1,4}$", text):
            module.fail("umask must be octal digits in quotes, not %r" % args["umask"])
        os.umask(int(text, 8))
    repository = Repository(module)
    result = {"changed": False, "before": None, "after": None}
    if repository.there():
        update(repository, result)
    elif not args["clone"]:
        result.update(changed=True, after=repository.wanted(repository.remote_heads())[0])
        return _with_diff(repository, result)
    else:
        if os.path.isdir(repository.dest) and os.listdir(repository.dest):
            module.fail("%s is not empty and not a repository" % repository.dest, **result)
        commit, kind = repository.wanted(repository.remote_heads())
        if commit is None:
            module.fail("the repository %s has no version %s" % (args["repo"], args["version"]), **result)
        result.update(changed=True, after=commit)
        if not module.check_mode:
            clone(repository, kind)
            if kind != "branch" or args["refspec"]:
                fetch(repository, kind)
                check_out(repository, commit, kind)
            submodules(repository)
            result["after"] = repository.head()
    if module.check_mode and not repository.there():
        return _with_diff(repository, result)
    if args["verify_commit"] and not module.check_mode:
        verify(repository)
    if args["archive"]:
        archive(repository, result)
    return _with_diff(repository, result)


def _with_diff(repository, result):
    """Give the result with what differs between the two commits, as far as both are here."""
    before, after = result["before"], result["after"]
    if not repository.module.diff or before == after:
        return result
    if not before:
        result["diff"] = {"prepared": ">> Newly checked out %s" % after}
        return result
    rc, out, _ = repository.ask("diff", "%s..%s" % (before, after))
    if rc == 0:
        result["diff"] = {"prepared": out}
    else:
        result["diff"] = {"before": before + "\n", "after": after + "\n"}
    return result


if __name__ == "__main__":
    from pyplay.remote.module_utils.module import main

    main(run, OPTIONS)
