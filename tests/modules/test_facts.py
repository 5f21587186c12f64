"""Facts from recorded trees, and the choice of collectors."""

from __future__ import annotations

import threading
import time
from typing import TYPE_CHECKING

import pytest

from pyplay.remote.module_utils import usage
from pyplay.remote.module_utils.facts import collect, hardware, local, storage, system, virtual
from pyplay.remote.module_utils.facts.root import Root

if TYPE_CHECKING:
    from pathlib import Path

    from tests.modules.conftest import RunModule


def tree(top: Path, files: dict[str, str]) -> Root:
    for name, text in files.items():
        path = top / name.lstrip("/")
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
    root = Root(str(top))
    root.live = False
    return root


def test_processors_of_two_sockets_with_threads(tmp_path: Path) -> None:
    block = "processor\t: {}\nvendor_id\t: V\nmodel name\t: M\nphysical id\t: {}\nsiblings\t: 4\ncpu cores\t: 2\nflags\t: a b\n\n"
    text = "".join(block.format(number, number // 4) for number in range(8))
    facts = hardware.processor(tree(tmp_path, {"/proc/cpuinfo": text}))
    counts = [facts["processor_" + key] for key in ("count", "cores", "threads_per_core", "vcpus", "nproc")]
    assert counts == [2, 2, 2, 8, 8]
    assert facts["processor"][:3] == ["0", "V", "M"]
    assert facts["flags"] == ["a", "b"]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("vendor_id : IBM/S390\n# processors : 2\nprocessor 0: version = FF\n", [["IBM/S390"], 1, 2, 1, 2]),
        ("cpu\t: UltraSparc T2 (Niagara2)\nncpus active\t: 2\n", [["UltraSparc T2 (Niagara2)"], 2, 1, 1, 2]),
        ("processor : 0\ncpu model : Octeon\n\nprocessor : 1\ncpu model : Octeon\n", [["0", "1"], 2, 1, 1, 2]),
        ("processor : 0\ncpu : POWER9\n\nprocessor : 1\ncpu : POWER9\n", [["0", "POWER9", "1", "POWER9"], 2, 1, 1, 2]),
    ],
    ids=["s390x", "sparc64", "mips", "ppc64le"],
)
def test_processors_of_other_machines(tmp_path: Path, text: str, expected: list[object]) -> None:
    facts = hardware.processor(tree(tmp_path, {"/proc/cpuinfo": text}))
    counts = [facts["processor_" + key] for key in ("count", "cores", "threads_per_core", "vcpus")]
    assert [facts["processor"], *counts] == expected


def test_memory(tmp_path: Path) -> None:
    text = "MemTotal: 2048000 kB\nMemFree: 1024000 kB\nBuffers: 102400 kB\nCached: 204800 kB\nSwapTotal: 0 kB\nSwapFree: 0 kB\n"
    facts = hardware.memory(tree(tmp_path, {"/proc/meminfo": text}))
    assert (facts["memtotal_mb"], facts["memfree_mb"]) == (2000, 1000)
    assert facts["memory_mb"]["nocache"] == {"free": 1300, "used": 700}


def test_mounts_with_blanks_and_without_devices(tmp_path: Path) -> None:
    text = "/dev/sda1 / ext4 rw 0 1\nproc /proc proc rw 0 0\nsrv:/x /mnt/a\\040b nfs4 rw 0 0\n"
    found = storage.mounts(tree(tmp_path, {"/proc/self/mounts": text}), 1)["mounts"]
    assert [(item["mount"], item["fstype"], item["passno"]) for item in found] == [
        ("/", "ext4", 1),
        ("/mnt/a b", "nfs4", 0),
    ]


def test_kernel_command_line(tmp_path: Path) -> None:
    facts = system.cmdline(tree(tmp_path, {"/proc/cmdline": 'quiet console=a console=b opt="x y"\n'}))
    assert facts["cmdline"] == {"quiet": True, "console": "b", "opt": "x y"}
    assert facts["proc_cmdline"]["console"] == ["a", "b"]


@pytest.mark.parametrize(
    ("zone", "local", "offset", "names"),
    [
        ("Europe/Vienna", "14:34:56", "+0200", ("CEST", "CEST")),
        ("UTC", "12:34:56", "+0000", ("UTC", "UTC")),
        ("America/St_Johns", "10:04:56", "-0230", ("NDT", "NDT")),
    ],
)
def test_a_moment_in_all_its_forms(
    monkeypatch: pytest.MonkeyPatch, zone: str, local: str, offset: str, names: tuple[str, str]
) -> None:
    monkeypatch.setenv("TZ", zone)
    monkeypatch.setattr(time, "time", lambda: 1717245296.25)  # 2024-06-01, a Saturday
    time.tzset()
    try:
        facts = system.date_time(Root())["date_time"]
    finally:
        monkeypatch.undo()
        time.tzset()
    hour, minute, second = local.split(":")
    compact = "20240601T" + local.replace(":", "")
    assert facts == {
        "year": "2024", "month": "06", "day": "01", "weekday": "Saturday", "weekday_number": "6", "weeknumber": "22",
        "hour": hour, "minute": minute, "second": second, "date": "2024-06-01", "time": local,
        "epoch": "1717245296", "epoch_int": "1717245296",
        "iso8601": "2024-06-01T12:34:56Z", "iso8601_micro": "2024-06-01T12:34:56.250000Z",
        "iso8601_basic": compact + "250000", "iso8601_basic_short": compact,
        "tz": names[0], "tz_dst": names[1], "tz_offset": offset,
    }  # fmt: skip


def test_virtual_machines(tmp_path: Path) -> None:
    dmi = "/sys/devices/virtual/dmi/id/"
    facts = virtual.collect(
        tree(tmp_path, {dmi + "product_name": "VMware Virtual Platform", dmi + "sys_vendor": "VMware, Inc."})
    )
    assert (facts["virtualization_type"], facts["virtualization_role"]) == ("VMware", "guest")


def test_local_facts(tmp_path: Path) -> None:
    (tmp_path / "a.fact").write_text("[s]\nk = v\np = 100%\nq = %(k)s\n")
    (tmp_path / "b.fact").write_text('{"x": [1]}')
    program = tmp_path / "c.fact"
    program.write_text("#!/bin/sh\necho '{\"y\": 2}'\n")
    program.chmod(0o755)
    (tmp_path / "d.fact").write_text("neither")
    (tmp_path / "e.txt").write_text("not looked at")
    warnings: list[str] = []
    facts = local.collect(Root(), str(tmp_path), warnings.append)["local"]
    assert facts["a"] == {"s": {"k": "v", "p": "100%", "q": "v"}}
    assert facts["b"] == {"x": [1]}
    assert facts["c"] == {"y": 2}
    assert len(warnings) == 1
    assert set(facts) == {"a", "b", "c", "d"}


@pytest.mark.parametrize(
    ("subset", "some", "none"),
    [
        (["all"], {"network", "hardware", "env"}, set()),
        (["min"], {"env"}, {"network", "hardware"}),
        (["!all"], {"env"}, {"network", "hardware"}),
        (["network"], {"env", "network"}, {"hardware"}),
        (["!all", "!min", "network"], {"network", "platform"}, {"env", "hardware"}),
        (["!hardware"], {"env"}, {"hardware", "network"}),
        (["all", "!hardware"], {"network", "env"}, {"hardware"}),
        (["all", "!network", "network"], {"network", "env"}, set()),
        (["!all", "!min", "service_mgr"], {"service_mgr", "platform", "distribution"}, {"env"}),
        (["!min", "min"], set(), {"env", "network"}),
        (["!all", "hardware"], {"hardware", "env"}, {"network"}),
        (["!min"], set(), {"network", "env"}),
        (["all", "!min"], {"network"}, {"env"}),
        (["devices", "!all", "!min"], {"hardware"}, {"network", "env"}),
        (["!all", "!unknown", "network"], {"network", "env"}, {"hardware"}),
    ],
)
def test_subsets(subset: list[str], some: set[str], none: set[str]) -> None:
    names = set(collect.chosen(subset))
    assert some <= names
    assert not names & none


def test_filters_work_with_and_without_the_prefix(module: RunModule) -> None:
    for pattern in ("ansible_hostname", "hostname", "ansible_host*me"):
        assert list(module("setup", filter=pattern)["ansible_facts"]) == ["ansible_hostname"]


def test_a_file_system_that_does_not_answer_is_waited_for_as_long_as_the_task_says(
    module: RunModule, monkeypatch: pytest.MonkeyPatch
) -> None:
    answers = threading.Event()
    monkeypatch.setattr(storage, "read_mounts", lambda root: [("server:/x", "/x", "nfs4", "rw", "0", "0")])
    monkeypatch.setattr(usage, "usage", lambda path: {"size_total": 7} if answers.wait(20) else {})

    def mount(patience: int) -> dict[str, object]:
        start = time.perf_counter()
        facts = module("setup", gather_subset=["!all", "!min", "hardware"], gather_timeout=patience)["ansible_facts"]
        assert time.perf_counter() - start < 15
        return facts["ansible_mounts"][0]

    assert "note" in mount(1)
    answers.set()
    assert mount(10)["size_total"] == 7


def test_facts_are_quick(module: RunModule) -> None:
    module("setup")
    start = time.perf_counter()
    module("setup")
    assert time.perf_counter() - start < 0.5
