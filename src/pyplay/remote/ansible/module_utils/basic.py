"""`AnsibleModule`: one call of a module of the Ansible world, from its arguments to its result."""

import json
import locale
import os
import platform
import re
import shlex
import shutil
import signal
import stat
import subprocess
import sys
import syslog
import tempfile
import time
import traceback
import types
from itertools import chain, repeat

from pyplay.remote.module_utils import process
from pyplay.remote.module_utils.module import read_arguments

from ._attributes import FILE_COMMON_ARGUMENTS, FileAttributes
from .ansible_release import __version__ as _VERSION  # noqa: N812
from .common._utils import get_all_subclasses
from .common.arg_spec import ModuleArgumentSpecValidator
from .common.collections import (
    Mapping,
    MutableMapping,
    Sequence,
    Set,
    is_iterable,
)
from .common.file import FILE_ATTRIBUTES, is_executable
from .common.locale import get_best_parsable_locale
from .common.parameters import (
    DEFAULT_TYPE_VALIDATORS,
    PASS_BOOLS,
    PASS_VARS,
    env_fallback,
    remove_values,
    sanitize_keys,
)
from .common.process import get_bin_path
from .common.sys_info import get_distribution, get_distribution_version, get_platform_subclass
from .common.text.converters import (
    container_to_bytes as json_dict_unicode_to_bytes,
)
from .common.text.converters import (
    container_to_text as json_dict_bytes_to_unicode,
)
from .common.text.converters import (
    jsonify,
    to_bytes,
    to_native,
    to_text,
)
from .common.text.formatters import SIZE_RANGES, bytes_to_human, human_to_bytes, lenient_lowercase
from .common.validation import check_missing_parameters, safe_eval
from .common.warnings import deprecate, get_deprecation_messages, get_warning_messages, warn
from .errors import AnsibleFallbackNotFound, AnsibleValidationErrorMultiple, UnsupportedError
from .parsing.convert_bool import BOOLEANS, BOOLEANS_FALSE, BOOLEANS_TRUE, boolean
from .six import PY2, PY3, b, binary_type, integer_types, iteritems, string_types, text_type

# What `from ansible.module_utils.basic import *` and direct imports of it are used to finding here, too.
_ALSO_HERE = (
    AnsibleFallbackNotFound,
    AnsibleValidationErrorMultiple,
    BOOLEANS,
    BOOLEANS_FALSE,
    BOOLEANS_TRUE,
    FILE_ATTRIBUTES,
    Mapping,
    MutableMapping,
    PY2,
    PY3,
    SIZE_RANGES,
    Sequence,
    Set,
    UnsupportedError,
    b,
    binary_type,
    chain,
    env_fallback,
    get_all_subclasses,
    get_best_parsable_locale,
    get_distribution,
    get_distribution_version,
    integer_types,
    is_executable,
    is_iterable,
    iteritems,
    json_dict_bytes_to_unicode,
    json_dict_unicode_to_bytes,
    jsonify,
    lenient_lowercase,
    locale,
    platform,
    repeat,
    sanitize_keys,
    shutil,
    signal,
    stat,
    string_types,
    subprocess,
    syslog,
    text_type,
    time,
    to_bytes,
    types,
)

TELLING = 3  # the verbosity from which on a failure shows its traceback
HAVE_SELINUX = True
HAS_SYSLOG = True
has_journal = False
_literal_eval = safe_eval
NoneType = type(None)
SEQUENCETYPE = (frozenset, Sequence)
PASSWORD_MATCH = re.compile(
    r"^(?!.*?(?:disable|enable|require|force|use|generate)).*(?:pass|token|secret)", re.IGNORECASE
)
NO_SECRETS = re.compile(r"^(?:.*_)?(?:file|path|url|id|type|expir\w*|length|policy|method|ttl)$", re.IGNORECASE)
AVAILABLE_HASH_ALGORITHMS = {}
imap = map


def _hashes():
    """Fill AVAILABLE_HASH_ALGORITHMS with what hashlib offers: name → function."""
    import hashlib  # noqa: PLC0415  # few modules need it

    for name in ("md5", "sha1", "sha224", "sha256", "sha384", "sha512"):
        try:
            getattr(hashlib, name)()
        except ValueError:  # a policy such as FIPS forbids it
            continue
        AVAILABLE_HASH_ALGORITHMS[name] = getattr(hashlib, name)


_hashes()
_given = []


def load_arguments():
    """Give the arguments of this call; they are read once, from the file that is named or from standard input."""
    if not _given:
        try:
            _given.append(read_arguments(sys.argv[1:2]))
        except (ValueError, OSError) as error:
            text = "cannot read the module's arguments: %s" % error
            print(json.dumps({"msg": text, "failed": True, "changed": False}))  # noqa: T201  # the contract
            sys.exit(1)
    return _given[0]


_load_params = load_arguments


def missing_required_lib(library, reason=None, url=None):
    """Give the sentence that says that the host's Python lacks a library."""
    where = "Failed to import the required Python library (%s) on %s's Python %s."
    words = [where % (library, platform.node(), sys.executable)]
    words.append(" It is needed %s." % reason if reason else "")
    words.append(" See %s." % url if url else "")
    return "".join(words) + " Install it, or have ansible_python_interpreter name a Python that has it"


def get_platform():
    """Give the name of the system, as `platform` knows it."""
    return platform.system()


def load_platform_subclass(cls, *args, **kwargs):  # an older signature has them
    """Give an object of the class below `cls` that is for this platform."""
    subclass = get_platform_subclass(cls)
    return object.__new__(subclass)


def heuristic_log_sanitize(data, no_log_values=None):
    """Give text without the passwords of URLs (`user:password@`) and without these secrets."""
    text = re.sub(r"(://[^/\s:@]*:)[^/\s@]+(@)", r"\g<1>********\2", to_text(data))
    return remove_values(text, no_log_values) if no_log_values else text


class AnsibleModule(FileAttributes):
    """One call of a module: `params` are its checked arguments, exit_json and fail_json end it."""

    _CHECK_ARGUMENT_TYPES_DISPATCHER = DEFAULT_TYPE_VALIDATORS  # modules of network collections convert with it

    def __init__(
        self,
        argument_spec,
        bypass_checks=False,
        no_log=False,
        mutually_exclusive=None,
        required_together=None,
        required_one_of=None,
        add_file_common_args=False,
        supports_check_mode=False,
        required_if=None,
        required_by=None,
    ):
        self._name = os.path.splitext(os.path.basename(sys.argv[0] or "module"))[0]
        self.argument_spec = argument_spec
        self.supports_check_mode = supports_check_mode
        self.check_mode = False
        self.bypass_checks = bypass_checks
        self.no_log = no_log
        self.mutually_exclusive = mutually_exclusive
        self.required_together = required_together
        self.required_one_of = required_one_of
        self.required_if = required_if
        self.required_by = required_by
        self.cleanup_files = []
        self.run_command_environ_update = {}
        self.aliases = {}
        self.no_log_values = set()
        self._clean = {}
        self._diff = self._debug = False
        if add_file_common_args:
            for name, option in FILE_COMMON_ARGUMENTS.items():
                self.argument_spec.setdefault(name, dict(option))
        os.environ.setdefault("LANG", "C")
        try:
            os.getcwd()
        except OSError:  # it was removed under us
            os.chdir(os.path.expanduser("~") if os.path.isdir(os.path.expanduser("~")) else "/")
        self._load()
        signal.signal(signal.SIGTERM, _stop)
        signal.signal(signal.SIGHUP, _stop)
        self._check()
        if self.check_mode and not self.supports_check_mode:
            message = "the module %s does not support check mode" % self._name
            self.exit_json(skipped=True, msg=message)
        self._set_no_log_warnings()
        if not self.no_log:
            self._log_invocation()

    # -- arguments ----------------------------------------------------------------------------------------------

    def _load(self):
        """Take the arguments: the internal ones become attributes, the others `params`."""
        given = load_arguments()
        self.params = {name: value for name, value in given.items() if not name.startswith("_ansible_")}
        for name, (attribute, default) in PASS_VARS.items():
            value = given.get("_ansible_" + name)
            if value is None:
                if not hasattr(self, attribute) or name not in ("module_name", "no_log"):
                    setattr(self, attribute, default)
            else:
                setattr(self, attribute, boolean(value) if name in PASS_BOOLS else value)
        if self.ansible_version == "0.0":
            self.ansible_version = _VERSION

    def _check(self):
        validator = ModuleArgumentSpecValidator(
            self.argument_spec,
            self.mutually_exclusive,
            self.required_together,
            self.required_one_of,
            self.required_if,
            self.required_by,
        )
        validator.module_name = self._name
        result = validator.validate(self.params)
        self.params.clear()
        self.params.update(result.validated_parameters)
        self.no_log_values.update(to_native(value) for value in result._no_log_values)
        self.aliases.update(result._aliases)
        if result.errors and not self.bypass_checks:
            faults = list(result.errors)
            if self._ignore_unknown_opts:
                faults = [fault for fault in faults if not isinstance(fault, UnsupportedError)]
            if faults:
                self.fail_json(msg="; ".join(fault.msg for fault in faults))

    def _set_no_log_warnings(self):
        """Warn of options that look like secrets and do not say whether they are."""
        for name, option in self.argument_spec.items():
            kind = option.get("type", "str")
            secret = PASSWORD_MATCH.search(name) and not NO_SECRETS.search(name)
            if secret and option.get("no_log") is None and kind != "bool" and not option.get("choices"):
                self.warn("the module does not say whether its option %r is secret (no_log)" % name)
            if option.get("removed_in_version") and self._was_given(name):
                version = option["removed_in_version"]
                self.deprecate(
                    "the option %r is deprecated" % name,
                    version=version,
                    collection_name=option.get("removed_from_collection"),
                )
            elif option.get("removed_at_date") and self._was_given(name):
                self.deprecate(
                    "the option %r is deprecated" % name,
                    date=option["removed_at_date"],
                    collection_name=option.get("removed_from_collection"),
                )

    def _was_given(self, name):
        return name in load_arguments()

    def fail_on_missing_params(self, required_params=None):
        """Fail where one of these options has no value."""
        try:
            check_missing_parameters(self.params, required_params)
        except TypeError as error:
            self.fail_json(msg=to_native(error))

    def boolean(self, arg):
        """Give a truth value; fails for what is none."""
        if arg is None:
            return arg
        try:
            return boolean(arg)
        except TypeError as error:
            return self.fail_json(msg=to_native(error))

    # -- places, words ------------------------------------------------------------------------------------------

    @property
    def tmpdir(self):
        """A directory of this module's own, made when first asked for and removed at its end."""
        if self._tmpdir is None or not os.path.isdir(self._tmpdir):
            base = os.path.expanduser(os.path.expandvars(self._remote_tmp)) if self._remote_tmp else None
            if base is not None and not os.path.isdir(base):
                base = None
            self._tmpdir = tempfile.mkdtemp(prefix="ansible-moduletmp-%s-" % time.time(), dir=base)
            self._clean[self._tmpdir] = True
        return self._tmpdir

    def get_bin_path(self, arg, required=False, opt_dirs=None):
        """Give the path of a program, None where the host has none of that name; fails where it is `required`."""
        try:
            return get_bin_path(arg, opt_dirs)
        except ValueError as error:
            if required:
                self.fail_json(msg=to_native(error))
        return None

    bytes_to_human = pretty_bytes = staticmethod(bytes_to_human)

    @staticmethod
    def human_to_bytes(number, isbits=False):
        """Give what people write as an amount of bytes."""
        return human_to_bytes(number, isbits=isbits)

    def check_file_absent_if_check_mode(self, file_path):
        """Tell whether this is check mode and a file is not there: it would be by now without check mode."""
        return self.check_mode and not os.path.exists(file_path)

    def jsonify(self, data):
        """Give JSON text."""
        try:
            return jsonify(data)
        except (TypeError, UnicodeError) as error:
            return self.fail_json(msg=to_text(error))

    def from_json(self, data):
        """Give what JSON text says. Raises ValueError."""
        return json.loads(data)

    def get_buffer_size(self, fd):  # an older interface
        """Give how much is read at once."""
        return 9000

    # -- what is told -------------------------------------------------------------------------------------------

    def warn(self, warning, **about):
        """Have the user warned."""
        warn(warning, **about)

    def error_as_warning(self, msg, exception, **about):  # the signature in use
        """Have the user warned of an exception."""
        warn("%s: %s" % (msg, exception) if msg else str(exception))

    def deprecate(self, msg, version=None, date=None, collection_name=None, **about):
        """Have the user told that something will go away."""
        if version is not None and date is not None:
            raise AssertionError("what goes away does so in a version or at a date, not both")
        deprecate(msg, version=version, date=date, collection_name=collection_name, **about)

    def debug(self, msg):
        """Log, where debugging is on."""
        if self._debug:
            self.log("[debug] %s" % msg)

    def log(self, msg, log_args=None):
        """Write to the host's log, without the secrets. Nothing is written where no_log is on."""
        if self.no_log:
            return
        text = remove_values(to_text(msg, errors="surrogate_or_replace"), self.no_log_values)
        if log_args:
            shown = (
                "%s=%s" % (name, remove_values(str(value), self.no_log_values)) for name, value in log_args.items()
            )
            text = "%s (%s)" % (text, " ".join(shown))
        if self._target_log_info:
            text = "%s %s" % (self._target_log_info, text)
        facility = getattr(syslog, "LOG_%s" % str(self._syslog_facility).replace("LOG_", "").upper(), syslog.LOG_USER)
        name = "ansible-%s" % re.sub(r"[^\w.-]", "_", str(self._name))
        try:
            syslog.openlog(name, 0, facility)
            syslog.syslog(syslog.LOG_INFO, text.replace("\0", "").encode("utf-8", "replace").decode("utf-8"))
        except (OSError, TypeError, ValueError) as error:
            self.warn("cannot write to the host's log: %s" % error)

    def _log_invocation(self):
        """Write to the host's log that the module was called, and with what."""
        shown = {}
        for name, value in self.params.items():
            option = self.argument_spec.get(self.aliases.get(name, name), {})
            secret = option.get("no_log")
            if secret is None:
                secret = (
                    bool(PASSWORD_MATCH.search(name)) and option.get("type") != "bool" and not option.get("choices")
                )
            shown[name] = "NOT_LOGGING_PASSWORD" if secret else heuristic_log_sanitize(str(value), self.no_log_values)
        words = " ".join("%s=%s" % pair for pair in shown.items())
        self.log("Invoked with %s" % words if words else "Invoked")

    # -- the end ------------------------------------------------------------------------------------------------

    def exit_json(self, **kwargs):
        """Give the result and end well."""
        self.do_cleanup_files()
        self._return_formatted(kwargs)
        sys.exit(0)

    def fail_json(self, msg, **kwargs):
        """Give the result and end as failed, for the reason `msg`; a traceback is told from -vvv on."""
        kwargs["failed"] = True
        kwargs["msg"] = msg
        current = sys.exc_info()[0]
        given = kwargs.pop("exception", None)
        if isinstance(given, BaseException):
            kwargs["exception"] = "".join(traceback.format_exception(type(given), given, given.__traceback__))
        elif given is not None:
            kwargs["exception"] = given
        elif current is not None and current is not SystemExit:
            kwargs["exception"] = traceback.format_exc()
        if self._verbosity < TELLING:
            kwargs.pop("exception", None)
        self.do_cleanup_files()
        self._return_formatted(kwargs)
        sys.exit(1)

    def _return_formatted(self, result):
        self.add_path_info(result)
        result.setdefault("changed", False)
        result.setdefault("invocation", {"module_args": self._shown_params()})
        for warning in _as_list(result.pop("warnings", ())):
            self.warn(warning if isinstance(warning, str) else to_text(warning))
        for entry in _as_list(result.pop("deprecations", ())):
            self._take_deprecation(entry)
        if get_warning_messages():
            result["warnings"] = list(get_warning_messages())
        if get_deprecation_messages():
            result["deprecations"] = list(get_deprecation_messages())
        kept = {name: result[name] for name in ("changed", "failed", "skipped") if name in result}
        result = remove_values(result, self.no_log_values)
        result.update(kept)
        sys.stdout.write("\n%s\n" % jsonify(result))
        sys.stdout.flush()

    def _take_deprecation(self, entry):
        if isinstance(entry, Mapping):
            about = {name: entry.get(name) for name in ("version", "date", "collection_name")}
            self.deprecate(entry["msg"], **about)
        elif isinstance(entry, (list, tuple)) and len(entry) == 2:
            self.deprecate(entry[0], version=entry[1])
        else:
            self.deprecate(to_text(entry))

    def _shown_params(self):
        return {name: value for name, value in self.params.items() if not name.startswith("_ansible_")}

    def add_cleanup_file(self, path):
        """Have a file or directory removed when the module ends."""
        if path not in self.cleanup_files:
            self.cleanup_files.append(path)

    def do_cleanup_files(self):
        """Remove what is to be removed at the end."""
        for path in self.cleanup_files:
            self.cleanup(path)
        for path in self._clean:
            shutil.rmtree(path, ignore_errors=True)

    def cleanup(self, tmpfile):
        """Remove a file; one that cannot be removed is warned of."""
        if os.path.exists(tmpfile):
            try:
                os.unlink(tmpfile)
            except OSError as error:
                sys.stderr.write("could not cleanup %s: %s" % (tmpfile, to_native(error)))

    # -- programs -----------------------------------------------------------------------------------------------

    def run_command(
        self,
        args,
        check_rc=False,
        close_fds=True,  # the signature in use; others are never handed on
        executable=None,
        data=None,
        binary_data=False,
        path_prefix=None,
        cwd=None,
        use_unsafe_shell=False,
        prompt_regex=None,
        environ_update=None,
        umask=None,
        encoding="utf-8",
        errors="surrogate_or_strict",
        expand_user_and_vars=True,
        pass_fds=None,
        before_communicate_callback=None,
        ignore_invalid_cwd=True,
        handle_exceptions=True,
    ):
        """Run a program and give (rc, stdout, stderr): text in `encoding`, bytes where that is None.

        `args` are words, or a text that is split into words, or with `use_unsafe_shell` a line for the shell. Where the
        output matches `prompt_regex` and nothing more comes, the program is ended and rc is 257. `check_rc` fails the
        module where rc is not 0.
        """
        if not isinstance(args, (list, str, bytes)):
            self.fail_json(rc=257, cmd=args, msg="run_command takes words or text, not %r" % type(args))
        words = _command_words(args, use_unsafe_shell, executable or self._shell, expand_user_and_vars)
        shown = self._clean_args(args if use_unsafe_shell else words)
        if not words:
            self.fail_json(rc=257, stdout="", stderr="", cmd=shown, msg="Error executing command: it is empty")
        environment = self._environment(environ_update, path_prefix)
        if cwd is not None:
            cwd = os.path.abspath(os.path.expanduser(to_native(cwd)))
            if not os.path.isdir(cwd):
                if not ignore_invalid_cwd:
                    self.fail_json(msg="cwd is not a valid directory: %s" % cwd)
                cwd = None
        feed = to_bytes(data) + (b"" if binary_data else b"\n") if data else None
        self.debug("Executing: " + shown)
        try:
            rc, out, err = process.run(
                words,
                stdin=feed,
                cwd=cwd,
                environment=environment,
                umask=umask,
                binary=True,
                plain=False,
                pass_fds=tuple(pass_fds or ()),
                started=before_communicate_callback,
                prompt=_prompt(prompt_regex),
            )
        except OSError as error:
            if not handle_exceptions:
                raise
            message = "Error executing command %s: %s" % (shown, error.strerror or error)
            return self.fail_json(rc=error.errno or 1, stdout="", stderr="", msg=message, cmd=shown)
        except process.Prompted as asked:
            reason = b"the program asks for input and none was given"
            return (257,) + _texts(asked.output, reason, encoding, errors)
        out, err = _texts(out, err, encoding, errors)
        if rc != 0 and check_rc:
            message = heuristic_log_sanitize(to_text(err).rstrip(), self.no_log_values)
            self.fail_json(cmd=shown, rc=rc, stdout=out, stderr=err, msg=message)
        return rc, out, err

    def _environment(self, update, path_prefix):
        environment = dict(self.run_command_environ_update)
        environment.update(update or {})
        if path_prefix:
            path = environment.get("PATH") or os.environ.get("PATH", "")
            environment["PATH"] = os.pathsep.join([path_prefix, path]) if path else path_prefix
        return {to_native(name): to_native(value) for name, value in environment.items()}

    def _clean_args(self, args):
        """Give a command for people to read: passwords that follow --password and the like are hidden."""
        if isinstance(args, (str, bytes)):
            words = shlex.split(to_native(args))
        else:
            words = [to_native(word) for word in args if word is not None]
        shown, hide = [], False
        for word in words:
            if hide:
                shown.append("********")
                hide = False
                continue
            match = re.match(r"(-{1,2}[-\w]*?(?:pass(?!ive)|token|secret)[-\w]*)(=?)(.*)", word)
            if match and match.group(2):
                shown.append("%s=********" % match.group(1))
                continue
            hide = match is not None and not match.group(3)
            shown.append(heuristic_log_sanitize(word, self.no_log_values))
        return " ".join(shlex.quote(word) for word in shown)


def _stop(number, frame):  # the signature of a signal handler
    raise SystemExit(128 + number)


def _as_list(value):
    return value if isinstance(value, (list, tuple)) else [value]


def _texts(out, err, encoding, errors):
    if encoding is None:
        return out, err
    return to_text(out, encoding, errors), to_text(err, encoding, errors)


def _prompt(regex):
    if not regex:
        return None
    try:
        return re.compile(to_bytes(regex), re.MULTILINE)
    except re.error as error:
        raise ValueError("%r is no regular expression: %s" % (regex, error)) from None


def _command_words(args, shell, executable, expand):
    """Give what to run: words, or for the shell a text, or words that name another shell than /bin/sh."""
    if shell:
        line = to_native(args) if isinstance(args, (str, bytes)) else " ".join(shlex.quote(to_native(w)) for w in args)
        return line if executable in (None, "/bin/sh") else [executable, "-c", line]
    words = shlex.split(to_native(args)) if isinstance(args, (str, bytes)) else args
    words = [to_native(word) for word in words if word is not None]
    return [os.path.expanduser(os.path.expandvars(word)) for word in words] if expand else words
