"""Modules that speak to an API: its options, waiting between tries."""

import copy
import functools
import random
import time

RATE = {"rate": {"type": "int"}, "rate_limit": {"type": "int"}}
RETRY = {"retries": {"type": "int"}, "retry_pause": {"type": "float", "default": 1}}
AUTH = {
    "api_username": {"type": "str"},
    "api_password": {"type": "str", "no_log": True},
    "api_url": {"type": "str"},
    "validate_certs": {"type": "bool", "default": True},
}


def _with(base, spec):
    found = copy.deepcopy(base)
    found.update(spec or {})
    return found


def rate_limit_argument_spec(spec=None):
    """Give the options of rate limits, with those of `spec`."""
    return _with(RATE, spec)


def retry_argument_spec(spec=None):
    """Give the options of retries, with those of `spec`."""
    return _with(RETRY, spec)


def basic_auth_argument_spec(spec=None):
    """Give the options of logging in with a password, with those of `spec`."""
    return _with(AUTH, spec)


def rate_limit(rate=None, rate_limit=None):
    """Give a decorator: at most `rate` calls in `rate_limit` seconds."""
    pause = float(rate_limit) / float(rate) if rate and rate_limit else 0.0

    def decorate(function):
        last = [0.0]

        @functools.wraps(function)
        def limited(*args, **kwargs):
            rest = pause - (time.monotonic() - last[0])
            if rest > 0:
                time.sleep(rest)
            last[0] = time.monotonic()
            return function(*args, **kwargs)

        return limited

    return decorate


def retry(retries=None, retry_pause=1):
    """Give a decorator: called again where the answer is false or an exception, up to `retries` times."""

    def decorate(function):
        @functools.wraps(function)
        def again(*args, **kwargs):
            if retries is None:
                return function(*args, **kwargs)
            for _ in range(retries):
                try:
                    answer = function(*args, **kwargs)
                except Exception:
                    answer = None
                if answer:
                    return answer
                time.sleep(retry_pause)
            raise Exception("no answer after %d tries" % retries)  # noqa: TRY002  # importers catch it

        return again

    return decorate


def generate_jittered_backoff(retries=10, delay_base=3, delay_threshold=60):
    """Give seconds to wait before each of some tries: random, up to a bound that doubles."""
    for attempt in range(retries):
        yield random.randint(0, min(delay_threshold, delay_base * 2**attempt))


def retry_never(exception_or_result):  # a condition's signature
    """Tell that there is no use in trying again."""
    return False


def retry_with_delays_and_condition(backoff_iterator, should_retry_error=None):
    """Give a decorator: called again after each of these delays, while `should_retry_error` says so."""
    condition = should_retry_error or retry_never
    delays = list(backoff_iterator)

    def decorate(function):
        @functools.wraps(function)
        def again(*args, **kwargs):
            for delay in delays:
                try:
                    return function(*args, **kwargs)
                except Exception as error:
                    if not condition(error):
                        raise
                time.sleep(delay)
            return function(*args, **kwargs)

        return again

    return decorate
