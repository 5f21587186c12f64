from __future__ import annotations

import socket
from typing import TYPE_CHECKING

import pytest
from galaxy_site import Galaxy

from pyplay.content.faults import ContentError, NotThereError
from pyplay.content.web import ATTEMPTS, HttpWeb

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path


@pytest.fixture
def galaxy(tmp_path: Path) -> Iterator[Galaxy]:
    made = Galaxy(tmp_path / "galaxy")
    yield made
    made.close()


def patient() -> tuple[HttpWeb, list[float]]:
    waits: list[float] = []
    return HttpWeb(sleep=waits.append), waits


@pytest.mark.parametrize(
    ("codes", "waited", "fault"),
    [
        ([503, 429], 2, ""),
        ([500] * ATTEMPTS, ATTEMPTS - 1, "answers 500"),
        ([401], 0, "answers 401"),
        ([400], 0, "answers 400"),
    ],
)
def test_only_what_may_pass_is_asked_again(galaxy: Galaxy, codes: list[int], waited: int, fault: str) -> None:
    galaxy.failures["/api/"] = list(codes)
    web, waits = patient()
    if fault:
        with pytest.raises(ContentError, match=fault):
            web.json(f"{galaxy.base}api/")
    else:
        assert "available_versions" in web.json(f"{galaxy.base}api/")[0]
    assert len(waits) == waited


def test_a_closed_port_is_told_at_once(galaxy: Galaxy) -> None:
    with socket.create_server(("127.0.0.1", 0)) as closed:
        port = closed.getsockname()[1]
    web, waits = patient()
    with pytest.raises(ContentError, match="Connection refused"):
        web.json(f"http://127.0.0.1:{port}/")
    assert waits == []
    with pytest.raises(NotThereError):
        web.json(f"{galaxy.base}nothing/")


def test_what_is_no_json_is_shown(galaxy: Galaxy) -> None:
    (galaxy.root / "page").write_text("<html>")
    with pytest.raises(ContentError, match="no JSON: '<html>'"):
        patient()[0].json(f"{galaxy.base}page")


@pytest.mark.parametrize("url", ["file:///etc/passwd", "ftp://x/y", "x"])
def test_other_schemes_are_refused(url: str) -> None:
    with pytest.raises(ContentError, match="neither https nor http"):
        patient()[0].json(url)


def test_a_token_is_never_sent_in_clear_to_another_machine() -> None:
    with pytest.raises(ContentError, match="in clear"):
        patient()[0].json("http://galaxy.example/api/", headers={"Authorization": "Token x"})
