"""A limit on the time that a fact takes."""

import functools
import threading

GATHER_TIMEOUT = None
DEFAULT_GATHER_TIMEOUT = 10


class TimeoutError(Exception):  # noqa: A001  # the name that importers use
    """It took too long."""


def timeout(seconds=None, error_message="the time is over"):
    """Give a decorator: a function that takes longer raises TimeoutError."""

    def decorate(function):
        @functools.wraps(function)
        def limited(*args, **kwargs):
            answer = []

            def work():
                try:
                    answer.append((function(*args, **kwargs), None))
                except Exception as error:
                    answer.append((None, error))

            worker = threading.Thread(target=work, daemon=True)
            worker.start()
            limit = seconds or GATHER_TIMEOUT or DEFAULT_GATHER_TIMEOUT
            worker.join(limit)
            if not answer:
                raise TimeoutError("%s after %s seconds" % (error_message, limit))
            value, error = answer[0]
            if error is not None:
                raise error
            return value

        return limited

    return decorate
