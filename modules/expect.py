"""Run a command on a terminal of its own and answer what it asks."""

import datetime as dt
import os
import re
import shlex

from pyplay.remote.module_utils import commands

OPTIONS = {
    "options": {
        "command": {"type": "str", "required": True, "doc": "The command line; no shell reads it."},
        "responses": {
            "type": "dict",
            "required": True,
            "doc": "Regular expressions of what is asked, and what to answer; a list gives one answer after another.",
        },
        "chdir": {"type": "path", "doc": "Change into this directory first."},
        "creates": {"type": "path", "doc": "Do not run where this is there; a glob is allowed."},
        "removes": {"type": "path", "doc": "Do not run where this is not there; a glob is allowed."},
        "timeout": {
            "type": "raw",
            "default": 30,
            "nullable": True,
            "doc": "Seconds to wait for the next question; null for ever.",
        },
        "echo": {"type": "bool", "default": False, "doc": "Show the answers in the output."},
    },
    "check_mode": "none",
    "diff": False,
    "identity": [],
    "absent_undoes": False,
    "platforms": "posix",
    "returns": {
        "cmd": "The command line.",
        "stdout": "What the terminal showed.",
        "rc": "The exit status.",
        "start": "When it started.",
        "end": "When it ended.",
        "delta": "How long it took.",
    },
}

WINDOW = 2000  # bytes in which a question is looked for, as the documentation of the options says
PAUSE = 0.05  # seconds before an answer: programs that switch the echo off drop what came before


class Question:
    """A pattern and its answers; the last of a list is not repeated."""

    def __init__(self, pattern, answers):
        """Take the expression's text and the answer or answers; raises re.error."""
        self.text = pattern
        self.pattern = re.compile(pattern.encode("utf-8"), re.DOTALL)
        self.many = isinstance(answers, list)
        self.answers = [str(answer) for answer in answers] if self.many else [str(answers)]

    def answer(self):
        """Give the next answer as bytes, None where there is none left."""
        if not self.answers:
            return None
        text = self.answers.pop(0) if self.many else self.answers[0]
        return text.rstrip("\n").encode("utf-8") + b"\n"


class NoAnswerError(Exception):
    """A question came more often than there are answers."""


class Dialogue:
    """A program on a terminal, read and answered until it ends."""

    def __init__(self, argv, questions, echo):
        """Start the program; raises OSError."""
        import pty  # noqa: PLC0415  # only when something is run
        import subprocess  # noqa: PLC0415

        self.questions = questions
        self.shown = b""
        self.seen = 0  # up to where the output was taken for questions
        self.master, slave = pty.openpty()
        if not echo:
            switch_echo_off(slave)
        try:
            self.child = subprocess.Popen(
                argv,
                stdin=slave,
                stdout=slave,
                stderr=slave,
                start_new_session=True,
                preexec_fn=take_terminal,  # noqa: PLW1509  # modules have no threads
            )
        except BaseException:
            os.close(self.master)
            raise
        finally:
            os.close(slave)

    def talk(self, timeout):
        """Answer until the program ends; gives whether it did before nothing was asked for `timeout` seconds."""
        import select  # noqa: PLC0415  # as above
        import time  # noqa: PLC0415

        limit = None if timeout is None else time.monotonic() + timeout
        while True:
            left = None if limit is None else limit - time.monotonic()
            if left is not None and left <= 0:
                return False
            if not select.select([self.master], [], [], 0.2 if left is None else min(left, 0.2))[0]:
                if self.child.poll() is not None:
                    return True
                continue
            try:
                data = os.read(self.master, 4096)
            except OSError:  # the terminal's other end is closed
                data = b""
            if not data:
                return self.ended(None if limit is None else max(0.0, limit - time.monotonic()))
            self.shown += data
            while self.respond():
                limit = None if timeout is None else time.monotonic() + timeout

    def ended(self, seconds):
        """Wait for the program that has closed its terminal; tells whether it ended in time."""
        import subprocess  # noqa: PLC0415  # as above

        try:
            self.child.wait(seconds)
        except subprocess.TimeoutExpired:
            return False
        return True

    def respond(self):
        """Answer the first question in the new output; tells whether there was one. Raises NoAnswerError."""
        import time  # noqa: PLC0415  # as above

        begin = max(self.seen, len(self.shown) - WINDOW)
        first = None
        for question in self.questions:
            match = question.pattern.search(self.shown, begin)
            if match and match.end() > match.start() and (first is None or match.start() < first[0].start()):
                first = (match, question)
        if first is None:
            return False
        match, question = first
        answer = question.answer()
        if answer is None:
            raise NoAnswerError(
                "there is no answer left for %r; it was asked: %s"
                % (question.text, self.shown[self.seen : match.end()].decode("utf-8", "replace"))
            )
        self.seen = match.end()
        time.sleep(PAUSE)
        os.write(self.master, answer)
        return True

    def close(self):
        """End the program if it still runs, with all that it started."""
        import signal  # noqa: PLC0415  # as above

        if self.child.poll() is None:
            try:
                os.killpg(self.child.pid, signal.SIGKILL)
            except OSError:
                pass
            self.child.wait()
        os.close(self.master)


def switch_echo_off(terminal):
    """Have the terminal not show what is typed."""
    import termios  # noqa: PLC0415  # only when something is run

    settings = termios.tcgetattr(terminal)
    settings[3] &= ~termios.ECHO
    termios.tcsetattr(terminal, termios.TCSANOW, settings)


def take_terminal():
    """Make the terminal the controlling one of this new session: programs ask for passwords on /dev/tty."""
    import fcntl  # noqa: PLC0415  # in the child alone
    import termios  # noqa: PLC0415

    fcntl.ioctl(0, termios.TIOCSCTTY, 0)


def read_timeout(module):
    """Give the timeout in seconds, None for ever."""
    value = module.args["timeout"]
    if value is None or str(value).lower() in ("", "none", "null"):
        return None
    try:
        return int(value)
    except (TypeError, ValueError):
        return module.fail("timeout must be a number of seconds, not %r" % (value,))


def read_questions(module):
    """Give the questions of the option responses."""
    questions = []
    for pattern, answers in module.args["responses"].items():
        try:
            questions.append(Question(str(pattern), answers))
        except re.error as error:
            module.fail("the pattern %r is no regular expression: %s" % (pattern, error))
    return questions


def run(module):
    """Run the command and answer."""
    args = module.args
    line = args["command"]
    if not line.strip():
        module.fail("no command was given", rc=256)
    questions = read_questions(module)
    timeout = read_timeout(module)
    if args["chdir"]:
        try:
            os.chdir(args["chdir"])
        except OSError as error:
            module.fail("cannot change to the directory %s: %s" % (args["chdir"], error.strerror or error))
    reason = commands.not_needed(args)
    if reason:
        return {"changed": False, "cmd": line, "stdout": "skipped, since %s" % reason, "rc": 0}
    start = dt.datetime.now()  # noqa: DTZ005  # results show the host's local time
    try:
        dialogue = Dialogue(shlex.split(line), questions, args["echo"])
    except (OSError, ValueError) as error:
        module.fail("cannot run %s: %s" % (line, getattr(error, "strerror", None) or error))
    try:
        in_time = dialogue.talk(timeout)
    except NoAnswerError as error:
        module.fail(str(error))
    finally:
        dialogue.close()
    end = dt.datetime.now()  # noqa: DTZ005  # as above
    text = dialogue.shown.decode("utf-8", "backslashreplace").rstrip("\r\n")
    result = {"changed": True, "cmd": line, "stdout": text}
    result.update(start=str(start), end=str(end), delta=str(end - start))
    if not in_time:
        module.fail("the command asked nothing that has an answer for %s seconds" % timeout, **result)
    result["rc"] = dialogue.child.returncode
    if result["rc"] != 0:
        module.fail("the command ended with exit status %d (non-zero return code)" % result["rc"], **result)
    return result


if __name__ == "__main__":
    from pyplay.remote.module_utils.module import main

    main(run, OPTIONS)
