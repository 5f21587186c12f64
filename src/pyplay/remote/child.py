"""The child that the Runner forks for one call: it becomes the module and never returns. Python 3.6 and up."""

import _signal  # what `signal` wraps in enums, which touch a hundred pages of a child
import io
import os
import sys

from pyplay.remote.module_utils import json_text

JSON_ARGS = b"<<INCLUDE_ANSIBLE_MODULE_JSON_ARGS>>"
CHANNEL = "pyplay.remote.module_utils.channel"
API = "pyplay.remote.module_utils.module"


def become_module(runner, call, module, pipes):
    """Run the module and exit with its status."""
    status = 1
    try:
        enter(runner, pipes)
        if call.header.get("env"):
            adopt_environment(call.header["env"])
        job = call.header.get("job")
        if job:
            from pyplay.remote.async_job import detach  # noqa: PLC0415  # loaded where it is needed

            status = detach(job, call.folder, perform, (runner, call, module, pipes))
        else:
            perform(runner, call, module, pipes)
    except SystemExit as error:
        status = exit_status(error)
    except BaseException:  # the edge of the process
        report()
    finally:
        leave(status)


def perform(runner, call, module, pipes):
    """Be the module from here on; exits with its status."""
    status = 1
    try:
        if module.style in ("pyplay", "python") and not call.header.get("fresh"):
            status = run_python(runner, call, module, pipes)
        else:
            run_program(call, module, runner.sources, pipes)
    except SystemExit as error:
        status = exit_status(error)
    except BaseException:  # the edge of the process
        report()
    finally:
        leave(status)


def enter(runner, pipes):
    """Become a process of its own: session, signals, descriptors."""
    _signal.set_wakeup_fd(-1)
    for number in (_signal.SIGCHLD, _signal.SIGTERM, _signal.SIGHUP):
        _signal.signal(number, _signal.SIG_DFL)
    _signal.signal(_signal.SIGINT, _signal.default_int_handler)
    os.setsid()  # last: as leader of a group we get the signals meant for it, and must not swallow them
    near = [pipe[kind == 4] for kind, pipe in pipes.items()]
    for number in set(runner.descriptors()).union(near):
        if number > 2:
            os.close(number)
    null = os.open("/dev/null", os.O_RDWR)
    for number, source in ((0, null), (1, pipes[1][1]), (2, pipes[2][1])):
        os.dup2(source, number)
        if source > 2:
            os.close(source)
    sys.stdout, sys.stderr = sys.__stdout__, sys.__stderr__ = runner.streams


def make_streams():
    """Give the standard output and error of children. They stand for descriptors: the Runner makes them once."""
    return (
        io.TextIOWrapper(io.open(1, "wb", closefd=False), "utf-8", "surrogateescape"),  # stays open
        io.TextIOWrapper(
            io.open(2, "wb", closefd=False),  # stays open
            "utf-8",
            "backslashreplace",
            line_buffering=True,
        ),
    )


def adopt_environment(environment):
    """Take over the task's environment variables."""
    os.environ.update(environment)
    if "TZ" in environment:
        import time  # noqa: PLC0415  # loaded where it is needed

        time.tzset()


def leave(status):
    """Exit as a Python program does, without tearing the interpreter down."""
    try:
        if "threading" in sys.modules:
            sys.modules["threading"]._shutdown()  # noqa: SLF001  # what the interpreter does at its end
        if "atexit" in sys.modules:
            sys.modules["atexit"]._run_exitfuncs()  # noqa: SLF001  # what the interpreter does at its end
        sys.stdout.flush()
        sys.stderr.flush()
    except BaseException:  # nobody is left to tell
        status = status or 1
    finally:
        os._exit(status & 255)


def exit_status(error):
    """Give the exit status that SystemExit asks for; a text goes to standard error."""
    if error.code is None:
        return 0
    if isinstance(error.code, int):
        return error.code
    sys.stderr.write("%s\n" % error.code)
    return 1


def report(caller=__file__):
    """Write the traceback of what the module raised, from its own frames on: `caller` is another file of ours."""
    import traceback  # noqa: PLC0415  # loaded where it is needed

    kind, error, trace = sys.exc_info()
    inner = trace
    while inner is not None and inner.tb_frame.f_code.co_filename in (__file__, caller):
        inner = inner.tb_next
    traceback.print_exception(kind, error, inner or trace)


# -- Python in this process ---------------------------------------------------------------------------------------


def run_python(runner, call, module, pipes):
    """Run compiled code as `__main__`; gives its exit status."""
    sources = runner.sources
    sources.table = module.table
    if module.private:
        for name in set(runner.imported).union(module.table):
            sys.modules.pop(name, None)
    if module.needs_site:
        run_site()
    if sys.version_info < (3, 7) and "random" in sys.modules:
        sys.modules["random"].seed()
    if 3 in pipes:
        channel = __import__(CHANNEL, None, None, ["attach"])
        channel.attach(channel.Channel(pipes[4][0], pipes[3][1], blobs_of(call)))
    sys.argv = [module.path]
    if call.given is not None:
        main = sys.modules["__main__"] = module.ready
        main.__name__ = "__main__"
        sys.modules[API].main(main.run, main.OPTIONS, call.given)
    arguments = call.body[: call.header["args"]]
    if module.style == "python":
        os.dup2(as_file(arguments), 0)
        sys.stdin = io.open(0, "r", encoding="utf-8", closefd=False)  # noqa: SIM115  # stays open
    else:
        sys.stdin = io.TextIOWrapper(io.BytesIO(arguments), "utf-8")
    main = sys.modules["__main__"] = new_main("__main__", module, sources)
    if module.package:
        __import__(module.package)
        main.__package__ = module.package
    exec(sources.code(module.main, module.path), main.__dict__)  # this is what a Runner is for
    return 0


def new_main(name, module, sources):
    """Give an empty module for the main part of `module`."""
    main = type(sys)(name)
    main.__file__ = module.path
    main.__loader__ = sources
    return main


def prepare(module, sources):
    """Run, before the fork, the body of a module of ours: definitions and its guarded last lines, nothing else.

    Gives the module object, None if its body did not come to its end. A child only calls `main` then.
    """
    main = new_main("__prepared__", module, sources)
    try:
        exec(sources.code(module.main, module.path), main.__dict__)
        __import__(API)
    except BaseException:  # the child meets it again, where it can be told
        return None
    return main


def blobs_of(call):
    """Give the contents that came with the call, by name."""
    at = call.header["args"]
    found = {}
    for name, size in call.header.get("blobs", ()):
        found[name] = call.body[at : at + size]
        at += size
    return found


def as_file(data):
    """Give a descriptor from which `data` can be read; nothing is left on a disk."""
    if len(data) < 60000:  # what a pipe holds
        near, far = os.pipe()
        os.write(far, data)
        os.close(far)
        return near
    import tempfile  # noqa: PLC0415  # loaded where it is needed

    with tempfile.TemporaryFile() as file:
        file.write(data)
        file.seek(0)
        return os.dup(file.fileno())


def run_site():
    """Give this process the `sys.path` of a plain `python3`: PYTHONPATH, site-packages, the user's, `.pth` files.

    The Runner was started with -I -S. Done in every child, so that one sees what the task before it installed.
    """
    import site  # noqa: PLC0415  # loaded where it is needed

    extra = [path for path in os.environ.get("PYTHONPATH", "").split(os.pathsep) if path]
    sys.path[:0] = extra
    same = os.geteuid() == os.getuid() and os.getegid() == os.getgid()
    site.ENABLE_USER_SITE = same and not os.environ.get("PYTHONNOUSERSITE")
    site.main()
    sys.path_importer_cache.clear()


# -- programs -----------------------------------------------------------------------------------------------------


def run_program(call, module, sources, pipes):
    """Replace this process by a program of any language, or by a fresh Python. Its file lives for the run alone."""
    arguments = call.body[: call.header["args"]]
    plain = call.body[call.header["args"] :] if call.header.get("plain") else arguments
    if module.style in ("pyplay", "python"):
        path = os.path.join(call.folder, "module.pyz")
        write_zip(path, module, sources)
        command = [sys.executable, path]
        if 3 in pipes:
            os.environ["PYPLAY_CHANNEL"] = "%d,%d" % (pipes[4][0], pipes[3][1])
            os.set_inheritable(pipes[4][0], True)  # noqa: FBT003  # the library's signature
            os.set_inheritable(pipes[3][1], True)  # noqa: FBT003  # the library's signature
    else:
        path = os.path.join(call.folder, os.path.basename(module.path))
        source = sources.parts[module.main]
        if module.style == "json_args":
            given = json_text.read(plain.decode())["ANSIBLE_MODULE_ARGS"]
            source = source.replace(JSON_ARGS, json_text.write(given).encode())
        write_file(path, source, 0o700)
        command = launcher(module.path, source, call.header.get("interpreters") or {}) + [path]  # noqa: RUF005  # Python 3.6 reads it
        write_file(os.path.join(call.folder, "args"), plain, 0o600)
        command.append(os.path.join(call.folder, "args"))
    write_file(os.path.join(call.folder, "stdin"), arguments, 0o600)
    os.dup2(os.open(os.path.join(call.folder, "stdin"), os.O_RDONLY), 0)
    _signal.signal(_signal.SIGPIPE, _signal.SIG_DFL)
    try:
        os.execvp(command[0], command)
    except OSError as error:
        sys.stderr.write("%s: cannot be run: %s\n" % (command[0], error.strerror))
        raise SystemExit(127)  # noqa: B904  # the message is all there is to say


def launcher(name, source, interpreters):
    """Give the words that start a program's file, none for a binary.

    The interpreter of the first line is started by name instead of the file, so that a directory mounted noexec does no
    harm. For Python it is the one that we run under, for others the one that `interpreters` names.
    """
    if not source.startswith(b"#!"):
        return [sys.executable] if name.endswith(".py") else []
    words = source.split(b"\n", 1)[0][2:].decode("utf-8", "replace").strip().split(None, 1)
    if os.path.basename(words[0]) == "env" and len(words) > 1:
        words = words[1].replace("-S ", "", 1).split()
    own = interpreters.get(os.path.basename(words[0]))
    if own:
        return own.split() + words[1:]
    if os.path.basename(words[0]).startswith("python"):
        return [sys.executable] + words[1:]  # noqa: RUF005  # Python 3.6 reads it
    return words


def write_file(path, data, mode):
    """Write a new file with this mode."""
    descriptor = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, mode)
    with io.open(descriptor, "wb") as file:
        file.write(data)


def as_member(path, digest, sources):
    """Give name and content of a part in a zip; that of code has the head that Python expects of a compiled file."""
    data = sources.parts[digest]
    if digest not in sources.compiled:
        return path, data
    from importlib.util import MAGIC_NUMBER  # noqa: PLC0415  # loaded where it is needed

    return path[: -len(".py")] + ".pyc", MAGIC_NUMBER + bytes(12) + data


def write_zip(path, module, sources):
    """Write the module as the zip that can be run by hand."""
    import zipfile  # noqa: PLC0415  # loaded where it is needed

    with zipfile.ZipFile(path, "w") as archive:
        for name, entry in module.table.items():
            if name != "__main__":
                archive.writestr(*as_member(entry[1], entry[0], sources))
        if not module.package:
            archive.writestr(*as_member("__main__.py", module.main, sources))
            return
        name = "%s.%s" % (module.package, module.path[: -len(".py")])
        archive.writestr(name.replace(".", "/") + ".py", sources.parts[module.main])
        start = "import runpy\nrunpy.run_module('%s', run_name='__main__', alter_sys=True)\n" % name
        archive.writestr("__main__.py", start)
