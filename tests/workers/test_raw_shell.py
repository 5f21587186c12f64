from __future__ import annotations

import pytest

from pyplay.connection.base import BecomeOptions, ConnectionOptions
from pyplay.workers.connection_options import Destination
from pyplay.workers.remote import named_shell


@pytest.mark.parametrize(
    ("kind", "shell", "become", "expected"),
    [
        pytest.param("ssh", "/bin/sh", None, None, id="the login shell"),
        pytest.param("ssh", "/bin/ksh", None, "/bin/ksh", id="the one that a variable names"),
        pytest.param("ssh", "/bin/sh", BecomeOptions(), "/bin/sh", id="become goes through a plain one"),
        pytest.param("local", "/bin/sh", None, "/bin/sh", id="this machine has no login"),
    ],
)
def test_which_shell_reads_a_raw_line(
    kind: str, shell: str, become: BecomeOptions | None, expected: str | None
) -> None:
    connection = ConnectionOptions(kind=kind, shell_executable=shell)
    assert named_shell(Destination(connection=connection, become=become)) == expected
