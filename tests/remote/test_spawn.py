"""Programs started without `subprocess`: they begin, run and end as those that it starts."""

from __future__ import annotations

import errno
import os
import signal
import time
from typing import TYPE_CHECKING, Any

import pytest

from pyplay.remote.module_utils import commands, process, spawn

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path


@pytest.fixture(params=["posix_spawn", "subprocess"])
def run(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> Callable[..., tuple[Any, Any, Any]]:
    """Give what runs a program, in both ways."""
    if request.param == "subprocess":
        monkeypatch.setattr(spawn, "_tells_why", lambda: False)
    elif not spawn._tells_why():
        pytest.skip("no such C library")
    else:
        monkeypatch.setattr(spawn, "start_with_all", None)
    return process.run


def script(folder: Path, text: str, mode: int = 0o755, name: str = "tool") -> Path:
    """Write a program."""
    path = folder / name
    path.write_text(text)
    path.chmod(mode)
    return path


@pytest.mark.parametrize(
    ("argv", "expected"),
    [
        (["echo", "a b", "ü"], (0, "a b ü\n", "")),
        ("echo out; echo err >&2; exit 3", (3, "out\n", "err\n")),
        ("kill -9 $$", (-9, "", "")),
        ("trap - PIPE; kill -PIPE $$", (-signal.SIGPIPE, "", "")),
        (["sh", "-c", "cat; echo $LC_ALL"], (0, "C.UTF-8\n", "")),
        (["printf", r"\377"], (0, r"\xff", "")),
    ],
)
def test_how_it_ended_and_what_it_wrote(run: Callable[..., Any], argv: Any, expected: tuple[int, str, str]) -> None:
    assert run(argv) == expected


def test_what_it_reads_and_writes_may_be_large(run: Callable[..., Any]) -> None:
    text = "x" * 1000000
    assert run(["cat"], stdin=text) == (0, text, "")
    assert run(["true"], stdin=text) == (0, "", "")
    assert run(["cat"], stdin="") == (0, "", "")


@pytest.mark.parametrize(
    ("text", "mode", "number"),
    [(None, 0, errno.ENOENT), ("#!/bin/sh\n", 0o644, errno.EACCES), ("echo no first line\n", 0o755, errno.ENOEXEC)],
)
def test_why_it_could_not_be_started(
    run: Callable[..., Any], tmp_path: Path, text: str | None, mode: int, number: int
) -> None:
    path = str(tmp_path / "tool") if text is None else str(script(tmp_path, text, mode))
    for argv, how in (([path], {}), (["tool"], {"environment": {"PATH": f"/nowhere:{tmp_path}"}})):
        with pytest.raises(OSError, match=os.strerror(number)) as caught:
            run(argv, **how)
        assert (caught.value.errno, caught.value.filename) == (number, argv[0])


def test_it_is_looked_for_in_its_own_path(run: Callable[..., Any], tmp_path: Path) -> None:
    (tmp_path / "first" / "tool").mkdir(parents=True)
    script(tmp_path, "#!/bin/sh\necho found\n")
    found = run(["tool"], environment={"PATH": f"{tmp_path}/first:{tmp_path}:/bin"})
    assert found == (0, "found\n", "")


def test_it_gets_the_standard_streams_and_no_other_descriptor(run: Callable[..., Any]) -> None:
    near, far = os.pipe()
    os.set_inheritable(far, True)  # noqa: FBT003  # the library's signature
    try:
        assert run("ls /proc/self/fd | wc -l; readlink /proc/self/fd/0")[1].split() == ["4", "/dev/null"]  # one is ls's
    finally:
        os.close(near)
        os.close(far)


def test_nothing_of_it_is_left_open(run: Callable[..., Any]) -> None:
    before = os.listdir("/proc/self/fd")  # noqa: PTH208  # as it is listed below
    run(["true"])
    run(["cat"], stdin="x")
    with pytest.raises(OSError, match="No such file"):
        run(["/nowhere/tool"], stdin="x")
    assert os.listdir("/proc/self/fd") == before  # noqa: PTH208  # as above


def test_a_daemon_that_holds_the_output_is_not_waited_for(run: Callable[..., Any]) -> None:
    start = time.monotonic()
    assert run("sleep 5 & echo started") == (0, "started\n", "")
    assert time.monotonic() - start < 3


@pytest.mark.parametrize("argv", ["sleep 5", "exec >&- 2>&-; sleep 5"])
def test_it_is_ended_when_its_time_is_over(run: Callable[..., Any], argv: str) -> None:
    start = time.monotonic()
    with pytest.raises(process.TimedOut):
        run(f"exec {argv}" if argv.startswith("sleep") else argv, timeout=0.3)
    assert time.monotonic() - start < 3


@pytest.mark.parametrize(
    "line", ["", "a", " a  b ", "a 'b c' \"d\"", r"a\ b", "a\tb\nc", "a\u00a0b\u3000c", "x=1 #no $y;z", "ä ö"]
)
def test_a_line_is_split_as_shlex_splits_it(line: str) -> None:
    import shlex  # noqa: PLC0415  # what is compared with

    assert commands.split(line) == shlex.split(line)


@pytest.mark.parametrize("seconds", [0.0, 0.000001, 59.9999996, 3600.25, 86400.5, 200000.0, -1.5, -90000.25])
def test_a_span_is_spelt_as_timedelta_spells_it(seconds: float) -> None:
    from datetime import timedelta  # noqa: PLC0415  # what is compared with

    spelt = str(timedelta(seconds=seconds))
    assert commands._span(seconds) == (spelt if "." in spelt else spelt + ".000000")
