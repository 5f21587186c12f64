"""Services: init scripts, daemons."""

import glob
import os
import pickle
import select
import shlex
import subprocess

from .common.text.converters import to_text


def sysv_is_enabled(name, runlevel=None):
    """Tell whether an init script is started, in some runlevel or in this one."""
    level = runlevel or "?"
    return any(os.path.exists(path) for path in glob.glob("/etc/rc%s.d/S??%s" % (level, name))) or bool(
        glob.glob("/etc/rc.d/rc%s.d/S??%s" % (level, name))
    )


def get_sysv_script(name):
    """Give the path of an init script."""
    return name if name.startswith("/") else "/etc/init.d/%s" % name


def sysv_exists(name):
    """Tell whether there is an init script of this name."""
    return os.path.exists(get_sysv_script(name))


def get_ps(module, pattern):
    """Tell whether a process is there whose line in `ps` holds this text."""
    flags = "-ef" if os.uname().sysname == "SunOS" else "auxww"
    rc, out, _err = module.run_command([module.get_bin_path("ps", required=True), flags])
    return rc == 0 and any(pattern in line for line in out.splitlines())


def fail_if_missing(module, found, service, msg=""):
    """Fail where a service was not found."""
    if not found:
        module.fail_json(msg="the service %s is not there%s" % (service, ": %s" % msg if msg else ""))


def fork_process():
    """Fork; the child is in a session of its own and speaks to nobody. Gives the child's number, 0 in the child."""
    pid = os.fork()
    if pid == 0:
        null = os.open(os.devnull, os.O_RDWR)
        for number in range(3):
            os.dup2(null, number)
        os.setsid()
    return pid


def daemonize(module, cmd):
    """Run a command as a daemon; gives its (rc, stdout, stderr)."""
    words = shlex.split(to_text(cmd)) if isinstance(cmd, (str, bytes)) else [to_text(word) for word in cmd]
    near, far = os.pipe()
    pid = fork_process()
    if pid == 0:
        os.close(near)
        _daemon(words, far)
    os.close(far)
    os.waitpid(pid, 0)
    data = b""
    while True:
        select.select([near], [], [])
        piece = os.read(near, 65536)
        if not piece:
            break
        data += piece
    os.close(near)
    if not data:
        module.fail_json(msg="the command gave no answer", cmd=" ".join(words))
    return pickle.loads(data)


def _daemon(words, far):
    """Be the daemon's parent: run the command and send what came of it."""
    if os.fork():
        os._exit(0)
    try:
        done = subprocess.Popen(words, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
        out, err = done.communicate()
        answer = (done.returncode, to_text(out), to_text(err))
    except OSError as error:
        answer = (error.errno or 1, "", str(error))
    os.write(far, pickle.dumps(answer, protocol=2))
    os._exit(0)


def check_ps(module, pattern):
    """Tell whether a process is there whose line in `ps` holds this text."""
    return get_ps(module, pattern)


def is_systemd_managed(module):
    """Tell whether systemd is this host's init."""
    if module.get_bin_path("systemctl"):
        for path in ("/run/systemd/system/", "/dev/.run/systemd/", "/dev/.systemd/"):
            if os.path.exists(path):
                return True
    return False
