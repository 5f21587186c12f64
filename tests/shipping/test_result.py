"""Reading what a module answered."""

from __future__ import annotations

import time
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pyplay.diagnostics.errors import RunnerError
from pyplay.shipping.interpreter import explain_end, interpreter_command, is_automatic, never_ran, parse_hello
from pyplay.shipping.result import LEVELS, CallResult, parse_result


@pytest.mark.parametrize(
    ("call", "expected"),
    [
        pytest.param(CallResult(0, b'{"changed": true}\n', b""), {"changed": True}, id="plain"),
        pytest.param(CallResult(0, b'{\n "a": {\n"b": 1\n}\n}', b""), {"a": {"b": 1}}, id="on several lines"),
        pytest.param(
            CallResult(0, b'hello\n{"a": 1}\n', b""),
            {"a": 1, "warnings": ["the module wrote more than its result: hello"]},
            id="noise before",
        ),
        pytest.param(
            CallResult(0, b'{"a": 1}\nbye {"b": 2}\n', b""),
            {"a": 1, "warnings": ['the module wrote more than its result: bye {"b": 2}']},
            id="noise after",
        ),
        pytest.param(CallResult(1, b'{"failed": true, "msg": "m"}', b""), {"failed": True, "msg": "m"}, id="failed"),
        pytest.param(
            CallResult(2, b'{"a": 1}', b"why"),
            {"a": 1, "warnings": ["the module ended with status 2, its result does not say why: why"]},
            id="status",
        ),
        pytest.param(
            CallResult(0, b'{"failed": "no", "changed": 0, "skipped": [1], "unreachable": null, "rc": "x"}', b""),
            {"failed": True, "changed": False, "skipped": True, "unreachable": False},
            id="claims of other types",
        ),
        pytest.param(
            CallResult(0, b'{"_ansible_no_log": true, "_ansible_verbose_always": 1, "_mine": 1}', b""),
            {"_mine": 1},
            id="private keys",
        ),
        pytest.param(
            CallResult(
                0,
                b'{"ansible_facts": {"discovered_interpreter_x": 1, "ansible_discovered_interpreter_x": 1, "x": 1}}',
                b"",
            ),
            {"ansible_facts": {"x": 1}},
            id="what pyplay alone finds out",
        ),
        pytest.param(
            CallResult(0, b'{"diff": 7, "warnings": {"a": 1}, "deprecations": 5}', b""), {}, id="notices that are none"
        ),
        pytest.param(
            CallResult(0, b'{"diff": [1, {"before": 2}], "warnings": [1, "w"], "deprecations": "d"}', b""),
            {"diff": [{"before": 2}], "warnings": ["1", "w"], "deprecations": ["d"]},
            id="notices of other types",
        ),
        pytest.param(CallResult(2, b'{"rc": 2}', b""), {"rc": 2}, id="a status of its own"),
    ],
)
def test_answers(call: CallResult, expected: dict[str, Any]) -> None:
    assert parse_result(call) == expected


@pytest.mark.parametrize(
    ("call", "msg"),
    [
        pytest.param(CallResult(0, b"", b""), "the module ended with status 0 and gave no result", id="nothing"),
        pytest.param(
            CallResult(3, b"[1]", b"a\nlast\n"),
            "the module ended with status 3 and gave no result: last",
            id="no object",
        ),
        pytest.param(CallResult(-9, b"", b""), "the module was ended by signal 9", id="signal"),
        pytest.param(
            CallResult(0, b'{"a": ' + b"[" * 20000 + b"]" * 20000 + b"}", b""),
            "the module ended with status 0 and gave no result",
            id="too deep",
        ),
        pytest.param(
            CallResult(0, b'{"a": ' + b"9" * 10000 + b"}", b""),
            "the module ended with status 0 and gave no result",
            id="a number too long",
        ),
        pytest.param(CallResult(0, b'{"cut": ', b""), "the module ended with status 0 and gave no result", id="cut"),
    ],
)
def test_no_answer_is_a_failure_that_shows_everything(call: CallResult, msg: str) -> None:
    result = parse_result(call)
    assert (result["failed"], result["msg"], result["rc"]) == (True, msg, 137 if call.rc == -9 else call.rc)
    assert result["module_stdout"] == call.stdout.decode()
    assert result["module_stderr"] == call.stderr.decode()


def test_bytes_that_are_no_text_survive() -> None:
    assert parse_result(CallResult(0, b'{"a": "\xff"}', b""))["a"] == "\udcff"


@pytest.mark.parametrize(
    ("interpreter", "words"),
    [
        ("/usr/bin/python3.9", ["/usr/bin/python3.9", "-I", "-S", "-c"]),
        ("/usr/bin/env python3", ["/usr/bin/env", "python3", "-I", "-S", "-c"]),
        ("'/opt/my python/bin/python'", ["/opt/my python/bin/python", "-I", "-S", "-c"]),
        ("~joe/venv/bin/python", ["/bin/sh", "-c"]),
        (None, ["/bin/sh", "-c"]),
        ("auto_legacy_silent", ["/bin/sh", "-c"]),
    ],
)
def test_an_interpreter_may_be_named_or_searched(interpreter: str | None, words: list[str]) -> None:
    command = interpreter_command(interpreter, "MARKER")
    assert command[: len(words)] == words
    assert command[-1] == "MARKER"
    assert not set("'\\\n!") & set("".join(command[2:])) or interpreter == "'/opt/my python/bin/python'"


def test_what_a_host_says_first() -> None:
    found = parse_hello("3.9.2 cpython-39-61 /usr/bin/my python3", None)
    assert (found.version, found.path, found.discovered) == ((3, 9, 2), "/usr/bin/my python3", True)
    assert found.bytecode == "cpython-39-61"
    assert is_automatic("auto")
    assert not parse_hello("3.9.2 b /x", "/x").discovered
    with pytest.raises(
        RunnerError, match=r"no usable Python on the host .3.6 or newer is needed; tried /usr/bin/python3"
    ):
        parse_hello("none", None)


@pytest.mark.parametrize(
    ("candidates", "path", "unasked"),
    [
        (("/opt/a", "/opt/b"), "/usr/bin/python3", True),
        (("/opt/a",), "/opt/a", False),
        (("/opt/a", "/usr/bin/python3"), "/usr/bin/python3", False),
        (("/opt/a", "python3"), "/usr/bin/python3", False),
    ],
)
def test_where_no_candidate_is_there_the_usual_python_is_taken(
    candidates: tuple[str, ...],
    path: str,
    unasked: bool,  # noqa: FBT001  # a case
) -> None:
    assert "/usr/bin/python3" in interpreter_command(None, "MARKER", candidates)[2]
    assert parse_hello(f"3.9.2 b {path}", None, candidates).last_resort is unasked
    assert not parse_hello(f"3.9.2 b {path}", "/usr/bin/python3", candidates).last_resort


@pytest.mark.parametrize(
    ("status", "said", "match"),
    [
        (77, "", "older than 3.6"),
        (2, "Unknown option: -I", "older than 3.6"),
        (127, "not found", "there is no Python that runs at /x"),
        (1, "ImportError: zlib", "ended with status 1: ImportError: zlib"),
        (None, "nothing", "gave no answer"),
    ],
)
def test_why_a_python_did_not_start(status: int | None, said: str, match: str) -> None:
    assert match in explain_end("/x", status, said)


@pytest.mark.parametrize("line", ["", "x.y.z /usr/bin/python3", "3.9 /usr/bin/python3", "' none"])
def test_an_answer_that_is_none_is_told(line: str) -> None:
    with pytest.raises(RunnerError, match="does not say which version it is"):
        parse_hello(line, None)


@pytest.mark.parametrize(
    ("interpreter", "status", "never"),
    [
        (None, 0, True),
        ("auto", 1, True),
        (None, 128, True),
        (None, 127, False),
        (None, 137, False),
        (None, -9, False),
        (None, None, False),
        ("/usr/bin/python3", 0, True),
        ("/usr/bin/python3", 1, False),
    ],
)
def test_what_can_only_be_another_command(interpreter: str | None, status: int | None, never: bool) -> None:  # noqa: FBT001  # a case
    assert never_ran(interpreter, status) is never


LINES = st.sampled_from([
    "{", '{"', '{"a":', '{"a":[', '{"a":{', "{}", "{x", '{"a":"b', "[", '{"a": 1}', "", " " * 50, '{"a":' + "9" * 5000,
    '{"' + "x" * 200, "}" * 20, '"', "\\",
])  # fmt: skip


@settings(max_examples=60, deadline=None)
@given(st.lists(LINES, min_size=1, max_size=4))
def test_reading_an_answer_takes_linear_time(lines: list[str]) -> None:
    def seconds(size: int) -> float:
        unit = "\n" + "\n".join(lines)
        call = CallResult(0, (unit * (size // len(unit) + 1)).encode(), b"")
        begin = time.process_time()
        parse_result(call)
        return time.process_time() - begin

    small = max(seconds(1 << 17), 0.004)
    assert seconds(1 << 20) < 8 * 6 * small, "eight times the bytes take more than eight times as long, by far"


def test_an_object_behind_many_beginnings_is_found() -> None:
    text = '{"a":\n' * 200_000 + '{"b": 2}\n'
    assert parse_result(CallResult(0, text.encode(), b""))["b"] == 2


NESTED = {"objects": ('{"a":', "}"), "lists": ("[", "]"), "both": ('[{"a":', "}]")}


@pytest.mark.parametrize(("opening", "closing"), NESTED.values(), ids=NESTED)
@pytest.mark.parametrize("times", [LEVELS // 2 - 1, LEVELS, 400])
def test_a_result_is_nested_only_so_deep(opening: str, closing: str, times: int) -> None:
    text = f'{{"many": {[[]] * 200}, "x": {opening * times}1{closing * times}}}'
    result = parse_result(CallResult(0, text.encode(), b""))
    deep = 1 + times * len(closing) > LEVELS
    assert bool(result.get("failed")) == deep
    assert not deep or result["msg"] == "the module's result is nested more than 100 levels deep"
