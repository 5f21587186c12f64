"""Say how SELinux works: enforcing, permissive or not at all."""

import os
import re

from pyplay.remote.module_utils import files

OPTIONS = {
    "options": {
        "state": {
            "type": "str",
            "required": True,
            "choices": ["enforcing", "permissive", "disabled"],
            "doc": "The mode.",
        },
        "policy": {"type": "str", "doc": "Name of the policy, such as targeted; needed unless disabled."},
        "configfile": {
            "type": "str",
            "default": "/etc/selinux/config",
            "aliases": ["conf", "file"],
            "doc": "The configuration file.",
        },
        "update_kernel_param": {
            "type": "bool",
            "default": False,
            "doc": "Also disable SELinux by the kernel's command line (grubby).",
        },
    },
    "required_if": [["state", "enforcing", ["policy"]], ["state", "permissive", ["policy"]]],
    "check_mode": "full",
    "diff": False,
    "identity": ["configfile"],
    "absent_undoes": False,
    "platforms": "linux",
    "returns": {
        "msg": "What was changed.",
        "configfile": "The file.",
        "policy": "The policy.",
        "state": "The mode.",
        "reboot_required": "Whether it takes effect only at the next boot.",
    },
}

ENFORCE = "/sys/fs/selinux/enforce"


def running():
    """Give the mode of the running kernel."""
    try:
        with open(ENFORCE) as stream:
            return "enforcing" if stream.read().strip() == "1" else "permissive"
    except OSError:
        return "disabled"


def setting(text, name):
    """Give a setting of the configuration file, None where it has none."""
    match = re.search(r"^\s*%s=\s*(\S*)" % name, text, re.MULTILINE)
    return match.group(1) if match else None


def with_setting(text, name, value):
    """Give the file's text with a setting changed or added."""
    line = "%s=%s" % (name, value)
    changed, count = re.subn(r"^\s*%s=.*$" % name, line, text, flags=re.MULTILINE)
    if count:
        return changed
    return text + ("" if not text or text.endswith("\n") else "\n") + line + "\n"


def kernel_words(module):
    """Give (grubby, whether every kernel is told selinux=0)."""
    grubby = module.find_program("grubby", required=True)
    _, out, _ = module.run_command([grubby, "--info=ALL"], check=True)
    lines = [line for line in out.splitlines() if line.startswith("args=")]
    return grubby, bool(lines) and all(re.search(r"[\s\"]selinux=0\b", line) for line in lines)


def run(module):
    """Bring configuration and kernel into the wanted mode."""
    args = module.args
    state, path = args["state"], args["configfile"]
    if not os.path.isfile(path):
        module.fail("there is no file %s; is SELinux installed?" % path)
    text = files.read_bytes(path).decode("utf-8", "surrogateescape")
    policy = args["policy"] or setting(text, "SELINUXTYPE")
    if policy and not os.path.isdir(os.path.join(os.path.dirname(path), policy)) and state != "disabled":
        module.fail("the policy %s is not installed in %s" % (policy, os.path.dirname(path)))
    done, after, now = [], text, running()
    if policy and setting(text, "SELINUXTYPE") != policy:
        after = with_setting(after, "SELINUXTYPE", policy)
        done.append("policy in the file changed from %s to %s" % (setting(text, "SELINUXTYPE"), policy))
    if setting(text, "SELINUX") != state:
        after = with_setting(after, "SELINUX", state)
        done.append("mode in the file changed from %s to %s" % (setting(text, "SELINUX"), state))
    reboot = False
    if now != state:
        if "disabled" in (now, state):
            reboot = True
        if state == "disabled" and now == "enforcing":
            done.append("running mode changed from enforcing to permissive until the next boot")
        elif "disabled" not in (now, state):
            done.append("running mode changed from %s to %s" % (now, state))
    if not module.check_mode:
        if after != text:
            files.replace_content(path, after.encode("utf-8", "surrogateescape"))
        if now not in ("disabled", state):
            module.run_command(["setenforce", "1" if state == "enforcing" else "0"], check=True)
    if args["update_kernel_param"]:
        grubby, off = kernel_words(module)
        if off != (state == "disabled"):
            reboot = True
            done.append("the kernel's command line changed to selinux=%d" % (state != "disabled"))
            if not module.check_mode:
                change = "--args" if state == "disabled" else "--remove-args"
                module.run_command([grubby, "--update-kernel=ALL", change, "selinux=0"], check=True)
    result = {"changed": bool(done), "msg": ", ".join(done), "configfile": path, "policy": policy, "state": state}
    return dict(result, reboot_required=reboot)


if __name__ == "__main__":
    from pyplay.remote.module_utils.module import main

    main(run, OPTIONS)
