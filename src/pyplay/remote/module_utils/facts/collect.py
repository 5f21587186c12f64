"""Choosing and running the collectors of facts."""

from pyplay.remote.module_utils.facts import distribution, hardware, local, network, storage, system, virtual
from pyplay.remote.module_utils.facts.root import Root


class Request:
    """What is asked for: subsets, patterns of names, seconds for slow ones, the directory of local facts."""

    def __init__(self, subset: list, patterns: list, timeout: float, fact_path: str, warn: object) -> None:
        """Take the options of setup; `warn(text)` is told what goes wrong."""
        self.subset = subset
        self.patterns = patterns
        self.timeout = timeout
        self.fact_path = fact_path
        self.warn = warn


def _plain(collect: object) -> object:
    return lambda root, request: collect(root)  # noqa: ARG005  # most collectors need no more


def _linux(collect: object) -> object:
    return lambda root, request: collect(root) if root.uname().sysname == "Linux" else {}  # noqa: ARG005  # as above


def _by_kernel(collect: object, name: str) -> object:
    """Give what calls `collect` on Linux, the function `name` of another kernel's own file elsewhere."""

    def choose(root: Root, request: Request) -> dict:  # noqa: ARG001  # as above
        if root.uname().sysname != "FreeBSD":
            return collect(root)
        from pyplay.remote.module_utils.facts import freebsd  # noqa: PLC0415  # only there

        return getattr(freebsd, name)(root)

    return choose


# name, belongs to, further names it goes by in gather_subset, needs, the collector.
# "min" is gathered unless refused; the names are those that playbooks use.
_TABLE = (
    ("apparmor", "min", (), (), _plain(system.apparmor)),
    ("caps", "min", ("system_capabilities", "system_capabilities_enforced"), (), _plain(system.capabilities)),
    ("cmdline", "min", (), (), _linux(system.cmdline)),
    ("date_time", "min", (), (), _plain(system.date_time)),
    (
        "distribution",
        "min",
        ("distribution_version", "distribution_release", "distribution_major_version", "os_family"),
        (),
        _plain(distribution.collect),
    ),
    ("dns", "min", (), (), _plain(system.dns)),
    ("env", "min", (), (), _plain(system.environment)),
    ("fips", "min", (), (), _plain(system.fips)),
    ("local", "min", (), (), lambda root, request: local.collect(root, request.fact_path, request.warn)),
    ("lsb", "min", (), (), _plain(system.lsb)),
    ("pkg_mgr", "min", (), ("distribution",), _plain(distribution.package_manager)),
    (
        "platform",
        "min",
        ("system", "kernel", "kernel_version", "machine", "python_version", "architecture", "machine_id"),
        (),
        _plain(system.platform),
    ),
    ("python", "min", (), (), _plain(system.python)),
    ("selinux", "min", (), (), _plain(system.selinux)),
    ("service_mgr", "min", (), ("platform", "distribution"), _plain(system.service_manager)),
    (
        "ssh_pub_keys",
        "min",
        (
            "ssh_host_pub_keys",
            "ssh_host_key_dsa_public",
            "ssh_host_key_rsa_public",
            "ssh_host_key_ecdsa_public",
            "ssh_host_key_ed25519_public",
        ),
        (),
        _plain(system.ssh_keys),
    ),
    (
        "user",
        "min",
        (
            "user_id",
            "user_uid",
            "user_gid",
            "user_gecos",
            "user_dir",
            "user_shell",
            "real_user_id",
            "effective_user_id",
            "effective_group_ids",
        ),
        (),
        _plain(system.user),
    ),
    ("chroot", "all", ("is_chroot",), (), _plain(system.chroot)),
    ("loadavg", "all", (), (), _plain(system.load_average)),
    ("iscsi", "all", (), (), _plain(system.iscsi)),
    ("fibre_channel_wwn", "all", (), (), _plain(system.fibre)),
    ("nvme", "all", (), (), _plain(system.nvme)),
    ("systemd", "all", (), (), _plain(system.systemd)),
    (
        "virtual",
        "all",
        ("virtualization_type", "virtualization_role", "virtualization_tech_guest", "virtualization_tech_host"),
        (),
        _by_kernel(virtual.collect, "virtual"),
    ),
    (
        "network",
        "all",
        ("interfaces", "default_ipv4", "default_ipv6", "all_ipv4_addresses", "all_ipv6_addresses"),
        ("distribution", "platform"),
        _by_kernel(network.collect, "network"),
    ),
    (
        "hardware",
        "all",
        ("processor", "processor_cores", "processor_count", "mounts", "devices"),
        ("platform",),
        lambda root, request: _hardware(root, request),  # noqa: PLW0108  # it is defined below
    ),
    ("facter", "all", (), (), _plain(local.facter)),
    ("ohai", "all", (), (), _plain(local.ohai)),
)


def _hardware(root: Root, request: Request) -> dict:
    if root.uname().sysname == "FreeBSD":
        from pyplay.remote.module_utils.facts import freebsd  # noqa: PLC0415  # only there

        return freebsd.hardware(root, request.timeout)
    facts = {}
    for part in (hardware.processor, hardware.memory, hardware.dmi, hardware.uptime, storage.devices, storage.lvm):
        facts.update(part(root))
    facts.update(storage.mounts(root, request.timeout))
    return facts


class UnknownSubsetError(ValueError):
    """gather_subset names what is no collector."""


def chosen(subset: list) -> list:
    """Give the names of the collectors to run for gather_subset, in the table's order.

    The minimal set is always gathered and `all` or names add to it; `!name` takes away what is not named itself as
    well; `!all` takes away everything but the minimal set. Raises UnknownSubsetError for an unknown name without `!`.
    """
    names = {"all": {name for name, _, _, _, _ in _TABLE}, "min": set()}
    for name, group, also, _, _ in _TABLE:
        for word in (name,) + also:
            names.setdefault(word, set()).add(name)
        if group == "min":
            names["min"].add(name)
    wanted, refused, named = set(names["min"]), set(), set()
    for word in subset:
        word = word.strip()  # noqa: PLW2901  # lists written with blanks
        name = word.lstrip("!")
        if name not in names:
            if word.startswith("!"):
                continue  # what is not there need not be left out
            known = ", ".join(sorted(set(names) - {"min"}))
            raise UnknownSubsetError("%r is no subset of facts; there are: %s" % (name, known))
        if not word.startswith("!"):
            wanted |= names[name]
            named |= names[name] if name not in ("all", "min") else set()
        else:
            refused |= names[name] - (names["min"] if name == "all" else set())
    wanted -= refused - named
    for name, _, _, needs, _ in _TABLE:
        if name in wanted:
            wanted |= set(needs)
    return [name for name, _, _, _, _ in _TABLE if name in wanted]


def collect(request: Request, root: object = None) -> dict:
    """Gather what is asked for; gives the facts with their `ansible_` names.

    A collector that fails is a warning, not the end of the others.
    """
    root = root or Root()
    subset = list(request.subset) or ["all"]
    names = set(chosen(subset))
    facts = {}
    for name, _, _, _, gather in _TABLE:
        if name not in names:
            continue
        try:
            found = gather(root, request)
        except Exception as error:  # one odd device must not hide all other facts
            request.warn("facts %r could not be gathered: %s: %s" % (name, type(error).__name__, error))
            continue
        for key, value in found.items():
            facts[key if key.startswith(("facter_", "ohai_")) else "ansible_" + key] = value
    facts["gather_subset"] = subset
    facts["module_setup"] = True
    return matching(facts, request.patterns)


def matching(facts: dict, patterns: list) -> dict:
    """Give the facts whose name fits one of `patterns` (with or without ansible_); all without patterns."""
    patterns = [pattern for pattern in patterns if pattern]
    if not patterns or "*" in patterns:
        return facts
    import fnmatch  # noqa: PLC0415  # rarely asked for

    wanted = list(patterns) + ["ansible_" + pattern for pattern in patterns]
    return {name: value for name, value in facts.items() if any(fnmatch.fnmatch(name, pattern) for pattern in wanted)}
