"""synchronize with a program in rsync's place, and patch with the real one."""

from __future__ import annotations

import os
import shutil
from typing import TYPE_CHECKING, Any

import pytest

if TYPE_CHECKING:
    from pathlib import Path

    from bench import Bench

SSH = {"ansible_connection": "ssh", "ansible_host": "10.0.0.5", "ansible_user": "joe"}
HEAD = "--delay-updates -F --compress --archive "
RSH = "--rsh=ssh -S none {}-o StrictHostKeyChecking=no -o UserKnownHostsFile=/dev/null -o LogLevel=ERROR "
TAIL = "--out-format=%i %n%L "


@pytest.fixture
def rsync(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Put a program that shows its words in the place of rsync."""
    folder = tmp_path / "bin"
    folder.mkdir()
    (folder / "rsync").write_text('#!/bin/sh\necho "$*"\n')
    (folder / "rsync").chmod(0o755)
    monkeypatch.setenv("PATH", f"{folder}:{os.environ['PATH']}")


def words(bench: Bench, text: str, **variables: Any) -> str:
    bench.base.update(variables)
    result = bench.run(text).result
    assert not result.get("failed"), result
    return result["msg"].strip()


@pytest.mark.usefixtures("rsync")
def test_rsync_may_find_the_user_by_itself(bench: Bench) -> None:
    assert words(bench, "synchronize: {src: /a, dest: /b, set_remote_user: false}", **SSH).endswith(" /a 10.0.0.5:/b")


@pytest.mark.usefixtures("rsync")
@pytest.mark.parametrize(
    ("options", "variables", "ssh", "path", "ends"),
    [
        ("src: d/, dest: /there", {}, "", "", "@/files/d/ joe@10.0.0.5:/there"),
        ("src: /far, dest: got, mode: pull", {}, "", "", "joe@10.0.0.5:/far @/got"),
        ("src: nowhere/, dest: /there", {}, "", "", "@/nowhere/ joe@10.0.0.5:/there"),
        ("src: d, dest: /t", {"ansible_port": 2222, "ansible_ssh_private_key_file": "/k"}, "-i /k -o Port=2222 ", "", "@/files/d joe@10.0.0.5:/t"),
        ("src: d, dest: /t, private_key: /mine", {"ansible_ssh_private_key_file": "/k"}, "-i /mine ", "", "@/files/d joe@10.0.0.5:/t"),
        ("src: d, dest: /t", {"ansible_become": True}, "", "--rsync-path=sudo -n -u root rsync ", "@/files/d joe@10.0.0.5:/t"),
        ("src: d, dest: /t, rsync_path: r", {"ansible_become": True}, "", "--rsync-path=r ", "@/files/d joe@10.0.0.5:/t"),
        ("src: d, dest: /t", {"ansible_host": "fe80::1"}, "", "", "@/files/d joe@[fe80::1]:/t"),
    ],
    ids=str,
)  # fmt: skip
def test_where_rsync_goes(
    bench: Bench, tmp_path: Path, options: str, variables: dict[str, Any], ssh: str, path: str, ends: str
) -> None:
    (tmp_path / "files" / "d").mkdir(parents=True)
    found = words(bench, f"ansible.posix.synchronize: {{{options}}}", **{**SSH, **variables})
    assert found.replace(str(tmp_path), "@") == HEAD + RSH.format(ssh) + path + TAIL + ends


@pytest.mark.usefixtures("rsync")
def test_arguments_of_ssh_where_asked(bench: Bench) -> None:
    found = words(
        bench, "synchronize: {src: /a, dest: /b, use_ssh_args: true}", ansible_ssh_common_args="-J jump", **SSH
    )
    assert "-J jump --out-format" in found


@pytest.mark.usefixtures("rsync")
def test_a_local_host_and_its_own_delegate_copy_within_themselves(bench: Bench) -> None:
    assert words(bench, "synchronize: {src: /a, dest: /b}") == f"{HEAD}{TAIL}/a /b"
    own = "synchronize: {src: /a, dest: /b}\ndelegate_to: '{{ inventory_hostname }}'"
    assert words(bench, own) == f"{HEAD}{TAIL}/a /b"


@pytest.mark.parametrize(
    ("text", "variables"),
    [
        ("synchronize: {dest: /b}", {}),
        ("synchronize: {src: /a, dest: /b}", {"ansible_become": True, "ansible_become_method": "su", **SSH}),
        ("synchronize: {src: /a, dest: /b, sauce: x}", {}),
    ],
)
def test_what_synchronize_refuses(bench: Bench, text: str, variables: dict[str, Any]) -> None:
    bench.base.update(variables)
    assert bench.run(text).result["failed"] is True


@pytest.mark.skipif(shutil.which("patch") is None, reason="patch is not installed")
def test_a_patch_of_the_controller(bench: Bench, tmp_path: Path) -> None:
    (tmp_path / "files").mkdir()
    (tmp_path / "files" / "p").write_text("--- f\n+++ f\n@@ -1 +1 @@\n-1\n+2\n")
    path = tmp_path / "f"
    path.write_text("1\n")
    text = f"ansible.posix.patch: {{src: p, dest: {path}}}"
    found = bench.run_all(f"- {text}\n- {text}\n- patch: {{src: p, basedir: {tmp_path}, state: absent}}")
    assert [result.changed for result in found] == [True, False, True]
    assert path.read_text() == "1\n"
    assert "Could not find" in bench.run(f"patch: {{src: nowhere, dest: {path}}}").result["msg"]
    assert bench.run(f"patch: {{src: {tmp_path}/files/p, dest: {path}, remote_src: true}}").changed is True
