"""Install, upgrade and remove packages on Debian and its relatives."""

import fnmatch
import os
import random
import time

from pyplay.remote.module_utils import apt, files, process

OPTIONS = {
    "options": {
        "name": {
            "type": "list",
            "elements": "str",
            "aliases": ["package", "pkg"],
            "doc": "Packages: name, name:arch, name=version (globs too), name>=version, globs of names.",
        },
        "state": {
            "type": "str",
            "default": "present",
            "choices": ["absent", "build-dep", "latest", "present", "fixed"],
            "doc": "What shall be: installed, newest, gone, its build dependencies installed, broken ones repaired.",
        },
        "update_cache": {"type": "bool", "aliases": ["update-cache"], "doc": "Fetch the package lists first."},
        "cache_valid_time": {
            "type": "int",
            "default": 0,
            "doc": "Fetch them only if they are older than this many seconds; asks for update_cache.",
        },
        "update_cache_retries": {"type": "int", "default": 5, "doc": "How often to try."},
        "update_cache_retry_max_delay": {"type": "int", "default": 12, "doc": "Longest pause between tries, seconds."},
        "upgrade": {
            "type": "str",
            "default": "no",
            "choices": ["dist", "full", "no", "safe", "yes"],
            "doc": "Upgrade all packages: yes and safe remove none, dist and full may.",
        },
        "deb": {"type": "path", "doc": "Package file to install, a path on the host or a URL."},
        "purge": {"type": "bool", "default": False, "doc": "Remove configuration files too."},
        "autoremove": {"type": "bool", "default": False, "doc": "Remove dependencies that nothing needs any more."},
        "autoclean": {"type": "bool", "default": False, "doc": "Delete package files that can no longer be fetched."},
        "clean": {"type": "bool", "default": False, "doc": "Delete all fetched package files."},
        "default_release": {"type": "str", "aliases": ["default-release"], "doc": "Release to prefer (apt-get -t)."},
        "install_recommends": {
            "type": "bool",
            "aliases": ["install-recommends"],
            "doc": "Install recommended packages; as the host is configured if unset.",
        },
        "force": {"type": "bool", "default": False, "doc": "Allow downgrades, held and unauthenticated packages."},
        "allow_unauthenticated": {
            "type": "bool",
            "default": False,
            "aliases": ["allow-unauthenticated"],
            "doc": "Install packages whose origin cannot be verified.",
        },
        "allow_downgrade": {
            "type": "bool",
            "default": False,
            "aliases": ["allow-downgrade", "allow_downgrades", "allow-downgrades"],
            "doc": "Allow an older version than the one installed.",
        },
        "allow_change_held_packages": {"type": "bool", "default": False, "doc": "Change packages that are on hold."},
        "dpkg_options": {
            "type": "str",
            "default": "force-confdef,force-confold",
            "doc": "Options for dpkg, without dashes, parted by commas.",
        },
        "only_upgrade": {"type": "bool", "default": False, "doc": "Leave out packages that are not installed."},
        "fail_on_autoremove": {"type": "bool", "default": False, "doc": "Fail rather than remove a package."},
        "policy_rc_d": {"type": "int", "doc": "Exit status for policy-rc.d meanwhile; 101 starts no services."},
        "lock_timeout": {"type": "int", "default": 60, "doc": "Seconds to wait for another package manager to end."},
        "force_apt_get": {"type": "bool", "default": False, "doc": "Not to use aptitude, which is never used here."},
        "auto_install_module_deps": {
            "type": "bool",
            "default": True,
            "doc": "Install what the module needs; it needs nothing beyond apt itself.",
        },
    },
    "mutually_exclusive": [["deb", "name"]],
    "check_mode": "full",
    "diff": True,
    "identity": ["name", "deb"],
    "absent_undoes": True,
    "platforms": "debian",
    "finish": True,
    "returns": {
        "cache_updated": "Whether the package lists changed; told where packages or lists are brought up to date.",
        "cache_update_time": "When they were last fetched, seconds since 1970; as above.",
        "stdout": "What apt-get printed.",
        "stderr": "What it printed as errors.",
    },
}


class Apt:
    """One call: the options in the words of apt-get."""

    def __init__(self, module):
        """Take the module."""
        self.module = module
        self.args = module.args
        self.check = module.check_mode
        self.cache = {}  # what is told of the package lists, where packages are installed

    def options(self):
        """Give the options that every apt-get here gets."""
        args = self.args
        words = ["-y", "-q", "-o", "DPkg::Lock::Timeout=%d" % args["lock_timeout"]]
        for option in args["dpkg_options"].split(","):
            if option.strip():
                words += ["-o", "Dpkg::Options::=--%s" % option.strip().lstrip("-")]
        allowed = (
            ("allow_unauthenticated", "--allow-unauthenticated"),
            ("allow_downgrade", "--allow-downgrades"),
            ("allow_change_held_packages", "--allow-change-held-packages"),
        )
        words += [word for name, word in allowed if args[name] or args["force"]]
        if args["default_release"]:
            words += ["-t", args["default_release"]]
        if args["install_recommends"] is not None:
            words += ["-o", "APT::Install-Recommends=%s" % ("yes" if args["install_recommends"] else "no")]
        if args["fail_on_autoremove"]:
            words.append("--no-remove")
        if self.check:
            words.append("--simulate")
        return words

    def tell_cache(self, updated):
        """Have results and failures tell whether the package lists changed, and how old they are."""
        self.cache = {"cache_updated": updated, "cache_update_time": apt.cache_time()}

    def get(self, *words):
        """Run apt-get; gives the result. Fails with its output where it does."""
        argv = ["apt-get"] + self.options() + list(words)
        with RcPolicy(None if self.check else self.args["policy_rc_d"]):
            rc, out, err = apt.patiently(argv, self.args["lock_timeout"])
        result = {"stdout": out, "stderr": err}
        if rc != 0:
            reason = [line for line in err.splitlines() if line.startswith("E: ")]
            text = reason[0][3:] if reason else (err.strip() or out.strip()).splitlines()[-1:]
            if "--allow-downgrades" in err:
                text += " (allow_downgrade: true allows it)"
            self.module.fail("'%s' failed: %s" % (" ".join(argv), text), rc=rc, **dict(result, **self.cache))
        result["changed"] = not apt.NOTHING.search(out)
        result["diff"] = {"prepared": apt.summary(out)} if self.module.diff else {}
        return result


class RcPolicy:
    """Whether services are started while packages are installed: a policy-rc.d that stands for a moment."""

    PATH = "/usr/sbin/policy-rc.d"

    def __init__(self, status):
        """Take the exit status that it shall give, None for leaving things as they are."""
        self.status = status
        self.saved = None

    def __enter__(self):
        if self.status is not None:
            if os.path.exists(self.PATH):
                self.saved = (files.read_bytes(self.PATH), os.stat(self.PATH).st_mode & 0o7777)
            text = "#!/bin/sh\nexit %d\n" % self.status
            files.replace_content(self.PATH, text.encode(), files.Wanted(mode=0o755))
        return self

    def __exit__(self, *about):
        if self.status is None:
            return
        if self.saved is None:
            os.unlink(self.PATH)
        else:
            files.replace_content(self.PATH, self.saved[0], files.Wanted(mode=self.saved[1]))


def update_cache(task):
    """Fetch the package lists where they are too old; gives whether they changed."""
    args = task.args
    if not (args["update_cache"] or (args["update_cache"] is None and args["cache_valid_time"])):
        return False
    before = apt.cache_time()
    if args["cache_valid_time"] and before + args["cache_valid_time"] >= time.time():
        return False
    if task.check:
        return True
    delay = 1.0
    for attempt in range(max(args["update_cache_retries"], 1)):
        if attempt:
            time.sleep(min(delay, args["update_cache_retry_max_delay"]) + random.random())  # a pause
            delay *= 2
        argv = ["apt-get", "-q", "-o", "APT::Update::Error-Mode=any", "update"]
        rc, out, err = apt.patiently(argv, args["lock_timeout"])
        if rc == 0:
            return apt.cache_time() != before
    text = [line for line in err.splitlines() if line[:3] in ("E: ", "W: ")]
    task.module.fail("cannot update the package lists: %s" % "; ".join(text or [out.strip()]), stdout=out, stderr=err)
    return False


def expand(task, texts):
    """Give the specs of all names, globs replaced by the packages that they fit."""
    specs = []
    every = None
    for text in texts:
        spec = apt.Spec(text)
        if not spec.globbed:
            specs.append(spec)
            continue
        if task.args["state"] == "absent":
            names = [name for name, info in apt.installed([spec.name]).items() if ":" not in name and info]
        else:
            every = every or apt.all_names()
            names = fnmatch.filter(every, spec.name)
        if not names and not (task.args["state"] == "absent" and fnmatch.filter(apt.all_names(), spec.name)):
            task.module.fail("no package matches %r" % spec.name)
        specs += [apt.Spec(spec.text.replace(spec.name, name, 1)) for name in sorted(names)]
    return specs


def missing(task, specs):
    """Give the words for apt-get install: what is not there, or not in the wanted version."""
    have = apt.installed([spec.name for spec in specs]) if specs else {}
    latest = task.args["state"] == "latest"
    open_specs = []
    for spec in specs:
        version, status = have.get(spec.name, ("", ""))
        is_installed = status == "installed"
        if is_installed and not latest and spec.accepts(version):
            continue
        open_specs.append((spec, version if is_installed else None))
    if not open_specs:
        return []
    known = apt.available([spec.name for spec, _ in open_specs], task.args["default_release"])
    if task.args["only_upgrade"]:
        open_specs = [(spec, version) for spec, version in open_specs if version or spec.name not in known]
    unreal = [spec.name for spec, _ in open_specs if spec.name not in known]
    unreal += [spec.name for spec, version in open_specs if version is None and not _candidate(known.get(spec.name))]
    there = apt.provided(unreal) if unreal else set()
    words = []
    for spec, version in open_specs:
        if spec.name in there and spec.version is None:
            continue
        word = _choose(task, spec, version, known.get(spec.name))
        if word:
            words.append(word)
    return words


def _candidate(found):
    return found.candidate if found is not None else None


def _choose(task, spec, version, found):
    """Give how apt-get shall be told of one package, "" where nothing is to be done."""
    if not _candidate(found) and not (found and found.versions):
        if version is not None and spec.version is None:
            return ""  # installed, and no list knows a newer one
        if spec.version is None and apt.virtual(spec.name):
            return spec.name
        task.module.fail("no package matching %r is available" % spec.name)
    if spec.version is None:
        return "" if version == found.candidate else spec.name
    if spec.version_at_least and found.candidate and spec.accepts(found.candidate):
        wanted = found.candidate
    else:
        fitting = [item for item in found.versions if spec.accepts(item)]
        if not fitting:
            there = ", ".join(found.versions)
            text = "no version %r of %s is available, there are: %s" % (spec.version, spec.name, there)
            task.module.fail(text, **task.cache)
        wanted = fitting[0]  # apt lists the newest first
    return "" if version == wanted else "%s=%s" % (spec.name, wanted)


def mark_manual(task, specs):
    """Have packages that were only dependencies so far count as asked for."""
    automatic = apt.automatic()
    names = [spec.name for spec in specs if spec.name.split(":")[0] in automatic]
    if names and not task.check:
        task.module.run_command(["apt-mark", "manual"] + names)


def install(task, names):
    """Bring the packages to present or latest."""
    specs = expand(task, names)
    words = missing(task, specs)
    extra = ["--auto-remove"] if task.args["autoremove"] else []
    result = {"changed": False}
    if words:
        result = task.get(*extra + ["install"] + words)
        result["changed"] = True
    elif task.args["autoremove"]:
        result = task.get("autoremove")
    mark_manual(task, specs)
    return result


def remove(task, names):
    """Remove the packages that are there."""
    specs = expand(task, names)
    have = apt.installed([spec.name for spec in specs]) if specs else {}
    gone = ("not-installed", "") if task.args["purge"] else ("not-installed", "config-files", "")
    words = [spec.name for spec in specs if have.get(spec.name, ("", ""))[1] not in gone]
    if not words:
        return task.get("autoremove") if task.args["autoremove"] else {"changed": False}
    extra = (["--purge"] if task.args["purge"] else []) + (["--auto-remove"] if task.args["autoremove"] else [])
    result = task.get(*extra + ["remove"] + words)
    result["changed"] = True
    return result


def install_file(task, path):
    """Install a package file with what it depends on."""
    if "://" in path:
        from pyplay.remote.module_utils import urls  # noqa: PLC0415  # most package files are local

        try:
            with urls.Download(path, suffix=".deb") as download:
                return install_file(task, download.path)
        except (urls.RequestFailed, OSError) as error:
            task.module.fail("cannot fetch %s: %s" % (path, error))
    if not os.path.isfile(path):
        task.module.fail("there is no package file %s" % path)
    rc, out, err = process.run(["dpkg-deb", "-W", "--showformat=${Package}\\t${Architecture}\\t${Version}", path])
    if rc != 0:
        task.module.fail("%s is no package file: %s" % (path, err.strip()))
    name, architecture, version = out.split("\t")
    have, status = apt.installed([name]).get(
        name if architecture == "all" else "%s:%s" % (name, architecture), ("", "")
    )
    if status == "installed":
        if apt.compare(have, "eq", version):
            return {"changed": False, "stdout": "", "stderr": ""}
        if apt.compare(version, "lt", have) and not (task.args["allow_downgrade"] or task.args["force"]):
            task.module.fail(
                "%s %s is older than %s, which is installed: allow_downgrade allows it" % (name, version, have)
            )
    result = task.get("install", os.path.abspath(path))
    result["changed"] = True
    return result


def upgrade(task, kind):
    """Upgrade all packages."""
    words = ["dist-upgrade"] if kind in ("dist", "full") else ["--with-new-pkgs", "upgrade"]
    result = task.get(*(["--auto-remove"] if task.args["autoremove"] else []) + words)
    result["msg"] = result["stdout"]
    if not result["changed"]:
        del result["diff"]
    return result


def repair(task):
    """Install what broken packages lack."""
    result = task.get("--fix-broken", "install")
    return result if result["changed"] else {"changed": False}


def check_release(task):
    """Fail where no source has the release that is to be preferred, as apt-get does only where it installs."""
    release = task.args["default_release"]
    if release:
        rc, _, err = process.run(["apt-cache", "-o", "APT::Default-Release=%s" % release, "policy"])
        if rc != 0:
            task.module.fail("default_release: %s" % err.strip().replace("E: ", ""))


def act(task, updated):
    """Do what the options ask for, beyond the package lists; `updated` tells whether those changed."""
    args = task.args
    if args["upgrade"] != "no":
        return upgrade(task, args["upgrade"])
    if args["deb"]:
        return install_file(task, args["deb"])
    if args["state"] == "fixed":
        task.tell_cache(updated)
        return dict(repair(task), **task.cache)
    names = args["name"] or []
    if names == ["*"] and args["state"] == "latest":
        return upgrade(task, "safe")
    if names:
        if args["state"] == "absent":
            return remove(task, names)
        task.tell_cache(updated)
        if args["state"] == "build-dep":
            result = task.get(*["build-dep"] + [name.strip() for name in names])
        else:
            result = install(task, names)
        return dict(result, **task.cache)
    if args["autoremove"]:
        return task.get(*(["--purge"] if args["purge"] else []) + ["autoremove"])
    return {"changed": False}


def clean(task):
    """Delete fetched package files; gives apt-get's output."""
    if task.args["clean"] and task.check:
        return {"stdout": "", "stderr": "", "msg": "", "changed": True, "diff": {}}
    argv = ["apt-get"] + (["--simulate"] if task.check else []) + ["clean" if task.args["clean"] else "autoclean"]
    rc, out, err = apt.patiently(argv, task.args["lock_timeout"])
    if rc != 0:
        task.module.fail("cannot delete fetched package files: %s" % err.strip(), stdout=out, stderr=err)
    if task.args["clean"]:
        return {"stdout": out, "stderr": err, "msg": out, "changed": True, "diff": {}}
    return {"stdout": out, "stderr": err, "changed": "Del " in out, "diff": {}}


def run(module):
    """Bring the packages into the wanted state."""
    args = module.args
    if module.find_program("apt-get") is None:
        module.fail("this host has no apt-get")
    wanted = [args["name"] is not None, args["deb"], args["upgrade"] != "no", args["autoremove"], args["clean"]]
    wanted += [args["autoclean"], args["update_cache"], args["cache_valid_time"], args["state"] == "fixed"]
    if not any(wanted):
        module.fail("nothing to do: give name, deb, upgrade, update_cache, autoremove, clean or autoclean")
    if args["upgrade"] != "no" and (args["name"] or args["deb"]):
        module.fail("options exclude each other: upgrade, %s" % ("name" if args["name"] else "deb"))
    task = Apt(module)
    cleaned = clean(task) if args["clean"] or args["autoclean"] else {}
    updated = update_cache(task)
    check_release(task)
    if args["name"] or args["deb"] or args["upgrade"] != "no" or args["autoremove"] or args["state"] == "fixed":
        return act(task, updated)
    if cleaned:
        return dict(cleaned, changed=updated or cleaned["changed"])
    task.tell_cache(updated)
    return dict(task.cache, changed=updated)


if __name__ == "__main__":
    from pyplay.remote.module_utils.module import main

    main(run, OPTIONS)
