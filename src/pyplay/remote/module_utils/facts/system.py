"""Facts about kernel, users, time, environment and what boots and guards the host."""

import os
import pwd
import struct
import sys
import time

from pyplay.remote.module_utils.facts.distribution import os_release
from pyplay.remote.module_utils.facts.root import Root, assignments


def platform(root: Root) -> dict:  # every collector takes the root
    """Give names of machine, kernel and host."""
    name = root.uname()
    fqdn = _full_name()
    bits = struct.calcsize("P") * 8
    machine = name.machine
    architecture = {"i586": "i386", "i686": "i386", "i86pc": "i386"}.get(machine, machine)
    facts = {
        "system": name.sysname,
        "kernel": name.release,
        "kernel_version": name.version,
        "machine": machine,
        "nodename": name.nodename,
        "hostname": name.nodename.split(".")[0],
        "fqdn": fqdn,
        "domain": fqdn.partition(".")[2],
        "architecture": architecture,
        "userspace_bits": str(bits),
        "python_version": "%d.%d.%d" % sys.version_info[:3],
    }
    if architecture in ("x86_64", "i386"):  # elsewhere ansible-core leaves it out
        facts["userspace_architecture"] = "x86_64" if bits == 64 else "i386"
    machine_id = root.text("/var/lib/dbus/machine-id") or root.text("/etc/machine-id")
    if machine_id:
        facts["machine_id"] = machine_id.splitlines()[0]
    return facts


def _full_name() -> str:
    """Give what `socket.getfqdn` gives: the first name with a dot that this host's own one leads to, else that."""
    import _socket  # noqa: PLC0415  # see `netlink`

    name = _socket.gethostname()
    try:
        found, others, _ = _socket.gethostbyaddr(os.fsencode(name))  # text would have Python load all of IDNA
    except OSError:
        return name
    return next((each for each in [found] + others if "." in each), found)


def user(root: Root) -> dict:  # noqa: ARG001
    """Give who runs this."""
    uid = os.getuid()
    try:
        entry = pwd.getpwuid(uid)
    except KeyError:
        entry = pwd.struct_passwd((str(uid), "x", uid, os.getgid(), "", os.environ.get("HOME", "/"), ""))
    return {
        "user_id": entry.pw_name,
        "user_uid": entry.pw_uid,
        "user_gid": entry.pw_gid,
        "user_gecos": entry.pw_gecos,
        "user_dir": entry.pw_dir,
        "user_shell": entry.pw_shell,
        "real_user_id": uid,
        "effective_user_id": os.geteuid(),
        "real_group_id": os.getgid(),
        "effective_group_id": os.getegid(),
    }


def environment(root: Root) -> dict:  # noqa: ARG001
    """Give the environment variables."""
    return {"env": dict(os.environ)}


def date_time(root: Root) -> dict:  # noqa: ARG001
    """Give the host's time in the forms that playbooks use."""
    now = time.time()
    local, utc = time.localtime(now), time.gmtime(now)
    micro = "%06d" % int((now - int(now)) * 1000000)
    facts = {
        name: time.strftime(form, local)
        for name, form in (
            ("year", "%Y"),
            ("month", "%m"),
            ("weekday", "%A"),
            ("weekday_number", "%w"),
            ("weeknumber", "%W"),
            ("day", "%d"),
            ("hour", "%H"),
            ("minute", "%M"),
            ("second", "%S"),
            ("date", "%Y-%m-%d"),
            ("time", "%H:%M:%S"),
            ("iso8601_basic_short", "%Y%m%dT%H%M%S"),
            ("tz", "%Z"),
            ("tz_offset", "%z"),
        )
    }
    facts["iso8601_micro"] = "%s.%sZ" % (time.strftime("%Y-%m-%dT%H:%M:%S", utc), micro)
    facts["iso8601"] = time.strftime("%Y-%m-%dT%H:%M:%SZ", utc)
    facts["iso8601_basic"] = time.strftime("%Y%m%dT%H%M%S", local) + micro
    facts["epoch"] = facts["epoch_int"] = str(int(now))
    facts["tz_dst"] = time.tzname[1]
    return {"date_time": facts}


def cmdline(root: Root) -> dict:
    """Give what the kernel was started with: the last value of each word, and all of them."""
    text = root.text("/proc/cmdline", "")
    words = text.split()
    if '"' in text:  # it may hold blanks together
        import re  # noqa: PLC0415  # it takes a host 4 ms to load

        words = re.findall(r'(?:[^\s"]|"[^"]*")+', text)
    last, every = {}, {}
    for word in words:
        name, equals, value = word.partition("=")
        value = value.strip('"') if equals else True
        last[name] = value
        if name in every and equals:
            every[name] = (every[name] if isinstance(every[name], list) else [every[name]]) + [value]
        else:
            every[name] = value
    return {"cmdline": last, "proc_cmdline": every}


def python(root: Root) -> dict:  # noqa: ARG001
    """Give which Python runs the modules."""
    version = sys.version_info
    return {
        "python": {
            "executable": sys.executable,
            "version": {
                "major": version[0],
                "minor": version[1],
                "micro": version[2],
                "releaselevel": version[3],
                "serial": version[4],
            },
            "version_info": list(version),
            "type": sys.implementation.name,
            "has_sslcontext": any(finder.find_spec("_ssl", None) for finder in sys.meta_path),
        }
    }


def lsb(root: Root) -> dict:
    """Give what lsb_release tells; read from its files, the program is only run where they do not say."""
    facts = {}
    has_program = bool(root.program("lsb_release"))
    values = assignments(root.text("/etc/lsb-release", ""))
    if "DISTRIB_ID" in values:
        for key, name in (
            ("ID", "id"),
            ("RELEASE", "release"),
            ("DESCRIPTION", "description"),
            ("CODENAME", "codename"),
        ):
            if "DISTRIB_" + key in values:
                facts[name] = values["DISTRIB_" + key]
    elif has_program and os_release(root).get("ID") == "debian":
        release = os_release(root)
        facts = {
            "id": "Debian",
            "description": release.get("PRETTY_NAME", ""),
            "release": release.get("VERSION_ID", "n/a"),
            "codename": release.get("VERSION_CODENAME", "n/a"),
        }
    elif has_program:
        names = {"Distributor ID": "id", "Description": "description", "Release": "release", "Codename": "codename"}
        names["LSB Version"] = "release"
        for line in (root.run(["lsb_release", "-a"]) or "").splitlines():
            name, colon, value = line.partition(":")
            if colon and name in names:
                facts[names[name]] = value.strip()
    if "release" in facts:
        facts["major_release"] = facts["release"].split(".")[0]
    return {"lsb": facts}


def service_manager(root: Root) -> dict:
    """Give what starts services: systemd, openrc, sysvinit, or the name of process 1."""
    kernel = root.uname().sysname
    if kernel != "Linux":
        known = {"Darwin": "launchd", "SunOS": "smf", "AIX": "src"}
        return {"service_mgr": "bsdinit" if kernel.endswith("BSD") else known.get(kernel, "service")}
    first = os.path.basename(root.text("/proc/1/comm", "") or "")
    if first == "COMMAND":
        first = ""
    first = {"procd": "openwrt_init", "runit-init": "runit", "svscan": "svc", "openrc-init": "openrc"}.get(first, first)
    if first.endswith("sh"):
        first = ""  # a container's shell, or the script that it begins with
    if first and first != "init":
        return {"service_mgr": first}
    if root.exists("/run/systemd/system") or root.exists("/dev/.systemd"):
        manager = "systemd"
    elif root.exists("/etc/init/") and root.exists("/sbin/initctl"):
        manager = "upstart"
    elif root.exists("/sbin/openrc"):
        manager = "openrc"
    elif root.leads_to("/sbin/init") == "systemd" and root.program("systemctl"):
        manager = "systemd"
    elif root.exists("/etc/init.d/"):
        manager = "sysvinit"
    else:
        manager = "service"
    return {"service_mgr": manager}


def systemd(root: Root) -> dict:
    """Give systemd's version and features, where it runs."""
    if not root.exists("/run/systemd/system"):
        return {}
    lines = (root.run(["systemctl", "--version"]) or "").splitlines()
    if len(lines) < 2:
        return {}
    return {"systemd": {"features": lines[1].strip(), "version": _first_number(lines[0])}}


def _first_number(text: str) -> int:
    """Give the first number in a text, in which there must be one."""
    return int("".join(letter if letter.isdecimal() else " " for letter in text).split(None, 1)[0])


def selinux(root: Root) -> dict:
    """Give state and policy of SELinux."""
    facts = {"status": "disabled"}
    enforce = root.text("/sys/fs/selinux/enforce")
    if enforce is not None:
        config = assignments(root.text("/etc/selinux/config", ""))
        policy = root.text("/sys/fs/selinux/policyvers", "")
        facts = {
            "status": "enabled",
            "mode": "enforcing" if enforce == "1" else "permissive",
            "config_mode": config.get("SELINUX", "unknown"),
            "type": config.get("SELINUXTYPE", "unknown"),
            "policyvers": int(policy) if policy.isdigit() else "unknown",
        }
    return {"selinux": facts, "selinux_python_present": True}


def apparmor(root: Root) -> dict:
    """Tell whether AppArmor is on."""
    return {"apparmor": {"status": "enabled" if root.exists("/sys/kernel/security/apparmor") else "disabled"}}


def capabilities(root: Root) -> dict:
    """Give the capabilities of this process, as capsh prints them."""
    text = root.run(["capsh", "--print"])
    if text is None:
        return {"system_capabilities_enforced": "N/A", "system_capabilities": "N/A"}
    current = next((line for line in text.splitlines() if line.startswith("Current: ")), "")[len("Current: ") :]
    words = (current[1:] if current.startswith("=") else current).strip()
    enforced = "False" if words == "ep" else "True"
    return {
        "system_capabilities_enforced": enforced,
        "system_capabilities": [] if enforced == "False" else [item.strip() for item in words.split(",")],
    }


def fips(root: Root) -> dict:
    """Tell whether the kernel runs in FIPS mode."""
    return {"fips": root.text("/proc/sys/crypto/fips_enabled") == "1"}


def dns(root: Root) -> dict:
    """Give what /etc/resolv.conf says."""
    facts = {}
    for line in root.lines("/etc/resolv.conf"):
        words = line.split()
        if not words or words[0][0] in "#;":
            continue
        if words[0] == "nameserver":
            facts.setdefault("nameservers", []).extend(words[1:])
        elif words[0] == "domain" and len(words) > 1:
            facts["domain"] = words[1]
        elif words[0] in ("search", "sortlist"):
            facts[words[0]] = words[1:]
        elif words[0] == "options":
            facts["options"] = {
                word.partition(":")[0]: word.partition(":")[2] if ":" in word else True for word in words[1:]
            }
    return {"dns": facts}


def load_average(root: Root) -> dict:
    """Give the three load averages."""
    if root.live:
        one, five, fifteen = os.getloadavg()
    else:
        one, five, fifteen = (float(word) for word in root.text("/proc/loadavg", "0 0 0").split()[:3])
    return {"loadavg": {"1m": one, "5m": five, "15m": fifteen}}


def chroot(root: Root) -> dict:
    """Tell whether the process sees another root than process 1 does."""
    if os.environ.get("debian_chroot"):  # noqa: SIM112  # its real name
        return {"is_chroot": True}
    mine = os.stat("/")
    try:
        first = os.stat("/proc/1/root/.")
    except OSError:
        usual = 2  # the root inode of most file systems
        for line in root.lines("/proc/mounts"):
            words = line.split()
            if len(words) > 2 and words[1] == "/":
                usual = {"btrfs": 256, "xfs": 128}.get(words[2], 2)
        return {"is_chroot": mine.st_ino != usual}
    return {"is_chroot": (mine.st_ino, mine.st_dev) != (first.st_ino, first.st_dev)}


def ssh_keys(root: Root) -> dict:
    """Give the public host keys of the SSH server."""
    facts = {}
    for kind in ("dsa", "rsa", "ecdsa", "ed25519"):
        for directory in ("/etc/ssh", "/etc/openssh", "/etc"):
            words = root.text("%s/ssh_host_%s_key.pub" % (directory, kind), "").split()
            if len(words) > 1:
                facts["ssh_host_key_%s_public" % kind] = words[1]
                facts["ssh_host_key_%s_public_keytype" % kind] = words[0]
                break
    return facts


def iscsi(root: Root) -> dict:
    """Give the name of the iSCSI initiator."""
    for line in root.lines("/etc/iscsi/initiatorname.iscsi"):
        if line.startswith("InitiatorName="):
            return {"iscsi_iqn": line.partition("=")[2].strip()}
    return {"iscsi_iqn": ""}


def fibre(root: Root) -> dict:
    """Give the names of fibre channel ports."""
    found = [root.text("/sys/class/fc_host/%s/port_name" % name) for name in root.names("/sys/class/fc_host")]
    return {"fibre_channel_wwn": [name.replace("0x", "", 1) for name in found if name is not None]}


def nvme(root: Root) -> dict:
    """Give the name of the host in NVMe over fabrics."""
    return {"hostnqn": next((line for line in root.lines("/etc/nvme/hostnqn") if line.startswith("nqn.")), "")}
