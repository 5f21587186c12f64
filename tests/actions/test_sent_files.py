"""unarchive and uri: files of the controller reach the module on the host."""

from __future__ import annotations

import tarfile
import threading
from http.server import BaseHTTPRequestHandler, HTTPServer
from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from bench import Bench


@pytest.fixture
def echo() -> Iterator[str]:
    """Serve what is posted; gives the address."""

    class Echo(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            data = self.rfile.read(int(self.headers["Content-Length"]))
            self.send_response(200)
            self.send_header("Content-Length", str(len(data)))
            self.end_headers()
            self.wfile.write(data)

        def log_message(self, *about: object) -> None:
            pass

    with HTTPServer(("127.0.0.1", 0), Echo) as server:
        thread = threading.Thread(target=server.serve_forever)
        thread.start()
        yield f"http://127.0.0.1:{server.server_port}/"
        server.shutdown()
        thread.join()


def test_an_archive_is_found_sent_and_unpacked_once(bench: Bench, tmp_path: Path) -> None:
    (tmp_path / "files").mkdir()
    (tmp_path / "member").write_text("content")
    with tarfile.open(tmp_path / "files" / "a.tgz", "w:gz") as archive:
        archive.add(tmp_path / "member", "member")
    (tmp_path / "there").mkdir()
    text = f"unarchive: {{src: a.tgz, dest: {tmp_path}/there}}"
    found = bench.run_all(f"- {text}\n- {text}")
    assert [result.changed for result in found] == [True, False]
    assert (tmp_path / "there" / "member").read_text() == "content"
    assert bench.run(f"unarchive: {{src: a.tgz, dest: {tmp_path}/there, creates: /}}").result["skipped"] is True
    remote = f"unarchive: {{src: {tmp_path}/files/a.tgz, dest: {tmp_path}/there, remote_src: true}}"
    assert bench.run(remote).changed is False
    assert "Could not find" in bench.run(f"unarchive: {{src: nowhere.tgz, dest: {tmp_path}}}").result["msg"]
    assert bench.run("unarchive: {src: a.tgz}").result["failed"] is True


def test_files_are_sent_with_requests(bench: Bench, tmp_path: Path, echo: str) -> None:
    (tmp_path / "files").mkdir()
    (tmp_path / "files" / "f.bin").write_bytes(b"\x00 data")
    head = f"uri: {{url: '{echo}', method: POST, return_content: true"
    assert bench.run(f"{head}, src: f.bin}}").result["content"] == "\x00 data"
    form = "body_format: form-multipart, body: {one: x, two: {filename: f.bin, mime_type: text/plain}}"
    content = bench.run(f"{head}, {form}}}").result["content"]
    assert 'name="two"; filename="f.bin"' in content
    assert "AGRhdGE" in content.replace("ACBkYXRh", "AGRhdGE")
    assert "Could not find" in bench.run(f"{head}, src: nowhere}}").result["msg"]
    assert bench.run(f"{head}, body_format: form-multipart, body: [1]}}").result["failed"] is True
