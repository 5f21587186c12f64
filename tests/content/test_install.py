from __future__ import annotations

import os
import random
import shutil
import signal
import subprocess
import sys
import tarfile
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from galaxy_site import Galaxy, make_collection

from pyplay.content.metadata import tree_hash
from pyplay.content.pack import pack_collection

if TYPE_CHECKING:
    from collections.abc import Iterator

COLLECTIONS = ".ansible/collections/ansible_collections"


class Project:
    """A home, a project in it, and the commands that run there."""

    def __init__(self, root: Path) -> None:
        self.root, self.galaxy = root / "project", Galaxy(root / "galaxy")
        self.root.mkdir()
        self.environ = {"HOME": str(self.root), "PATH": os.environ["PATH"], "LANG": "C.UTF-8"}
        (self.root / "ansible.cfg").write_text(f"[galaxy]\nserver = {self.galaxy.base}api/\n")

    def words(self, *words: str) -> list[str]:
        return [sys.executable, "-m", "pyplay", "install", *words]

    def __call__(self, *words: str, code: int = 0) -> str:
        return self.run(self.words(*words), code)

    def run(self, words: list[str], code: int = 0) -> str:
        done = subprocess.run(
            words, cwd=self.root, env=self.environ, capture_output=True, text=True, check=False, timeout=120
        )
        assert done.returncode == code, done.stdout + done.stderr
        assert "Traceback" not in done.stderr
        return done.stdout + done.stderr

    def version(self, name: str) -> str:
        path = self.root.joinpath(COLLECTIONS, *name.split("."), "README.md")
        return path.read_text().split()[-1] if path.is_file() else ""


@pytest.fixture
def project(tmp_path: Path) -> Iterator[Project]:
    made = Project(tmp_path)
    yield made
    made.galaxy.close()


def role_archive(root: Path, name: str, needs: str = "[]") -> Path:
    (root / f"src-{name}/meta").mkdir(parents=True)
    (root / f"src-{name}/tasks").mkdir()
    (root / f"src-{name}/meta/main.yml").write_text(f"dependencies: {needs}\n")
    (root / f"src-{name}/tasks/main.yml").write_text(f"- debug: msg={name}\n")
    path = root / "files" / f"{name}.tar.gz"
    with tarfile.open(path, "w:gz") as tar:
        tar.add(root / f"src-{name}", f"{name}-1.0")
    return path


def test_the_newest_versions_that_fit_are_installed_with_dependencies(project: Project) -> None:
    for version in ("1.0.0", "1.9.0", "1.10.0", "2.0.0-rc1"):
        project.galaxy.add("acme.base", version)
    project.galaxy.add("acme.app", "1.0.0", {"acme.base": "<1.10.0"})
    project("acme.app")
    assert (project.version("acme.app"), project.version("acme.base")) == ("1.0.0", "1.9.0")
    project("--upgrade", "acme.base")
    assert project.version("acme.base") == "1.10.0"
    project("--upgrade", "--pre", "acme.base")
    assert project.version("acme.base") == "2.0.0-rc1"


def test_a_conflict_says_who_wants_what_and_changes_nothing(project: Project) -> None:
    project.galaxy.add("acme.base", "1.0.0")
    project.galaxy.add("acme.app", "1.0.0", {"acme.base": ">=2.0.0"})
    said = project("acme.app", code=1)
    assert "acme.app 1.0.0 wants acme.base >=2.0.0" in said
    assert "the newest versions are 1.0.0" in said
    assert project.version("acme.app") == ""


def test_what_is_installed_asks_no_server(project: Project) -> None:
    project.galaxy.add("acme.app", "1.0.0")
    project("acme.app")
    project.galaxy.requests.clear()
    assert "is there already" in project("acme.app")
    assert "is there already" in project("--offline", "acme.app:>=1.0.0")
    assert project.galaxy.requests == []
    assert "--offline asks no server" in project("--offline", "acme.other", code=1)


def test_a_failed_install_leaves_what_was_there(project: Project) -> None:
    project.galaxy.add("acme.app", "1.0.0")
    project("acme.app")
    archive = project.galaxy.add("acme.app", "2.0.0")
    archive.write_bytes(archive.read_bytes()[:-1] + b"x")
    assert "is not what" in project("--upgrade", "acme.app", code=1)
    assert project.version("acme.app") == "1.0.0"
    assert list((project.root / ".ansible/collections").glob(".pyplay-install-*/")) == []


def test_busy_servers_are_asked_again_and_refusals_told(project: Project) -> None:
    project.galaxy.add("acme.app", "1.0.0")
    project.galaxy.failures["/api/v3/collections/acme/app/versions/"] = [503, 429]
    project("acme.app")
    project.galaxy.failures["/api/"] = [403]
    assert "answers 403 Forbidden" in project("acme.other", code=1)
    assert "there is no collection acme.other" in project("acme.other", code=1)


def test_servers_of_the_list_are_asked_in_order_each_with_its_own_token(project: Project, tmp_path: Path) -> None:
    second = Galaxy(tmp_path / "second")
    try:
        second.add("acme.app", "1.0.0")
        (project.root / "ansible.cfg").write_text(
            "[galaxy]\nserver_list = one, two\n"
            f"[galaxy_server.one]\nurl = {project.galaxy.base}api/\ntoken = first\n"
            f"[galaxy_server.two]\nurl = {second.base}\ntoken = other\n"
        )
        project("acme.app")
        assert {token for _, token in project.galaxy.requests} == {"Token first"}
        assert {token for _, token in second.requests} == {"Token other"}
    finally:
        second.close()


def test_roles_come_with_their_dependencies_and_runs_find_them(project: Project) -> None:
    for name, needs in (("base", "[]"), ("web", "[{role: acme.base}]")):
        archive = role_archive(project.galaxy.root, name, needs)
        project.galaxy.add_role(f"acme.{name}", "1.0", archive)
    project("--role", "acme.web")
    (project.root / "site.yml").write_text("- hosts: localhost\n  gather_facts: false\n  roles: [acme.web]\n")
    said = project.run([sys.executable, "-m", "pyplay", "site.yml"])
    assert '"msg": "base"' in said
    assert '"msg": "web"' in said
    assert "role acme.web 1.0" in project("list")
    project("remove", "--role", "acme.web")
    assert "acme.web" not in project("list")


def test_git_is_cloned_at_a_tag_and_locked_by_commit(project: Project) -> None:
    source = make_collection(project.root, "acme.app", "1.0.0")

    def git(*words: str) -> None:
        name = ["-c", "user.name=me", "-c", "user.email=me@example.com"]
        project.run(["git", "-C", str(source), *name, *words])

    git("init", "-q", "-b", "main")
    git("add", ".")
    git("commit", "-qm", "one")
    git("tag", "v1")
    (project.root / "requirements.yml").write_text(f"collections: [{{name: 'git+file://{source}', version: v1}}]\n")
    project("-r", "requirements.yml")
    (source / "README.md").write_text("changed 9\n")
    git("commit", "-qam", "two")
    git("tag", "-f", "v1")
    shutil.rmtree(project.root / ".ansible")
    project("-r", "requirements.yml", "--frozen")
    assert project.version("acme.app") == "1.0.0"


def test_the_lock_repeats_an_install_and_refuses_another(project: Project) -> None:
    project.galaxy.add("acme.app", "1.0.0")
    (project.root / "requirements.yml").write_text("collections: [acme.app]\n")
    project("-r", "requirements.yml")
    lock = (project.root / "pyplay.lock").read_text()
    project.galaxy.add("acme.app", "2.0.0")
    for option in ("--frozen", "--locked"):
        shutil.rmtree(project.root / ".ansible")
        project("-r", "requirements.yml", option)
        assert project.version("acme.app") == "1.0.0"
    (project.root / "requirements.yml").write_text("collections: ['acme.app:>=2.0.0']\n")
    for option in ("--frozen", "--locked"):
        assert "the lock has 1.0.0" in project("-r", "requirements.yml", option, code=1)
    assert (project.root / "pyplay.lock").read_text() == lock
    project("-r", "requirements.yml", "--upgrade")
    assert "acme.app 2.0.0" in (project.root / "pyplay.lock").read_text()


def test_frozen_refuses_other_bytes_under_the_same_version(project: Project) -> None:
    project.galaxy.add("acme.app", "1.0.0")
    (project.root / "requirements.yml").write_text("collections: [acme.app]\n")
    project("-r", "requirements.yml")
    shutil.rmtree(project.root / ".ansible")
    project.galaxy.collections.clear()
    shutil.rmtree(project.galaxy.root / "acme.app-1.0.0")
    (project.galaxy.root / "files/acme-app-1.0.0.tar.gz").unlink()
    other = make_collection(project.galaxy.root, "acme.app", "1.0.0", text="other 1.0.0\n")
    path = pack_collection(other, project.galaxy.root / "files")
    project.galaxy.collections.append(project.galaxy.archive("acme.app", "1.0.0", path))
    assert "is not what was locked" in project("-r", "requirements.yml", "--frozen", code=1)
    assert project.version("acme.app") == ""


def test_changed_files_are_found(project: Project) -> None:
    project.galaxy.add("acme.app", "1.0.0")
    project("acme.app")
    assert "as it was packed" in project("verify")
    (project.root / COLLECTIONS / "acme/app/README.md").write_text("x")
    (project.root / COLLECTIONS / "acme/app/more.py").write_text("x")
    said = project("verify", "acme.app", code=1)
    assert "README.md was changed" in said
    assert "more.py is not listed" in said


def test_an_install_that_is_killed_leaves_the_old_or_the_new_one(project: Project) -> None:
    archives = [pack_collection(make_collection(project.root, "acme.app", v), project.root) for v in ("1.0.0", "2.0.0")]
    project(str(archives[0]))
    target = project.root / COLLECTIONS / "acme/app"
    whole = {tree_hash(target)}
    project(str(archives[1]))
    whole.add(tree_hash(target))
    chance = random.Random(1)
    for round_ in range(8):
        running = subprocess.Popen(
            project.words(str(archives[round_ % 2])), cwd=project.root, env=project.environ, stdout=subprocess.DEVNULL
        )
        try:
            running.wait(chance.uniform(0.2, 0.7))
        except subprocess.TimeoutExpired:
            running.send_signal(signal.SIGKILL)
        running.wait()
        assert tree_hash(target) in whole
    project(str(archives[0]))
    assert list((project.root / ".ansible/collections").glob(".pyplay-install-*/")) == []


def test_two_installs_at_once_both_succeed(project: Project) -> None:
    archives = [pack_collection(make_collection(project.root, f"acme.a{n}", "1.0.0"), project.root) for n in range(2)]
    running = [
        subprocess.Popen(project.words(str(path)), cwd=project.root, env=project.environ, stdout=subprocess.DEVNULL)
        for path in archives * 2
    ]
    assert [each.wait(60) for each in running] == [0] * 4
    assert (project.version("acme.a0"), project.version("acme.a1")) == ("1.0.0", "1.0.0")


def test_the_same_files_are_packed_into_the_same_bytes(tmp_path: Path) -> None:
    one = make_collection(tmp_path / "a", "acme.app", "1.0.0")
    two = make_collection(tmp_path / "b", "acme.app", "1.0.0")
    os.utime(two / "README.md", (1, 1))
    assert pack_collection(one, tmp_path / "x").read_bytes() == pack_collection(two, tmp_path / "y").read_bytes()


def test_locks_of_two_branches_merge(tmp_path: Path) -> None:
    def git(*words: str) -> None:
        name = ["-c", "user.name=me", "-c", "user.email=me@example.com"]
        subprocess.run(["git", "-C", str(tmp_path), *name, *words], check=True, capture_output=True)

    def write(*names: str) -> None:
        lines = sorted(f"collection {name} 1.0.0 https://g.example/ h1:x=" for name in names)
        (tmp_path / "pyplay.lock").write_text("# head\n" + "".join(f"{line}\n" for line in lines))
        git("add", ".")
        git("commit", "-qm", "lock")

    git("init", "-q", "-b", "main")
    write("b.b", "d.d", "f.f", "h.h")
    git("checkout", "-qb", "other")
    write("a.a", "b.b", "d.d", "f.f", "h.h")
    git("checkout", "-q", "main")
    write("b.b", "d.d", "f.f", "h.h", "i.i")
    git("merge", "-q", "other")
    names = [line.split()[1] for line in (tmp_path / "pyplay.lock").read_text().splitlines()[1:]]
    assert names == ["a.a", "b.b", "d.d", "f.f", "h.h", "i.i"]


@pytest.mark.parity
def test_ansible_galaxy_installs_the_same_from_the_site(project: Project) -> None:
    oracle = os.environ.get("PYPLAY_ORACLE") or pytest.skip("PYPLAY_ORACLE names no directory of ansible-core")
    project.galaxy.add("acme.base", "1.2.0")
    project.galaxy.add("acme.app", "1.0.0", {"acme.base": ">=1.0.0"})
    project.galaxy.add_role("acme.web", "1.0", role_archive(project.galaxy.root, "web"))
    galaxy = [str(Path(oracle) / "ansible-galaxy")]
    project.run([*galaxy, "collection", "install", "acme.app", "-p", "theirs"])
    project.run([*galaxy, "role", "install", "acme.web", "-p", "their_roles"])
    project("acme.app")
    project("--role", "acme.web")
    for name in ("app", "base"):
        theirs = project.root / "theirs/ansible_collections/acme" / name
        assert tree_hash(theirs) == tree_hash(project.root / COLLECTIONS / "acme" / name)
        assert "as it was packed" in project("verify", "-p", "theirs", f"acme.{name}")
    ours = project.root / ".ansible/roles/acme.web"
    leave_out = "meta/.galaxy_install_info"
    theirs = project.root / "their_roles/acme.web"
    assert tree_hash(theirs, leave_out=leave_out) == tree_hash(ours, leave_out=leave_out)


def test_a_run_imports_nothing_of_it(tmp_path: Path) -> None:
    (tmp_path / "site.yml").write_text("- hosts: localhost\n  gather_facts: false\n  tasks: [{debug: {msg: x}}]\n")
    code = (
        "import sys\nfrom pyplay.cli.main import main\n"
        "try: main(['site.yml'])\nexcept SystemExit: pass\n"
        "print([n for n in sys.modules if n.startswith(('pyplay.content', 'resolvelib'))])"
    )
    done = subprocess.run([sys.executable, "-c", code], cwd=tmp_path, capture_output=True, text=True, check=False)
    assert done.stdout.splitlines()[-1] == "[]", done.stderr


@pytest.mark.parametrize("name", ["acme.web", "acme.app.web"])
def test_the_help_for_a_missing_role_works_as_printed(project: Project, name: str) -> None:
    project.galaxy.add_role("acme.web", "1.0", role_archive(project.galaxy.root, "web"))
    project.galaxy.add("acme.app", "1.0.0")
    (project.root / "site.yml").write_text(f"- hosts: localhost\n  roles: [{name}]\n")
    said = project.run([sys.executable, "-m", "pyplay", "site.yml"], code=4)
    printed = said.partition("pyplay install ")[2].partition("\n")[0].partition(")")[0]
    project(*printed.split())
    assert "acme" in project("list")


@pytest.mark.parametrize(("name", "text"), [("https://g.example/r.git", "main"), ("acme.x", "newest"), ("x", "*")])
def test_a_dependency_that_cannot_be_read_is_told(project: Project, name: str, text: str) -> None:
    project.galaxy.add("acme.app", "1.0.0", {name: text})
    assert f"acme.app 1.0.0 depends on {name}" in project("acme.app", code=1).replace("'", "")
    project("--no-deps", "acme.app")
    assert project.version("acme.app") == "1.0.0"
