"""uri against a real server: what is asked, and what is told of the answer."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from web import plain_web

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from tests.modules.conftest import RunModule


@pytest.fixture(scope="module")
def address() -> Iterator[str]:
    """Serve the web; gives the address."""
    with plain_web() as served:
        yield served


def test_cookies_are_told(module: RunModule, address: str) -> None:
    result = module("uri", url=f"{address}/named")
    assert (result["cookies"], result["cookies_string"]) == ({"a": "1"}, "a=1")
    assert (result["set_cookie"], result["x_many"]) == ("a=1; Path=/", "x y")
    bare = module("uri", url=f"{address}/list")
    assert (bare["cookies"], bare["cookies_string"], bare["json"]) == ({}, "", [1, None])


def test_a_redirect_that_is_not_followed_tells_the_whole_address(module: RunModule, address: str) -> None:
    result = module("uri", url=f"{address}/kept", follow_redirects="none", status_code=[307])
    assert (result["location"], result["status"], result["body"]) == (f"{address}/echo", 307, "")
    assert "cookies" not in result


def test_packed_answers_are_not_wished_for(module: RunModule, address: str) -> None:
    assert module("uri", url=f"{address}/echo")["json"]["headers"]["Accept-Encoding"] == "identity"
    assert module("uri", url=f"{address}/packed", return_content=True)["content"] == "unpacked text"


def test_a_file_that_is_there_is_asked_for_only_if_it_changed(module: RunModule, address: str, tmp_path: Path) -> None:
    kept = tmp_path / "kept"
    options = {"url": f"{address}/same", "dest": kept, "status_code": [200, 304]}
    assert module("uri", **options)["changed"] is True
    text = kept.read_bytes()
    again = module("uri", **options)
    assert (again["changed"], again["status"], kept.read_bytes()) == (False, 304, text)
    assert module("uri", mode="0600", **options)["changed"] is True
    assert module("uri", force=True, **options)["status"] == 200
