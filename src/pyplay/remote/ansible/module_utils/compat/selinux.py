"""What of libselinux's functions modules use, through the kernel's own files.

ImportError where the kernel has no SELinux. Functions give what the bindings give: numbers, or [status, text];
failures raise OSError.
"""

import os

from pyplay.remote.module_utils import files

if not os.path.isdir("/sys/fs/selinux"):
    raise ImportError("this host has no SELinux")

_LABEL = "security.selinux"


def _read(name):
    with open("/sys/fs/selinux/" + name) as stream:
        return stream.read().strip()


def is_selinux_enabled():
    """Tell whether labels are enforced or logged, as 1 or 0."""
    return int(files.selinux_enabled())


def is_selinux_mls_enabled():
    """Tell whether labels have a level, as 1 or 0."""
    return int(_read("mls") == "1")


def security_getenforce():
    """Give 1 where the policy is enforced, 0 where breaches are logged alone."""
    return int(_read("enforce"))


def security_policyvers():
    """Give the version of the policy."""
    return int(_read("policyvers"))


def _config(key):
    try:
        with open("/etc/selinux/config") as stream:
            for line in stream:
                name, equals, value = line.strip().partition("=")
                if equals and name == key:
                    return value.strip()
    except OSError:
        pass
    return ""


def selinux_getenforcemode():
    """Give [status, mode] of the next start: 1 enforcing, 0 permissive, -1 disabled."""
    modes = {"enforcing": 1, "permissive": 0, "disabled": -1}
    mode = modes.get(_config("SELINUX").lower())
    return [-1, 0] if mode is None else [0, mode]


def selinux_getpolicytype():
    """Give [status, name of the policy]."""
    name = _config("SELINUXTYPE")
    return [0, name] if name else [-1, ""]


def lgetfilecon_raw(path):
    """Give [size, label] of a file itself."""
    label = os.getxattr(path, _LABEL, follow_symlinks=False).rstrip(b"\0").decode()
    return [len(label), label]


def matchpathcon(path, mode):  # the binding's signature
    """Give [status, label that the policy has for a path]."""
    context = files.default_context(path)
    return [0, ":".join(context)] if context else [-1, ""]


def lsetfilecon(path, context):
    """Label a file itself; gives 0."""
    os.setxattr(path, _LABEL, context.encode() + b"\0", follow_symlinks=False)
    return 0
